// Hints for each side: how near it is to a bag penalty, to a last set, to the target, or to mercy. They say
// only what is certain however the cards fall, as the server's rules/hints.py.

import { refusal } from "./bidding.js";
import { playingSides } from "./rounds.js";
import { formatPoints, formatSigned, pointsForGap } from "./sentence.js";

/** Return the hints for a side, the most urgent first; `promises` adds those of the target. */
export function hints(state, side, promises) {
  if (state.phase === "over" || state.standing.seats.empty.includes(side)) return [];
  const { rules, rounds, open, standing } = state;
  const found = [];
  const add = (kind, code, values = {}) => found.push({ kind, code, values });
  const paid = open.bids.every((bid) => bid === null) && rounds.at(-1)?.scores[side].bag_penalty;
  if (paid) add("danger", "bags_paid", { points: formatSigned(paid, rules.shown_as) });
  if (isTied(state, side)) add("plain", "tied");
  const left = rules.bag_limit - standing.bags[side];
  if (rules.bag_limit !== null && left >= 1 && left <= 2)
    add("danger", "bags_left", { n: left, points: formatSigned(0 - rules.bag_penalty, rules.shown_as) });
  warnOfSets(state, side, add);
  if (rules.totals_by === "seat") return found;
  const fall = standing.totals[side] - rules.mercy;
  if (rules.mercy !== null && fall > 0 && fall <= rules.tricks * rules.set_points)
    add("danger", "mercy", {
      n: pointsForGap(fall, rules), floor: formatPoints(rules.mercy, rules.shown_as),
    });
  promises?.(state, side, add);
  if (mayBidBlindNil(state, side)) add("plain", "may_blind_nil");
  return found;
}

function isTied({ outcome, standing }, side) {
  const tied = playingSides(standing).filter((one) => outcome?.tied.includes(one));
  return tied.length > 1 && tied.includes(side);
}

// A set only may lose where all others can lose with the same round: the highest total wins then.
function warnOfSets(state, side, add) {
  const { rules, standing, number } = state;
  const { first_tricks: taken, lost } = standing;
  const { first_round_minimum: least } = rules;
  const playing = playingSides(standing);
  const hasLoser = lost.length || (taken.length && playing.some((one) => taken[one] < least));
  if (hasLoser || !losesIfSet(state, side)) return;
  const isFirst = number === 1 && Boolean(least);
  const doAll = playing.every((other) => losesIfSet(state, other));
  add("danger", isFirst || doAll ? "set_may_lose" : "set_loses");
}

function losesIfSet({ rules, standing, number }, side) {
  if (number < (rules.minimum_rounds || 1)) return false;
  const { sets_lose: many, sets_in_a_row_lose: row } = rules;
  return Boolean((many && standing.sets[side] + 1 >= many) || (row && standing.sets_in_a_row[side] + 1 >= row));
}

function mayBidBlindNil({ rules, sides, standing, open, phase }, side) {
  if (rules.blind_nil_deficit === null || phase !== "bidding") return false;
  const { totals, seats } = standing;
  return sides[side].some((seat) =>
    open.bids[seat] === null && !refusal(rules, open.bids, seat, "blind nil", totals, seats.empty),
  );
}
