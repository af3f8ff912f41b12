// The taps of a game that the server has not answered yet, in order. Each becomes a line of the journal
// and can be undone by itself, also where several are sent in one request.
//
// The queue leads from the rounds that the server has to those of this phone. Where it no longer does,
// as after a conflict, or has grown long without a server, it is dropped: it is null until everything
// is sent, and the rounds that differ are sent as a whole.
//
// @typedef {{seq, n, round: Round, kind?: "misdeal"|null, sent?: boolean}} Entry
// @typedef {{seq, n, round: Round, way: "undo"|"redo", line: number|null, of: number, sent?: boolean}}
//   Replay  of a line of the journal, or of the tap `of` that the server has not answered yet
// @typedef {Entry|Replay} Tap

import { hasConflict, isSame, roundOf, unsentRounds } from "./entries.js";

const MOST_TAPS = 12; // about a round of four players; more are sent as whole rounds

/** Return the queue of a game; empty if nothing is unsent, null if it was dropped. */
function queueOf(game) {
  if (game.begin || hasConflict(game)) return null;
  return game.queue ?? (unsentRounds(game).length ? null : []);
}

/** Return `{queue, taps}` after an entry; `taps` counts the taps of this game on this phone. */
export const afterEntry = (game, entry) => push(game, queueOf(game), entry);

/** Return the same after undo or redo of a step; `acts` are its line of the journal and its tap. */
export function afterStep(game, way, { n, round }, [line, of]) {
  const queue = queueOf(game);
  const last = queue?.at(-1);
  const isOpposite = last && !last.sent && (last.of ?? last.seq) === of && last.way !== way;
  if (isOpposite && (last.way || way === "undo"))
    return { queue: queue.slice(0, -1), taps: game.taps };
  const isKnown = line || queue?.some((tap) => (tap.of ?? tap.seq) === of);
  return push(game, queue, isKnown ? { n, round, way, line: line ?? null, of } : { n, round });
}

function push(game, queue, tap) {
  const seq = (game.taps ?? 0) + 1;
  const isFull = !queue || queue.length >= MOST_TAPS;
  return { queue: isFull ? null : [...queue, { seq, ...tap }], taps: seq };
}

/** Return the tap that is sent next, or undefined where the rounds are sent as a whole. */
export const nextTap = (game) => (isWay(game) ? game.queue[0] : undefined);

// Whether the taps lead from the rounds of the server to those of this phone.
function isWay(game) {
  if (!game.queue?.length || hasConflict(game)) return false;
  const last = new Map(game.queue.map((tap) => [tap.n, tap.round]));
  const isReached = ([n, round]) => isSame(roundOf(game, n), round);
  const hasLine = ({ way, line, of }) => !way || line || game.queue.some(({ seq }) => seq === of);
  if (!game.queue.every(hasLine)) return false;
  return [...last].every(isReached) && unsentRounds(game).every((n) => last.has(n));
}
