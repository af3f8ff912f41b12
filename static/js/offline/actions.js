// What each tap on the phone's own pages does; `app` shows views and changes what is kept.

import { parseBid } from "../rules/engine.js";
import { again, gameOf } from "./new-game.js";
import { save } from "./csv.js";
import { boardOf, choose, roundOf } from "./facts.js";
import { change } from "./db.js";
import { pathOf } from "./home.js";
import { forgetHad } from "./rounds.js";
import { activeSeat } from "./keypad.js";
import { forgetRestored, sendAgain, takeTheirs } from "./restored.js";
import { steps } from "./steps.js";

// What a key enters, and for whom, follows from the game; `enter` sees that it is the one drawn.
const key = (app, data) =>
  enter(app, data, (kept) => {
    const board = boardOf(kept);
    const active = activeSeat(board, app.view.chosen ?? null);
    const n = board.number;
    if (board.phase === "bidding") return steps.bid(n, active, parseBid(data.value))(kept);
    return steps.tally(n, active, Number(data.value))(kept);
  });

const more = (app, data) =>
  enter(app, data, (kept) => {
    const { open, number } = boardOf(kept);
    const seat = Number(data.seat);
    return steps.tally(number, seat, (open.tally?.[seat] ?? 0) + 1, true)(kept);
  });

async function seat(app, { seat: at }) {
  app.view.chosen = Number(at);
  app.view.error = "";
  await app.draw();
}

const here = (step) => (kept) => step(boardOf(kept).number)(kept);
const score = (app, data) => enter(app, data, here(steps.score));
const undo = (app, data) => enter(app, data, steps.undo());
const redo = (app, data) => enter(app, data, steps.redo());
const misdeal = (app, data) => enter(app, data, here(steps.misdeal));

// The tap is shown at once; the server is tried after it.
async function enter(app, data, step) {
  if (await app.take(step, data)) app.view.chosen = null;
  await app.draw();
  app.tryServer();
}

async function chosen(app, data, step) {
  await app.take(step, data);
  await app.draw();
  await app.tryServer();
}

// What is recorded stays until something else is entered in its place.
async function enterAgain(app, data) {
  const n = Number(data.round);
  await app.take((kept) => (kept.theirs[n] ? choose(kept, n, false) : kept), data);
  await past(app, data);
}

const entry = (app, data, ours) => {
  const n = Number(data.round);
  return chosen(app, data, (kept) => (kept.theirs[n] ? choose(kept, n, ours) : kept));
};

// A game that the server has lost goes from this phone too.
async function remove(app) {
  const { id } = await app.current();
  await change(`game/${id}`, () => undefined);
  await listGames(app);
}

async function forget(app, data, step) {
  await app.take(step, data);
  await app.draw();
}

const past = (app, { round }) => app.show({ name: "past", id: app.view.id, n: Number(round) });
const rules = (app) => app.show({ name: "rules", id: app.view.id });
const back = (app) => app.show({ name: "game", id: app.view.id });
const listGames = (app) => app.show({ name: "list" }, "/phone");
const newGame = (app) => app.show({ name: "new" }, "/phone#new");

async function open(app, { id }) {
  const kept = (await app.games()).find((one) => one.id === id);
  if (!kept) return;
  await app.show({ name: "game", id }, pathOf(kept));
  app.tryServer();
}

async function saveGame(app) {
  save(await app.current());
}

/** Correct a past round with what was typed, or say what is wrong with it beside it. */
export async function correct(app, data, typed) {
  const n = Number(data.round);
  const kept = await app.current();
  const before = roundOf(kept, n);
  const bidTyped = (bid, at) => (bid === null ? null : parseBid(typed.get(`bid-${at + 1}`)));
  const bids = before.bids.map(bidTyped);
  const tricks = kept.names.map((_, at) => Number(typed.get(`tricks-${at + 1}`)));
  if (await app.take(steps.correct(n, { bids, tricks }), data)) return back(app);
  app.view.typed = typed;
  await app.draw();
  return scrollTo(0, 0); // where it says what is wrong
}

/** Begin a game with what was typed. */
export async function start(app, typed) {
  const { kept, error } = gameOf(await app.table(), typed);
  if (kept) return keep(app, kept);
  Object.assign(app.view, { typed, error });
  await app.draw();
  return scrollTo(0, 0); // where it says what is wrong
}

async function playAgain(app, { way }) {
  const kept = await app.current();
  await keep(app, again(kept, kept.owner, way));
  app.tryServer();
}

async function keep(app, kept) {
  navigator.storage?.persist?.();
  await change(`game/${kept.id}`, () => kept);
  await app.show({ name: "game", id: kept.id }, pathOf(kept));
}

const acts = {
  key,
  more,
  seat,
  score,
  undo,
  redo,
  misdeal,
  past,
  rules,
  back,
  open,
  list: listGames,
  new: newGame,
  again: playAgain,
  save: saveGame,
  try: (app) => app.tryAgain(),
  forget: (app, data) => forget(app, data, forgetHad),
  "forget-restored": (app, data) => forget(app, data, forgetRestored),
  "keep-theirs": (app, data) => entry(app, data, false),
  "enter-again": enterAgain,
  "keep-ours": (app, data) => entry(app, data, true),
  "send-again": (app, data) => chosen(app, data, sendAgain),
  "take-theirs": (app, data) => chosen(app, data, takeTheirs),
  remove,
};

/** Do what a tap asks for. */
export const act = (app, name, data) => acts[name]?.(app, data);
