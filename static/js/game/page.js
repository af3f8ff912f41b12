// Entry point of the app, by the page it runs on: a game as the server has drawn it, until the app shows it
// from the facts beside it (until then, and without scripts, its forms and links work as plain page loads);
// the shell that the service worker shows where the server does not answer; or any other page.

import { mount, redraw, route } from "./app.js";
import {
  checkResponse, loadExtras, loadOnline, loadShell, loadViews, MAX_RETRY, MIN_RETRY, PATIENCE, scripts,
  Unavailable,
} from "./loading.js";
import { get, update } from "../model/db.js";
import { fromServer } from "../model/facts.js";
import { loadPhrases } from "../draw/phrases.js";

scripts.views = () => import("../draw/views.js");
scripts.online = () => import("../model/online.js");

const DELAY = 1000; // ms until what is needed only without a server is fetched

// Retries something until the server answers.
async function untilAnswered(step, wait = MIN_RETRY) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await after(wait);
    await untilAnswered(step, Math.min(2 * wait, MAX_RETRY));
  }
}

async function loadPieces(url) {
  const response = await checkResponse(fetch(url));
  loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function mergeStored(facts) {
  const { mergePageFacts, refreshGame } = await loadOnline();
  if (!(await mergePageFacts(facts))) await refreshGame(facts.game.id);
}

// A game that this phone has not shown before is as the server says; any other is merged.
async function store(facts) {
  const { game, owner, token } = facts;
  const key = `game/${game.id}`;
  if (await get(key)) return Promise.race([mergeStored(facts), after(PATIENCE)]);
  await update("table", (table) => ({ ...(table?.owner === owner && table), owner, token }));
  return update(key, (now) => now ?? { ...fromServer(game, owner), tag: "" });
}

// What this phone needs to go on without a server: its shell, and what it needs for a new game.
async function loadTheRest() {
  await untilAnswered(() => loadShell());
  await untilAnswered((await loadOnline()).fetchTable);
  await redraw(); // with the names that can be tapped
  document.documentElement.dataset.kept = "";
}

/** Show the game of the page from its facts. */
async function takeOverPage(facts, pieces) {
  await Promise.all([untilAnswered(() => loadPieces(pieces)), store(facts)]);
  // The answer to a form that was refused has the address of the form, and says why.
  const view = { ...route(location), name: "game", id: facts.game.id, error: facts.error };
  await mount(document.getElementById("game"), view);
  setTimeout(loadTheRest, DELAY);
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  whenIdle(() => loadViews().catch(() => {})); // with the hints of the seats
  whenIdle(loadExtras);
}

const facts = document.getElementById("game-facts");
if (facts) {
  takeOverPage(JSON.parse(facts.textContent), facts.dataset.pieces);
} else if (document.getElementById("phone-words")) {
  const start = () => mount(document.getElementById("game"), route(location));
  loadViews().then(start, start);
  loadExtras();
} else {
  scripts.views().then(({ keepUpToDate }) => keepUpToDate(mount), () => {});
}
