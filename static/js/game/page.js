// The page of a game as the server has drawn it, until the app shows the same from the facts beside it.
// Without scripts its forms work as plain page loads.

import { loadViews, mount, route } from "./app.js";
import { checkResponse, Unavailable } from "../offline/network.js";
import { loadPhrases } from "../offline/phrases.js";
import { loadShell } from "../offline/shell.js";
import { storePageFacts, fetchTable } from "../offline/snapshot.js";

const DELAY = 1000; // ms until what is needed only without a server is fetched
const MIN_RETRY = 1000; // ms, doubled with each failure
const MAX_RETRY = 10000; // ms
const early = []; // forms sent before the app is there

function hold(event) {
  if (!event.target.closest("#game")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { target: form, submitter } = event;
  early.push({ form, fields: new FormData(form, submitter), submitter });
  if (!document.getElementById("unsaved")) document.querySelector(".bar-title")?.after(mark());
}

// As unsavedMark, whose words have not come yet.
const mark = () =>
  Object.assign(document.createElement("span"), { id: "unsaved", className: "unsaved" });

// Does something as often as it takes until the server answers.
async function untilAnswered(step, wait = MIN_RETRY) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait));
    await untilAnswered(step, Math.min(2 * wait, MAX_RETRY));
  }
}

async function loadPieces(url) {
  const response = await checkResponse(fetch(url));
  loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}

// What this phone needs to go on without a server: other views, and what it needs for a new game.
async function loadTheRest() {
  loadViews().catch(() => {});
  await untilAnswered(loadShell);
  await untilAnswered(fetchTable);
  document.documentElement.dataset.kept = "";
}

/** Show the game of the page from its facts; taps that were made meanwhile are entered then. */
export async function takeOverPage(facts, pieces) {
  addEventListener("submit", hold, true);
  await untilAnswered(() => Promise.all([loadPieces(pieces), storePageFacts(facts)]));
  removeEventListener("submit", hold, true);
  await mount(document.getElementById("game"), route(location), early);
  setTimeout(loadTheRest, DELAY);
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  whenIdle(() => {
    import("../table/settings.js").catch(() => {});
    import("./motion.js").catch(() => {});
  });
}
