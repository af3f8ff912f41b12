// Actions of the offline pages, by the `data-action` of what was tapped. `app` is the object of app.js.

import { parseBid } from "../rules/engine.js";
import { gameFromForm, rematch } from "./new-game.js";
import { saveCsv } from "./csv.js";
import { resolveConflict, roundOf, stateOf } from "./facts.js";
import { update } from "./db.js";
import { pathOf } from "./home.js";
import { forgetOverruled } from "./rounds.js";
import { activeSeat } from "./keypad.js";
import { forgetRestored, resend, takeTheirs } from "./restored.js";
import { steps } from "./steps.js";

// The round and seat follow from the stored game; `app.apply` checks that it is the one shown.
const pressKey = (app, data) =>
  enter(app, data, (game) => {
    const state = stateOf(game);
    const active = activeSeat(state, app.view.chosen ?? null);
    const n = state.number;
    if (state.phase === "bidding") return steps.bid(n, active, parseBid(data.value))(game);
    return steps.tally(n, active, Number(data.value))(game);
  });

const addTrick = (app, data) =>
  enter(app, data, (game) => {
    const { open, number } = stateOf(game);
    const seat = Number(data.seat);
    return steps.tally(number, seat, (open.tally?.[seat] ?? 0) + 1, true)(game);
  });

async function chooseSeat(app, { seat }) {
  app.view.chosen = Number(seat);
  app.view.error = "";
  await app.draw();
}

const inCurrentRound = (step) => (game) => step(stateOf(game).number)(game);
const score = (app, data) => enter(app, data, inCurrentRound(steps.score));
const undo = (app, data) => enter(app, data, steps.undo());
const redo = (app, data) => enter(app, data, steps.redo());
const misdeal = (app, data) => enter(app, data, inCurrentRound(steps.misdeal));

// The entry is shown at once; the server is tried afterwards.
async function enter(app, data, step) {
  if (await app.apply(step, data)) app.view.chosen = null;
  await app.draw();
  app.sync();
}

async function applyChoice(app, data, step) {
  await app.apply(step, data);
  await app.draw();
  await app.sync();
}

// The recorded entry stays until another one is made.
async function enterAgain(app, data) {
  const n = Number(data.round);
  await app.apply((game) => (game.theirs[n] ? resolveConflict(game, n, false) : game), data);
  await showRound(app, data);
}

const resolveEntry = (app, data, ours) => {
  const n = Number(data.round);
  return applyChoice(app, data, (game) => (game.theirs[n] ? resolveConflict(game, n, ours) : game));
};

// Removes a game that the server has lost.
async function remove(app) {
  const { id } = await app.current();
  await update(`game/${id}`, () => undefined);
  await showGameList(app);
}

async function forget(app, data, step) {
  await app.apply(step, data);
  await app.draw();
}

const showRound = (app, { round }) => app.show({ name: "past", id: app.view.id, n: Number(round) });
const showRules = (app) => app.show({ name: "rules", id: app.view.id });
const showGame = (app) => app.show({ name: "game", id: app.view.id });
const showGameList = (app) => app.show({ name: "list" }, "/phone");
const showNewGame = (app) => app.show({ name: "new" }, "/phone#new");

async function open(app, { id }) {
  const game = (await app.games()).find((one) => one.id === id);
  if (!game) return;
  await app.show({ name: "game", id }, pathOf(game));
  app.sync();
}

async function saveGame(app) {
  saveCsv(await app.current());
}

/** Correct a past round from a form, or show the form again with the reason why it is refused. */
export async function correctRound(app, data, typed) {
  const n = Number(data.round);
  const game = await app.current();
  const before = roundOf(game, n);
  const bidTyped = (bid, at) => (bid === null ? null : parseBid(typed.get(`bid-${at + 1}`)));
  const bids = before.bids.map(bidTyped);
  const tricks = game.names.map((_, at) => Number(typed.get(`tricks-${at + 1}`)));
  if (await app.apply(steps.correct(n, { bids, tricks }), data)) return showGame(app);
  app.view.typed = typed;
  await app.draw();
  return scrollTo(0, 0); // where the error is shown
}

/** Start a game from a form, or show the form again with the error. */
export async function startGame(app, typed) {
  const { game, error } = gameFromForm(await app.table(), typed);
  if (game) return storeGame(app, game);
  Object.assign(app.view, { typed, error });
  await app.draw();
  return scrollTo(0, 0); // where the error is shown
}

async function playAgain(app, { way }) {
  const game = await app.current();
  await storeGame(app, rematch(game, game.owner, way));
  app.sync();
}

async function storeGame(app, game) {
  navigator.storage?.persist?.();
  await update(`game/${game.id}`, () => game);
  await app.show({ name: "game", id: game.id }, pathOf(game));
}

const actions = {
  key: pressKey,
  "one-more": addTrick,
  seat: chooseSeat,
  score,
  undo,
  redo,
  misdeal,
  round: showRound,
  rules: showRules,
  back: showGame,
  open,
  list: showGameList,
  new: showNewGame,
  rematch: playAgain,
  save: saveGame,
  retry: (app) => app.retryRefused(),
  "forget-overruled": (app, data) => forget(app, data, forgetOverruled),
  "forget-restored": (app, data) => forget(app, data, forgetRestored),
  "keep-theirs": (app, data) => resolveEntry(app, data, false),
  "enter-again": enterAgain,
  "keep-ours": (app, data) => resolveEntry(app, data, true),
  "send-again": (app, data) => applyChoice(app, data, resend),
  "take-theirs": (app, data) => applyChoice(app, data, takeTheirs),
  remove,
};

/** Run an action; unknown names do nothing. */
export const runAction = (app, name, data) => actions[name]?.(app, data);
