// The page of a game as the server has drawn it, until the app shows the same from the facts beside it.
// Without scripts its forms work as plain page loads.

import { loadViews, mount, route } from "./app.js";
import { checkResponse, Unavailable } from "../offline/network.js";
import { loadPhrases } from "../offline/phrases.js";
import { storePageFacts, fetchTable } from "../offline/snapshot.js";

const DELAY = 1000; // ms until what is needed only without a server is fetched
const early = []; // forms sent before the app is there

function hold(event) {
  if (!event.target.closest("#game")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { target: form, submitter } = event;
  early.push({ form, fields: new FormData(form, submitter), submitter });
}

async function loadPieces(url) {
  const response = await checkResponse(fetch(url));
  loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}

// What this phone needs to go on without a server: other views, and what it needs for a new game.
async function loadTheRest() {
  loadViews().catch(() => {});
  try {
    await loadPieces("/phone");
    await fetchTable();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/** Show the game of the page from its facts; taps that were made meanwhile are entered then. */
export async function takeOverPage(facts, pieces) {
  addEventListener("submit", hold, true);
  try {
    await Promise.all([loadPieces(pieces), storePageFacts(facts)]);
  } catch (error) {
    removeEventListener("submit", hold, true);
    if (!(error instanceof Unavailable)) throw error;
    for (const { form, submitter } of early) form.requestSubmit(submitter); // as without this script
    return;
  }
  removeEventListener("submit", hold, true);
  await mount(document.getElementById("game"), route(location), early);
  setTimeout(loadTheRest, DELAY);
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  whenIdle(() => import("../table/settings.js").catch(() => {}));
}
