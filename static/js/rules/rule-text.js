// Rules as sentences: the codes and values that the server's rules/rule_text.py returns. Tests compare
// both.

import { minus } from "./engine.js";

/** Return the sentences of a rule book: deal, bids, score, end of the game. */
export const ruleSentences = (rules) =>
  [deal, bids, contract, nil, overtricks, end].flatMap((part) => part(rules).filter(Boolean));

const phrase = (code, values = {}) => ({ code, values });
const ifSet = (code, n) => n !== null && phrase(code, { n });

const deal = ({ tricks, first_dealer: who }) => [
  phrase("cards_dealt", { n: tricks }),
  phrase(who === "last" ? "last_deals_first" : "drawn_deals_first"),
  phrase("deal_turns"),
  phrase("misdeal_allowed"),
];

const bids = (rules) => [
  phrase("bids_range", { low: rules.minimum_bid, high: rules.tricks }),
  rules.partnerships && phrase("partners_add_up"),
  ifSet("contract_least", rules.board),
  !rules.bids_may_equal_tricks && phrase("sum_forbidden", { n: rules.tricks }),
  rules.first_round_bids_itself && phrase("first_round_unbid"),
];

const contract = (rules) => [
  phrase("made_pays", { n: rules.trick_points }),
  ifSet("ten_pays", rules.ten_for),
  phrase("set_costs", { n: rules.set_points }),
  phrase("tricks_add_up", { n: rules.tricks }),
];

function nil(rules) {
  const { nil_points: n, failed_nil_tricks: failed } = rules;
  if (n === null && rules.blind_nil_points === null) return [phrase("nil_not_played")];
  return [
    ifSet("nil_pays", n),
    ifSet("nil_costs", n),
    ...blindNil(rules),
    ifSet("double_nil_pays", rules.double_nil_points),
    phrase(`failed_nil_${failed}`),
    rules.partnerships && failed !== "ignored" && phrase("both_nil_no_contract"),
  ];
}

function blindNil(rules) {
  if (rules.blind_nil_points === null) return [phrase("blind_nil_not_played")];
  return [
    phrase("blind_nil_pays", { n: rules.blind_nil_points }),
    ifSet("blind_nil_behind", rules.blind_nil_deficit),
    rules.partnerships && rules.blind_nil_partners === "one" && phrase("blind_nil_one_partner"),
  ];
}

function overtricks(rules) {
  const { bag_limit: limit, bag_penalty: penalty } = rules;
  const paid = [
    phrase("overtrick_pays", { n: rules.overtrick_points }),
    ifSet("overtricks_most", rules.overtrick_cap),
  ];
  if (limit === null) return [...paid, phrase("bags_free")];
  const isDropped = rules.bag_remainder === "dropped";
  const rest = isDropped ? phrase("bags_dropped") : phrase("bags_kept", { limit });
  return [...paid, phrase("bags_limit", { n: limit, penalty: penalty ?? 0 }), rest];
}

const end = ({ target, mercy }) => [
  phrase("target_ends", { n: target }),
  mercy !== null && phrase("mercy_ends", { floor: minus(mercy) }),
  phrase("highest_wins"),
];
