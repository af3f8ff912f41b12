// The offline app: which view is shown, and when the server is tried again.

import {
  conflicts, entriesOf, hasConflict, newestFirst, stampEntries, stateOf, unsentCount,
} from "./facts.js";
import { correctRound, runAction, startGame } from "./actions.js";
import { activateUpdate, extendTimeout, register, reloadOnUpdate } from "./install.js";
import { get, getAll, isUnsaved, storeUnsaved, update } from "./db.js";
import { Unavailable } from "./network.js";
import { gameListPage, newGamePage } from "./home.js";
import { needsDecision } from "./restored.js";
import { announce, announcementFor, liveRegion } from "./announcement.js";
import { roundPage } from "./rounds.js";
import { rulesPage } from "./rules-page.js";
import { gamePage, serverStatus, statusLine } from "./screen.js";
import { syncGame, unsyncedGames } from "./sync.js";
import { fetchTable } from "./snapshot.js";
import { enqueue, listen } from "./input.js";
import { Stale } from "./steps.js";
import { Refused } from "../rules/engine.js";
import { phrase, text } from "./phrases.js";

const MIN_RETRY = 1000; // ms, doubled with each failure
const MAX_RETRY = 10000; // ms

let root;
let view; // {name: "game"|"past"|"rules"|"list"|"new", id, n, chosen, typed, error}
let serverState = null; // whether it answered last, or its sentence why not; null at first
let retryAt = 0; // ms since the epoch, if the server asked to wait
let isSyncing = false;
let hasUnsent = false; // unsent rounds of any game
let retryDelay = MIN_RETRY;
let retryTimer;
let drawnKey; // the state that was rendered last, as JSON
let drawnEntries; // the entries that were rendered, or made on this page since
let lastUpdate = Promise.resolve(); // of the stored game
let generation = 0; // counts changes of the entries made elsewhere

/** Show a view in an element, after applying steps that the server did not answer. */
export async function mount(main, first, unanswered = []) {
  root = main;
  view = first;
  liveRegion();
  listen(root, { onTap, onSubmit });
  addEventListener("popstate", () => show(route(location)));
  await enqueue(async () => {
    await draw(); // the state before those steps, so that they are announced
    for (const step of unanswered) await apply(step, { on: generation });
    await draw();
  });
  await sync();
  addEventListener("online", sync);
  document.addEventListener("visibilitychange", onVisible);
  addEventListener("beforeunload", (event) => isUnsaved() && hasUnsent && event.preventDefault());
  register(isIdle);
  reloadOnUpdate();
}

/** Return the view for an address. */
export function route({ pathname, hash }) {
  const [, id, page, n] = /^\/games\/([a-z0-9]+)(\/rules|\/rounds\/(\d+))?$/.exec(pathname) ?? [];
  if (id === "new" || hash === "#new") return { name: "new" };
  if (n) return { name: "past", id, n: Number(n) };
  if (page) return { name: "rules", id };
  if (id) return { name: "game", id };
  return hash.length > 1 ? { name: "game", id: hash.slice(1) } : { name: "list" };
}

// Nothing is being edited, read or sent, or in memory only.
const isIdle = () => !isSyncing && !isEditing() && !isUnsaved();
const isEditing = () => ["past", "rules", "new"].includes(view.name);

// Another page of this phone may have changed the game meanwhile.
async function onVisible() {
  if (document.visibilityState === "visible" && !isEditing()) await draw();
  await sync();
}

async function show(shown, path) {
  view = shown;
  if (path) history.pushState(null, "", path);
  scrollTo(0, 0);
  await draw();
  const title = root.querySelector("h1");
  if (title) title.tabIndex = -1;
  title?.focus({ preventScroll: true });
}

/**
 * Apply a step to the stored game, and return whether that worked. It does not if the rules refuse
 * it, or if the entries were changed elsewhere since the tap; the view then shows why.
 */
function apply(step, data) {
  const done = lastUpdate.then(() => applyNow(step, data));
  lastUpdate = done.catch(() => {});
  return done;
}

async function applyNow(step, { on }) {
  let refused;
  const game = await current();
  if (!game) return false;
  const before = drawnEntries;
  const changed = await update(`game/${game.id}`, (now) => {
    refused = null;
    try {
      if (Number(on) !== generation || entriesKey(now) !== before) throw new Stale();
      return stampEntries(now, step(now), new Date().toISOString());
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Stale)) throw error;
      refused = error;
      return now;
    }
  });
  if (!refused) drawnEntries = entriesKey(changed);
  const isMoved = refused instanceof Stale;
  view.error = isMoved ? text("moved") : refused?.refusals.map(phrase).join(" ");
  if (isMoved) view.chosen = null;
  return !refused;
}

// What has to be unchanged for a tap to count: all entries, and whether a decision is shown.
const entriesKey = (game) => game && `${entriesOf(game)} ${needsDecision(game)}`;

async function current() {
  if (!view.id) return undefined;
  const moved = await get(`moved/game/${view.id}`);
  const game = await get(moved ?? `game/${view.id}`);
  if (game) view.id = game.id;
  return game;
}

// Reads what is stored between two updates.
async function readState() {
  const last = lastUpdate;
  await last;
  const now = [await current(), await get("table"), await getAll("game/")];
  return last === lastUpdate ? now : readState();
}

async function draw() {
  const [game, table, games] = await readState();
  if (entriesKey(game) !== drawnEntries) generation += 1;
  drawnEntries = entriesKey(game);
  root.dataset.generation = generation;
  hasUnsent = games.some(unsentCount);
  games.sort(newestFirst);
  // Rendering again would remove a button that is being tapped.
  const shown = (game ? [game] : games).map(drawnFacts);
  const state = JSON.stringify([view, serverState, shown, table?.tag, isUnsaved()]);
  if (state === drawnKey) return;
  drawnKey = state;
  const focused = document.activeElement;
  const held = focused?.id || (root.contains(focused) ? "won" : ""); // not every button has an id
  const unfolded = [...root.querySelectorAll("details[open]")].map(({ id }) => id);
  const isGame = game && view.name === "game";
  root.className = isGame ? `game ${stateOf(game).phase}` : "page";
  root.dataset.steps = game?.undo.length ?? 0;
  root.replaceChildren(renderView(game, table, games));
  document.title = root.querySelector("h1")?.textContent ?? document.title;
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  restoreFocus(held, isGame && hasConflict(game) ? `${game.id} ${conflicts(game)[0]}` : "");
  const isPlayed = isGame && !hasConflict(game) && !needsDecision(game);
  const news = isPlayed ? announcementFor(game, stateOf(game), view.chosen ?? null) : {};
  const about = isGame ? game.id : view.name;
  announce(about, news, serverStatus(game ? [game] : games, serverState, Boolean(view.id) && !game));
  if (isGame) scrollToActiveSeat([game.id, game.undo.length, ...Object.keys(game.theirs)].join(" "));
  activateUpdate();
}

// A conflict takes the focus when it appears; once it is resolved the heading does.
function restoreFocus(held, clash) {
  const isChanged = clash !== (root.dataset.clash ?? "");
  root.dataset.clash = clash;
  const title = root.querySelector(clash ? "#clash" : "h1");
  if (isChanged && title) title.tabIndex = -1;
  const next = isChanged ? title : document.getElementById(held) ?? root.querySelector("#won");
  if (isChanged || held) next?.focus({ preventScroll: true });
}

// Only after a change: otherwise the page keeps its scroll position.
function scrollToActiveSeat(state) {
  if (root.dataset.state === state) return;
  root.dataset.state = state;
  const active = root.querySelector(".seat.active");
  if (!active || active.matches(":first-child")) scrollTo(0, 0);
  else active.scrollIntoView({ block: "nearest" });
}

const drawnFacts = ({ id, rounds, base, theirs, undo, redo, refused, gone, had, restored }) =>
  [id, rounds, base, theirs, undo.length, redo.length, refused, gone, had?.length, restored];

function renderView(game, table, games) {
  const isPast = view.name === "past" && game && view.n <= stateOf(game).rounds.length;
  if (view.name === "new" && table) return newGamePage(table, view.typed, view.error);
  if (isPast) return roundPage(game, stateOf(game), view.n, view.typed, view.error);
  if (view.name === "rules" && game) return rulesPage(game, table);
  if (game) return gamePage(game, view, statusLine([game], serverState, false, false));
  return gameListPage(games, Boolean(table), statusLine(games, serverState, Boolean(view.id)));
}

async function onTap(...what) {
  await runAction(app, ...what);
  document.dispatchEvent(new Event("settled"));
}

async function onSubmit(what, typed, data) {
  if (what === "correct") await correctRound(app, data, typed);
  if (what === "begin") await startGame(app, typed);
  await sync();
}

// Also sends again what was refused, and ends the wait that the server asked for.
async function retryRefused() {
  for (const { id } of (await getAll("game/")).filter((game) => game.refused))
    await update(`game/${id}`, (game) => ({ ...game, refused: null }));
  await retry();
}

function retry() {
  retryAt = 0;
  return sync();
}

/** Send unsent rounds, or fetch the table; then return to the server's page. */
async function sync() {
  if (isSyncing || document.visibilityState === "hidden" || Date.now() < retryAt) return;
  isSyncing = true;
  try {
    await storeUnsaved();
    const waiting = await unsyncedGames();
    for (const { id } of waiting) await syncGame(id);
    if (!waiting.length) await fetchTable();
    serverState = true;
    retryDelay = MAX_RETRY;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    if (serverState === true) retryDelay = MIN_RETRY;
    serverState = error.sentence || false;
    retryAt = Date.now() + error.wait;
  } finally {
    isSyncing = false;
  }
  clearTimeout(retryTimer);
  retryTimer = setTimeout(retry, Math.max(retryDelay, retryAt - Date.now()));
  retryDelay = Math.min(2 * retryDelay, MAX_RETRY);
  if (!isEditing()) await draw();
  if (serverState === true) await returnToServer();
}

async function returnToServer() {
  const game = await current();
  const isOpen = game ? unsentCount(game) || game.gone || game.refused : location.pathname === "/phone";
  if (isSyncing || isEditing() || isOpen) return;
  extendTimeout();
  const here = view.name === "list" ? "/" : `/games/${view.id}`;
  location.replace(here);
}

const app = {
  get view() {
    return view;
  },
  current,
  draw,
  show,
  apply,
  sync,
  retryRefused,
  games: () => getAll("game/"),
  table: () => get("table"),
};
