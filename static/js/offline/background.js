// Runs beside the server's pages that show no game: refreshes the snapshot of the table, and sends what
// is unsent. A "not found" page may be that of a game that this phone still has: the app shows it then.

import { mount } from "../game/app.js";
import { hasConflict, unsentCount } from "./facts.js";
import { get, getAll } from "./db.js";
import { checkResponse, Unavailable } from "./network.js";
import { syncGame, unsyncedGames } from "./sync.js";
import { fetchTable } from "./snapshot.js";
import { needsDecision } from "./restored.js";
import { loadPhrases, render, sentence } from "./phrases.js";
import { register } from "./install.js";

/** Refresh what this phone keeps, and send what is unsent. */
export async function keepUpToDate() {
  register(() => true);
  try {
    await fetchTable();
    await syncAll();
    document.documentElement.dataset.kept = "";
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

async function syncAll() {
  let refusal;
  try {
    for (const game of await unsyncedGames()) await syncGame(game.id);
  } catch (error) {
    refusal = error;
    if (!refusal.sentence) throw error;
  }
  const id = /^\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  const game = id && (await get(`game/${id}`));
  const unsent = (await getAll("game/")).filter(unsentCount);
  if (game && unsentCount(game)) await takeOver(id);
  else if (unsent.length) await showWaiting(unsent, refusal?.sentence);
}

async function loadShell() {
  const response = await checkResponse(fetch("/phone"));
  loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}

// A link to the unsent rounds.
async function showWaiting(unsent, refusal) {
  await loadShell();
  const n = unsent.reduce((sum, game) => sum + unsentCount(game), 0);
  const other = unsent.some(hasConflict) ? "choose_first" : "waits";
  const code = unsent.some(needsDecision) ? "restored" : other;
  const line = render("waits", { what: refusal || sentence(code, { n }) });
  document.getElementById("waiting")?.remove();
  document.querySelector("main .bar")?.after(line);
}

async function takeOver(id) {
  await loadShell();
  const main = document.createElement("main");
  main.id = "game";
  document.querySelector("main").replaceWith(main);
  await mount(main, { name: "game", id });
}
