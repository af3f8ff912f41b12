// A game as this phone stores it, in the manner of a three-way merge: `base` are the rounds that
// phone and server last agreed on, at the server's `version`; `rounds` are the phone's own. Where
// they differ, rounds are unsent. All functions return a changed copy.
//
// @typedef {{id, owner, rules, names: string[], first_dealer, stake, day, version, revision,
//   base: Round[], rounds: Round[], tried: Object<number, Round[]>, theirs: Object<number, Round>,
//   undo: Step[], redo: Step[], begin: Object|null, refused: {n, sentence}|null, gone: boolean,
//   had?: {n, round: Round}[], entries: Object<number, {at, phone}>,
//   entered?: Object<number, string>, restored?: {ask: boolean, rules: boolean}|null}} Game
//   by number of the round, from 1: `tried` what was sent, `theirs` conflicting rounds of the server,
//   `entries` the server's newest entries, `entered` when this phone entered its own; `had` this
//   phone's overruled entries; `begin` the form that creates the game on the server
// @typedef {[number, Round|null]} Step  a round and what it becomes; the next step comes last

import { fold } from "../rules/engine.js";

const MAX_STEPS = 300; // that can be undone

export const emptyRound = ({ names }) => ({ bids: names.map(() => null), tricks: null, tally: null });
export const roundOf = (game, n) => game.rounds[n - 1] ?? emptyRound(game);
export const stateOf = ({ rules, names, first_dealer: dealer, rounds }) =>
  fold(rules, names.length, dealer, rounds);
export const newestFirst = (one, other) => (one.changed < other.changed ? 1 : -1);

/** Return a game that this phone did not have, from the server's facts. */
export function fromServer(facts, owner) {
  const { undo = [], redo = [] } = facts;
  const steps = { undo, redo, tried: {}, theirs: {} };
  const state = { begin: null, refused: null, gone: false };
  return { ...facts, owner, ...steps, ...state, base: facts.rounds };
}

/** Return the numbers of the unsent rounds, in the order in which they are sent. */
export function unsentRounds(game) {
  const numbers = [];
  for (let n = game.base.length; n > game.rounds.length; n -= 1) numbers.push(n);
  game.rounds.forEach((round, at) => {
    if (!isSame(round, game.base[at] ?? emptyRound(game))) numbers.push(at + 1);
  });
  return numbers;
}

/** Return how many rounds are unsent, at least 1 for a game that the server does not have. */
export const unsentCount = (game) => unsentRounds(game).length || (game.begin ? 1 : 0);

/** Return the numbers of the rounds that another phone recorded differently. */
export const conflicts = (game) => Object.keys(game.theirs).map(Number).sort((a, b) => a - b);

export const hasConflict = (game) => conflicts(game).length > 0;

/** Enter a round, as a step that can be undone. */
export function enter(game, n, round) {
  const before = roundOf(game, n);
  if (isSame(before, round)) return game;
  const undo = [...game.undo, [n, before]].slice(-MAX_STEPS);
  return { ...replaceRound(game, n, round), undo, redo: [], refused: null };
}

export const undo = (game) => replay(game, "undo", "redo");
export const redo = (game) => replay(game, "redo", "undo");

function replay(game, from, to) {
  if (!game[from].length) return game;
  const [n, found] = game[from].at(-1);
  const round = found ?? emptyRound(game);
  const steps = { [from]: game[from].slice(0, -1), [to]: [...game[to], [n, roundOf(game, n)]] };
  return { ...replaceRound(game, n, round), ...steps, refused: null };
}

/** Note that a round is being sent: if the server's facts contain it, it came from this phone. */
export function markSent(game, n) {
  const before = game.tried[n] ?? [];
  return { ...game, tried: { ...game.tried, [n]: [...before, roundOf(game, n)] } };
}

/** Note when the rounds that a step changed were entered on this phone. */
export function stampEntries(before, after, at) {
  const entered = { ...after.entered };
  for (let n = 1; n <= Math.max(before.rounds.length, after.rounds.length); n += 1)
    if (!isSame(roundOf(before, n), roundOf(after, n))) entered[n] = at;
  return { ...after, entered, changed: at };
}

/**
 * Merge the server's facts into a game. `facts.restored` says that the server was restored from a
 * backup: rounds missing there were not removed by anybody.
 */
export function merge(game, facts) {
  const { rounds: there, restored, undo: _undo, redo: _redo, ...details } = facts;
  const [base, rounds, theirs, tried] = [[], [], {}, {}];
  let hasChanged = JSON.stringify(game.house) !== JSON.stringify(details.house);
  let isInSync = true;
  const length = Math.max(game.base.length, game.rounds.length, there.length);
  const states = Array.from({ length }, (_, at) => threeWays(game, at + 1, there[at], restored));
  const newest = states.findLastIndex(isNewThere) + 1;
  let isBlocked = false; // by a conflict in a round that is open here: no later round can be merged
  for (let n = 1; n <= length; n += 1) {
    const { known, own, now, wasOurs } = states[n - 1];
    const isReopened = n < newest && !own.tricks && !isSame(own, known);
    const isPlayedOn = isReopened && now.tricks !== null;
    const merged = isBlocked ? own : mergeRound(known, own, now, wasOurs, isPlayedOn);
    if (!merged) theirs[n] = now;
    if (!isSame(own, now) && game.tried[n]) tried[n] = game.tried[n];
    hasChanged ||= merged !== null && !isSame(merged, own);
    isInSync &&= isSame(merged ?? own, now);
    base.push(merged && !isBlocked ? now : known);
    rounds.push(merged ?? own);
    isBlocked ||= !merged && !own.tricks;
  }
  const steps = hasChanged || !(game.undo.length || game.redo.length) ? stepsOf(facts, isInSync) : {};
  const state = { base, rounds, theirs, tried, begin: null, gone: false };
  return normalize({ ...game, ...details, ...steps, ...state });
}

// The phone's steps continue the server's and stay valid as long as nothing else changed; then they
// are replaced by the server's, or dropped where rounds differ.
const stepsOf = ({ undo = [], redo = [] }, isInSync) =>
  isInSync ? { undo, redo } : { undo: [], redo: [] };

/** Resolve the conflict of a round in favour of this phone's entry (`ours`) or the server's. */
export function resolveConflict(game, n, ours) {
  const { [n]: now, ...theirs } = game.theirs;
  const base = [...game.base];
  while (base.length < n) base.push(emptyRound(game));
  base[n - 1] = now;
  const resolved = { ...game, base, theirs, refused: null, tag: "" }; // fetch what followed it, too
  if (ours) return normalize(resolved);
  resolved.had = [...(game.had ?? []), { n, round: roundOf(game, n) }];
  if (isSame(now, emptyRound(game))) {
    // The server removed the round: later rounds of this phone move up.
    const rounds = game.rounds.filter((_, at) => at !== n - 1);
    return normalize({ ...resolved, rounds, undo: [], redo: [] });
  }
  const isLast = n >= game.rounds.length;
  const taken = isLast || now.tricks ? now : fillRound(now, roundOf(game, n));
  return { ...replaceRound(resolved, n, taken), undo: [...game.undo, [n, roundOf(game, n)]], redo: [] };
}

function replaceRound(game, n, round) {
  const rounds = [...game.rounds];
  while (rounds.length < n) rounds.push(emptyRound(game));
  rounds[n - 1] = round;
  return normalize({ ...game, rounds });
}

/** Remove empty rounds at the end, and bids for a round after the end of the game. */
export function normalize(game) {
  const empty = emptyRound(game);
  const trimmed = (rounds) => {
    const end = rounds.findLastIndex((round) => !isSame(round, empty));
    return rounds.slice(0, end + 1);
  };
  const found = { ...game, base: trimmed(game.base), rounds: trimmed(game.rounds) };
  const last = found.rounds.at(-1);
  const isStray = last && !last.tricks && stateOf(found).uncounted > 0;
  return isStray ? normalize({ ...found, rounds: found.rounds.slice(0, -1) }) : found;
}

/** Return whether two rounds have the same entries. */
export function isSame(one, other) {
  return JSON.stringify(cells(one)) === JSON.stringify(cells(other));
}

const cells = (round) => [round.bids, countsOf(round)];

/** Return all entries of a game, with those in conflict, as a text to compare. */
export const entriesOf = ({ rounds, theirs }) =>
  JSON.stringify([rounds.map(cells), Object.entries(theirs).map(([n, round]) => [n, cells(round)])]);

// A round as both last knew it, as it is here, and as it is on the server now.
function threeWays(game, n, there, restored) {
  const own = roundOf(game, n);
  const now = there ?? emptyRound(game);
  const before = game.base[n - 1] ?? emptyRound(game);
  const isLost = restored && !isSame(now, before) && !isSame(own, emptyRound(game));
  const known = isLost ? emptyRound(game) : before;
  const wasOurs = (game.tried[n] ?? []).some((sent) => isSame(sent, now));
  return { known, own, now, wasOurs };
}

const isNewThere = ({ known, own, now, wasOurs }) =>
  !wasOurs && !isSame(now, known) && !isSame(now, own);

// Three-way merge of a round: one side changed nothing, or both filled different cells. Returns null
// for a conflict; also where others played on from a round that was reopened here.
function mergeRound(known, own, now, wasOurs, isPlayedOn) {
  if (isSame(own, now)) return now;
  if (wasOurs || isSame(now, known)) return isPlayedOn ? null : own;
  if (isSame(own, known)) return now;
  const bids = own.bids.map((bid, seat) => mergeCell(known.bids[seat], bid, now.bids[seat]));
  const counts = mergeCounts(...[known, own, now].map(countsOf));
  if (bids.includes(undefined) || !counts) return null;
  const isCounted = counts.tally?.some((count) => count !== null);
  return { bids, tricks: counts.tricks, tally: isCounted ? counts.tally : null };
}

// Returns undefined for a conflict.
function mergeCell(known, own, now) {
  if (own === now || now === known) return own;
  return own === known ? now : undefined;
}

const countsOf = ({ bids, tricks, tally }) =>
  tricks ? { tricks, tally: null } : { tricks: null, tally: tally ?? bids.map(() => null) };

function mergeCounts(known, own, now) {
  const [before, ours, theirs] = [known, own, now].map((counts) => JSON.stringify(counts));
  if (theirs === before || ours === theirs) return own;
  if (ours === before) return now;
  if (known.tricks || (own.tricks && now.tricks)) return null;
  const [whole, part] = own.tricks ? [own, now] : [now, own];
  if (whole.tricks) {
    const fits = part.tally.every((count, seat) => count === null || count === whole.tricks[seat]);
    return fits ? whole : null;
  }
  const tally = own.tally.map((count, seat) => mergeCell(known.tally[seat], count, now.tally[seat]));
  return tally.includes(undefined) ? null : { tricks: null, tally };
}

const fillRound = (now, own) => ({
  bids: now.bids.map((bid, seat) => bid ?? own.bids[seat]),
  tricks: own.tricks,
  tally: null,
});
