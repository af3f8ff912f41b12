// Resolves the conflict of a round that this phone and another one recorded differently.

import { emptyRound, isSame, notesOf, roundOf } from "./entries.js";
import { normalize, replaceRound } from "./facts.js";
import { isReopened } from "./merge-round.js";

/** Resolve the conflict of a round in favour of this phone's entry (`ours`) or the server's. */
export function resolveConflict(game, n, ours) {
  const { [n]: now, ...theirs } = game.theirs;
  const base = [...game.base];
  while (base.length < n) base.push(emptyRound(game));
  base[n - 1] = now;
  const resolved = { ...game, base, theirs, queue: null, refused: null, tag: "" }; // fetch what followed it, too
  if (ours) return normalize(resolved);
  resolved.had = [...(game.had ?? []), { n, round: roundOf(game, n) }];
  if (isSame(now, emptyRound(game))) {
    // The server removed the round: later rounds of this phone move up.
    const rounds = game.rounds.filter((_, at) => at !== n - 1);
    return normalize({ ...resolved, rounds, undo: [], redo: [] });
  }
  if (isReopened(game.base[n - 1] ?? now, now)) return takeReopened(resolved, n, now);
  const isLast = n >= game.rounds.length;
  const taken = isLast || now.tricks ? now : fillRound(now, roundOf(game, n));
  return { ...replaceRound(resolved, n, taken), undo: [...game.undo, [n, roundOf(game, n)]], redo: [] };
}

// Rounds that this phone played on from the reopened one are replaced with it.
function takeReopened(game, n, now) {
  const later = game.rounds.slice(n).map((round, at) => ({ n: n + 1 + at, round }));
  const had = [...game.had, ...later.filter(({ round }) => !isSame(round, emptyRound(game)))];
  const rounds = [...game.rounds.slice(0, n - 1), now];
  return normalize({ ...game, rounds, theirs: {}, had, undo: [], redo: [] });
}

const fillRound = (now, own) => ({
  bids: now.bids.map((bid, seat) => bid ?? own.bids[seat]),
  tricks: own.tricks,
  tally: null,
  ...notesOf(now),
});
