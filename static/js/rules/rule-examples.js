// Worked examples of a rule book: sample hands scored by its rules. The same as the server's
// rules/examples.py and rules/sample_hands.py; tests compare both.

import { minus, outcomeOf, refusal, scoreReasons, scoreSide, sidesOf } from "./engine.js";
import { sizesOf } from "./deck.js";

/** Return `{title, explanation: {lines, score}, hand}` for each example: scores, bids, endings. */
export function workedExamples(rules) {
  const hands = [...contracts(rules), ...bags(rules), ...nils(rules)].filter(([, hand]) => hand);
  const scores = hands.map(([code, hand]) => {
    return { title: phrase(code), explanation: explainHand(rules, hand), hand };
  });
  return [...scores, ...bidding(rules), ...endings(rules)];
}

const phrase = (code, values = {}) => ({ code, values });
const example = (title, lines) => ({ title, explanation: { lines, score: null }, hand: null });

function explainHand(rules, { bids, tricks, bags: before }) {
  const score = scoreSide(rules, bids, tricks, before);
  return { lines: scoreReasons(rules, bids, tricks, score, before), score };
}

function contracts(rules) {
  const usualBid = rules.partnerships ? 7 : 4;
  const found = [
    ["example_made", numberHand(rules, usualBid)],
    ["example_overtricks", numberHand(rules, usualBid, 2)],
    ["example_set", numberHand(rules, usualBid, -1)],
  ];
  if (rules.ten_for !== null) {
    const ten = numberHand(rules, 10);
    const isTen = ten && ten.tricks.reduce((all, n) => all + n) >= 10;
    found.push(["example_ten", isTen ? ten : null]);
  }
  if (rules.first_round_bids_itself) {
    const tricks = shared(rules, Math.min(usualBid, rules.tricks));
    found.push(["example_unbid", { bids: tricks.map(() => null), tricks, bags: 0 }]);
  }
  return found;
}

function bags(rules) {
  const { overtrick_cap: cap, overtrick_points: each, bag_limit: limit } = rules;
  const found = [];
  if (cap !== null && each)
    found.push(["example_capped", numberHand(rules, 1, Math.floor(cap / each) + 1)]);
  if (limit !== null)
    found.push(["example_bags", numberHand(rules, rules.partnerships ? 5 : 3, 2, limit - 1)]);
  return found;
}

function nils(rules) {
  const found = ["nil", "blind nil"]
    .filter((nil) => rules[nil === "nil" ? "nil_points" : "blind_nil_points"] !== null)
    .flatMap((nil) => {
      const code = `example_${nil.replace(" ", "_")}`;
      return [[`${code}_kept`, nilHand(rules, nil)], [`${code}_failed`, failedNil(rules, nil)]];
    });
  if (!rules.partnerships || rules.nil_points === null) return found;
  const both = (took) => ({ bids: ["nil", "nil"], tricks: [0, took], bags: 0 });
  const lost = both(Math.min(2, rules.tricks));
  return [...found, ["example_both_nil_kept", both(0)], ["example_both_nil_failed", lost]];
}

// Three tricks, or one that the partner, who bid 6, is then short of.
function failedNil(rules, nil) {
  if (!rules.partnerships) return nilHand(rules, nil, Math.min(3, rules.tricks));
  return nilHand(rules, nil, 1, 6, -1) ?? nilHand(rules, nil, 1);
}

// Returns a contract near `bid`, taken with `beyond` more tricks; null if the rules do not allow one.
function numberHand(rules, bid, beyond = 0, before = 0) {
  const seats = rules.partnerships ? 2 : 1;
  const least = Math.max(rules.minimum_bid * seats, rules.board ?? 0);
  const most = beyond >= 0 ? rules.tricks - beyond : rules.tricks * seats;
  const goal = Math.min(Math.max(bid, least), most);
  const taken = Math.min(goal + beyond, rules.tricks);
  if (goal < least || taken < 0) return null;
  return { bids: shared(rules, goal), tricks: shared(rules, taken), bags: before };
}

function nilHand(rules, nil, took = 0, bid = 4, beyond = 0) {
  if (!rules.partnerships)
    return took <= rules.tricks ? { bids: [nil], tricks: [took], bags: 0 } : null;
  const least = Math.max(rules.minimum_bid, rules.board ?? 0);
  const goal = Math.min(Math.max(bid, least), rules.tricks, rules.tricks - took - beyond);
  if (goal < least || goal + beyond < 0) return null;
  return { bids: [nil, goal], tricks: [took, goal + beyond], bags: 0 };
}

const shared = ({ partnerships }, n) =>
  partnerships ? [n - Math.floor(n / 2), Math.floor(n / 2)] : [n];

function bidding(rules) {
  const { minimum_bid: low, tricks, board, blind_nil_deficit: deficit } = rules;
  const sizes = sizesOf(rules);
  const players = sizes.includes(4) ? 4 : sizes[0];
  const found = [];
  const others = Math.max(low, Math.floor(tricks / players));
  const together = (players - 1) * others;
  const last = tricks - together;
  if (!rules.bids_may_equal_tricks && last >= low) {
    const title = phrase("example_hook", { others, sum: together, bid: last });
    const made = Object.fromEntries([...Array(players - 1).keys()].map((seat) => [seat, others]));
    found.push(example(title, explainBid(rules, players, made, players - 1, last)));
  }
  if (board !== null && 2 * low < board) {
    const title = phrase("example_board", { first: low, second: low });
    found.push(example(title, explainBid(rules, players, { 0: low }, Math.floor(players / 2), low)));
  }
  for (const n of deficit === null ? [] : [deficit - 1, deficit]) {
    const result = explainBid(rules, players, {}, 0, "blind nil", n);
    found.push(example(phrase("example_behind", { n }), result));
  }
  return found;
}

// Returns whether a seat may make a bid, or why not; its side is `behind` points behind.
function explainBid(rules, players, made, seat, bid, behind = 0) {
  const totals = sidesOf(rules, players).map((seats) => (seats.includes(seat) ? 0 : behind));
  const bids = Array.from({ length: players }, (_, other) => made[other] ?? null);
  const wrong = refusal(rules, bids, seat, bid, totals);
  return [wrong ? phrase(wrong.code, wrong.values) : phrase("bid_allowed")];
}

function endings(rules) {
  const { target, mercy } = rules;
  const totals = [
    [target - 1, Math.floor(target / 2)],
    [target + 6, target + 2],
    [target, target],
  ];
  if (mercy !== null) totals.push([Math.min(40, target - 1), mercy]);
  return totals.map(([high, other]) => {
    const low = Math.min(other, high);
    const outcome = outcomeOf(rules, [high, low]);
    const code = !outcome ? "goes_on" : outcome.winner === null ? "ties" : "is_over";
    return example(phrase("example_end"), [phrase(code, { high: minus(high), low: minus(low) })]);
  });
}
