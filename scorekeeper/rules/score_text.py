"""How the rules of a game score, as sentences: contracts, Nil, overtricks."""

from scorekeeper.rules.bidding import Nil, nil_cost
from scorekeeper.rules.rule_sentences import (
    RULE_SENTENCES,
    has_pirates,
    lines_if,
    own_code,
    points_line,
)
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import Sentence, shown


def contract_sentences(rules: RuleSet) -> list[Sentence]:
    has_ten = {rules.ten_for, rules.ten_made} != {None}
    is_blind = rules.blind_trick_points is not None
    return [
        *lines_if(rules.made != "at_least", f"made_{rules.made}"),
        _made(rules),
        *_factors(rules),
        *points_line(rules, "ten_pays", rules.ten_for),
        *points_line(rules, "ten_scores", rules.ten_made),
        *_boston(rules, has_ten=has_ten),
        *points_line(rules, "blind_bid_pays", rules.blind_trick_points),
        *lines_if(is_blind and (has_ten or rules.boston_made is not None), "blind_pays_first"),
        *_set(rules),
        *_fixed_scores(rules),
        *bonus(rules),
        *lines_if(has_pirates(rules), "pirates_bonus"),
        *lines_if(rules.tricks_by == "side", "tricks_of_side"),
        *shown_as(rules),
    ]


def _made(rules: RuleSet) -> Sentence:
    n = shown(rules.trick_points, rules.shown_as)
    if not rules.made_bonus:
        return RULE_SENTENCES["made_pays"].about(n=n)
    return RULE_SENTENCES["made_adds"].about(n=n, bonus=shown(rules.made_bonus, rules.shown_as))


def _boston(rules: RuleSet, *, has_ten: bool) -> list[Sentence]:
    if rules.boston_made is None:
        return []
    points = shown(rules.boston_made, rules.shown_as)
    scores = RULE_SENTENCES["boston_scores"].about(n=points, tricks=rules.tricks)
    return [scores, *lines_if(rules.tricks >= 10 and has_ten, "boston_first")]


def _set(rules: RuleSet) -> list[Sentence]:
    codes = {
        "zero": "set_is_free",
        "shortfall": "set_costs_missing",
        "difference": "set_costs_difference",
    }
    has_both = None not in (rules.blind_set_points, rules.ten_failed)
    has_others = rules.failed_bid != "zero" or {rules.blind_set_points, rules.ten_failed} != {None}
    lines = [
        *points_line(rules, codes.get(rules.failed_bid, "set_costs"), rules.set_points),
        *points_line(rules, "set_keeps", rules.failed_trick_points or None),
        *points_line(rules, "ten_costs", rules.ten_failed),
        *points_line(rules, "blind_bid_costs", rules.blind_set_points),
        *lines_if(has_both, "blind_costs_first"),
    ]
    if not rules.miss_points:
        return lines
    if has_others:
        return [*lines, *points_line(rules, "miss_also_costs", rules.miss_points)]
    return [*points_line(rules, "miss_costs", rules.miss_points), *lines[1:]]


def _fixed_scores(rules: RuleSet) -> list[Sentence]:
    lines = []
    for step in rules.worth_steps:
        bids = f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}"
        bid = RULE_SENTENCES["worth_blind_bid" if step.is_blind else "worth_bid"].about(bids=bids)
        made = "worth_exact" if step.is_exact else "worth_made"
        for code, points, by_card in (
            (made, step.made, step.made_by_card),
            ("worth_failed", step.failed, step.failed_by_card),
        ):
            if points is not None:
                n = shown(points, rules.shown_as)
                worth = RULE_SENTENCES["worth_per_card"].about(n=n) if by_card else n
                lines.append(RULE_SENTENCES[code].about(bid=bid, points=worth))
    return lines


def bonus(rules: RuleSet) -> list[Sentence]:
    """Return when points by hand count; nothing where they always do."""
    return lines_if(rules.bonus_counts == "made", own_code(rules, "bonus_if_made"))


def shown_as(rules: RuleSet) -> list[Sentence]:
    return lines_if(rules.shown_as == "tenths", "shown_in_tenths")


def _factors(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["bids_worth_by_total" if step.total else "bids_worth"].about(
            bids=f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}",
            n=step.factor,
            total=shown(step.total or 0, rules.shown_as),
        )
        for step in rules.call_steps
    ]


def nil_sentences(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return lines_if(rules.minimum_bid > 0, "nil_not_played")
    cost = None if rules.nil_points is None else nil_cost(rules, Nil.NIL)
    failed = rules.failed_nil_tricks
    if rules.bid_by == "side" and failed == "contract":
        failed = "overtricks"  # the side has no contract beside its Nil
    return [
        *points_line(rules, "nil_pays", rules.nil_points),
        *points_line(rules, "nil_costs", cost),
        *__blind_nil(rules),
        *points_line(rules, "double_nil_pays", rules.double_nil_points),
        RULE_SENTENCES[f"failed_nil_{failed}"],
        *lines_if(rules.partners_bid and failed != "ignored", "both_nil_no_contract"),
    ]


def __blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [RULE_SENTENCES["blind_nil_not_played"]]
    is_for_one = rules.partners_bid and rules.blind_nil_partners == "one"
    return [
        *points_line(rules, "blind_nil_pays", rules.blind_nil_points),
        *points_line(rules, "blind_nil_costs", rules.blind_nil_failed),
        *points_line(rules, own_code(rules, "blind_nil_behind"), rules.blind_nil_deficit),
        *lines_if(is_for_one, "blind_nil_one_partner"),
    ]


def overtrick_sentences(rules: RuleSet) -> list[Sentence]:
    if rules.made == "exactly" and rules.nil_points is None:
        return []
    each, most = rules.overtrick_points, rules.overtrick_cap
    lines = [
        *points_line(rules, "overtrick_pays" if each > 0 else "overtrick_costs", abs(each)),
        *points_line(rules, "overtricks_most" if each > 0 else "overtricks_cost_most", most),
    ]
    if each == 0 or most == 0:
        lines = [RULE_SENTENCES["overtricks_free"]]
    if rules.bag_limit is None:
        return [*lines, RULE_SENTENCES["bags_free"]]
    penalty = shown(rules.bag_penalty or 0, rules.shown_as)
    bags = RULE_SENTENCES[f"bags_{rules.bag_remainder}"]
    return [*lines, bags.about(n=rules.bag_limit, penalty=penalty)]
