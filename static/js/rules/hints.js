// Hints for each side: how near it is to a bag penalty, to the target, or to mercy.

import { areMade, doPartnersBid, highestBid, highestTotal, isNumber, lowestBid, numberOf } from "./bidding.js";
import { totalsForScore } from "./rounds.js";
import { scoreSide } from "./scoring.js";
import { formatPoints, formatSigned, pointsForGap } from "./sentence.js";

/** Return the hints for a side, the most urgent first. */
export function hints(state, side) {
  if (state.phase === "over" || state.standing.seats.empty.includes(side)) return [];
  const { rules, rounds, open, standing, outcome } = state;
  const total = standing.totals[side];
  const found = [];
  const add = (kind, code, values = {}) => found.push({ kind, code, values });
  const paid = open.bids.every((bid) => bid === null) && rounds.at(-1)?.scores[side].bag_penalty;
  if (paid) add("danger", "bags_paid", { points: formatSigned(paid, rules.shown_as) });
  if (outcome?.tied.includes(side)) add("plain", "tied");
  const left = rules.bag_limit - standing.bags[side];
  if (rules.bag_limit !== null && left >= 1 && left <= 2)
    add("danger", "bags_left", { n: left, points: formatSigned(0 - rules.bag_penalty, rules.shown_as) });
  if (isLastSet(state, side)) add("danger", "set_loses");
  if (rules.totals_by === "seat") return found;
  const fall = total - rules.mercy;
  if (rules.mercy !== null && fall <= rules.tricks * rules.set_points)
    add("danger", "mercy", {
      n: pointsForGap(fall, rules), floor: formatPoints(rules.mercy, rules.shown_as),
    });
  if (state.phase === "playing") canWinByBid(state, side, add);
  else if (rules.target) canWin(state, rules.target - total, add);
  const deficit = rules.blind_nil_deficit;
  const behind = highestTotal(standing.totals, [side, ...standing.seats.empty]) - total;
  if (deficit !== null && state.phase === "bidding" && behind >= deficit)
    add("plain", "may_blind_nil");
  return found;
}

function isLastSet({ rules, standing, number }, side) {
  if (number < (rules.minimum_rounds || 1)) return false;
  const { sets_lose: many, sets_in_a_row_lose: row } = rules;
  return standing.sets[side] + 1 === many || standing.sets_in_a_row[side] + 1 === row;
}

function canWin({ rules, standing }, missing, add) {
  if (missing <= 0 || rules.trick_points === 0 || rules.call_values) return;
  const lowest = lowestBid(rules, standing.totals, standing.seats.empty);
  const n = Math.max(Math.ceil(missing / rules.trick_points), lowest, rules.board);
  const most = Math.min(rules.tricks, highestBid(rules) * (doPartnersBid(rules) ? 2 : 1));
  const byNil = rules.nil_points !== null && missing <= rules.nil_points;
  if (n <= Math.min(most, Math.floor((rules.tricks * 3) / 5))) add("chance", byNil ? "wins_or_nil" : "wins", { n });
  else if (byNil) add("chance", "wins_nil");
  else if (n <= most) add("plain", "needs", { n: pointsForGap(missing, rules) });
}

function canWinByBid({ rules, sides, standing, open }, side, add) {
  const bids = sides[side].map((seat) => open.bids[seat]);
  if (!areMade(rules, open.bids, standing.seats.empty) || !rules.target) return;
  const exact = bids.map(numberOf);
  const totals = totalsForScore(rules, standing, side);
  const { points } = scoreSide(rules, bids, exact, standing.bags[side], totals);
  if (standing.totals[side] + points < rules.target) return;
  add("chance", bids.some(isNumber) ? "wins_if_made" : "wins_if_nil");
}
