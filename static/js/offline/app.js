// The phone goes on by itself: which view is shown, and when the server is tried again.

import { boardOf, clashes, entriesOf, howMany, stamped } from "./facts.js";
import { act, correct, start } from "./actions.js";
import { bePatient, letTakeOver, register, renewWhenReplaced } from "./install.js";
import { all, change, get, isUnsaved, storeUnsaved } from "./db.js";
import { NoAnswer } from "./network.js";
import { list, newGame } from "./home.js";
import { asks } from "./restored.js";
import { newsOf, region, tell } from "./announcement.js";
import { past } from "./rounds.js";
import { rulesOf } from "./rules-page.js";
import { lineOf, screenOf, standing } from "./screen.js";
import { gamesWaiting, send } from "./send.js";
import { keepTable } from "./snapshot.js";
import { inTurn, listen } from "./input.js";
import { Moved } from "./steps.js";
import { Refused } from "../rules/engine.js";
import { text, told } from "./phrases.js";

const SOON = 1000; // ms until the server is tried again, twice as long each time it fails
const ASK_AGAIN = 10000; // ms that this grows to

let place;
let view; // {name: "game"|"past"|"rules"|"list"|"new", id, n, chosen, typed, error}
let answers = null; // whether the server answered last, or why it takes nothing; null before
let notBefore = 0; // when the server may be asked again, if it said so
let trying = false;
let isWaiting = false; // whether anything is to be sent
let wait = SOON;
let next;
let drawnState;
let mine; // the entries that this page drew last, or made of those
let taking = Promise.resolve(); // until the tap before is kept
let turn = 0; // grows when others made them, as another page of this phone does

/** Show a view in a part of the page, after steps that were tapped and never answered. */
export async function open(main, first, unanswered = []) {
  place = main;
  view = first;
  region();
  listen(place, { tap: tapped, sent: submitted });
  addEventListener("popstate", () => show(route(location)));
  await inTurn(async () => {
    await draw(); // as it was before those steps, for them to be news
    for (const step of unanswered) await take(step, { on: turn });
    await draw();
  });
  await tryServer();
  addEventListener("online", tryServer);
  document.addEventListener("visibilitychange", lookAgain);
  addEventListener("beforeunload", (event) => isUnsaved() && isWaiting && event.preventDefault());
  register(isAtRest);
  renewWhenReplaced();
}

/** What an address shows on the phone. */
export function route({ pathname, hash }) {
  const [, id, page, n] = /^\/games\/([a-z0-9]+)(\/rules|\/rounds\/(\d+))?$/.exec(pathname) ?? [];
  if (id === "new" || hash === "#new") return { name: "new" };
  if (n) return { name: "past", id, n: Number(n) };
  if (page) return { name: "rules", id };
  if (id) return { name: "game", id };
  return hash.length > 1 ? { name: "game", id: hash.slice(1) } : { name: "list" };
}

// Nothing is half entered or half read, on its way, or only in this page.
const isAtRest = () => !trying && !isInUse() && !isUnsaved();
const isInUse = () => ["past", "rules", "new"].includes(view.name);

// Another page of this phone may have gone on while this one was not seen.
async function lookAgain() {
  if (document.visibilityState === "visible" && !isInUse()) await draw();
  await tryServer();
}

async function show(next, path) {
  view = next;
  if (path) history.pushState(null, "", path);
  scrollTo(0, 0);
  await draw();
  const title = place.querySelector("h1");
  if (title) title.tabIndex = -1;
  title?.focus({ preventScroll: true });
}

/**
 * Change what is kept of the game shown, as a tap on what was drawn asks for. What the rules refuse
 * is said, and changes nothing; nor does a tap made before somebody else changed what it meant.
 */
function take(step, data) {
  const done = taking.then(() => takeNow(step, data));
  taking = done.catch(() => {});
  return done;
}

async function takeNow(step, { on }) {
  let refused;
  const kept = await current();
  if (!kept) return false;
  const before = mine;
  const changed = await change(`game/${kept.id}`, (now) => {
    refused = null;
    try {
      if (Number(on) !== turn || drawnOf(now) !== before) throw new Moved();
      return stamped(now, step(now), new Date().toISOString());
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Moved)) throw error;
      refused = error;
      return now;
    }
  });
  if (!refused) mine = drawnOf(changed);
  const isMoved = refused instanceof Moved;
  view.error = isMoved ? text("moved") : refused?.refusals.map(told).join(" ");
  if (isMoved) view.chosen = null;
  return !refused;
}

// What a tap is made on: all entries, and whether there is a question instead of the pad.
const drawnOf = (kept) => kept && `${entriesOf(kept)} ${asks(kept)}`;

async function current() {
  if (!view.id) return undefined;
  const moved = await get(`moved/game/${view.id}`);
  const kept = await get(moved ?? `game/${view.id}`);
  if (kept) view.id = kept.id;
  return kept;
}

// What is kept, read between two taps.
async function found() {
  const last = taking;
  await last;
  const now = [await current(), await get("table"), await all("game/")];
  return last === taking ? now : found();
}

async function draw() {
  const [kept, table, games] = await found();
  if (drawnOf(kept) !== mine) turn += 1;
  mine = drawnOf(kept);
  place.dataset.turn = turn;
  isWaiting = games.some(howMany);
  games.sort((one, other) => (one.changed < other.changed ? 1 : -1));
  // Drawing the same again would take a button from under a finger.
  const shown = (kept ? [kept] : games).map(stateOf);
  const state = JSON.stringify([view, answers, shown, table?.tag, isUnsaved()]);
  if (state === drawnState) return;
  drawnState = state;
  const held = document.activeElement?.id;
  const unfolded = [...place.querySelectorAll("details[open]")].map(({ id }) => id);
  const isGame = kept && view.name === "game";
  place.className = isGame ? `game ${boardOf(kept).phase}` : "page";
  place.dataset.steps = kept?.undo.length ?? 0;
  place.replaceChildren(drawn(kept, table, games));
  document.title = place.querySelector("h1")?.textContent ?? document.title;
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  keepFocus(held, isGame && clashes(kept).length ? `${kept.id} ${clashes(kept)[0]}` : "");
  const isPlayed = isGame && !clashes(kept).length && !asks(kept);
  const news = isPlayed ? newsOf(kept, boardOf(kept), view.chosen ?? null) : {};
  const about = isGame ? kept.id : view.name;
  tell(about, news, standing(kept ? [kept] : games, answers, Boolean(view.id) && !kept));
  if (isGame) keepInView([kept.id, kept.undo.length, ...Object.keys(kept.theirs)].join(" "));
  letTakeOver();
}

// Two entries for a round take the focus when they appear, and give it back to the heading.
function keepFocus(held, clash) {
  const isChanged = clash !== (place.dataset.clash ?? "");
  place.dataset.clash = clash;
  const title = place.querySelector(clash ? "#clash" : "h1");
  if (isChanged && title) title.tabIndex = -1;
  const next = isChanged ? title : document.getElementById(held) ?? place.querySelector("#winner");
  if (isChanged || held) next?.focus({ preventScroll: true });
}

// What the last entry led to must be seen; a page drawn again because of nothing stays where it is.
function keepInView(state) {
  if (place.dataset.state === state) return;
  place.dataset.state = state;
  const active = place.querySelector(".seat.active");
  if (!active || active.matches(":first-child")) scrollTo(0, 0);
  else active.scrollIntoView({ block: "nearest" });
}

const stateOf = ({ id, rounds, base, theirs, undo, redo, refused, gone, had, restored }) =>
  [id, rounds, base, theirs, undo.length, redo.length, refused, gone, had?.length, restored];

function drawn(kept, table, games) {
  const isPast = view.name === "past" && kept && view.n <= boardOf(kept).rounds.length;
  if (view.name === "new" && table) return newGame(table, view.typed, view.error);
  if (isPast) return past(kept, boardOf(kept), view.n, view.typed, view.error);
  if (view.name === "rules" && kept) return rulesOf(kept, table);
  if (kept) return screenOf(kept, view, lineOf([kept], answers, false, false));
  return list(games, Boolean(table), lineOf(games, answers, Boolean(view.id)));
}

async function tapped(...what) {
  await act(app, ...what);
  document.dispatchEvent(new Event("settled"));
}

async function submitted(what, typed, data) {
  if (what === "correct") await correct(app, data, typed);
  if (what === "begin") await start(app, typed);
  await tryServer();
}

// Somebody asks for it: what was refused is sent again, and a wait is over.
async function tryAgain() {
  for (const { id } of (await all("game/")).filter((kept) => kept.refused))
    await change(`game/${id}`, (kept) => ({ ...kept, refused: null }));
  await tryInTime();
}

function tryInTime() {
  notBefore = 0;
  return tryServer();
}

/** Send what waits and learn what there is; then go back to the server's own page. */
async function tryServer() {
  if (trying || document.visibilityState === "hidden" || Date.now() < notBefore) return;
  trying = true;
  try {
    await storeUnsaved();
    const waiting = await gamesWaiting();
    for (const { id } of waiting) await send(id);
    if (!waiting.length) await keepTable();
    answers = true;
    wait = ASK_AGAIN;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (answers === true) wait = SOON;
    answers = error.sentence || false;
    notBefore = Date.now() + error.wait;
  } finally {
    trying = false;
  }
  clearTimeout(next);
  next = setTimeout(tryInTime, Math.max(wait, notBefore - Date.now()));
  wait = Math.min(2 * wait, ASK_AGAIN);
  if (!isInUse()) await draw();
  if (answers === true) await leave();
}

async function leave() {
  const kept = await current();
  const isOpen = kept ? howMany(kept) || kept.gone || kept.refused : location.pathname === "/phone";
  if (trying || isInUse() || isOpen) return;
  bePatient();
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
  take,
  tryServer,
  tryAgain,
  games: () => all("game/"),
  table: () => get("table"),
};
