// Runs beside the server's pages: refreshes the snapshot, sends unsent rounds, and replaces the game
// page by the offline app when the server does not answer.

import { mount } from "./app.js";
import { hasConflict, unsentCount } from "./facts.js";
import { get, getAll, update } from "./db.js";
import { checkResponse, Unavailable } from "./network.js";
import { syncGame, unsyncedGames } from "./sync.js";
import { fetchGame, fetchTable } from "./snapshot.js";
import { stepFromRequest } from "./steps.js";
import { liveRegion } from "./announcement.js";
import { forgetOverruled, overruledNote } from "./rounds.js";
import { forgetRestored, needsDecision, restoredNote } from "./restored.js";
import { loadPhrases, render, sentence } from "./phrases.js";
import { register } from "./install.js";

const TAP_TIMEOUT = 4000; // ms until a tap is handled offline
const gameElement = () => document.getElementById("game");
const revision = () => gameElement()?.dataset.revision;
const isBusy = () => "busy" in document.documentElement.dataset;
let id;
let pendingSteps = []; // steps sent, with the version they were made on; the snapshot may lack them
let fetching = false;

/** Prepare this page to continue offline. */
export async function init() {
  id = /^\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  // A "not found" page may be that of a game that this phone still has.
  if (!gameElement() && !(id && (await get(`game/${id}`)))) id = undefined;
  if (id) liveRegion(); // screen readers announce changes only in a region that exists already
  watchRequests();
  register(() => !isBusy());
  try {
    await fetchTable();
    if (id) await fetchGame(id);
    if (id) await loadShell();
    await syncAll();
    if (id && gameElement()) await showNotes();
    document.documentElement.dataset.kept = gameElement()?.dataset.version ?? "";
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

async function loadShell() {
  const response = await checkResponse(fetch("/phone"));
  loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}

// Outside the game element, whose content is replaced by updates.
async function showNotes() {
  const game = await get(`game/${id}`);
  if (game) showNote(restoredNote(game), forgetRestored, (piece) => gameElement().before(piece));
  if (game) showNote(overruledNote(game), forgetOverruled, (piece) => document.body.append(piece));
}

function showNote(piece, forget, place) {
  if (!piece) return;
  const [section] = piece.children;
  section.querySelector("button").addEventListener("click", async () => {
    await update(`game/${id}`, forget);
    section.remove();
  });
  place(piece);
}

async function syncAll() {
  let refusal;
  try {
    for (const game of await unsyncedGames()) await syncGame(game.id);
  } catch (error) {
    refusal = error;
    if (!refusal.sentence) throw error;
  }
  const unsent = (await getAll("game/")).filter(unsentCount);
  if (id && unsent.some((game) => game.id === id)) takeOver();
  else if (unsent.length) await showWaiting(unsent, refusal?.sentence);
}

// On pages without the game: a link to the unsent rounds.
async function showWaiting(unsent, refusal) {
  await loadShell();
  const n = unsent.reduce((sum, game) => sum + unsentCount(game), 0);
  const other = unsent.some(hasConflict) ? "choose_first" : "waits";
  const code = unsent.some(needsDecision) ? "restored" : other;
  const line = render("waits", { what: refusal || sentence(code, { n }) });
  document.getElementById("waiting")?.remove();
  document.querySelector("main .bar")?.after(line);
}

function watchRequests() {
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!id || !ctx.sourceElement?.closest("#game")) return;
    const step = stepFromRequest(ctx.request.action, ctx.request.body);
    if (step) pendingSteps.push({ step, version: parseInt(ctx.request.body.get("version"), 10) });
    ctx.fetch = (...request) =>
      checkResponse(fetch(...request), TAP_TIMEOUT).then(
        (response) => {
          // What the server refused is not applied offline later.
          if (response.status >= 400) pendingSteps = pendingSteps.filter((one) => one.step !== step);
          return response;
        },
        () => {
          takeOver();
          return new Promise(() => {}); // the page that waited is gone
        },
      );
  });
  document.addEventListener("htmx:after:swap", refreshSnapshot);
  document.addEventListener("settled", refreshSnapshot);
}

async function refreshSnapshot() {
  const before = id && (await get(`game/${id}`));
  if (!id || fetching || !revision() || before?.revision === revision()) return;
  fetching = true;
  if (before) pendingSteps = stepsMissingFrom(before); // its version may be lower afterwards
  try {
    await fetchGame(id);
    const game = await get(`game/${id}`);
    pendingSteps = stepsMissingFrom(game);
    document.documentElement.dataset.kept = gameElement()?.dataset.version ?? "";
    if (game.restored) await syncAll();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  } finally {
    fetching = false;
  }
}

const stepsMissingFrom = (game) => pendingSteps.filter((one) => one.version >= game.version);

async function takeOver() {
  const game = await get(`game/${id}`);
  const place = gameElement() ?? document.querySelector("main:not(#phone)");
  if (!game || !place) return;
  const aside = document.createElement("div");
  aside.hidden = true;
  aside.append(...document.querySelectorAll("#error-banner, #connection-status, #restored"));
  const main = document.createElement("main");
  main.id = "phone";
  // The offline app renders them itself.
  for (const one of document.querySelectorAll("#restored-note, #overruled")) one.remove();
  document.body.append(aside);
  place.replaceWith(main);
  delete document.documentElement.dataset.busy;
  mount(main, { name: "game", id }, stepsMissingFrom(game).map((one) => one.step));
  pendingSteps = [];
}
