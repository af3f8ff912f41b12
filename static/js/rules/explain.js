// Explanations of a score: its parts as sentences, and hints at what is near. A hint says only what is
// certain however the cards fall.

import {
  areMade, blindTricks, contract, doPartnersBid, highestBid, inRound, isNil, isNumber, lowestBid, refusal, roundRules,
  sum,
} from "./bidding.js";
import { takenBySides, totalsForScore } from "./game.js";
import { playingSides } from "./outcome.js";
import {
  areBothNil, booksMoved, booksPaid, byNumbers, finesOf, isMade, isOfSide, nilScore, ofSide,
  scoreSeats, scoreSide,
} from "./scoring.js";
import { formatPoints, formatSigned } from "./sentence.js";

/** Return a sentence, which `translate` turns into text. */
export const sentenceOf = (code, values = {}) => ({ code, values });

/** Return points for a gap of a sentence: the number itself where points are shown whole. */
export const pointsForGap = (points, { shown_as: shownAs }) =>
  shownAs === "tenths" ? formatPoints(points, shownAs) : points;

/** Return the reasons of a side's points in a scored round, penalties first. */
export function roundReasons(gameRules, round, side) {
  const { number, bids, tricks, scores, before, penalties, cards } = round;
  const rules = inRound(gameRules, number, bids.length, cards);
  if (before.seats.empty.includes(side)) return [];
  const sides = scores.length;
  const own = (list) => list.filter((_, seat) => seat % sides === side);
  const taken = takenBySides(tricks, sides);
  const paid = booksPaid(penalties, taken);
  const pays = ({ seat }) => seat % sides === side;
  const gets = ({ seat, to }) => to === "others" && (seat + 1) % sides === side;
  const lines = penalties.flatMap((one, at) =>
    pays(one) || gets(one) ? [penaltyReason(one, paid[at], rules.shown_as, !pays(one))] : [],
  );
  const totals = totalsForScore(rules, before, side);
  const [, failed, byHand] = finesOf(round);
  const uncounted = scores[side].bonus_points - sum(own(byHand).flat());
  if (uncounted) lines.push({ code: "bonus_void", values: { points: formatSigned(uncounted, rules.shown_as) } });
  const noted = [totals, booksMoved(penalties, taken)[side], own(failed)];
  const more = scoreReasons(rules, own(bids), own(tricks), scores[side], before.bags[side], ...noted);
  return [...lines, ...more];
}

// Returns the reasons of a score, in the order of its parts; the last three values as in scoreSide.
function scoreReasons(
  rules, bids, tricks, score, bagsBefore, totals = [], moved = 0, failed = [],
) {
  if (isOfSide(rules, bids)) {
    const whole = ofSide(bids, tricks);
    return scoreReasons(rules, whole.bids, whole.tricks, score, bagsBefore, totals, moved, failed);
  }
  if (rules.totals_by === "seat" && bids.length > 1)
    return scoreSeats(rules, bids, tricks, totals, [[], failed]).flatMap((own, at) =>
      scoreReasons(rules, [bids[at]], [tricks[at]], own, 0),
    );
  const lines = [];
  const add = (code, values) => lines.push({ code, values });
  const points = formatSigned(score.contract_points, rules.shown_as);
  if (bids.includes(null)) add(score.made ? "itself" : "itself_set", { n: sum(tricks) + moved, points });
  else if (score.made !== null) {
    const n = rules.failed_nil_tricks === "contract" ? sum(tricks) : byNumbers(bids, tricks);
    const blind = blindTricks(bids);
    const values = { bid: score.contract, n: Math.max(0, n + moved), points, ...(blind ? { blind } : {}) };
    add(`${blindKind(blind, score.contract)}${score.made ? "made" : "set"}`, values);
  }
  nilReasons(rules, bids, tricks, score, add);
  bagReasons(rules, score, bagsBefore, add);
  return lines;
}

function blindKind(blind, goal) {
  if (!blind) return "";
  return blind === goal ? "blind_" : "partly_blind_";
}

function nilReasons(rules, bids, tricks, score, add) {
  if (areBothNil(rules, bids)) {
    const n = sum(tricks);
    return add(n ? "both_nil_failed" : "both_nil_kept", { n, points: formatSigned(score.nil_points, rules.shown_as) });
  }
  bids.forEach((bid, at) => {
    if (!isNil(bid)) return;
    const n = tricks[at];
    const code = bid === "nil" ? "nil" : "blind_nil";
    const points = formatSigned(nilScore(rules, bid, n), rules.shown_as);
    add(`${code}_${n ? "failed" : "kept"}`, { n, points });
  });
}

function bagReasons(rules, score, before, add) {
  const { overtricks: n, overtrick_points: paid } = score;
  if (!n) return;
  const capped = paid < n * rules.overtrick_points;
  add(capped ? "overtricks_capped" : "overtricks", { n, points: formatSigned(paid, rules.shown_as) });
  const limit = rules.bag_limit;
  if (limit === null) return;
  const points = formatSigned(score.bag_penalty, rules.shown_as);
  const values = { before, after: before + n, limit, left: score.bags, points };
  add(score.bag_penalty ? "bags_penalty" : "bags", values);
}

/** Return what a penalty does to the side that pays, or `gains`. */
export function penaltyReason({ kind, size, to, reason }, n, shownAs, gains = false) {
  const points = formatSigned(kind === "bonus" ? size : 0 - size, shownAs);
  const values = { reason: kind === "bonus" ? bonusReason(size, reason) : sentenceOf(reason), n, points };
  if (kind !== "books") return { code: `paid_${kind === "bonus" ? "points" : kind}`, values };
  return { code: gains ? "books_won" : to === "others" ? "books_lost" : "books_taken", values };
}

// What somebody wrote is kept apart from the direction of the text around it.
const bonusReason = (size, reason) =>
  reason ? `\u2068${reason}\u2069` : sentenceOf(size > 0 ? "bonus" : "deduction");

/** Return the hints for a side, the most urgent first. */
export function hints(game, side) {
  const state = { ...game, rules: roundRules(game) };
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
  promises(state, side, add);
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

// Adds the hint of what makes a side reach the target, or win, before or after all bids.
function promises(state, side, add) {
  const { rules, open, phase } = state;
  if (rules.target && !open.penalties?.length) (phase === "playing" ? byBids : byNextBid)(state, side, add);
}

// The smallest bid, or Nil, that reaches the target if the side makes what it bids.
function byNextBid(state, side, add) {
  const { rules, standing } = state;
  const missing = rules.target - standing.totals[side];
  if (missing <= 0 || rules.trick_points === 0 || rules.call_values || rules.worth) return;
  const lowest = lowestBid(rules, standing.totals, standing.seats.empty);
  const byTricks = missing - (rules.made_bonus ?? 0);
  const n = Math.max(Math.ceil(byTricks / rules.trick_points), lowest, rules.board);
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
  const goal = contract(bids);
  for (let taken = goal; taken <= (first < 0 ? 0 : rules.tricks); taken += 1) {
    if (first >= 0 && !isMade(rules, goal, taken)) break;
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
