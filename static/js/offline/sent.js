// What of a game was sent and may have arrived, though it was not answered.

import { emptyRound, isSame, roundOf, unsentRounds } from "./entries.js";
import { nextTap } from "./queue.js";

/** Note that a round is being sent: if the server's facts contain it, it came from this phone. */
export function markSent(game, n, round = roundOf(game, n)) {
  const before = (game.tried[n] ?? []).filter((sent) => !isSame(sent, round));
  return { ...game, tried: { ...game.tried, [n]: [...before, round] } };
}

/** Note that the next tap is being sent, if there is one. */
export function markNextSent(game) {
  const tap = nextTap(game);
  if (!tap) return game;
  const queue = [{ ...tap, sent: true }, ...game.queue.slice(1)];
  return markSent({ ...game, queue }, tap.n, tap.round);
}

/** Return whether a tap is the first of the queue and was sent. */
export const isSent = ({ queue }, { seq }) => queue?.[0]?.seq === seq && queue[0].sent;

/** Return the queue after others' rounds were merged: without what the server has, if still a way. */
export function queueAfterMerge(game) {
  const [first, ...others] = game.queue ?? [];
  const isRecorded = first?.sent && isSame(baseOf(game, first.n), first.round);
  const queue = isRecorded ? others : game.queue;
  return nextTap({ ...game, queue }) ? queue : unsentRounds(game).length ? null : [];
}

const baseOf = (game, n) => game.base[n - 1] ?? emptyRound(game);
