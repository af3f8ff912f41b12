// Merging what the server has with a game as this phone stores it (see facts.js): whole facts, a line of
// its journal, or the answer to a tap.

import { emptyRound, isSame, roundOf } from "./entries.js";
import { MAX_STEPS, normalize } from "./facts.js";
import { isReopened, mergeRound } from "./merge-round.js";
import { isSent, queueAfterMerge } from "./sent.js";

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

// Where the server's facts have just the first taps on top, only the answer to them was lost.
function acknowledgeLost(game, { rounds, version, revision }) {
  const taps = game.queue?.slice(0, Math.max(0, version - game.version)) ?? [];
  const last = taps.at(-1);
  if (!last?.sent || version !== game.version + taps.length) return game;
  const isRecorded = isSame(rounds[last.n - 1] ?? emptyRound(game), last.round);
  const lines = taps.map((_, at) => game.version + 1 + at);
  return isRecorded ? acknowledgeAll(game, taps, { revision, lines }) : game;
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
  const { id, owner, rules, house, starters, names, first_dealer, stake, day } = game;
  const known = { id, owner, rules, house, starters, names, first_dealer, stake, day };
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

/** Note the same of several taps; `lines` of the journal are only told for more than one. */
export const acknowledgeAll = (game, taps, { revision, lines = [revision] }) =>
  lines.reduce((now, line, at) => {
    const isLast = at === lines.length - 1;
    return acknowledge(now, taps[at], isLast ? revision : `${line}`);
  }, game);

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

// A round as both last knew it, as it is here, and as it is on the server now.
function threeWays(game, n, there, restored) {
  const own = roundOf(game, n);
  const now = there ?? emptyRound(game);
  const before = game.base[n - 1] ?? emptyRound(game);
  const isLost = restored && !isSame(now, before) && !isSame(own, emptyRound(game));
  const tried = game.tried[n] ?? [];
  const arrived = tried.findLast((sent) => !isSame(sent, before) && hasArrived(before, sent, now));
  const known = isLost ? emptyRound(game) : (arrived ?? before);
  const wasOurs = tried.some((sent) => isSame(sent, now));
  return { known, own, now, wasOurs };
}

// Whether the server has what was sent, even if others entered more since and the answer was lost.
function hasArrived(before, sent, now) {
  const merged = mergeRound(before, sent, now);
  return merged !== null && isSame(merged, now);
}

/** Return whether these rounds have all entries that a game has. */
export function hasEntriesOf(game, rounds) {
  const empty = emptyRound(game);
  return game.rounds.every((round, at) => hasArrived(empty, round, rounds[at] ?? empty));
}

const isNewHere = ({ known, own, now }) =>
  own.bids.some((bid) => bid !== null) && !isSame(own, known) && !isSame(own, now);

const isNewThere = ({ known, own, now, wasOurs }) =>
  !wasOurs && !isSame(now, known) && !isSame(now, own);
