"""The rules of a game as sentences, chosen by the values that score it."""

from scorekeeper.rules.call_values import call_steps, total_steps
from scorekeeper.rules.deck import jokers_can_play
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import Sentence, minus, shown


def rule_sentences(rules: RuleSet) -> list[Sentence]:
    """Return the sentences of a rule book, in the order of an evening.

    First comes the deal, then bids, play, score and the end of the game.
    """
    return [
        *_deal(rules),
        *bid_sentences(rules),
        *_play(rules),
        *_contract(rules),
        *_nil(rules),
        *_overtricks(rules),
        *end_sentences(rules),
    ]


def first_dealer(rules: RuleSet) -> Sentence:
    if rules.first_dealer == "last":
        return RULE_SENTENCES["last_deals_first" + direction_suffix(rules)]
    return RULE_SENTENCES["drawn_deals_first"]


def rematch_dealer(rules: RuleSet) -> list[Sentence]:
    passes = rules.rematch_dealer == "next"
    return [RULE_SENTENCES["rematch_passes_deal"]] if passes else []


def joins_at(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["joins_lowest"]] if rules.joins_at == "lowest" else []


def deal_turns(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["deal_turns" + direction_suffix(rules)]


def direction_suffix(rules: RuleSet) -> str:
    """Return how the codes of sentences end that depend on the direction of the deal."""
    return "" if rules.clockwise else "_counterclockwise"


def told(code: str, *, alone: bool) -> Sentence:
    """Return a sentence as it is for players who have their own scores, or for sides."""
    return RULE_SENTENCES[f"{code}_alone" if alone else code]


def _deal(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["cards_dealt"].about(n=rules.tricks),
        _tricks_add_up(rules),
        RULE_SENTENCES["jokers_high" if jokers_can_play(rules) else "jokers_out"],
        first_dealer(rules),
        deal_turns(rules),
        *rematch_dealer(rules),
        *joins_at(rules),
        *trump(rules),
        RULE_SENTENCES["misdeal_allowed"],
    ]


def trump(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES[f"{rules.trump}_trump"]]


def _play(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["ranks"],
        RULE_SENTENCES["leads_first" + direction_suffix(rules)],
        *following(rules),
        RULE_SENTENCES["trick_won"],
        *trump_leads(rules),
        RULE_SENTENCES["revoke"],
        *([RULE_SENTENCES["no_table_talk"]] if rules.partnerships else []),
    ]


def following(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["follow_or_trump" if rules.must_trump else "follow_suit"]]


def trump_leads(rules: RuleSet) -> list[Sentence]:
    broken = RULE_SENTENCES[f"{rules.trump}_broken"]
    return {
        "anytime": [RULE_SENTENCES["any_lead"]],
        "opening": [RULE_SENTENCES["opening_lead_free"], broken],
        "broken": [broken],
    }[rules.trump_lead]


def bid_sentences(rules: RuleSet) -> list[Sentence]:
    lines = [RULE_SENTENCES["bids_range"].about(low=rules.minimum_bid, high=rules.highest_bid)]
    lines += _by_total("least_bid_by_total", rules.minimum_by_total, rules.shown_as)
    if rules.blind_bid_from is not None:
        lines.append(RULE_SENTENCES["blind_bids_from"].about(n=rules.blind_bid_from))
    if rules.blind_bid_deficit is not None:
        behind = shown(rules.blind_bid_deficit, rules.shown_as)
        lines.append(told("blind_bids_behind", alone=_own_totals(rules)).about(n=behind))
    if rules.partnerships:
        alone = "partners_alone" if rules.totals_by == "seat" else "partners_add_up"
        lines.append(RULE_SENTENCES[alone if rules.partners_bid else "partners_bid_once"])
    if rules.board is not None:
        least = "contract_least" if rules.partners_bid else "side_bid_least"
        lines.append(RULE_SENTENCES[least].about(n=rules.board))
    if not rules.bids_may_equal_tricks:
        lines.append(RULE_SENTENCES["sum_forbidden"].about(n=rules.tricks))
    if rules.bids_at_least is not None:
        lines.append(RULE_SENTENCES["bids_thrown_in"].about(n=rules.bids_at_least))
        lines += _by_total("bids_thrown_in_by_total", rules.bids_at_least_by_total, rules.shown_as)
        if rules.bids_at_least_counts == "values":
            lines.append(RULE_SENTENCES["worth_counts"])
    if rules.first_round_bids_itself:
        lines.append(told("first_round_unbid", alone=not rules.partnerships))
    return lines


def _by_total(code: str, steps: str | None, shown_as: str) -> list[Sentence]:
    return [
        RULE_SENTENCES[code].about(total=shown(total, shown_as), n=number)
        for total, number in total_steps(steps)
    ]


def _contract(rules: RuleSet) -> list[Sentence]:
    lines = [
        RULE_SENTENCES["made_pays"].about(n=shown(rules.trick_points, rules.shown_as)),
        *_worth(rules),
    ]
    if rules.ten_for is not None:
        lines.append(RULE_SENTENCES["ten_pays"].about(n=shown(rules.ten_for, rules.shown_as)))
    if rules.ten_made is not None:
        lines.append(RULE_SENTENCES["ten_scores"].about(n=shown(rules.ten_made, rules.shown_as)))
    if rules.boston_made is not None:
        lines.append(
            RULE_SENTENCES["boston_scores"].about(
                n=shown(rules.boston_made, rules.shown_as), tricks=rules.tricks
            )
        )
        if rules.tricks >= 10 and {rules.ten_for, rules.ten_made} != {None}:
            lines.append(RULE_SENTENCES["boston_first"])
    if rules.blind_trick_points is not None:
        blind = shown(rules.blind_trick_points, rules.shown_as)
        lines.append(RULE_SENTENCES["blind_bid_pays"].about(n=blind))
        if not {rules.ten_for, rules.ten_made, rules.boston_made} <= {None}:
            lines.append(RULE_SENTENCES["blind_pays_first"])
    failed = {"zero": "set_is_free", "shortfall": "set_costs_missing"}
    costs = RULE_SENTENCES[failed.get(rules.failed_bid, "set_costs")]
    lines.append(costs.about(n=shown(rules.set_points, rules.shown_as)))
    if rules.ten_failed is not None:
        lines.append(RULE_SENTENCES["ten_costs"].about(n=shown(rules.ten_failed, rules.shown_as)))
    if rules.blind_set_points is not None:
        blind = shown(rules.blind_set_points, rules.shown_as)
        lines.append(RULE_SENTENCES["blind_bid_costs"].about(n=blind))
        if rules.ten_failed is not None:
            lines.append(RULE_SENTENCES["blind_costs_first"])
    return [*lines, *_tricks_of_side(rules), *shown_as(rules)]


def counting(rules: RuleSet) -> list[Sentence]:
    return [_tricks_add_up(rules), *_tricks_of_side(rules)]


def _tricks_add_up(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["tricks_add_up"].about(n=rules.tricks)


def _tricks_of_side(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["tricks_of_side"]] if rules.tricks_by == "side" else []


def shown_as(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["shown_in_tenths"]] if rules.shown_as == "tenths" else []


def _worth(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["bids_worth_by_total" if step.total else "bids_worth"].about(
            bids=f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}",
            n=step.factor,
            total=shown(step.total or 0, rules.shown_as),
        )
        for step in call_steps(rules.call_values)
    ]


def _nil(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return [RULE_SENTENCES["nil_not_played"]]
    lines = []
    if rules.nil_points is not None:
        lines.append(RULE_SENTENCES["nil_pays"].about(n=shown(rules.nil_points, rules.shown_as)))
        lines.append(RULE_SENTENCES["nil_costs"].about(n=shown(rules.nil_points, rules.shown_as)))
    lines += _blind_nil(rules)
    if rules.double_nil_points is not None:
        lines.append(
            RULE_SENTENCES["double_nil_pays"].about(
                n=shown(rules.double_nil_points, rules.shown_as)
            )
        )
    failed = rules.failed_nil_tricks
    if rules.bid_by == "side" and failed == "contract":
        failed = "overtricks"  # the side has no contract beside its Nil
    lines.append(RULE_SENTENCES[f"failed_nil_{failed}"])
    if rules.partners_bid and rules.failed_nil_tricks != "ignored":
        lines.append(RULE_SENTENCES["both_nil_no_contract"])
    return lines


def _blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [RULE_SENTENCES["blind_nil_not_played"]]
    lines = [
        RULE_SENTENCES["blind_nil_pays"].about(n=shown(rules.blind_nil_points, rules.shown_as))
    ]
    if rules.blind_nil_deficit is not None:
        lines.append(
            told("blind_nil_behind", alone=_own_totals(rules)).about(
                n=shown(rules.blind_nil_deficit, rules.shown_as)
            )
        )
    if rules.partners_bid and rules.blind_nil_partners == "one":
        lines.append(RULE_SENTENCES["blind_nil_one_partner"])
    return lines


def _overtricks(rules: RuleSet) -> list[Sentence]:
    each, most = rules.overtrick_points, rules.overtrick_cap
    if each == 0 or most == 0:
        lines = [RULE_SENTENCES["overtricks_free"]]
    else:
        lines = [RULE_SENTENCES["overtrick_pays"].about(n=shown(each, rules.shown_as))]
        if most is not None:
            lines.append(RULE_SENTENCES["overtricks_most"].about(n=shown(most, rules.shown_as)))
    if rules.bag_limit is None:
        return [*lines, RULE_SENTENCES["bags_free"]]
    penalty = shown(rules.bag_penalty or 0, rules.shown_as)
    bags = RULE_SENTENCES[f"bags_{rules.bag_remainder}"]
    return [*lines, bags.about(n=rules.bag_limit, penalty=penalty)]


def end_sentences(rules: RuleSet) -> list[Sentence]:
    lines = []
    if rules.target is not None:
        target = shown(rules.target, rules.shown_as)
        lines.append(told("target_ends", alone=_own_totals(rules)).about(n=target))
    if rules.rounds is not None:
        lines.append(RULE_SENTENCES["rounds_end"].about(n=rules.rounds))
    lines += time_limit(rules)
    if rules.mercy is not None:
        floor = minus(rules.mercy, rules.shown_as)
        lines.append(told("mercy_ends", alone=_own_totals(rules)).about(floor=floor))
    for code, n in (
        ("sets_end", rules.sets_lose),
        ("sets_in_a_row_end", rules.sets_in_a_row_lose),
        ("sets_not_before", rules.minimum_rounds),
        ("first_round_ends", rules.first_round_minimum),
    ):
        if n is not None:
            lines.append(RULE_SENTENCES[code].about(n=n))
    return [*lines, *_winner(rules)]


def _own_totals(rules: RuleSet) -> bool:
    """Return whether every player has a score, as where all play alone."""
    return not rules.partnerships or rules.totals_by == "seat"


def time_limit(rules: RuleSet) -> list[Sentence]:
    return [] if rules.minutes is None else [RULE_SENTENCES["time_limit"].about(n=rules.minutes)]


def _winner(rules: RuleSet) -> list[Sentence]:
    loses_alone = not rules.partnerships and {
        rules.sets_lose,
        rules.sets_in_a_row_lose,
        rules.first_round_minimum,
    } != {None}
    ends_otherwise = {rules.rounds, rules.minutes, rules.mercy} != {None}
    codes = []
    if loses_alone:
        codes.append("others_win")
    if rules.win_needs_partner:
        codes.append("partner_needed")
    if rules.totals_by == "seat":
        codes.append("sides_compared")
    if rules.tie_at_limit == "fewer_bags":
        codes.append("fewer_bags_win")
    if rules.negative_doubles:
        codes.append("negative_pays_double")
    codes.append("most_points_win" if rules.target is None else "highest_wins")
    if rules.target is not None and ends_otherwise:
        codes.append("highest_wins_otherwise")
    return [RULE_SENTENCES[code] for code in codes]
