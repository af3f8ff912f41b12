// Merging what the server has with a game as this phone stores it (see facts.js): whole facts, a line of
// its journal, the answer to a tap; what was sent and may have arrived; a server that was restored.

import {
  conflicts, countsOf, emptyRound, isSame, MAX_STEPS, needsDecision, nextTap, normalize, roundOf,
  unsentCount, unsentRounds,
} from "./facts.js";
import { notesOf } from "../rules/game.js";

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
  const queue = rebasedQueue(game, states);
  const state = { base, rounds, theirs, tried, queue, begin: null, gone: false };
  state.ended = endedIn(game, base, rounds);
  const keeps = state.ended && (game.keeps || (states[state.ended] && isNewThere(states[state.ended])));
  state.keeps = keeps ? true : undefined; // as at first: a game that looks the same is not drawn again
  // Rounds after a blocking conflict stay as of the revision before, and are fetched once it is resolved.
  if (isBlocked) Object.assign(state, { version: game.version, revision: game.revision });
  const merged = normalize({ ...game, match: undefined, ...details, ...state });
  const left = queueAfterMerge(merged);
  const isLater = facts.version !== game.version;
  const isServers = isInSync && game.queue && (isLater || !left?.length); // all taps are lines of its journal
  return { ...merged, ...stepsAfterMerge(game, facts, { isInSync, isServers, hasChanged }), queue: left };
}

// The round that this phone has made the last, until the server knows or others have played on.
const endedIn = ({ ended }, base, rounds) =>
  ended && !base[ended - 1]?.last_round && !rounds[ended]?.tricks && ended;

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
// tap is a line of the journal, the server's take their place, or none where rounds differ. What was undone
// before it was sent can be redone, which facts of the same version do not tell.
function stepsAfterMerge(game, { undo = [], redo = [], version, restored }, { isInSync, isServers, hasChanged }) {
  const isOwn = game.undo.length || game.redo.length;
  if (!hasChanged && isOwn && !isServers) return {};
  const isKnown = version === game.version && !hasChanged && !restored;
  if (isInSync) return { undo, redo: isKnown && game.redo.length ? game.redo : redo };
  return { undo: [], redo: [] };
}

/** Merge one line of the server's journal into a game; return null if the facts have to be fetched. */
export function mergeLine(game, line) {
  if (line.after !== game.revision || !line.round) return null;
  if (line.facts?.substitutes && (game.own_seat ?? null) !== null) return null; // seats may have been swapped
  const n = line.round;
  const [first] = game.queue ?? [];
  const found = line.facts ?? emptyRound(game);
  if (first?.sent && first.n === n && isSame(first.round, found))
    return acknowledge(game, first, line.revision); // the answer to the tap comes later
  if (line.kind === "end") return null; // which may have other lines, and one undoes them all
  const before = game.base[n - 1] ?? emptyRound(game);
  const rounds = [...game.base];
  while (rounds.length < n) rounds.push(emptyRound(game));
  rounds[n - 1] = found;
  const entries = { ...game.entries, [n]: { at: line.at, phone: line.phone } };
  const version = parseInt(line.revision, 10);
  const { revision } = line;
  const { id, owner, rules, house, starters, names, first_dealer, stake, day, faces, match } = game;
  const known = { id, owner, rules, house, starters, names, first_dealer, stake, day, faces, match };
  const steps = stepsAfterLine(game, line, [n, before, line.line]);
  const merged = merge(game, { ...known, ...steps, rounds, entries, version, revision, changed: line.at });
  return lacksFaces(merged) ? null : merged;
}

/** Return whether somebody sits there whose face the server has not told yet. */
export const lacksFaces = ({ names, faces }) => Boolean(faces && names.some((name) => !faces[name]));

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
    ended: endedIn(game, base, game.rounds),
    revision,
    version,
    tried: isNewest ? others : game.tried,
    entries: { ...game.entries, [n]: { at: game.entered?.[n] ?? game.changed, phone: null } },
    tag: "",
  });
}

/** Return a penalty as text without blanks, as forms and CSV files have it. */
export const penaltyText = ({ kind, size, to, reason }) =>
  [kind, size, to, encodeURIComponent(reason)].join(":");

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

/** Return whether an entry without tricks takes the place of what both knew. */
export const isReopened = (known, round) => !round.tricks && !isSame(round, known);

/**
 * Return the merged round, where one side changed nothing or both filled different cells, else null: a
 * conflict. It is one, too, where one side played on (`isPlayedOn`) from a round that the other reopened,
 * or counted tricks after a bid that the other took back.
 */
function mergeRound(known, own, now, wasOurs, isPlayedOn) {
  if (isSame(own, now)) return now;
  if (wasOurs || isSame(now, known)) return isPlayedOn ? null : own;
  if (isSame(own, known)) return isPlayedOn ? null : now;
  const bids = own.bids.map((bid, seat) => mergeCell(known.bids[seat], bid, now.bids[seat]));
  const counts = mergeCounts(...[known, own, now].map(countsOf));
  const notes = mergeNotes(...[known, own, now].map(notesOf));
  if (bids.includes(undefined) || !counts || !notes) return null;
  const isCounted = counts.tally?.some((count) => count !== null);
  const isTakenBack = (bid, seat) => bid === null && (own.bids[seat] ?? now.bids[seat]) !== null;
  if ((counts.tricks || isCounted) && bids.some(isTakenBack)) return null;
  return { bids, tricks: counts.tricks, tally: isCounted ? counts.tally : null, ...notes };
}

function mergeNotes(known, own, now) {
  const merged = {};
  for (const name of Object.keys(own)) {
    const text = mergeCell(...[known, own, now].map((notes) => JSON.stringify(notes[name])));
    if (text === undefined) return null;
    merged[name] = JSON.parse(text);
  }
  return merged;
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
const isSent = ({ queue }, { seq }) => queue?.[0]?.seq === seq && queue[0].sent;

/** Return the queue after others' rounds were merged: without what the server has, if still a way. */
function queueAfterMerge(game) {
  const isRecorded = ({ n, round, sent }) => sent && isSame(baseOf(game, n), round);
  const queue = game.queue?.slice(game.queue.findLastIndex(isRecorded) + 1);
  return nextTap({ ...game, queue }) ? queue : unsentRounds(game).length ? null : [];
}

const baseOf = (game, n) => game.base[n - 1] ?? emptyRound(game);

/** Merge the server's facts into a game; the server may have been restored from a backup. */
export function mergeRestored(game, facts) {
  const merged = merge(game, facts);
  const isWaiting = unsentRounds(merged).length > 0;
  if (!facts.restored) return game.restored?.ask && !isWaiting ? forgetRestored(merged) : merged;
  const rules = JSON.stringify(game.rules) !== JSON.stringify(merged.rules);
  if (!isWaiting && !rules) return merged;
  const ask = isWaiting && (needsDecision(game) || !unsentCount(game));
  return { ...merged, restored: { ask, rules }, refused: null };
}

/** Return a game that the server has lost, to be created there again with all its rounds. */
export function recreateLost(game) {
  if (game.begin) return game;
  const restored = { ask: !unsentCount(game), rules: false };
  const server = { version: 0, revision: "", tag: "", base: [], queue: null, tried: {}, theirs: {} };
  const begin = { ...creationForm(game), request_key: game.id, game_id: game.id };
  return { ...game, ...server, begin, restored, refused: null, gone: false };
}

/** Return the form that creates a game on the server, except for its request key. */
export function creationForm({ rules, house, starters, names, first_dealer: dealer, stake }) {
  const players = Object.fromEntries((starters ?? names).map((name, seat) => [`player-${seat + 1}`, name]));
  // The field `first_dealer` is a seat of this game, not the house rule of that name.
  const { first_dealer: rule = "", ...values } = house;
  const chosen = { rules: rules.key, rules_name: rules.name, first_dealer: dealer + 1 };
  const more = { first_dealer_rule: rule, stake: stake ? (stake / 100).toFixed(2) : "" };
  return { ...values, ...players, ...chosen, ...more };
}

/** Send what the server lacks. */
export const resend = (game) => ({ ...game, restored: { ...game.restored, ask: false } });

/** Take what the server has; this phone's entries are kept as replaced. */
export function takeTheirs(game) {
  const numbers = unsentRounds(game);
  const dropped = numbers.filter((n) => n <= game.rounds.length);
  const had = [...(game.had ?? []), ...dropped.map((n) => ({ n, round: roundOf(game, n) }))];
  const rounds = game.base.map((round, at) => game.theirs[at + 1] ?? round);
  for (const n of conflicts(game)) rounds[n - 1] = game.theirs[n];
  const steps = { undo: [], redo: [], queue: null };
  return normalize({ ...game, ...steps, rounds, base: rounds, theirs: {}, had, restored: null });
}

export const forgetRestored = (game) => ({ ...game, restored: null });
