// What of a game was sent and may have arrived, though it was not answered.

import { emptyRound, isSame, roundOf, unsentRounds } from "./entries.js";
import { nextTap } from "./queue.js";

/** Note that a round is being sent: if the server's facts contain it, it came from this phone. */
export function markSent(game, n, round = roundOf(game, n)) {
  const before = (game.tried[n] ?? []).filter((sent) => !isSame(sent, round));
  return { ...game, tried: { ...game.tried, [n]: [...before, round] } };
}

// The taps that can be sent in one request: entries of one round, or an undo or a redo.
function nextTaps(game) {
  const first = nextTap(game);
  if (!first) return [];
  const end = game.queue.findIndex(({ n, way }, at) => at && (way || first.way || n !== first.n));
  return end < 0 ? game.queue : game.queue.slice(0, end);
}

/** Note that the next taps are being sent, if there are any. */
export function markNextSent(game) {
  const { length } = nextTaps(game);
  const queue = game.queue?.map((tap, at) => (at < length ? { ...tap, sent: true } : tap));
  const marked = (now, { n, round }) => markSent(now, n, round);
  return length ? queue.slice(0, length).reduce(marked, { ...game, queue }) : game;
}

/** Return the taps that are being sent, in order. */
export const sentTaps = (game) => nextTaps(game).filter(({ sent }) => sent);

/** Return whether a tap is the first of the queue and was sent. */
export const isSent = ({ queue }, { seq }) => queue?.[0]?.seq === seq && queue[0].sent;

/** Return the queue after others' rounds were merged: without what the server has, if still a way. */
export function queueAfterMerge(game) {
  const isRecorded = ({ n, round, sent }) => sent && isSame(baseOf(game, n), round);
  const queue = game.queue?.slice(game.queue.findLastIndex(isRecorded) + 1);
  return nextTap({ ...game, queue }) ? queue : unsentRounds(game).length ? null : [];
}

const baseOf = (game, n) => game.base[n - 1] ?? emptyRound(game);
