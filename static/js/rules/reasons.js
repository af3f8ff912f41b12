// Why a side scored what it did: the parts of its points as sentences. The same as the server's
// rules/score_reasons.py; tests compare both.

import { blindTricks, isNil } from "./bidding.js";
import { sum } from "./lists.js";
import { booksMoved, booksPaid, finesOf } from "./penalties.js";
import { takenBySides, totalsForScore } from "./rounds.js";
import { areBothNil, byNumbers, isOfSide, nilWorth, ofSide, scoreSeats } from "./scoring.js";
import { formatSigned } from "./sentence.js";

/** Return the reasons of a side's points in a scored round, penalties first. */
export function roundReasons(rules, round, side) {
  const { bids, tricks, scores, before, penalties } = round;
  if (before.seats.empty.includes(side)) return [];
  const sides = scores.length;
  const own = (list) => list.filter((_, seat) => seat % sides === side);
  const taken = takenBySides(tricks, sides);
  const paid = booksPaid(penalties, taken);
  const pays = ({ seat }) => seat % sides === side;
  const lines = penalties.flatMap((one, at) =>
    pays(one) || one.to === "others" ? [penaltyReason(one, paid[at], rules.shown_as, !pays(one))] : [],
  );
  const totals = totalsForScore(rules, before, side);
  const noted = [totals, booksMoved(penalties, taken)[side], own(finesOf(round)[1])];
  const more = scoreReasons(rules, own(bids), own(tricks), scores[side], before.bags[side], ...noted);
  return [...lines, ...more];
}

/** Return the reasons of a score, in the order of its parts; the last three values as in scoreSide. */
export function scoreReasons(
  rules, bids, tricks, score, bagsBefore, totals = [], moved = 0, failed = [],
) {
  if (isOfSide(rules, bids)) {
    const whole = ofSide(bids, tricks, failed);
    return scoreReasons(rules, whole.bids, whole.tricks, score, bagsBefore, totals, moved, whole.failed);
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
    const [n, worth] = [tricks[at], nilWorth(rules, bid) ?? 0];
    const code = bid === "nil" ? "nil" : "blind_nil";
    add(`${code}_${n ? "failed" : "kept"}`, { n, points: formatSigned(n ? 0 - worth : worth, rules.shown_as) });
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
  const values = { reason: { code: reason, values: {} }, n, points: formatSigned(0 - size, shownAs) };
  if (kind !== "books") return { code: `paid_${kind}`, values };
  return { code: gains ? "books_won" : to === "others" ? "books_lost" : "books_taken", values };
}
