// A game as this phone stores it, in the manner of a three-way merge: `base` are the rounds that
// phone and server last agreed on, at the server's `version`; `rounds` are the phone's own. Where
// they differ, rounds are unsent. All functions return a changed copy.
//
// @typedef {{id, owner, rules, starters: string[], names: string[], first_dealer, stake, day, version, revision,
//   base: Round[], rounds: Round[], tried: Object<number, Round[]>, theirs: Object<number, Round>,
//   undo: Step[], redo: Step[], queue: Tap[]|null, begin: Object|null, refused: {n, sentence}|null,
//   gone: boolean, had?: {n, round: Round}[], entries: Object<number, {at, phone}>,
//   entered?: Object<number, string>, restored?: {ask: boolean, rules: boolean}|null}} Game
//   `starters` began the game, `names` sit there now;
//   by number of the round, from 1: `tried` what was sent, `theirs` conflicting rounds of the server,
//   `entries` the server's newest entries, `entered` when this phone entered its own; `had` this
//   phone's replaced entries; `queue` see queue.js; `begin` the form that creates the game on the
//   server
// @typedef {[number, Round|null, number|null, number?]} Step  a round, what it becomes, the line of
//   the journal that the step acts on (null for a tap that the server has not answered), and the
//   number of that tap; the next step comes last

import {
  cells, conflicts, emptyRound, hasConflict, isSame, roundOf, unsentRounds,
} from "./entries.js";
import { afterEntry, afterStep, nextTap } from "./queue.js";
import { fold } from "../rules/game.js";
import { seatsIn } from "../rules/seating.js";

export { conflicts, emptyRound, hasConflict, isSame, roundOf, unsentRounds };

export const MAX_STEPS = 300; // that can be undone

const states = new WeakMap(); // of games, as drawing one asks five times: "tap to shown"
let folded = {}; // the newest state, with the texts of the game and of its rounds

/** Return the state of a game. */
export function stateOf(game) {
  if (!states.has(game)) states.set(game, foldGame(game));
  return states.get(game);
}

// Rounds that were scored before are not scored again.
function foldGame({ rules, starters, names, first_dealer: dealer, rounds }) {
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

/** Return the path of a game: its page, or the one for games that the server does not have yet. */
export const pathOf = (game) => (game.begin ? `/phone#${game.id}` : `/games/${game.id}`);

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

/** Enter a round, as a step that can be undone; `kind` may say that it is a misdeal. */
export function enter(game, n, round, kind = null) {
  const before = roundOf(game, n);
  if (isSame(before, round)) return game;
  const queued = afterEntry(game, { n, round, kind });
  const undo = [...game.undo, [n, before, null, queued.taps]].slice(-MAX_STEPS);
  return { ...replaceRound(game, n, round), ...queued, undo, redo: [], refused: null };
}

export const undo = (game) => replay(game, "undo", "redo");
export const redo = (game) => replay(game, "redo", "undo");

function replay(game, from, to) {
  if (!game[from].length) return game;
  const [n, found, ...acts] = game[from].at(-1);
  const round = found ?? emptyRound(game);
  const queued = afterStep(game, from, { n, round }, acts);
  const back = [n, roundOf(game, n), ...acts];
  const steps = { [from]: game[from].slice(0, -1), [to]: [...game[to], back] };
  return { ...replaceRound(game, n, round), ...steps, ...queued, refused: null };
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
  const isStray = !last.tricks && !isSame(last, known) && stateOf(found).uncounted;
  return isStray ? replaceRound(found, n, known) : withNames(found);
}

/** Return what all pages about the scored rounds of a game depend on, as a text to compare. */
export const scoredKey = ({ id, names, rules, rounds }, state) =>
  JSON.stringify([id, names, rules, rounds.slice(0, state.rounds.length)]);

/** Return all entries of a game, with those in conflict, as a text to compare. */
export const entriesOf = ({ rounds, theirs }) =>
  JSON.stringify([rounds.map(cells), Object.entries(theirs).map(([n, round]) => [n, cells(round)])]);
