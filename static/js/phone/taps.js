// What a tap means for the facts of a game: the same entries as on the server, one by one.

import { countTricks, filledIn, misdeal, parseBid, placeBid, scoreRound } from "../rules.js";
import { boardOf, enter, redo, roundOf, undo } from "./facts.js";

// Each makes of what is kept what is to be kept, or throws `Refused`.
const entered = (step) => (kept) => {
  const board = boardOf(kept);
  const n = board.number;
  return board.phase === "over" ? kept : enter(kept, n, step(board, n, roundOf(kept, n)));
};

export const steps = {
  bid: (seat, bid) => entered((board, n, round) => placeBid(board, n, round, seat, bid)),
  tally: (seat, count, oneByOne = false) =>
    entered((board, n, round) => countTricks(board, n, round, seat, count, oneByOne)),
  score: () =>
    entered((board, n, round) => {
      const tricks = filledIn(round.tally, board.players, board.rules.tricks);
      return scoreRound(board, n, { bids: round.bids, tricks: tricks.map((count) => count ?? 0) });
    }),
  misdeal: () => entered((_board, _n, round) => misdeal(round)),
  correct: (n, round) => (kept) => enter(kept, n, scoreRound(boardOf(kept), n, round)),
  undo: () => undo,
  redo: () => redo,
};

/** The step that a request of the game page asks for, or null. */
export function stepOf(action, body) {
  const [, what] = /\/(bids|tally|tricks|misdeal|undo|redo)$/.exec(action.split("?")[0]) ?? [];
  const field = (name) => body?.get?.(name);
  if (what === "bids") return steps.bid(field("seat") - 1, parseBid(field("bid")));
  if (what === "tally" && field("one")) {
    const [seat, count] = field("one").split(":").map(Number);
    return steps.tally(seat - 1, count, true);
  }
  if (what === "tally") return steps.tally(field("seat") - 1, Number(field("tricks")), false);
  const plain = { tricks: "score", misdeal: "misdeal", undo: "undo", redo: "redo" }[what];
  return plain ? steps[plain]() : null;
}

