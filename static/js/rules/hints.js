// Hints at what is near: what a side loses, reaches or wins with the round to be played. A hint says only
// what is certain however the cards fall.

import {
  blindBids, calls, contract, doPartnersBid, highestBid, isNil, isNumber, lowestBid, possibleBids, refusal, replaced, sum,
} from "./bidding.js";
import { roundAhead, surelyWins } from "./certainty.js";
import { pointsForGap } from "./explain.js";
import { totalsForScore } from "./game.js";
import { playingSides, tableOf } from "./outcome.js";
import { isMade, scoreSide } from "./scoring.js";
import { formatPoints, formatSigned } from "./sentence.js";

/** Return the hints for a side, the most urgent first. */
export function hints(game, side) {
  const state = roundAhead(game);
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
  const fall = rules.totals_by === "seat" ? 0 : standing.totals[side] - rules.mercy;
  if (rules.mercy !== null && fall > 0 && fall <= rules.tricks * rules.set_points)
    add("danger", "mercy", {
      n: pointsForGap(fall, rules), floor: formatPoints(rules.mercy, rules.shown_as),
    });
  if (!open.penalties?.length) promises(state, side, add);
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

function mayBidBlindNil(state, side) {
  if (state.rules.blind_nil_deficit === null || state.phase !== "bidding") return false;
  return state.sides[side].some((seat) => state.open.bids[seat] === null && mayBid(state, seat, "blind nil"));
}

// Adds the hint that a side wins or reaches the target, with its bids or those to come.
function promises(state, side, add) {
  const bids = state.sides[side].map((seat) => state.open.bids[seat]);
  const toBid = [...bids.keys()].slice(0, calls(state.rules, bids.length)).filter((at) => bids[at] === null);
  if (state.phase === "playing") {
    if (!toBid.length && !winning(state, side, bids, add)) byBids(state, side, bids, add);
  } else if (!state.thrown_in) (toBid.length ? byNextBid : byBids)(state, side, bids, add, toBid);
}

// Adds that a side wins, in any case or if it makes its bids, and returns whether it does.
function winning(state, side, bids, add) {
  const does = surelyWins(state, side, ifMade(state.rules, bids));
  if (does) add("chance", surelyWins(state, side) ? "wins" : `wins_${conditionOf(state.rules, bids)}`);
  return does;
}

function conditionOf(rules, bids) {
  if (!bids.some(isNil) && rules.totals_by !== "seat") return "if_made";
  return bids.filter((bid) => bid !== null).length > 1 ? "if_both" : "if_nil";
}

// Returns the tricks of seats that make their bids. Those for one contract of two numbers stand at the first.
function ifMade(rules, bids) {
  const numbers = [...bids.keys()].filter((at) => bids[at] !== null && isNumber(bids[at]));
  const isOne = rules.totals_by !== "seat";
  const seats = isOne ? numbers.slice(0, 1) : numbers;
  let found = [bids.map(() => 0)];
  for (const at of seats) {
    const goal = isOne ? contract(bids) : contract([bids[at]]);
    const counts = range(goal, rules.tricks).filter((n) => isMade(rules, goal, n));
    found = found.flatMap((tricks) => counts.map((n) => replaced(tricks, at, n)));
  }
  return found.filter((tricks) => sum(tricks) <= rules.tricks);
}

const range = (low, high) => Array.from({ length: Math.max(0, high - low + 1) }, (_, n) => low + n);

// Adds that a side reaches the target if it makes its bids.
function byBids(state, side, bids, add) {
  const how = missingPoints(state, side) > 0 && reaches(state, side, bids);
  const condition = conditionOf(state.rules, bids);
  const target = pointsForGap(state.rules.target, state.rules);
  if (how === "surely") add("chance", `reaches_${condition}`, { target });
  else if (how && condition === "if_made") add("chance", "reaches_if_bar_bags", { target });
}

// Returns how many points a side lacks to the target; 0 where there is none for sides.
const missingPoints = ({ rules, standing }, side) =>
  rules.target && rules.totals_by !== "seat" ? rules.target - standing.totals[side] : 0;

// Returns whether a side reaches the target with bids it makes: "surely", "bar_bags" or "".
function reaches(state, side, bids) {
  const { rules, standing } = state;
  const missing = missingPoints(state, side);
  const totals = totalsForScore(rules, standing, side);
  let [how, isUnpaid] = ["", false];
  for (const tricks of ifMade(rules, bids)) {
    const { points, bag_penalty: paid } = scoreSide(rules, bids, tricks, standing.bags[side], totals);
    if (points < missing && !paid) return "";
    how = points < missing ? "bar_bags" : how || "surely";
    isUnpaid ||= !paid;
  }
  return how === "bar_bags" && !isUnpaid ? "" : how;
}

// Adds the smallest contract, or Nil, with which a side reaches the target if it is made. More than three
// fifths of the tricks are no chance yet: it is told what is missing.
function byNextBid(state, side, bids, add, toBid) {
  const { rules } = state;
  const missing = missingPoints(state, side);
  if (missing <= 0) return;
  const smallest = byNumber(state, side, bids, toBid);
  const near = Math.floor((rules.tricks * 3) / 5);
  const nil = byNil(state, side, bids, toBid);
  const isBeside = bids.some(isNil);
  const target = pointsForGap(rules.target, rules);
  const { surely: sure = Infinity, bar_bags: barBags = Infinity } = smallest;
  const code = isBeside ? "reaches_beside_nil" : nil ? `reaches_or_${nil}` : "reaches";
  if (sure <= near) add("chance", code, { n: sure, target });
  else if (nil) add("chance", `reaches_${nil}`, { target });
  else if (barBags <= near && !isBeside) add("chance", "reaches_bar_bags", { n: barBags, target });
  else if (Math.min(sure, barBags) < Infinity) add("plain", "short", { n: pointsForGap(missing, rules), target });
}

// Returns the smallest contract that a side can still come to, by how it reaches the target.
function byNumber(state, side, bids, toBid) {
  const [at, before, areBoth] = [toBid[0], contract(bids), toBid.length > 1];
  const smallest = {};
  for (let n = before; n <= state.rules.tricks && !("surely" in smallest); n += 1) {
    const how = reaches(state, side, areBoth ? [n] : replaced(bids, at, n - before));
    const may = how && (areBoth ? mayMake(state, n) : mayBid(state, state.sides[side][at], n - before));
    if (may) smallest[how] ??= n;
  }
  return smallest;
}

// Returns whether two partners who are both to bid may bid so many tricks together.
function mayMake({ rules, standing }, n) {
  const low = lowestBid(tableOf(rules, standing));
  return n >= Math.max(2 * low, rules.board ?? 0) && n <= 2 * highestBid(rules);
}

const mayBid = ({ rules, open, standing }, seat, bid, bids = open.bids) =>
  !refusal(tableOf(rules, standing), bids, seat, bid);

// Returns whether a side reaches the target with Nil, and partners with any bid beside it.
function byNil(state, side, bids, toBid) {
  const seats = state.sides[side];
  const at = toBid.find((one) => mayBid(state, seats[one], "nil"));
  if (at === undefined || bids.some(isNil)) return "";
  const withNil = replaced(bids, at, "nil");
  const mate = toBid.find((one) => one !== at);
  let completed = [withNil];
  if (mate !== undefined) {
    const entered = replaced(state.open.bids, seats[at], "nil");
    completed = [...possibleBids(state.rules), ...blindBids(state.rules)]
      .filter((bid) => mayBid(state, seats[mate], bid, entered))
      .map((bid) => replaced(withNil, mate, bid));
  }
  const isSure = completed.length && completed.every((full) => reaches(state, side, full) === "surely");
  return isSure ? (doPartnersBid(state.rules) ? "partner_nil" : "nil") : "";
}
