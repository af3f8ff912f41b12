// What each tap on the phone's own pages does; `app` shows views and changes what is kept.

import { parseBid } from "../rules.js";
import { again, gameOf } from "./begin.js";
import { save } from "./csv.js";
import { boardOf, choose, roundOf } from "./facts.js";
import { change } from "./kept.js";
import { pathOf } from "./list.js";
import { forgetHad } from "./past.js";
import { activeSeat } from "./pad.js";
import { steps } from "./taps.js";

async function key(app, { value }) {
  const board = boardOf(await app.current());
  const active = activeSeat(board, app.view.chosen ?? null);
  const bidding = board.phase === "bidding";
  const step = bidding ? steps.bid(active, parseBid(value)) : steps.tally(active, Number(value));
  await enter(app, step);
}

async function more(app, { seat: at }) {
  const board = boardOf(await app.current());
  const count = (board.open.tally?.[Number(at)] ?? 0) + 1;
  await enter(app, steps.tally(Number(at), count, true));
}

async function seat(app, { seat: at }) {
  app.view.chosen = Number(at);
  app.view.error = "";
  await app.draw();
}

const score = (app) => enter(app, steps.score());
const undo = (app) => enter(app, steps.undo());
const redo = (app) => enter(app, steps.redo());
const misdeal = (app) => enter(app, steps.misdeal());

// The tap is shown at once; the server is tried after it.
async function enter(app, step) {
  if (await app.take(step)) app.view.chosen = null;
  await app.draw();
  app.tryServer();
}

async function chosen(app, n, ours) {
  await app.take((kept) => (kept.theirs[n] ? choose(kept, n, ours) : kept));
  await app.draw();
  await app.tryServer();
}

// What is recorded stays until something else is entered in its place.
async function enterAgain(app, { round }) {
  const n = Number(round);
  await app.take((kept) => (kept.theirs[n] ? choose(kept, n, false) : kept));
  await past(app, { round });
}

async function forget(app) {
  await app.take(forgetHad);
  await app.draw();
}

const past = (app, { round }) => app.show({ name: "past", id: app.view.id, n: Number(round) });
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
export async function correct(app, n, typed) {
  const kept = await app.current();
  const before = roundOf(kept, n);
  const bidTyped = (bid, at) => (bid === null ? null : parseBid(typed.get(`bid-${at + 1}`)));
  const bids = before.bids.map(bidTyped);
  const tricks = before.tricks.map((_, at) => Number(typed.get(`tricks-${at + 1}`)));
  if (await app.take(steps.correct(n, { bids, tricks }))) return back(app);
  app.view.typed = typed;
  await app.draw();
  return scrollTo(0, 0); // where it says what is wrong
}

/** Begin a game with what was typed. */
export async function start(app, typed) {
  const { kept, error } = gameOf(await app.table(), typed);
  if (kept) return keep(app, kept);
  Object.assign(app.view, { typed, error });
  return app.draw();
}

async function playAgain(app) {
  const kept = await app.current();
  await keep(app, again(kept, kept.owner));
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
  back,
  open,
  list: listGames,
  new: newGame,
  again: playAgain,
  save: saveGame,
  try: (app) => app.tryAgain(),
  forget,
  "keep-theirs": (app, { round }) => chosen(app, Number(round), false),
  "enter-again": enterAgain,
  "keep-ours": (app, { round }) => chosen(app, Number(round), true),
};

/** Do what a tap asks for. */
export const act = (app, name, data) => acts[name]?.(app, data);
