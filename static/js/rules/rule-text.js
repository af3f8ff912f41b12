// Rules as sentences: the codes and values that the server's rules/rule_text.py returns. Tests compare
// both.

import { jokersCanPlay } from "./deck.js";
import { callSteps, doPartnersBid, highestBid, minus, shown, totalSteps } from "./engine.js";

/** Return the sentences of a rule book: deal, bids, play, score, end of the game. */
export const ruleSentences = (rules) =>
  [deal, bids, play, contract, nil, overtricks, end].flatMap((part) => part(rules).filter(Boolean));

const phrase = (code, values = {}) => ({ code, values });
const ifSet = (code, n) => (n ?? null) !== null && phrase(code, { n });
const ifPoints = (code, points, rules) =>
  (points ?? null) !== null && phrase(code, { n: shown(points, rules) });
const turning = ({ clockwise }) => (clockwise === false ? "_counterclockwise" : "");

const deal = (rules) => [
  phrase("cards_dealt", { n: rules.tricks }),
  phrase(jokersCanPlay(rules) ? "jokers_high" : "jokers_out"),
  rules.first_dealer === "last"
    ? phrase(`last_deals_first${turning(rules)}`)
    : phrase("drawn_deals_first"),
  phrase(`deal_turns${turning(rules)}`),
  rules.rematch_dealer === "next" && phrase("rematch_passes_deal"),
  rules.joins_at === "lowest" && phrase("joins_lowest"),
  phrase(rules.trump === "hearts" ? "hearts_trump" : "spades_trump"),
  phrase("misdeal_allowed"),
];

const play = (rules) => [
  phrase("ranks"),
  phrase(`leads_first${turning(rules)}`),
  phrase(rules.must_trump ? "follow_or_trump" : "follow_suit"),
  phrase("trick_won"),
  ...trumpLeads(rules),
  phrase("revoke"),
  rules.partnerships && phrase("no_table_talk"),
];

function trumpLeads({ trump, trump_lead: lead }) {
  if (lead === "anytime") return [phrase("any_lead")];
  const broken = phrase(trump === "hearts" ? "hearts_broken" : "spades_broken");
  return lead === "opening" ? [phrase("opening_lead_free"), broken] : [broken];
}

const bids = (rules) => [
  phrase("bids_range", { low: rules.minimum_bid, high: highestBid(rules) }),
  ...byTotal("least_bid_by_total", rules.minimum_by_total, rules),
  ifSet("blind_bids_from", rules.blind_bid_from),
  ifPoints("blind_bids_behind", rules.blind_bid_deficit, rules),
  rules.partnerships && phrase(partnersCode(rules)),
  ifSet(doPartnersBid(rules) ? "contract_least" : "side_bid_least", rules.board),
  !rules.bids_may_equal_tricks && phrase("sum_forbidden", { n: rules.tricks }),
  ...(rules.bids_at_least ? thrownIn(rules) : []),
  rules.first_round_bids_itself && phrase("first_round_unbid"),
];

function partnersCode(rules) {
  if (!doPartnersBid(rules)) return "partners_bid_once";
  return rules.totals_by === "seat" ? "partners_alone" : "partners_add_up";
}

const thrownIn = (rules) => [
  phrase("bids_thrown_in", { n: rules.bids_at_least }),
  ...byTotal("bids_thrown_in_by_total", rules.bids_at_least_by_total, rules),
  rules.bids_at_least_counts === "values" && phrase("worth_counts"),
];

const byTotal = (code, steps, rules) =>
  totalSteps(steps).map(([total, n]) => phrase(code, { total: shown(total, rules), n }));

const SET_COSTS = { zero: "set_is_free", shortfall: "set_costs_missing" };

const contract = (rules) => [
  phrase("made_pays", { n: shown(rules.trick_points, rules) }),
  ...callSteps(rules.call_values).map((step) => worth(step, rules)),
  ifPoints("ten_pays", rules.ten_for, rules),
  ifPoints("ten_scores", rules.ten_made, rules),
  (rules.boston_made ?? null) !== null &&
    phrase("boston_scores", { n: shown(rules.boston_made, rules), tricks: rules.tricks }),
  ifPoints("blind_bid_pays", rules.blind_trick_points, rules),
  phrase(SET_COSTS[rules.failed_bid] ?? "set_costs", { n: shown(rules.set_points, rules) }),
  ifPoints("ten_costs", rules.ten_failed, rules),
  ifPoints("blind_bid_costs", rules.blind_set_points, rules),
  phrase("tricks_add_up", { n: rules.tricks }),
  rules.tricks_by === "side" && phrase("tricks_of_side"),
  rules.shown_as === "tenths" && phrase("shown_in_tenths"),
];

function worth({ low, high, factor, total }, rules) {
  const range = low === high ? `${low}` : `${low}–${high}`;
  const values = { bids: range, n: factor, total: shown(total ?? 0, rules) };
  return phrase(total ? "bids_worth_by_total" : "bids_worth", values);
}

function nil(rules) {
  const { nil_points: n, failed_nil_tricks: failed } = rules;
  if (n === null && rules.blind_nil_points === null) return [phrase("nil_not_played")];
  const isWithoutContract = rules.bid_by === "side" && failed === "contract";
  return [
    ifPoints("nil_pays", n, rules),
    ifPoints("nil_costs", n, rules),
    ...blindNil(rules),
    ifPoints("double_nil_pays", rules.double_nil_points, rules),
    phrase(`failed_nil_${isWithoutContract ? "overtricks" : failed}`),
    doPartnersBid(rules) && failed !== "ignored" && phrase("both_nil_no_contract"),
  ];
}

function blindNil(rules) {
  if (rules.blind_nil_points === null) return [phrase("blind_nil_not_played")];
  return [
    phrase("blind_nil_pays", { n: shown(rules.blind_nil_points, rules) }),
    ifPoints("blind_nil_behind", rules.blind_nil_deficit, rules),
    doPartnersBid(rules) && rules.blind_nil_partners === "one" && phrase("blind_nil_one_partner"),
  ];
}

function overtricks(rules) {
  const { bag_limit: limit, bag_penalty: penalty } = rules;
  const paid = [
    phrase("overtrick_pays", { n: shown(rules.overtrick_points, rules) }),
    ifPoints("overtricks_most", rules.overtrick_cap, rules),
  ];
  if (limit === null) return [...paid, phrase("bags_free")];
  const isDropped = rules.bag_remainder === "dropped";
  const rest = isDropped ? phrase("bags_dropped") : phrase("bags_kept", { limit });
  return [...paid, phrase("bags_limit", { n: limit, penalty: shown(penalty ?? 0, rules) }), rest];
}

const end = (rules) => [
  ifPoints("target_ends", rules.target, rules),
  ifSet("rounds_end", rules.rounds),
  ifSet("time_limit", rules.minutes),
  rules.mercy !== null && phrase("mercy_ends", { floor: minus(rules.mercy, rules.shown_as) }),
  ifSet("sets_end", rules.sets_lose),
  ifSet("sets_in_a_row_end", rules.sets_in_a_row_lose),
  ifSet("sets_not_before", rules.minimum_rounds),
  ifSet("first_round_ends", rules.first_round_minimum),
  rules.win_needs_partner && phrase("partner_needed"),
  rules.totals_by === "seat" && phrase("sides_compared"),
  rules.tie_at_limit === "fewer_bags" && phrase("fewer_bags_win"),
  rules.negative_doubles && phrase("negative_pays_double"),
  phrase(rules.target === null ? "most_points_win" : "highest_wins"),
];
