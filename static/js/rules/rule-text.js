// Rules as sentences: the codes and values that the server's rules/rule_text.py returns. Tests compare
// both.

import { jokersCanPlay } from "./deck.js";
import { doPartnersBid, highestBid } from "./bidding.js";
import { callSteps, totalSteps } from "./call-values.js";
import { formatPoints, pointsForGap, sentenceOf } from "./sentence.js";

/** Return the sentences of a rule book: deal, bids, play, score, end of the game. */
export function ruleSentences(rules) {
  const parts = [
    dealSentences, bidSentences, playSentences, contractSentences, nilSentences, overtrickSentences,
    endSentences,
  ];
  return parts.flatMap((part) => part(rules).filter(Boolean));
}

const ifSet = (code, n) => (n ?? null) !== null && sentenceOf(code, { n });
const ifPoints = (code, points, rules) =>
  (points ?? null) !== null && sentenceOf(code, { n: pointsForGap(points, rules) });
const turning = ({ clockwise }) => (clockwise === false ? "_counterclockwise" : "");

const dealSentences = (rules) => [
  sentenceOf("cards_dealt", { n: rules.tricks }),
  sentenceOf("tricks_add_up", { n: rules.tricks }),
  sentenceOf(jokersCanPlay(rules) ? "jokers_high" : "jokers_out"),
  rules.first_dealer === "last"
    ? sentenceOf(`last_deals_first${turning(rules)}`)
    : sentenceOf("drawn_deals_first"),
  sentenceOf(`deal_turns${turning(rules)}`),
  rules.rematch_dealer === "next" && sentenceOf("rematch_passes_deal"),
  rules.joins_at === "lowest" && sentenceOf("joins_lowest"),
  sentenceOf(rules.trump === "hearts" ? "hearts_trump" : "spades_trump"),
  sentenceOf("misdeal_allowed"),
];

const playSentences = (rules) => [
  sentenceOf("ranks"),
  sentenceOf(`leads_first${turning(rules)}`),
  sentenceOf(rules.must_trump ? "follow_or_trump" : "follow_suit"),
  sentenceOf("trick_won"),
  ...trumpLeads(rules),
  sentenceOf("revoke"),
  rules.partnerships && sentenceOf("no_table_talk"),
];

function trumpLeads({ trump, trump_lead: lead }) {
  if (lead === "anytime") return [sentenceOf("any_lead")];
  const broken = sentenceOf(trump === "hearts" ? "hearts_broken" : "spades_broken");
  return lead === "opening" ? [sentenceOf("opening_lead_free"), broken] : [broken];
}

const bidSentences = (rules) => [
  sentenceOf("bids_range", { low: rules.minimum_bid, high: highestBid(rules) }),
  ...byTotal("least_bid_by_total", rules.minimum_by_total, rules),
  ifSet("blind_bids_from", rules.blind_bid_from),
  ifPoints("blind_bids_behind", rules.blind_bid_deficit, rules),
  rules.partnerships && sentenceOf(partnersCode(rules)),
  ifSet(doPartnersBid(rules) ? "contract_least" : "side_bid_least", rules.board),
  !rules.bids_may_equal_tricks && sentenceOf("sum_forbidden", { n: rules.tricks }),
  ...(rules.bids_at_least ? thrownInSentences(rules) : []),
  rules.first_round_bids_itself && sentenceOf("first_round_unbid"),
];

function partnersCode(rules) {
  if (!doPartnersBid(rules)) return "partners_bid_once";
  return rules.totals_by === "seat" ? "partners_alone" : "partners_add_up";
}

const thrownInSentences = (rules) => [
  sentenceOf("bids_thrown_in", { n: rules.bids_at_least }),
  ...byTotal("bids_thrown_in_by_total", rules.bids_at_least_by_total, rules),
  rules.bids_at_least_counts === "values" && sentenceOf("worth_counts"),
];

const byTotal = (code, steps, rules) =>
  totalSteps(steps).map(([total, n]) => sentenceOf(code, { total: pointsForGap(total, rules), n }));

const SET_COSTS = { zero: "set_is_free", shortfall: "set_costs_missing" };

const contractSentences = (rules) => [
  sentenceOf("made_pays", { n: pointsForGap(rules.trick_points, rules) }),
  ...callSteps(rules.call_values).map((step) => worth(step, rules)),
  ifPoints("ten_pays", rules.ten_for, rules),
  ifPoints("ten_scores", rules.ten_made, rules),
  (rules.boston_made ?? null) !== null &&
    sentenceOf("boston_scores", { n: pointsForGap(rules.boston_made, rules), tricks: rules.tricks }),
  ifPoints("blind_bid_pays", rules.blind_trick_points, rules),
  sentenceOf(SET_COSTS[rules.failed_bid] ?? "set_costs", { n: pointsForGap(rules.set_points, rules) }),
  ifPoints("ten_costs", rules.ten_failed, rules),
  ifPoints("blind_bid_costs", rules.blind_set_points, rules),
  rules.tricks_by === "side" && sentenceOf("tricks_of_side"),
  rules.shown_as === "tenths" && sentenceOf("shown_in_tenths"),
];

function worth({ low, high, factor, total }, rules) {
  const range = low === high ? `${low}` : `${low}–${high}`;
  const values = { bids: range, n: factor, total: pointsForGap(total ?? 0, rules) };
  return sentenceOf(total ? "bids_worth_by_total" : "bids_worth", values);
}

function nilSentences(rules) {
  const { nil_points: n, failed_nil_tricks: failed } = rules;
  if (n === null && rules.blind_nil_points === null) return [sentenceOf("nil_not_played")];
  const isWithoutContract = rules.bid_by === "side" && failed === "contract";
  return [
    ifPoints("nil_pays", n, rules),
    ifPoints("nil_costs", n, rules),
    ...blindNilSentences(rules),
    ifPoints("double_nil_pays", rules.double_nil_points, rules),
    sentenceOf(`failed_nil_${isWithoutContract ? "overtricks" : failed}`),
    doPartnersBid(rules) && failed !== "ignored" && sentenceOf("both_nil_no_contract"),
  ];
}

function blindNilSentences(rules) {
  if (rules.blind_nil_points === null) return [sentenceOf("blind_nil_not_played")];
  return [
    sentenceOf("blind_nil_pays", { n: pointsForGap(rules.blind_nil_points, rules) }),
    ifPoints("blind_nil_behind", rules.blind_nil_deficit, rules),
    doPartnersBid(rules) && rules.blind_nil_partners === "one" && sentenceOf("blind_nil_one_partner"),
  ];
}

function overtrickSentences(rules) {
  const { bag_limit: limit, bag_penalty: penalty } = rules;
  const paid = [
    sentenceOf("overtrick_pays", { n: pointsForGap(rules.overtrick_points, rules) }),
    ifPoints("overtricks_most", rules.overtrick_cap, rules),
  ];
  if (limit === null) return [...paid, sentenceOf("bags_free")];
  const isDropped = rules.bag_remainder === "dropped";
  const rest = isDropped ? sentenceOf("bags_dropped") : sentenceOf("bags_kept", { limit });
  return [...paid, sentenceOf("bags_limit", { n: limit, penalty: pointsForGap(penalty ?? 0, rules) }), rest];
}

const endSentences = (rules) => [
  ifPoints("target_ends", rules.target, rules),
  ifSet("rounds_end", rules.rounds),
  ifSet("time_limit", rules.minutes),
  rules.mercy !== null && sentenceOf("mercy_ends", { floor: formatPoints(rules.mercy, rules.shown_as) }),
  ifSet("sets_end", rules.sets_lose),
  ifSet("sets_in_a_row_end", rules.sets_in_a_row_lose),
  ifSet("sets_not_before", rules.minimum_rounds),
  ifSet("first_round_ends", rules.first_round_minimum),
  rules.win_needs_partner && sentenceOf("partner_needed"),
  rules.totals_by === "seat" && sentenceOf("sides_compared"),
  rules.tie_at_limit === "fewer_bags" && sentenceOf("fewer_bags_win"),
  rules.negative_doubles && sentenceOf("negative_pays_double"),
  sentenceOf(rules.target === null ? "most_points_win" : "highest_wins"),
];
