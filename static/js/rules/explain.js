// Explanations of a score: its parts as sentences.

import { blindTricks, inRound, isNil, sum } from "./bidding.js";
import { takenBySides, totalsForScore } from "./game.js";
import {
  NO_CHARGE, areBothNil, booksMoved, booksPaid, byNumbers, chargeOf, isOfSide, nilScore, ofSide, scoreSeats, sizes,
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
  const charge = chargeOf(penalties, own([...bids.keys()]), booksMoved(penalties, taken)[side]);
  const uncounted = scores[side].bonus_points - sum(sizes(charge, "bonus"));
  if (uncounted) lines.push({ code: "bonus_void", values: { points: formatSigned(uncounted, rules.shown_as) } });
  const more = scoreReasons(rules, own(bids), own(tricks), scores[side], before.bags[side], totals, charge);
  return [...lines, ...more];
}

// Returns the reasons of a score, in the order of its parts; the last two values as in scoreSide.
function scoreReasons(rules, bids, tricks, score, bagsBefore, totals = [], charge = NO_CHARGE) {
  if (isOfSide(rules, bids)) {
    const whole = ofSide(bids, tricks);
    return scoreReasons(rules, whole.bids, whole.tricks, score, bagsBefore, totals, charge);
  }
  if (rules.totals_by === "seat" && bids.length > 1)
    return scoreSeats(rules, bids, tricks, totals, charge).flatMap((own, at) =>
      scoreReasons(rules, [bids[at]], [tricks[at]], own, 0),
    );
  const lines = [];
  const add = (code, values) => lines.push({ code, values });
  const points = formatSigned(score.contract_points, rules.shown_as);
  if (bids.includes(null)) add(score.made ? "itself" : "itself_set", { n: sum(tricks) + charge.moved, points });
  else if (score.made !== null) {
    const n = rules.failed_nil_tricks === "contract" ? sum(tricks) : byNumbers(bids, tricks);
    const blind = blindTricks(bids);
    const values = { bid: score.contract, n: Math.max(0, n + charge.moved), points, ...(blind ? { blind } : {}) };
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
  const capped = paid !== n * rules.overtrick_points;
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
