// A game as this phone stores it, in the manner of a three-way merge: `base` are the rounds that
// phone and server last agreed on, at the server's `version`; `rounds` are the phone's own. Where
// they differ, rounds are unsent. All functions return a changed copy.
//
// @typedef {{id, owner, rules, names: string[], first_dealer, stake, day, version, revision,
//   base: Round[], rounds: Round[], tried: Object<number, Round[]>, theirs: Object<number, Round>,
//   undo: Step[], redo: Step[], queue: Tap[]|null, begin: Object|null, refused: {n, sentence}|null,
//   gone: boolean, had?: {n, round: Round}[], entries: Object<number, {at, phone}>,
//   entered?: Object<number, string>, restored?: {ask: boolean, rules: boolean}|null}} Game
//   by number of the round, from 1: `tried` what was sent, `theirs` conflicting rounds of the server,
//   `entries` the server's newest entries, `entered` when this phone entered its own; `had` this
//   phone's replaced entries; `queue` see queue.js; `begin` the form that creates the game on the
//   server
// @typedef {[number, Round|null, number|null, number?]} Step  a round, what it becomes, the line of
//   the journal that the step acts on (null for a tap that the server has not answered), and the
//   number of that tap; the next step comes last

import {
  cells, conflicts, countsOf, emptyRound, hasConflict, isSame, roundOf, unsentRounds,
} from "./entries.js";
import { afterEntry, afterStep, isSent, nextTap, queueAfterMerge } from "./queue.js";
import { fold } from "../rules/engine.js";

export { conflicts, emptyRound, hasConflict, isSame, roundOf, unsentRounds };

const MAX_STEPS = 300; // that can be undone

export const stateOf = ({ rules, names, first_dealer: dealer, rounds }) =>
  fold(rules, names.length, dealer, rounds);
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

/** Note that a round is being sent: if the server's facts contain it, it came from this phone. */
export function markSent(game, n, round = roundOf(game, n)) {
  const before = (game.tried[n] ?? []).filter((sent) => !isSame(sent, round));
  return { ...game, tried: { ...game.tried, [n]: [...before, round] } };
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
export function merge(stored, facts) {
  const game = facts.restored ? stored : acknowledgeLost(stored, facts);
  const { rounds: there, restored, undo: _undo, redo: _redo, ...details } = facts;
  const [base, rounds, theirs, tried] = [[], [], {}, {}];
  let hasChanged = JSON.stringify(game.house) !== JSON.stringify(details.house);
  let isInSync = true;
  const length = Math.max(game.base.length, game.rounds.length, there.length);
  const states = Array.from({ length }, (_, at) => threeWays(game, at + 1, there[at], restored));
  const newest = states.findLastIndex(isNewThere) + 1;
  const newestOwn = states.findLastIndex(isNewHere) + 1;
  let isBlocked = false; // by a conflict in a round that is open here: no later round can be merged
  for (let n = 1; n <= length; n += 1) {
    const { known, own, now, wasOurs } = states[n - 1];
    const isPlayedOn =
      (n < newest && isReopened(known, own) && now.tricks) ||
      (n < newestOwn && isReopened(known, now) && own.tricks && !wasOurs);
    const merged = isBlocked ? own : mergeRound(known, own, now, wasOurs, isPlayedOn);
    if (!merged) theirs[n] = now;
    if (!isSame(own, now) && game.tried[n]) tried[n] = game.tried[n];
    hasChanged ||= merged !== null && !isSame(merged, own);
    isInSync &&= isSame(merged ?? own, now);
    base.push(merged && !isBlocked ? now : known);
    rounds.push(merged ?? own);
    isBlocked ||= !merged && !own.tricks;
  }
  const steps = stepsAfterMerge(game, facts, isInSync, hasChanged);
  const queue = rebasedQueue(game, states);
  const state = { base, rounds, theirs, tried, queue, begin: null, gone: false };
  // Rounds after a blocking conflict stay as of the revision before, and are fetched once it is resolved.
  if (isBlocked) Object.assign(state, { version: game.version, revision: game.revision });
  const merged = normalize({ ...game, ...details, ...steps, ...state });
  return { ...merged, queue: queueAfterMerge(merged) };
}

// Where facts are the first tap and nothing else, its answer was lost.
function acknowledgeLost(game, { rounds, version, revision }) {
  const [first] = game.queue ?? [];
  if (!first?.sent || version !== game.version + 1) return game;
  const isRecorded = isSame(rounds[first.n - 1] ?? emptyRound(game), first.round);
  return isRecorded ? acknowledge(game, first, revision) : game;
}

// Each tap with what others have entered, or null where that is in conflict with one: a tap is sent with
// its whole round, which must not take back what others entered.
function rebasedQueue({ queue }, states) {
  const taps = queue?.map((tap) => {
    const { known, now, wasOurs } = states[tap.n - 1] ?? {};
    if (!now || wasOurs || isSame(now, known)) return tap;
    const round = tap.way ? null : mergeRound(known, tap.round, now);
    return round && { ...tap, round };
  });
  return taps?.includes(null) ? null : (taps ?? null);
}

// The phone's own steps stay valid as long as nothing else has changed. Where it has, and where each
// tap is a line of the journal, the server's take their place, or none where rounds differ.
function stepsAfterMerge(game, { undo = [], redo = [] }, isInSync, hasChanged) {
  const isOwn = game.undo.length || game.redo.length;
  if (!hasChanged && isOwn && !(isInSync && game.queue)) return {};
  return isInSync ? { undo, redo } : { undo: [], redo: [] };
}

/** Merge one line of the server's journal into a game; return null if the facts have to be fetched. */
export function mergeLine(game, line) {
  if (line.after !== game.revision || !line.round) return null;
  const n = line.round;
  const [first] = game.queue ?? [];
  const found = line.facts ?? emptyRound(game);
  if (first?.sent && first.n === n && isSame(first.round, found))
    return acknowledge(game, first, line.revision); // the answer to the tap comes later
  const before = game.base[n - 1] ?? emptyRound(game);
  const rounds = [...game.base];
  while (rounds.length < n) rounds.push(emptyRound(game));
  rounds[n - 1] = found;
  const entries = { ...game.entries, [n]: { at: line.at, phone: line.phone } };
  const version = parseInt(line.revision, 10);
  const { revision } = line;
  const { id, owner, rules, house, names, first_dealer, stake, day } = game;
  const known = { id, owner, rules, house, names, first_dealer, stake, day };
  const steps = stepsAfterLine(game, line, [n, before, line.line]);
  return merge(game, { ...known, ...steps, rounds, entries, version, revision, changed: line.at });
}

function stepsAfterLine({ undo, redo }, { kind }, step) {
  const moved = (list) => [step[0], step[1], list.at(-1)?.[2] ?? null];
  if (kind === "undo") return { undo: undo.slice(0, -1), redo: [...redo, moved(undo)] };
  if (kind === "redo") return { undo: [...undo, moved(redo)], redo: redo.slice(0, -1) };
  return { undo: [...undo, step].slice(-MAX_STEPS), redo: [] };
}

/**
 * Note that the server has recorded what was sent, the first tap of the queue or a whole round, and
 * nothing else since the revision that was sent with it.
 */
export function acknowledge(game, sent, revision) {
  if (sent.seq && !isSent(game, sent)) return game; // the line was merged before the answer came
  const version = parseInt(revision, 10);
  const { n, round } = sent;
  const base = [...game.base];
  while (base.length < n) base.push(emptyRound(game));
  base[n - 1] = round;
  const { [n]: tried, ...others } = game.tried;
  const isNewest = isSame(roundOf(game, n), round);
  return normalize({
    ...game,
    ...(sent.seq ? withLine(game, sent.seq, version) : {}),
    base,
    revision,
    version,
    tried: isNewest ? others : game.tried,
    entries: { ...game.entries, [n]: { at: game.entered?.[n] ?? game.changed, phone: null } },
    tag: "",
  });
}

// The steps that act on a tap act on its line of the journal from now on.
function withLine(game, seq, version) {
  const named = ([n, found, line, of]) => [n, found, of === seq ? (line ?? version) : line, of];
  const queue = game.queue.slice(1);
  return {
    queue: queue.map((tap) => (tap.of === seq ? { ...tap, line: tap.line ?? version } : tap)),
    undo: game.undo.map(named),
    redo: game.redo.map(named),
  };
}

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

/** Return all entries of a game, with those in conflict, as a text to compare. */
export const entriesOf = ({ rounds, theirs }) =>
  JSON.stringify([rounds.map(cells), Object.entries(theirs).map(([n, round]) => [n, cells(round)])]);

// A round as both last knew it, as it is here, and as it is on the server now.
function threeWays(game, n, there, restored) {
  const own = roundOf(game, n);
  const now = there ?? emptyRound(game);
  const before = game.base[n - 1] ?? emptyRound(game);
  const isLost = restored && !isSame(now, before) && !isSame(own, emptyRound(game));
  const sent = game.tried[n]?.at(-1);
  const known = isLost ? emptyRound(game) : hasArrived(before, sent, now) ? sent : before;
  const wasOurs = (game.tried[n] ?? []).some((sent) => isSame(sent, now));
  return { known, own, now, wasOurs };
}

// Whether the server has what was sent, even if others entered more since and the answer was lost.
function hasArrived(before, sent, now) {
  const merged = sent && mergeRound(before, sent, now);
  return Boolean(merged) && isSame(merged, now);
}

const isReopened = (known, round) => !round.tricks && !isSame(round, known);

const isNewHere = ({ known, own, now }) =>
  own.bids.some((bid) => bid !== null) && !isSame(own, known) && !isSame(own, now);

const isNewThere = ({ known, own, now, wasOurs }) =>
  !wasOurs && !isSame(now, known) && !isSame(now, own);

// Three-way merge of a round: one side changed nothing, or both filled different cells. Returns null
// for a conflict; also where one played on from a round that the other reopened.
function mergeRound(known, own, now, wasOurs, isPlayedOn) {
  if (isSame(own, now)) return now;
  if (wasOurs || isSame(now, known)) return isPlayedOn ? null : own;
  if (isSame(own, known)) return isPlayedOn ? null : now;
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
