// A game as this phone stores it, in the manner of a three-way merge: `base` are the rounds that
// phone and server last agreed on, at the server's `version`; `rounds` are the phone's own. Where
// they differ, rounds are unsent. All functions return a changed copy.
//
// @typedef {{id, owner, rules, starters: string[], names: string[], faces, first_dealer, stake, day, version, revision,
//   base: Round[], rounds: Round[], tried: Object<number, Round[]>, theirs: Object<number, Round>,
//   undo: Step[], redo: Step[], queue: Tap[]|null, begin: Object|null, refused: {n, sentence}|null,
//   gone: boolean, had?: {n, round: Round}[], entries: Object<number, {at, phone}>,
//   entered?: Object<number, string>, restored?: {ask: boolean, rules: boolean}|null,
//   ended?: number|false, keeps?: boolean}} Game
//   `starters` began the game, `names` sit there now, `faces` those that the server knows;
//   by number of the round, from 1: `tried` what was sent, `theirs` conflicting rounds of the server,
//   `entries` its newest entries, `entered` when this phone entered its own; `had` this phone's replaced
//   entries; `ended` the round that this phone has made the last by *End now*, where a tie is shared, and
//   `keeps` whether others have played on meanwhile; `begin` the form that creates the game on the server
// @typedef {[number, Round|null, number|null, number?]} Step  a round, what it becomes, the line of
//   the journal that the step acts on (null for a tap that the server has not answered), and the
//   number of that tap; the next step comes last

import { fold, notesOf } from "../rules/game.js";
import { faceAt, seatsIn } from "../rules/seating.js";

export const emptyRound = ({ names }) => ({ bids: names.map(() => null), tricks: null, tally: null });
export const roundOf = (game, n) => game.rounds[n - 1] ?? emptyRound(game);

/** Return the numbers of the unsent rounds, in the order in which they are sent. */
export function unsentRounds(game) {
  const numbers = [];
  for (let n = game.base.length; n > game.rounds.length; n -= 1) numbers.push(n);
  game.rounds.forEach((round, at) => {
    if (!isSame(round, game.base[at] ?? emptyRound(game))) numbers.push(at + 1);
  });
  return numbers;
}

/** Return the numbers of the rounds that another phone recorded differently. */
export const conflicts = (game) => Object.keys(game.theirs).map(Number); // ascending

export const hasConflict = (game) => conflicts(game).length > 0;

/** Return whether two rounds have the same entries. */
export function isSame(one, other) {
  return JSON.stringify(cells(one)) === JSON.stringify(cells(other));
}

/** Return the entries of a round as a list. */
export const cells = (round) => [round.bids, countsOf(round), notesOf(round)];

/** Return the trick counts of a round: scored, or counted so far. */
export const countsOf = ({ bids, tricks, tally }) =>
  tricks ? { tricks, tally: null } : { tricks: null, tally: tally ?? bids.map(() => null) };

export const MAX_STEPS = 300; // that can be undone

const states = new WeakMap(); // of games, as drawing one asks five times: "tap to shown"
let folded = {}; // the newest state, with the texts of the game and of its rounds

/** Return the state of a game. */
export function stateOf(game) {
  if (!states.has(game)) states.set(game, foldGame(game));
  return states.get(game);
}

// Rounds that were scored before are not scored again.
function foldGame({ rules, starters, names, first_dealer: dealer, rounds, ended }) {
  if (rounds[ended - 1]?.last_round) rules = { ...rules, tie_at_limit: "shared" };
  const start = [rules, names.length, dealer, starters ?? names];
  const [game, ...texts] = [start, ...rounds].map((one) => JSON.stringify(one));
  const isKnown = (text, at) => game === folded.game && text === folded.texts[at] && rounds[at].tricks;
  const changed = texts.findIndex((text, at) => !isKnown(text, at));
  const known = folded.state?.rounds.slice(0, changed < 0 ? texts.length : changed) ?? [];
  const state = fold(rules, names.length, dealer, rounds, starters ?? names, known);
  folded = { game, texts, state };
  return state;
}

export const newestFirst = (one, other) => (one.changed < other.changed ? 1 : -1);

/** The path in front of all addresses, as "/scores" where the server is not at the root; else empty. */
export const BASE = /^h.+?[^/:](\/.+)\/static/.exec(import.meta.url)?.[1] ?? "";

/** Return the path of a game: its page, or the one for games that the server does not have yet. */
export const pathOf = (game) => BASE + (game.begin ? `/phone#${game.id}` : `/games/${game.id}`);

/** Return a game that this phone did not have, from the server's facts. */
export function fromServer(facts, owner) {
  const { undo = [], redo = [] } = facts;
  const steps = { undo, redo, queue: [], tried: {}, theirs: {} };
  const state = { begin: null, refused: null, gone: false };
  return { ...facts, owner, ...steps, ...state, base: facts.rounds };
}

/** Return how many rounds are unsent, at least 1 for a game that the server does not have. */
export const unsentCount = (game) =>
  unsentRounds(game).length || (game.begin || nextTap(game) ? 1 : 0);

/** Return whether the players have to decide what happens to the rounds that a restored server lacks. */
export const needsDecision = (game) => Boolean(game.restored?.ask && unsentCount(game));

/** Enter a round, as a step that can be undone; `kind` may say that it is a misdeal, or ends the game. */
export function enter(game, n, round, kind = null) {
  const before = roundOf(game, n);
  if (isSame(before, round)) return game;
  const queued = afterEntry(game, { n, round, kind });
  const undo = [...game.undo, [n, before, null, queued.taps]].slice(-MAX_STEPS);
  return { ...replaceRound(game, n, round), ...queued, undo, redo: [], refused: null };
}

/** Note when the rounds that a step changed were entered on this phone. */
export function stampEntries(before, after, at) {
  const entered = { ...after.entered };
  for (let n = 1; n <= Math.max(before.rounds.length, after.rounds.length); n += 1)
    if (!isSame(roundOf(before, n), roundOf(after, n))) entered[n] = at;
  return { ...after, entered, changed: at };
}

/** Replace a round, or add it. */
export function replaceRound(game, n, round) {
  const rounds = [...game.rounds];
  while (rounds.length < n) rounds.push(emptyRound(game));
  rounds[n - 1] = round;
  return normalize({ ...game, rounds });
}

/** Return the player of each seat in round `n`, or the last one who sat there. */
export const namesIn = (game, n) => seatsIn(game, n).names;

/** Return the face of a seat, which is that of its player. */
export const faceOf = ({ names, faces }, seat) => faceAt(names.map((name) => faces?.[name]), seat);

// Sets the names of the players who sit there now, or at the end.
function withNames(game) {
  if (!game.starters) return game;
  const isChanged = game.rounds.some(({ substitutes }) => substitutes?.length);
  return { ...game, names: isChanged ? namesIn(game, stateOf(game).number) : game.starters };
}

/** Remove empty rounds at the end, and what only this phone has of bids for a round after the end. */
export function normalize(game) {
  const empty = emptyRound(game);
  const trimmed = (rounds) => {
    const end = rounds.findLastIndex((round) => !isSame(round, empty));
    return rounds.slice(0, end + 1);
  };
  const found = { ...game, base: trimmed(game.base), rounds: trimmed(game.rounds) };
  const n = found.rounds.length;
  const known = found.base[n - 1] ?? empty;
  const last = roundOf(found, n);
  const isStray = !last.tricks && !isSame(last, known) && !found.ended && stateOf(found).uncounted;
  return isStray ? replaceRound(found, n, known) : withNames(found);
}

/** Return what all pages about the scored rounds of a game depend on, as a text to compare. */
export const scoredKey = ({ id, names, faces, rules, rounds }, state) =>
  JSON.stringify([id, names, faces, rules, rounds.slice(0, state.rounds.length)]);

/** Return all entries of a game, with those in conflict, as a text to compare. */
export const entriesOf = ({ rounds, theirs }) =>
  JSON.stringify([rounds.map(cells), Object.entries(theirs).map(([n, round]) => [n, cells(round)])]);

// The taps of a game that the server has not answered yet, in order. Each becomes a line of the journal
// and can be undone by itself, also where several are sent in one request.
//
// The queue leads from the rounds that the server has to those of this phone. Where it no longer does,
// as after a conflict, or has grown long without a server, it is dropped: it is null until everything
// is sent, and the rounds that differ are sent as a whole.
//
// @typedef {{seq, n, round: Round, kind?: "misdeal"|"end"|null, sent?: boolean}} Entry
// @typedef {{seq, n, round: Round, way: "undo"|"redo", line: number|null, of: number, sent?: boolean}}
//   Replay  of a line of the journal, or of the tap `of` that the server has not answered yet
// @typedef {Entry|Replay} Tap

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
