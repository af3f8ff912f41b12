// Runs beside the server's pages that show no game: refreshes the snapshot of the table, and sends what
// is unsent. A "not found" page may be that of a game that this phone still has: the app shows it then.

import { initConnection, serverAnswers, sync } from "./connection.js";
import { get, getAll } from "./db.js";
import { hasConflict } from "./entries.js";
import { needsDecision, unsentCount } from "./facts.js";
import { register } from "./install.js";
import { Unavailable } from "./network.js";
import { render, sentence } from "./phrases.js";
import { loadShell } from "./shell.js";
import { fetchTable } from "./snapshot.js";

/**
 * Refresh what this phone keeps, and send what is unsent; until then the page says so. The app shows
 * itself by `mount` in place of a page that the server does not have.
 */
export async function keepUpToDate(mount) {
  register(() => true);
  try {
    await showWaiting();
    initConnection({ changed: showWaiting, polled: () => false, isServed: true });
    await sync();
    if (serverAnswers() === true) await fetchTable();
    if (serverAnswers() !== false) await takeOver(mount);
    document.documentElement.dataset.kept = "";
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

// A link to the unsent rounds, if there are any.
async function showWaiting() {
  const unsent = (await getAll("game/")).filter(unsentCount);
  if (unsent.length) await loadShell();
  document.getElementById("waiting")?.remove();
  if (!unsent.length) return;
  const n = unsent.reduce((sum, game) => sum + unsentCount(game), 0);
  const other = unsent.some(hasConflict) ? "choose_first" : "waits";
  const code = unsent.some(needsDecision) ? "restored" : other;
  const answers = serverAnswers();
  const what = typeof answers === "string" ? answers : sentence(code, { n });
  document.querySelector("main .bar")?.after(render("waits", { what }));
}

async function takeOver(mount) {
  const id = /^\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  const game = id && (await get(`game/${id}`));
  if (!game || !unsentCount(game)) return;
  await loadShell();
  const main = document.createElement("main");
  main.id = "game";
  document.querySelector("main").replaceWith(main);
  await mount(main, { name: "game", id });
}
