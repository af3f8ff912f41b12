// Forms of the game page, and the steps that they ask for: functions that apply one entry to a stored
// game, by the same rules as on the server. `app` is the object of app.js.

import { enter, redo, roundOf, stateOf, undo } from "../offline/facts.js";
import { inRound, parseBid } from "../rules/bidding.js";
import { countTricks, fillLastCount, misdeal, placeBid, scoreRound } from "../rules/entry.js";

/**
 * Enter what a form of the game page says, by the path that it would be sent to without scripts. Forms
 * that this phone cannot handle by itself are sent to the server.
 */
export async function enterForm(app, path, fields, data) {
  const [, way] = /\/(undo|redo)$/.exec(path) ?? [];
  const step = stepFromRequest(path, fields);
  if (way && !(await app.current())[way].length) await (await app.views()).sendForm(app, path);
  else if (step) await app.enter(step, data);
  else await enterLater(app, path, fields, data);
}

// What is loaded with the views.
async function enterLater(app, path, fields, data) {
  const { noteStep, startRematch } = await app.views();
  const step = noteStep(path, fields);
  if (step) await app.enter(step, data);
  else if (/\/again$/.test(path)) await startRematch(app, path, fields);
}

/** Thrown when a tap was made on an outdated page: another round or seat is current. */
export class Stale extends Error {}

/** Return a step to the changed game, which throws `Refused`, or `Stale` if round `n` is not current. */
export const entryStep = (n, step, kind) => (game) => {
  const state = stateOf(game);
  if (state.phase === "over") return game;
  if (state.number !== n) throw new Stale();
  return enter(game, n, step(state, roundOf(game, n), game), kind);
};

const steps = {
  bids: (n, field) => {
    const bid = parseBid(field("bid"));
    return entryStep(n, (state, round) => placeBid(state, n, round, field("seat") - 1, bid));
  },
  tally: (n, field) => {
    const one = field("one")?.split(":");
    const [seat, count] = (one ?? [field("seat"), field("tricks")]).map(Number);
    return entryStep(n, (state, round) => countTricks(state, n, round, seat - 1, count, Boolean(one)));
  },
  tricks: (n) =>
    entryStep(n, (state, round) => {
      const tricks = fillLastCount(round.tally, inRound(state.rules, n, state.players, round.cards), state.players, state.standing.seats.empty);
      return scoreRound(state, n, { ...round, tricks: tricks.map((count) => count ?? 0) }, round);
    }),
  misdeal: (n) => entryStep(n, (_state, round) => misdeal(round), "misdeal"),
  undo: () => undo,
  redo: () => redo,
};

/** Return the step that a request of the game page asks for, or null for one that is loaded later. */
function stepFromRequest(action, body) {
  const path = action.split("?")[0];
  const [, round, what] = /(?:\/rounds\/(\d+))?\/(bids|tally|tricks|misdeal|undo|redo)$/.exec(path) ?? [];
  return steps[what]?.(Number(round), (name) => body?.get?.(name)) ?? null;
}
