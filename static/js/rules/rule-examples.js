// Worked examples of a rule book: sample hands scored by its rules. The same as the server's
// rules/examples.py and rules/sample_hands.py; tests compare both.

import { calls, doPartnersBid, highestBid, refusal, sidesOf, thrownIn } from "./bidding.js";
import { callSteps, totalSteps } from "./call-values.js";
import { sum } from "./lists.js";
import { outcomeOf } from "./rounds.js";
import { scoreSide } from "./scoring.js";
import { scoreReasons } from "./reasons.js";
import { formatPoints, pointsForGap, sentenceOf } from "./sentence.js";
import { sizesOf } from "./deck.js";

/** Return `{title, explanation: {lines, score}, hand}` for each example: scores, bids, endings. */
export function workedExamples(rules) {
  const hands = [contractExamples, bagExamples, nilExamples].flatMap((part) => part(rules));
  const scores = hands.filter(([, hand]) => hand).map(([code, hand, values]) => {
    return { title: sentenceOf(code, values), explanation: explainHand(rules, hand), hand };
  });
  return [...scores, ...bidExamples(rules), ...sumExamples(rules), ...endingExamples(rules)];
}

const example = (title, lines) => ({ title, explanation: { lines, score: null }, hand: null });

function explainHand(rules, { bids, tricks, bags: before }) {
  const score = scoreSide(rules, bids, tricks, before);
  return { lines: scoreReasons(rules, bids, tricks, score, before), score };
}

function contractExamples(rules) {
  const usualBid = rules.partnerships ? 7 : 4;
  const found = [
    ["example_made", numberHand(rules, usualBid)],
    ["example_overtricks", numberHand(rules, usualBid, 2)],
    ["example_set", numberHand(rules, usualBid, -1)],
  ];
  found.push(...specialContracts(rules));
  if (rules.first_round_bids_itself) {
    const tricks = shared(rules, Math.min(usualBid, rules.tricks));
    found.push(["example_unbid", { bids: tricks.map(() => null), tricks, bags: 0 }]);
  }
  return found;
}

function specialContracts(rules) {
  const isSet = (value) => value !== null && value !== undefined;
  const ten = (beyond) => {
    const hand = numberHand(rules, 10, beyond);
    return hand && sum(hand.tricks) >= 10 + beyond ? hand : null;
  };
  const found = [];
  if (isSet(rules.ten_for) || isSet(rules.ten_made)) found.push(["example_ten", ten(0)]);
  if (isSet(rules.ten_failed)) found.push(["example_ten_failed", ten(-1)]);
  if (isSet(rules.boston_made)) found.push(["example_boston", numberHand(rules, rules.tricks)]);
  const { blind_bid_from: lowest } = rules;
  if (isSet(lowest)) {
    found.push(["example_blind_made", blindHand(rules, lowest)]);
    found.push(["example_blind_set", blindHand(rules, lowest, -1)]);
  }
  for (const { low, factor: n, total } of callSteps(rules.call_values)) {
    if (n < 2 || total !== null || low > rules.tricks) continue;
    found.push(["example_value", loneHand(rules, low), { n }]);
  }
  return found;
}

function bagExamples(rules) {
  const { overtrick_cap: cap, overtrick_points: each, bag_limit: limit } = rules;
  const found = [];
  if (cap !== null && each)
    found.push(["example_capped", numberHand(rules, 1, Math.floor(cap / each) + 1)]);
  if (limit !== null)
    found.push(["example_bags", numberHand(rules, rules.partnerships ? 5 : 3, 2, limit - 1)]);
  return found;
}

function nilExamples(rules) {
  const found = ["nil", "blind nil"]
    .filter((nil) => rules[nil === "nil" ? "nil_points" : "blind_nil_points"] !== null)
    .flatMap((nil) => {
      const code = `example_${nil.replace(" ", "_")}`;
      return [[`${code}_kept`, nilHand(rules, nil)], [`${code}_failed`, failedNil(rules, nil)]];
    });
  if (!doPartnersBid(rules) || rules.nil_points === null) return found;
  const both = (took) => ({ bids: ["nil", "nil"], tricks: [0, took], bags: 0 });
  const lost = both(Math.min(2, rules.tricks));
  return [...found, ["example_both_nil_kept", both(0)], ["example_both_nil_failed", lost]];
}

// Three tricks, or one that the partner, who bid 6, is then short of.
function failedNil(rules, nil) {
  if (!doPartnersBid(rules)) return nilHand(rules, nil, Math.min(3, rules.tricks));
  return nilHand(rules, nil, 1, 6, -1) ?? nilHand(rules, nil, 1);
}

// Returns a contract near `bid`, taken with `beyond` more tricks; null if the rules do not allow one.
function numberHand(rules, bid, beyond = 0, before = 0) {
  const seats = doPartnersBid(rules) ? 2 : 1;
  const least = Math.max(rules.minimum_bid * seats, rules.board ?? 0);
  const most = beyond >= 0 ? rules.tricks - beyond : rules.tricks * seats;
  const goal = Math.min(Math.max(bid, least), most);
  const taken = Math.min(goal + beyond, rules.tricks);
  if (goal < least || taken < 0) return null;
  return { bids: shared(rules, goal), tricks: shared(rules, taken), bags: before };
}

// Returns a blind bid, beside the least that a partner bids.
function blindHand(rules, bid, beyond = 0) {
  const least = Math.max(rules.minimum_bid, (rules.board ?? 0) - bid);
  const others = doPartnersBid(rules) ? [least] : [];
  if (bid + sum(others) > rules.tricks || bid + beyond < 0) return null;
  return { bids: [`blind ${bid}`, ...others], tricks: [bid + beyond, ...others], bags: 0 };
}

// Returns a contract near `bid`; partners with scores of their own do not share it.
function loneHand(rules, bid) {
  if (rules.totals_by !== "seat") return numberHand(rules, bid);
  return { bids: [bid, rules.minimum_bid], tricks: [bid, 0], bags: 0 };
}

function nilHand(rules, nil, took = 0, bid = 4, beyond = 0) {
  if (!doPartnersBid(rules))
    return took <= rules.tricks ? { bids: [nil], tricks: [took], bags: 0 } : null;
  const least = Math.max(rules.minimum_bid, rules.board ?? 0);
  const goal = Math.min(Math.max(bid, least), rules.tricks, rules.tricks - took - beyond);
  if (goal < least || goal + beyond < 0) return null;
  return { bids: [nil, goal], tricks: [took, goal + beyond], bags: 0 };
}

const shared = (rules, n) =>
  doPartnersBid(rules) ? [n - Math.floor(n / 2), Math.floor(n / 2)] : [n];

function tableSize(rules) {
  const sizes = sizesOf(rules);
  return sizes.includes(4) ? 4 : sizes[0];
}

function bidExamples(rules) {
  const { minimum_bid: low, tricks, board, blind_nil_deficit: deficit } = rules;
  const players = tableSize(rules);
  const found = [];
  const bidders = calls(rules, players);
  const others = Math.max(low, Math.floor(tricks / bidders));
  const together = (bidders - 1) * others;
  const last = tricks - together;
  if (!rules.bids_may_equal_tricks && last >= low) {
    const title = sentenceOf("example_hook", { others, sum: together, bid: last });
    const made = Object.fromEntries([...Array(bidders - 1).keys()].map((seat) => [seat, others]));
    found.push(example(title, explainBid(rules, players, made, bidders - 1, last)));
  }
  if (board !== null && low < board && !doPartnersBid(rules)) {
    const title = sentenceOf("example_bid_of", { bid: board - 1, total: pointsForGap(0, rules) });
    found.push(example(title, explainBid(rules, players, {}, 0, board - 1)));
  } else if (board !== null && 2 * low < board) {
    const title = sentenceOf("example_board", { first: low, second: low });
    found.push(example(title, explainBid(rules, players, { 0: low }, Math.floor(players / 2), low)));
  }
  for (const n of deficit === null ? [] : [deficit - 1, deficit]) {
    const result = explainBid(rules, players, {}, 0, "blind nil", n);
    found.push(example(sentenceOf("example_behind", { n }), result));
  }
  const needed = rules.blind_bid_deficit ?? null;
  for (const behind of needed === null ? [] : [needed - 1, needed]) {
    const values = { n: rules.blind_bid_from, behind: pointsForGap(behind, rules) };
    const title = sentenceOf("example_blind_behind", values);
    found.push(example(title, explainBid(rules, players, {}, 0, `blind ${rules.blind_bid_from}`, behind)));
  }
  return found;
}

// Returns whether a seat may make a bid, or why not; its side is `behind` points behind.
function explainBid(rules, players, made, seat, bid, behind = 0) {
  const sides = sidesOf(rules, players);
  const totals = sides.map((seats) => (seats.includes(seat) ? 0 : behind));
  const bids = Array.from({ length: players }, (_, other) => made[other] ?? null);
  const wrong = refusal(rules, bids, seat, bid, totals);
  return [wrong ? sentenceOf(wrong.code, wrong.values) : sentenceOf("bid_allowed")];
}

// Bids that are refused for their number, or thrown in for their sum.
function sumExamples(rules) {
  const { tricks, bids_at_least: least } = rules;
  const found = [];
  const players = tableSize(rules);
  if (rules.maximum_bid && highestBid(rules) < tricks) found.push([highestBid(rules) + 1, 0]);
  found.push(...totalSteps(rules.minimum_by_total).map(([total, n]) => [n - 1 || 1, total]));
  const bids = found.map(([bid, total]) => {
    const values = { bid, total: pointsForGap(total, rules) };
    const title = sentenceOf(total ? "example_bid_from" : "example_bid_of", values);
    return example(title, explainBid(rules, players, {}, 0, bid, total));
  });
  if (!least) return bids;
  const steps = [[0, least], ...totalSteps(rules.bids_at_least_by_total)];
  return [...bids, ...steps.map(([total, n]) => thrownInExample(rules, players, n - 1, total))];
}

function thrownInExample(rules, players, n, total) {
  const code = total ? "example_thrown_in_from" : "example_thrown_in";
  const title = sentenceOf(code, { n, total: pointsForGap(total, rules) });
  const bids = Array.from({ length: players }, (_, seat) => Math.floor((n + seat) / players));
  const wrong = thrownIn(rules, bids, bids.map(() => total));
  return example(title, [wrong ? sentenceOf(wrong.code, wrong.values) : sentenceOf("bid_allowed")]);
}

function endingExamples(rules) {
  const { target, mercy } = rules;
  const bySeat = rules.totals_by === "seat";
  const totals = [
    [target - 1, Math.floor(target / 2)],
    [target + 6, target + 2],
    [target, target],
  ];
  if (mercy !== null) totals.push([Math.min(40, target - 1), mercy]);
  const found = target === null || bySeat ? [] : totals;
  return [
    ...found.map(([high, low]) => endExample(sentenceOf("example_end"), rules, high, Math.min(low, high))),
    ...(target !== null && bySeat ? [0, -1].map((low) => partnerExample(rules, low)) : []),
    ...limitExamples(rules),
  ];
}

// Whether a player's total ends the game whose partner has another.
function partnerExample(rules, low) {
  const { target, shown_as: shownAs } = rules;
  const totals = { totals: [target + low, 0], seat_totals: [target, 0, low, 0] };
  const ends = outcomeOf(rules, { ...NOTHING, ...totals }, 1) !== null;
  const both = { high: formatPoints(target + low, shownAs), low: formatPoints(0, shownAs) };
  const values = { n: pointsForGap(target, rules), low: formatPoints(low, shownAs) };
  return example(sentenceOf("example_partner", values), [sentenceOf(ends ? "is_over" : "goes_on", both)]);
}

// Games that end by the number of rounds, by sets, or by the tricks of the first round.
function limitExamples(rules) {
  const high = Math.min(60, (rules.target ?? Infinity) - 1);
  const low = Math.floor(high / 2);
  const late = rules.minimum_rounds || 1;
  const { rounds, sets_lose: sets, sets_in_a_row_lose: row, first_round_minimum: least } = rules;
  const found = [];
  const add = (code, n, ...rest) => found.push(endExample(sentenceOf(code, { n }), rules, high, ...rest));
  if (rounds) {
    add("example_round", rounds, low, rounds);
    add("example_round", rounds, high, rounds, { overtricks: [2, 5] });
  }
  if (sets) add("example_sets", sets, low, late, { sets: [sets, 0] });
  if (row) add("example_sets_in_a_row", row, low, late, { sets_in_a_row: [row, 0] });
  if (least) add("example_first_round", least - 1, low, 1, { first_tricks: [least - 1, 52] });
  return found;
}

const NOTHING = {
  bags: [0, 0], seat_totals: [], overtricks: [0, 0], sets: [0, 0], sets_in_a_row: [0, 0],
  first_tricks: [52, 52], lost: [], seats: { names: [], empty: [] },
};

function endExample(title, rules, high, low, number = 1, more = {}) {
  const outcome = outcomeOf(rules, { ...NOTHING, totals: [high, low], ...more }, number);
  return example(title, [sentenceOf(endCode(outcome, high === low), {
    high: formatPoints(high, rules.shown_as), low: formatPoints(low, rules.shown_as),
  })]);
}

function endCode(outcome, isTie) {
  if (!outcome) return "goes_on";
  if (outcome.winner === null) return "ties";
  return isTie ? "fewer_bags" : ["is_over", "low_wins"][outcome.winner];
}
