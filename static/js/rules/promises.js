// What a side reaches that makes what it bids, and whether it wins then. The promises of the server's
// rules/hints.py.

import {
  areMade, contract, doPartnersBid, highestBid, isNil, isNumber, lowestBid,
} from "./bidding.js";
import { playingSides, totalsForScore } from "./rounds.js";
import { scoreSide } from "./scoring.js";
import { pointsForGap } from "./sentence.js";

/** Add the hint of what makes a side reach the target, or win, before or after all bids. */
export function promises(state, side, add) {
  const { rules, open, phase } = state;
  if (rules.target && !open.penalties?.length) (phase === "playing" ? byBids : byNextBid)(state, side, add);
}

// The smallest bid, or Nil, that reaches the target if the side makes what it bids.
function byNextBid(state, side, add) {
  const { rules, standing } = state;
  const missing = rules.target - standing.totals[side];
  if (missing <= 0 || rules.trick_points === 0 || rules.call_values) return;
  const lowest = lowestBid(rules, standing.totals, standing.seats.empty);
  const n = Math.max(Math.ceil(missing / rules.trick_points), lowest, rules.board);
  const most = Math.min(rules.tricks, highestBid(rules) * (doPartnersBid(rules) ? 2 : 1));
  const target = pointsForGap(rules.target, rules);
  const byNil = rules.nil_points !== null && withNil(rules).every((bids) => reaches(state, side, bids) === "surely");
  const how = n <= Math.min(most, Math.floor((rules.tricks * 3) / 5)) && reaches(state, side, [n]);
  if (how) add("chance", how === "bar_bags" ? "reaches_bar_bags" : byNil ? "reaches_or_nil" : "reaches", { n, target });
  else if (byNil) add("chance", "reaches_nil", { target });
  else if (n <= most) add("plain", "short", { n: pointsForGap(missing, rules), target });
}

// Returns the bids of a side that has bid Nil.
function withNil(rules) {
  if (!doPartnersBid(rules)) return [["nil"]];
  const found = [["nil", "nil"]];
  for (let bid = rules.minimum_bid; bid <= highestBid(rules); bid += 1) found.push(["nil", bid]);
  return found;
}

// Whether a side reaches the target, or wins, if it makes its bids.
function byBids(state, side, add) {
  const { rules, sides, standing, open } = state;
  if (!areMade(rules, open.bids, standing.seats.empty)) return;
  const bids = sides[side].map((seat) => open.bids[seat]);
  const how = reaches(state, side, bids);
  const condition = conditionOf(bids);
  if (how === "surely" && wins(state, side, bids)) return add("chance", `wins_${condition}`);
  if (!how || standing.totals[side] >= rules.target) return;
  const target = pointsForGap(rules.target, rules);
  if (how === "surely") add("chance", `reaches_${condition}`, { target });
  else if (condition === "if_made") add("chance", "reaches_if_bar_bags", { target });
}

function conditionOf(bids) {
  if (!bids.some(isNil)) return "if_made";
  return bids.filter((bid) => bid !== null).length > 1 ? "if_both" : "if_nil";
}

// Returns whether a side reaches the target with bids it makes: "surely", "bar_bags" or "".
function reaches(state, side, bids) {
  const missing = state.rules.target - state.standing.totals[side];
  const scores = scoresIfMade(state, side, bids).map(([, score]) => score);
  const doAll = (some) => some.length > 0 && some.every(({ points }) => points >= missing);
  if (doAll(scores)) return "surely";
  return doAll(scores.filter(({ bag_penalty: paid }) => !paid)) ? "bar_bags" : "";
}

// Returns the tricks that a side may take with bids it makes, and what it scores then.
function scoresIfMade({ rules, standing }, side, bids) {
  const totals = totalsForScore(rules, standing, side);
  const first = bids.findIndex((bid) => bid !== null && isNumber(bid));
  const found = [];
  for (let taken = contract(bids); taken <= (first < 0 ? 0 : rules.tricks); taken += 1) {
    const tricks = bids.map((_, seat) => (seat === first ? taken : 0));
    found.push([taken, scoreSide(rules, bids, tricks, standing.bags[side], totals)]);
  }
  return found;
}

// Returns whether a side that makes its bids wins: it has not lost, and no other can have as many points.
function wins(state, side, bids) {
  const { rules, standing } = state;
  const { first_tricks: first } = standing;
  if (standing.lost.length || (rules.sets_lose && standing.sets[side] >= rules.sets_lose)) return false;
  const most = playingSides(standing).filter((other) => other !== side).map((other) => mostTotals(state, other));
  return scoresIfMade(state, side, bids).every(([taken, { points }]) =>
    (first.length ? first[side] : taken) >= (rules.first_round_minimum || 0) &&
    most.every((byTricks) => standing.totals[side] + points > byTricks[rules.tricks - taken]),
  );
}

// Returns the highest total that a side can come to, by how many tricks are left to it.
function mostTotals({ rules, sides, standing, open }, side) {
  const bids = sides[side].map((seat) => open.bids[seat]);
  const totals = totalsForScore(rules, standing, side);
  const most = [];
  for (let left = 0; left <= rules.tricks; left += 1) {
    let best = most.at(-1) ?? -Infinity;
    for (let own = bids.length > 1 ? 0 : left; own <= left; own += 1) {
      const { points } = scoreSide(rules, bids, [own, left - own].slice(0, bids.length), standing.bags[side], totals);
      best = Math.max(best, standing.totals[side] + points);
    }
    most.push(best);
  }
  return most;
}
