// What a tap means for the facts of a game: the same entries as on the server, one by one.

import { countTricks, filledIn, misdeal, parseBid, placeBid, scoreRound } from "../rules/engine.js";
import { boardOf, enter, redo, roundOf, undo } from "./facts.js";

/** A tap on something that is not there any more: another round is on, or another seat's turn. */
export class Moved extends Error {}

// Each makes of what is kept what is to be kept, or throws `Refused`, or `Moved` where round `n` is
// not the one that is on.
const entered = (n, step) => (kept) => {
  const board = boardOf(kept);
  if (board.phase === "over") return kept;
  if (board.number !== n) throw new Moved();
  return enter(kept, n, step(board, roundOf(kept, n)));
};

export const steps = {
  bid: (n, seat, bid) => entered(n, (board, round) => placeBid(board, n, round, seat, bid)),
  tally: (n, seat, count, oneByOne = false) =>
    entered(n, (board, round) => countTricks(board, n, round, seat, count, oneByOne)),
  score: (n) =>
    entered(n, (board, round) => {
      const tricks = filledIn(round.tally, board.players, board.rules.tricks);
      return scoreRound(board, n, { bids: round.bids, tricks: tricks.map((count) => count ?? 0) });
    }),
  misdeal: (n) => entered(n, (_board, round) => misdeal(round)),
  correct: (n, round) => (kept) => enter(kept, n, scoreRound(boardOf(kept), n, round)),
  undo: () => undo,
  redo: () => redo,
};

/** The step that a request of the game page asks for, or null. */
export function stepOf(action, body) {
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
  const plain = { tricks: "score", misdeal: "misdeal", undo: "undo", redo: "redo" }[what];
  return plain ? steps[plain](n) : null;
}

