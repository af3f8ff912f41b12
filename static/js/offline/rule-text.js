// The rules told in sentences, and how the deck is prepared: codes and values of what the server's
// rules/readings.py and rules/pack.py return. Tests hold both to the same.

import { minus } from "../rules/engine.js";

const PACK = 52;
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS = ["♣", "♦", "♥", "♠"]; // in the order in which they leave the deck

/** The numbers of players that one deck can deal for. */
export const sizesOf = ({ players, tricks }) => players.filter((n) => n * tricks <= PACK);

/** What to tell the table before the first deal: whole ranks, single cards, jokers. */
export function preparation(rules, players) {
  const { tricks } = rules;
  const surplus = Math.max(0, PACK - tricks * players);
  if (!surplus) {
    const all = said("deck_all", { n: PACK, tricks });
    return rules.partnerships ? [all] : [all, said("deck_jokers", { cards: "2♣ 2♦" })];
  }
  const whole = Math.floor(surplus / SUITS.length);
  const single = SUITS.slice(0, surplus % SUITS.length).map((suit) => RANKS[whole] + suit);
  return [
    whole === 1 && said("deck_rank", { rank: RANKS[0] }),
    whole > 1 && said("deck_ranks", { low: RANKS[0], high: RANKS[whole - 1] }),
    single.length > 0 && said("deck_cards", { cards: single.join(" ") }),
    said("deck_left", { n: PACK - surplus, tricks }),
  ].filter(Boolean);
}

/** The sentences of a rule book, in the order of an evening: deal, bids, score, end. */
export const readings = (rules) =>
  [deal, bids, contract, nil, overtricks, end].flatMap((part) => part(rules).filter(Boolean));

const said = (code, values = {}) => ({ code, values });
const unlessOff = (code, n) => n !== null && said(code, { n });

const deal = ({ tricks, first_dealer: who }) => [
  said("cards_dealt", { n: tricks }),
  said(who === "last" ? "last_deals_first" : "drawn_deals_first"),
  said("deal_turns"),
  said("misdeal_allowed"),
];

const bids = (rules) => [
  said("bids_range", { low: rules.minimum_bid, high: rules.tricks }),
  rules.partnerships && said("partners_add_up"),
  unlessOff("contract_least", rules.board),
  !rules.bids_may_equal_tricks && said("sum_forbidden", { n: rules.tricks }),
  rules.first_round_bids_itself && said("first_round_unbid"),
];

const contract = (rules) => [
  said("made_pays", { n: rules.trick_points }),
  unlessOff("ten_pays", rules.ten_for),
  said("set_costs", { n: rules.set_points }),
  said("tricks_add_up", { n: rules.tricks }),
];

function nil(rules) {
  const { nil_points: n, failed_nil_tricks: failed } = rules;
  if (n === null && rules.blind_nil_points === null) return [said("nil_not_played")];
  return [
    unlessOff("nil_pays", n),
    unlessOff("nil_costs", n),
    ...blindNil(rules),
    unlessOff("double_nil_pays", rules.double_nil_points),
    said(`failed_nil_${failed}`),
    rules.partnerships && failed !== "ignored" && said("both_nil_no_contract"),
  ];
}

function blindNil(rules) {
  if (rules.blind_nil_points === null) return [said("blind_nil_not_played")];
  return [
    said("blind_nil_pays", { n: rules.blind_nil_points }),
    unlessOff("blind_nil_behind", rules.blind_nil_deficit),
    rules.partnerships && rules.blind_nil_partners === "one" && said("blind_nil_one_partner"),
  ];
}

function overtricks(rules) {
  const { bag_limit: limit, bag_penalty: penalty } = rules;
  const paid = [
    said("overtrick_pays", { n: rules.overtrick_points }),
    unlessOff("overtricks_most", rules.overtrick_cap),
  ];
  if (limit === null) return [...paid, said("bags_free")];
  const isDropped = rules.bag_remainder === "dropped";
  const rest = isDropped ? said("bags_dropped") : said("bags_kept", { limit });
  return [...paid, said("bags_limit", { n: limit, penalty: penalty ?? 0 }), rest];
}

const end = ({ target, mercy }) => [
  said("target_ends", { n: target }),
  mercy !== null && said("mercy_ends", { floor: minus(mercy) }),
  said("highest_wins"),
];
