// Steps: functions that apply one entry to a stored game, by the same rules as on the server.

import { parseBid } from "../rules/bidding.js";
import { countTricks, fillLastCount, misdeal, placeBid, scoreRound } from "../rules/entry.js";
import { enter, redo, roundOf, stateOf, undo } from "../offline/facts.js";

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
  bid: (n, seat, bid) => entryStep(n, (state, round) => placeBid(state, n, round, seat, bid)),
  tally: (n, seat, count, oneByOne = false) =>
    entryStep(n, (state, round) => countTricks(state, n, round, seat, count, oneByOne)),
  tricks: (n) =>
    entryStep(n, (state, round) => {
      const tricks = fillLastCount(round.tally, state.rules, state.players, state.standing.seats.empty);
      return scoreRound(state, n, { ...round, tricks: tricks.map((count) => count ?? 0) }, round);
    }),
  misdeal: (n) => entryStep(n, (_state, round) => misdeal(round), "misdeal"),
  undo: () => undo,
  redo: () => redo,
};

/** Return the step that a request of the game page asks for, or null for one that is loaded later. */
export function stepFromRequest(action, body) {
  const path = action.split("?")[0];
  const [, round, what] = /(?:\/rounds\/(\d+))?\/(bids|tally|tricks|misdeal|undo|redo)$/.exec(path) ?? [];
  const n = Number(round);
  const field = (name) => body?.get?.(name);
  if (what === "bids") return steps.bid(n, field("seat") - 1, parseBid(field("bid")));
  if (what === "tally" && field("one")) {
    const [seat, count] = field("one").split(":").map(Number);
    return steps.tally(n, seat - 1, count, true);
  }
  if (what === "tally") return steps.tally(n, field("seat") - 1, Number(field("tricks")), false);
  return steps[what]?.(n) ?? null;
}

