// Entering a round: each step returns the changed round, or throws `Refused`.

import {
  areMade, checkBids, checkTricks, empties, inRound, mayTotal, refusal, replaced, roundRules, sidesOf, sum, thrownIn,
} from "./bidding.js";
import { bidsItself, scoreSides } from "./game.js";
import { kept } from "./outcome.js";
import { seatsAfter } from "./seating.js";
import { refuse, Refused } from "./sentence.js";

/** Enter the bid of a seat. */
export function placeBid(state, number, round, seat, bid) {
  if (bidsItself(state.rules, number)) throw new Refused([refuse(seat, "bids_itself")]);
  const wrong = refusal(tableBefore(state, number, round), round.bids, seat, bid);
  if (wrong) throw new Refused([wrong]);
  return { ...round, bids: replaced(round.bids, seat, bid) };
}

/** Enter a trick count, scored later; with `oneByOne` seats without a count start from 0. */
export function countTricks(state, number, round, seat, count, oneByOne = false) {
  const table = tableBefore(state, number, round);
  const { rules, empty } = table;
  if (!areMade(rules, round.bids, empty) && !bidsItself(rules, number))
    throw new Refused([refuse(null, "bids_missing")]);
  const tooLow = thrownIn(table, round.bids);
  if (tooLow) throw new Refused([tooLow]);
  if (empty.includes(seat)) throw new Refused([refuse(seat, "empty")]);
  const before = round.tally ?? noCounts(rules, state.players);
  const tally = replaced(oneByOne ? before.map((one) => one ?? 0) : before, seat, count);
  const n = sum(tally);
  if (count < 0 || n > rules.tricks)
    throw new Refused([refuse(seat, "too_many", { n, tricks: rules.tricks })]);
  return { ...round, tally };
}

/** Score or correct a round; bids that are the same as `before` are not checked again. */
export function scoreRound(state, number, round, before = null) {
  const table = tableBefore(state, number, round);
  const { rules, empty } = table;
  const { bids, tricks } = round;
  const unbid = bidsItself(rules, number);
  const stood = before?.bids.every((bid, seat) => bid === bids[seat]) && areMade(rules, bids, empty);
  const wrong = unbid || stood ? [] : checkBids(table, bids);
  if (unbid && bids.some((bid) => bid !== null)) wrong.push(refuse(null, "bids_itself"));
  if (tricks) wrong.push(...checkTricks(rules, tricks, empty));
  if (wrong.length) throw new Refused(wrong);
  return { ...round, tricks: tricks ?? null, tally: null };
}

/** Return the counts before the first: open, or 0 for a partner who is not counted apart. */
export function noCounts(rules, players) {
  const counted = rules.tricks_by === "side" ? sidesOf(rules, players).length : players;
  return empties(players).map((none, seat) => (seat < counted ? none : 0));
}

/**
 * Return the counts, with a single missing one filled in by the remaining tricks; where some may go to
 * nobody, only if there are none. Once somebody has a count, the `empty` seats have 0.
 */
export function fillLastCount(tally, rules, players, empty = []) {
  if (!tally) return noCounts(rules, players);
  const counts = tally.map((count, seat) => (empty.includes(seat) ? 0 : count));
  const rest = rules.tricks - sum(counts);
  if (counts.filter((count) => count === null).length !== 1 || (rules.lost_tricks && rest > 0)) return counts;
  return counts.map((count) => count ?? rest);
}

// Returns what the bids of a round, past or present, are judged by, as it is about to be.
function tableBefore({ rules, players, rounds, standing }, number, { cards, substitutes }) {
  const before = rounds.slice(0, number - 1).at(-1)?.after.seats ?? { names: empties(players), empty: [] };
  return {
    rules: inRound(rules, number, players, cards),
    totals: kept(rounds[number - 1]?.before ?? standing),
    empty: seatsAfter(before, substitutes).empty,
  };
}

/** Return the score of each side with these counts, or null while they are incomplete. */
export function preview(state, tally) {
  const { players, sides, standing, open, phase } = state;
  const rules = roundRules(state);
  const counts = fillLastCount(tally, rules, players, standing.seats.empty);
  const complete = counts.every((n) => n !== null && n >= 0) && mayTotal(rules, sum(counts));
  if (phase !== "playing" || !complete) return null;
  return scoreSides(rules, sides, standing, { ...open, tricks: counts });
}
