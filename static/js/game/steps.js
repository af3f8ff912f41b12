// Steps: functions that apply one entry to a stored game, by the same rules as on the server.

import {
  callLastRound, countTricks, fillLastCount, givePenalty, misdeal, parseBid, placeBid, scoreRound,
  takeSeat,
} from "../rules/engine.js";
import { enter, namesIn, redo, roundOf, stateOf, undo } from "../offline/facts.js";

/** Thrown when a tap was made on an outdated page: another round or seat is current. */
export class Stale extends Error {}

// Each step returns the changed game, or throws `Refused`, or `Stale` if round `n` is not current.
const entryStep = (n, step, kind) => (game) => {
  const state = stateOf(game);
  if (state.phase === "over") return game;
  if (state.number !== n) throw new Stale();
  return enter(game, n, step(state, roundOf(game, n)), kind);
};

export const steps = {
  bid: (n, seat, bid) => entryStep(n, (state, round) => placeBid(state, n, round, seat, bid)),
  tally: (n, seat, count, oneByOne = false) =>
    entryStep(n, (state, round) => countTricks(state, n, round, seat, count, oneByOne)),
  score: (n) =>
    entryStep(n, (state, round) => {
      const tricks = fillLastCount(round.tally, state.players, state.rules.tricks);
      return scoreRound(state, n, { ...round, tricks: tricks.map((count) => count ?? 0) });
    }),
  misdeal: (n) => entryStep(n, (_state, round) => misdeal(round), "misdeal"),
  penalty: (n, field) =>
    entryStep(n, (state, round) => givePenalty(state, round, penaltyFrom(field, state.rules))),
  seats: (n, seat, player) => (game) =>
    entryStep(n, (_state, round) => takeSeat(namesIn(game, n - 1), round, seat, spelling(game, player)))(game),
  lastRound: (n) => entryStep(n, (_state, round) => callLastRound(round)),
  correct: (n, round) => (game) =>
    enter(game, n, scoreRound(stateOf(game), n, { ...roundOf(game, n), ...round })),
  undo: () => undo,
  redo: () => redo,
};

// The name of a player as this game spells it, if it knows the player.
function spelling({ starters, names, rounds }, typed) {
  const known = [...(starters ?? names), ...rounds.flatMap(({ substitutes = [] }) => substitutes.map((one) => one.player))];
  const name = typed.trim().replace(/\s+/g, " ");
  const key = (text) => text.normalize("NFKC").toLowerCase();
  return known.find((one) => key(one) === key(name)) ?? name;
}

// The penalty of a form; points are typed as people see them.
function penaltyFrom(field, { shown_as: shownAs }) {
  const [kind, to] = field("what").split(":");
  const factor = kind === "points" && shownAs === "tenths" ? 10 : 1;
  const size = kind === "set" ? 1 : (Number(field("size")) || 0) * factor;
  return { seat: field("seat") - 1, kind, size, to, reason: field("reason") };
}

/** Return the step that a request of the game page asks for, or null. */
export function stepFromRequest(action, body) {
  const path = action.split("?")[0];
  const [, round, what] = /(?:\/rounds\/(\d+))?\/(bids|tally|tricks|misdeal|penalties|seats|last|undo|redo)$/.exec(path) ?? [];
  const n = Number(round);
  const field = (name) => body?.get?.(name);
  if (what === "bids") return steps.bid(n, field("seat") - 1, parseBid(field("bid")));
  if (what === "tally" && field("one")) {
    const [seat, count] = field("one").split(":").map(Number);
    return steps.tally(n, seat - 1, count, true);
  }
  if (what === "tally") return steps.tally(n, field("seat") - 1, Number(field("tricks")), false);
  if (what === "penalties") return steps.penalty(n, field);
  if (what === "seats") return steps.seats(n, field("seat") - 1, field("player") || field("name"));
  const plain = { tricks: "score", last: "lastRound", misdeal: "misdeal", undo: "undo", redo: "redo" }[what];
  return plain ? steps[plain](n) : null;
}

