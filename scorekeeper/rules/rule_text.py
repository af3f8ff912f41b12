"""The rules as sentences, made from the same values that score a game."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence, minus

RULE_SENTENCES: Mapping[str, Sentence] = {
    "last_deals_first": N_(
        "The last seat deals first, so seat 1 bids first, unless the table picks another dealer."
    ),
    "drawn_deals_first": N_("The first dealer is chosen at random unless the table picks one."),
    "cards_dealt": N_("Each player is dealt {n} card.", "Each player is dealt {n} cards."),
    "deal_turns": N_("The deal moves clockwise after each round. The dealer bids last."),
    "misdeal_allowed": N_(
        "Before the tricks are scored, a deal can be called a misdeal: the bids are cleared and "
        "the same dealer deals again."
    ),
    "bids_range": N_("Bid {low} to {high} tricks."),
    "partners_add_up": N_("Partners sit opposite each other; their bids add up to one contract."),
    "contract_least": N_(
        "Partners must bid at least {n} together; the second bid has to reach it."
    ),
    "sum_forbidden": N_(
        "The bids can’t total {n}, so the last bidder must choose another number. Nil counts as "
        "0 here."
    ),
    "first_round_unbid": N_("There’s no bidding in round 1: each side’s tricks become its bid."),
    "made_pays": N_("A made contract scores {n} points per trick bid."),
    "set_costs": N_("A set contract loses {n} points per trick bid."),
    "tricks_add_up": N_("Each round has exactly {n} tricks."),
    "ten_pays": N_("A contract of 10 or more scores {n} points per trick bid."),
    "nil_not_played": N_("Nil isn’t allowed."),
    "nil_pays": N_("Nil, a bid to take no tricks, scores {n} if made."),
    "nil_costs": N_("Taking even one trick costs {n}."),
    "double_nil_pays": N_("Nil by both partners counts as a double Nil, worth {n}."),
    "failed_nil_overtricks": N_("Tricks from a failed Nil count as overtricks."),
    "failed_nil_contract": N_(
        "Tricks from a failed Nil count toward the partner’s bid; any extra are overtricks."
    ),
    "failed_nil_ignored": N_("Tricks from a failed Nil don’t count."),
    "both_nil_no_contract": N_(
        "If both partners bid Nil there’s no contract: every trick is an overtrick."
    ),
    "blind_nil_not_played": N_("Blind Nil isn’t allowed."),
    "blind_nil_pays": N_("Blind Nil, bid before looking at your cards, is worth {n}."),
    "blind_nil_behind": N_(
        "Only a side trailing the leader by at least {n} before the round may bid it."
    ),
    "blind_nil_one_partner": N_("Only one partner may bid it."),
    "overtrick_pays": N_("Each overtrick scores {n}."),
    "overtricks_most": N_(
        "Overtricks score at most {n} points per round, but each one still counts as a bag."
    ),
    "bags_free": N_("Bags have no penalty."),
    "bags_limit": N_(
        "Each overtrick is a bag. Every {n} bag costs {penalty} points.",
        "Each overtrick is a bag. Every {n} bags cost {penalty} points.",
    ),
    "bags_dropped": N_("One penalty per round, however far past the limit; bags reset to 0."),
    "bags_kept": N_("One penalty for every {limit} bags; the rest carry over."),
    "target_ends": N_("The game ends when a player or side reaches {n}."),
    "highest_wins": N_(
        "If several get there in the same round, the highest score wins. If they tie, play "
        "another round until one is ahead."
    ),
    "mercy_ends": N_("It also ends when a player or side falls to {floor} or lower."),
}


def rule_sentences(rules: RuleSet) -> list[Sentence]:
    """Return the sentences of a rule book, in the order of an evening: deal, bids, score, end."""
    return [
        *_deal(rules),
        *_bids(rules),
        *_contract(rules),
        *_nil(rules),
        *_overtricks(rules),
        *_end(rules),
    ]


def first_dealer(rules: RuleSet) -> Sentence:
    if rules.first_dealer == "last":
        return RULE_SENTENCES["last_deals_first"]
    return RULE_SENTENCES["drawn_deals_first"]


def _deal(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["cards_dealt"].about(n=rules.tricks),
        first_dealer(rules),
        RULE_SENTENCES["deal_turns"],
        RULE_SENTENCES["misdeal_allowed"],
    ]


def _bids(rules: RuleSet) -> list[Sentence]:
    lines = [RULE_SENTENCES["bids_range"].about(low=rules.minimum_bid, high=rules.tricks)]
    if rules.partnerships:
        lines.append(RULE_SENTENCES["partners_add_up"])
    if rules.board is not None:
        lines.append(RULE_SENTENCES["contract_least"].about(n=rules.board))
    if not rules.bids_may_equal_tricks:
        lines.append(RULE_SENTENCES["sum_forbidden"].about(n=rules.tricks))
    if rules.first_round_bids_itself:
        lines.append(RULE_SENTENCES["first_round_unbid"])
    return lines


def _contract(rules: RuleSet) -> list[Sentence]:
    lines = [RULE_SENTENCES["made_pays"].about(n=rules.trick_points)]
    if rules.ten_for is not None:
        lines.append(RULE_SENTENCES["ten_pays"].about(n=rules.ten_for))
    lines.append(RULE_SENTENCES["set_costs"].about(n=rules.set_points))
    lines.append(RULE_SENTENCES["tricks_add_up"].about(n=rules.tricks))
    return lines


def _nil(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return [RULE_SENTENCES["nil_not_played"]]
    lines = []
    if rules.nil_points is not None:
        lines.append(RULE_SENTENCES["nil_pays"].about(n=rules.nil_points))
        lines.append(RULE_SENTENCES["nil_costs"].about(n=rules.nil_points))
    lines += _blind_nil(rules)
    if rules.double_nil_points is not None:
        lines.append(RULE_SENTENCES["double_nil_pays"].about(n=rules.double_nil_points))
    lines.append(RULE_SENTENCES[f"failed_nil_{rules.failed_nil_tricks}"])
    if rules.partnerships and rules.failed_nil_tricks != "ignored":
        lines.append(RULE_SENTENCES["both_nil_no_contract"])
    return lines


def _blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [RULE_SENTENCES["blind_nil_not_played"]]
    lines = [RULE_SENTENCES["blind_nil_pays"].about(n=rules.blind_nil_points)]
    if rules.blind_nil_deficit is not None:
        lines.append(RULE_SENTENCES["blind_nil_behind"].about(n=rules.blind_nil_deficit))
    if rules.partnerships and rules.blind_nil_partners == "one":
        lines.append(RULE_SENTENCES["blind_nil_one_partner"])
    return lines


def _overtricks(rules: RuleSet) -> list[Sentence]:
    lines = [RULE_SENTENCES["overtrick_pays"].about(n=rules.overtrick_points)]
    if rules.overtrick_cap is not None:
        lines.append(RULE_SENTENCES["overtricks_most"].about(n=rules.overtrick_cap))
    if rules.bag_limit is None:
        return [*lines, RULE_SENTENCES["bags_free"]]
    lines.append(
        RULE_SENTENCES["bags_limit"].about(n=rules.bag_limit, penalty=rules.bag_penalty or 0)
    )
    if rules.bag_remainder == "dropped":
        lines.append(RULE_SENTENCES["bags_dropped"])
    else:
        lines.append(RULE_SENTENCES["bags_kept"].about(limit=rules.bag_limit))
    return lines


def _end(rules: RuleSet) -> list[Sentence]:
    lines = [RULE_SENTENCES["target_ends"].about(n=rules.target)]
    if rules.mercy is not None:
        lines.append(RULE_SENTENCES["mercy_ends"].about(floor=minus(rules.mercy)))
    return [*lines, RULE_SENTENCES["highest_wins"]]
