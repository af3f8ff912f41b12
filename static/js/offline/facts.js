// A game as this phone keeps it: `base` are the rounds that phone and server last agreed on, at the
// server's `version`; `rounds` are the phone's own. What differs waits to be sent. Nothing is
// changed in place: each step takes what is kept and gives what is to be kept.
//
// @typedef {{id, owner, rules, names: string[], first_dealer, stake, day, version, revision, base: Round[],
//   rounds: Round[], tried: Object<number, Round[]>, theirs: Object<number, Round>,
//   undo: Step[], redo: Step[], begin: Object|null, refused: {n, sentence}|null, gone: boolean,
//   had?: {n, round: Round}[], entries: Object<number, {at, phone}>,
//   entered?: Object<number, string>, restored?: {ask: boolean, rules: boolean}|null}} Kept
//   rounds are named by their number, from 1; `entries` are the server's newest, `entered` when this
//   phone entered its own
// @typedef {[number, Round|null]} Step  a round, and what it becomes; the next step stands last

import { fold } from "../rules/engine.js";

const STEPS = 300; // that can be taken back

export const nothing = ({ names }) => ({ bids: names.map(() => null), tricks: null, tally: null });
export const roundOf = (kept, n) => kept.rounds[n - 1] ?? nothing(kept);
export const boardOf = ({ rules, names, first_dealer: dealer, rounds }) =>
  fold(rules, names.length, dealer, rounds);

/** Facts as the server tells them, of a game that this phone did not keep. */
export function fresh(facts, owner) {
  const { undo = [], redo = [] } = facts;
  const steps = { undo, redo, tried: {}, theirs: {} };
  const state = { begin: null, refused: null, gone: false };
  return { ...facts, owner, ...steps, ...state, base: facts.rounds };
}

/** The numbers of the rounds that wait, in the order in which they go. */
export function waiting(kept) {
  const numbers = [];
  for (let n = kept.base.length; n > kept.rounds.length; n -= 1) numbers.push(n);
  kept.rounds.forEach((round, at) => {
    if (!same(round, kept.base[at] ?? nothing(kept))) numbers.push(at + 1);
  });
  return numbers;
}

/** How many rounds wait, for people to read. */
export const howMany = (kept) => waiting(kept).length || (kept.begin ? 1 : 0);

/** The numbers of the rounds that another phone recorded otherwise. */
export const clashes = (kept) => Object.keys(kept.theirs).map(Number).sort((a, b) => a - b);

/** Put a round's new facts in place. */
export function enter(kept, n, round) {
  const before = roundOf(kept, n);
  if (same(before, round)) return kept;
  const undo = [...kept.undo, [n, before]].slice(-STEPS);
  return { ...placed(kept, n, round), undo, redo: [], refused: null };
}

export const undo = (kept) => walk(kept, "undo", "redo");
export const redo = (kept) => walk(kept, "redo", "undo");

function walk(kept, from, to) {
  if (!kept[from].length) return kept;
  const [n, found] = kept[from].at(-1);
  const round = found ?? nothing(kept);
  const back = { [from]: kept[from].slice(0, -1), [to]: [...kept[to], [n, roundOf(kept, n)]] };
  return { ...placed(kept, n, round), ...back, refused: null };
}

/** Note that a round goes out: should it come back in the server's facts, it was this phone. */
export function trying(kept, n) {
  const before = kept.tried[n] ?? [];
  return { ...kept, tried: { ...kept.tried, [n]: [...before, roundOf(kept, n)] } };
}

/** Note when the rounds that a step changed were entered on this phone. */
export function stamped(before, after, at) {
  const entered = { ...after.entered };
  for (let n = 1; n <= Math.max(before.rounds.length, after.rounds.length); n += 1)
    if (!same(roundOf(before, n), roundOf(after, n))) entered[n] = at;
  return { ...after, entered, changed: at };
}

/**
 * Bring together what this phone has and what the server has now. `restored` says that the server's
 * history went back: what is missing there was not taken back by anybody.
 */
export function meet(kept, facts) {
  const { rounds: there, restored, undo = [], redo = [], ...told } = facts;
  const [base, rounds, theirs] = [[], [], {}];
  const tried = {};
  let moved = JSON.stringify(kept.house) !== JSON.stringify(told.house);
  let together = true;
  const length = Math.max(kept.base.length, kept.rounds.length, there.length);
  const states = Array.from({ length }, (_, at) => statesOf(kept, at + 1, there[at], restored));
  const newest = states.findLastIndex(isNews) + 1;
  let waits = false; // on the table's choice, for a round that is open here: no other can follow it
  for (let n = 1; n <= length; n += 1) {
    const { known, own, now, wasOurs } = states[n - 1];
    const isLeft = n < newest && !own.tricks && !same(own, known);
    const both = waits ? own : agreed(known, own, now, wasOurs, isLeft && now.tricks !== null);
    if (!both) theirs[n] = now;
    if (!same(own, now) && kept.tried[n]) tried[n] = kept.tried[n];
    moved ||= both !== null && !same(both, own);
    together &&= same(both ?? own, now);
    base.push(both && !waits ? now : known);
    rounds.push(both ?? own);
    waits ||= !both && !own.tricks;
  }
  const steps = stepsAfter(kept, moved, together ? { undo, redo } : { undo: [], redo: [] });
  return tidy({ ...kept, ...told, ...steps, base, rounds, theirs, tried, begin: null, gone: false });
}

// The steps of the phone lead back over the server's; they hold as long as nothing else moved.
const stepsAfter = (kept, moved, told) =>
  moved || !(kept.undo.length || kept.redo.length) ? told : {};

/** Take one of two entries for a round: this phone's, or what the server has. */
export function choose(kept, n, ours) {
  const { [n]: now, ...theirs } = kept.theirs;
  const base = [...kept.base];
  while (base.length < n) base.push(nothing(kept));
  base[n - 1] = now;
  const chosen = { ...kept, base, theirs, refused: null, tag: "" }; // ask for what followed it, too
  if (ours) return tidy(chosen);
  chosen.had = [...(kept.had ?? []), { n, round: roundOf(kept, n) }]; // until somebody has seen it
  if (same(now, nothing(kept))) {
    // It was taken away there: what this phone played after it moves up.
    const rounds = kept.rounds.filter((_, at) => at !== n - 1);
    return tidy({ ...chosen, rounds, undo: [], redo: [] });
  }
  const isLast = n >= kept.rounds.length;
  const taken = isLast || now.tricks ? now : filled(now, roundOf(kept, n));
  return { ...placed(chosen, n, taken), undo: [...kept.undo, [n, roundOf(kept, n)]], redo: [] };
}

function placed(kept, n, round) {
  const rounds = [...kept.rounds];
  while (rounds.length < n) rounds.push(nothing(kept));
  rounds[n - 1] = round;
  return tidy({ ...kept, rounds });
}

/** Rounds in which nothing stands are none; nor are bids for a round after the end. */
export function tidy(kept) {
  const empty = nothing(kept);
  const trimmed = (rounds) => {
    const end = rounds.findLastIndex((round) => !same(round, empty));
    return rounds.slice(0, end + 1);
  };
  const found = { ...kept, base: trimmed(kept.base), rounds: trimmed(kept.rounds) };
  const last = found.rounds.at(-1);
  const isStray = last && !last.tricks && boardOf(found).uncounted > 0;
  return isStray ? tidy({ ...found, rounds: found.rounds.slice(0, -1) }) : found;
}

export function same(one, other) {
  return JSON.stringify(cells(one)) === JSON.stringify(cells(other));
}

const cells = (round) => [round.bids, countsOf(round)];

/** What stands in each round, and in what another phone recorded otherwise, as one text. */
export const entriesOf = ({ rounds, theirs }) =>
  JSON.stringify([rounds.map(cells), Object.entries(theirs).map(([n, round]) => [n, cells(round)])]);

// A round as both last knew it, as it is here, and as it is there now.
function statesOf(kept, n, there, restored) {
  const own = roundOf(kept, n);
  const now = there ?? nothing(kept);
  const before = kept.base[n - 1] ?? nothing(kept);
  const isLost = restored && !same(now, before) && !same(own, nothing(kept));
  const known = isLost ? nothing(kept) : before;
  const wasOurs = (kept.tried[n] ?? []).some((sent) => same(sent, now));
  return { known, own, now, wasOurs };
}

const isNews = ({ known, own, now, wasOurs }) =>
  !wasOurs && !same(now, known) && !same(now, own);

// Three states of a round made one: one side changed nothing, or both filled different cells. Null
// where the table must choose; also where others played on from a round that was reopened here.
function agreed(known, own, now, wasOurs, isPlayedOn) {
  if (same(own, now)) return now;
  if (wasOurs || same(now, known)) return isPlayedOn ? null : own;
  if (same(own, known)) return now;
  const bids = own.bids.map((bid, seat) => cell(known.bids[seat], bid, now.bids[seat]));
  const counts = agreedCounts(...[known, own, now].map(countsOf));
  if (bids.includes(undefined) || !counts) return null;
  const isCounted = counts.tally?.some((count) => count !== null);
  return { bids, tricks: counts.tricks, tally: isCounted ? counts.tally : null };
}

function cell(known, own, now) {
  if (own === now || now === known) return own;
  return own === known ? now : undefined;
}

const countsOf = ({ bids, tricks, tally }) =>
  tricks ? { tricks, tally: null } : { tricks: null, tally: tally ?? bids.map(() => null) };

function agreedCounts(known, own, now) {
  const [before, mine, theirs] = [known, own, now].map((counts) => JSON.stringify(counts));
  if (theirs === before || mine === theirs) return own;
  if (mine === before) return now;
  if (known.tricks || (own.tricks && now.tricks)) return null;
  const [whole, part] = own.tricks ? [own, now] : [now, own];
  if (whole.tricks) {
    const fits = part.tally.every((count, seat) => count === null || count === whole.tricks[seat]);
    return fits ? whole : null;
  }
  const tally = own.tally.map((count, seat) => cell(known.tally[seat], count, now.tally[seat]));
  return tally.includes(undefined) ? null : { tricks: null, tally };
}

const filled = (now, own) => ({
  bids: now.bids.map((bid, seat) => bid ?? own.bids[seat]),
  tricks: own.tricks,
  tally: null,
});
