// Actions beside the keypad, by the `data-action` of what was tapped. `app` is the object of app.js.

import { forgetReplaced } from "./rounds.js";
import { saveCsv } from "../offline/csv.js";
import { update } from "../offline/db.js";
import { roundOf } from "../offline/entries.js";
import { enter, pathOf, stateOf } from "../offline/facts.js";
import { gameFromForm, rematch } from "../offline/new-game.js";
import { resolveConflict } from "../offline/resolve.js";
import { forgetRestored, resend, takeTheirs } from "../offline/restored.js";
import { parseBid } from "../rules/bidding.js";
import { scoreRound } from "../rules/entry.js";

/** Play a finished game again: all phones share the rematch that the server starts. */
export async function startRematch(app, path, fields, id) {
  await app.sync();
  const game = await gameOf(app, id);
  if (game.begin || !(await app.isServed())) return playAgain(app, game, fields.get("way") ?? "same");
  const { token } = (await app.table()) ?? {};
  const form = Object.assign(document.createElement("form"), { method: "post", action: path });
  for (const [name, value] of [...fields, ["csrf_token", token]])
    if (name !== "csrf_token" || value === token)
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  return form.submit();
}

async function applyChoice(app, data, step) {
  await app.enter(step, data);
  app.sync();
}

// The recorded entry stays until another one is made.
async function enterAgain(app, data) {
  const n = Number(data.round);
  await app.apply((game) => (game.theirs[n] ? resolveConflict(game, n, false) : game), data);
  await showRound(app, data);
}

async function resolveEntry(app, data, ours) {
  const n = Number(data.round);
  await applyChoice(app, data, (game) => (game.theirs[n] ? resolveConflict(game, n, ours) : game));
  app.refresh(); // what followed the round
}

// Removes a game that the server has lost.
async function remove(app) {
  const { id } = await app.current();
  await update(`game/${id}`, () => undefined);
  await showGameList(app);
}

const showRound = (app, { round }) => app.show({ name: "past", id: app.view.id, n: Number(round) });
const showRules = (app) => app.show({ name: "rules", id: app.view.id });
const showGame = (app) => app.show({ name: "game", id: app.view.id });
const showGameList = (app) => app.show({ name: "list" }, "/phone");
const showNewGame = (app) => app.show({ name: "new" }, "/phone#new");

async function openGame(app, { id }) {
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
  const tricks = before.tricks.map((count, at) => Number(typed.get(`tricks-${at + 1}`) ?? count));
  const correct = (now) => {
    const round = roundOf(now, n);
    return enter(now, n, scoreRound(stateOf(now), n, { ...round, bids, tricks }, round));
  };
  if (await app.apply(correct, data)) return showGame(app);
  app.view.typed = typed;
  await app.draw();
  return document.querySelector("#game [aria-invalid]")?.focus() ?? scrollTo(0, 0);
}

/** Start a game from a form, or show the form again with the error. */
export async function startGame(app, typed) {
  const { game, error } = gameFromForm(await app.table(), typed);
  if (game) return storeGame(app, game);
  Object.assign(app.view, { typed, error });
  await app.draw();
  return scrollTo(0, 0); // where the error is shown
}

const gameOf = async (app, id) =>
  id ? (await app.games()).find((one) => one.id === id) : app.current();

async function playAgain(app, game, way) {
  await storeGame(app, rematch(game, game.owner, way));
  app.sync();
}

async function storeGame(app, game) {
  navigator.storage?.persist?.();
  await update(`game/${game.id}`, () => game);
  await app.show({ name: "game", id: game.id }, pathOf(game));
}

const actions = {
  round: showRound,
  rules: showRules,
  back: showGame,
  open: openGame,
  list: showGameList,
  new: showNewGame,
  rematch: (app, { id }) => startRematch(app, `/games/${id}/again`, new FormData(), id),
  save: saveGame,
  "forget-replaced": (app, data) => app.enter(forgetReplaced, data),
  "forget-restored": (app, data) => app.enter(forgetRestored, data),
  "keep-theirs": (app, data) => resolveEntry(app, data, false),
  "enter-again": enterAgain,
  "keep-ours": (app, data) => resolveEntry(app, data, true),
  "send-again": (app, data) => applyChoice(app, data, resend),
  "take-theirs": (app, data) => applyChoice(app, data, takeTheirs),
  remove,
};

/** Run an action; unknown names do nothing. */
export const runAction = (app, name, data) => actions[name]?.(app, data);
