"""Effects of house rules that no single hand shows: bids, the deal, the end of a game."""

from collections.abc import Callable
from functools import partial
from typing import Any

from scorekeeper.rules.bidding import Nil, blind_bid, calls, nil_points
from scorekeeper.rules.call_values import total_steps
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import (
    EXAMPLES,
    Example,
    behind_case,
    bid_example,
    blind_bid_example,
    board_case,
    hook_case,
    hooked_bid,
    thrown_in_example,
    usual_bid,
    usual_totals,
)
from scorekeeper.rules.rule_text import (
    bid_sentences,
    counting,
    deal_turns,
    end_sentences,
    first_dealer,
    following,
    joins_at,
    rematch_dealer,
    shown_as,
    time_limit,
    trump,
    trump_leads,
)
from scorekeeper.rules.ruleset import PACK, RuleSet
from scorekeeper.rules.sample_hands import (
    Effect,
    Explanation,
    explain_bid,
    explain_deal,
    explain_end,
    explain_hand,
    explain_partners,
    hand_without_bids,
    nil_hand,
    table_size,
)
from scorekeeper.rules.sentence import N_, Sentence, minus, shown
from scorekeeper.rules.values import MOST_ROUNDS


def _nil(nil: Nil, usual: RuleSet, rules: RuleSet) -> Effect | None:
    hand = nil_hand(rules, nil)
    if hand is None:
        return None
    results = (
        explain_bid(each, table_size(each), {}, 0, nil)
        if nil_points(each, nil) is None
        else explain_hand(each, hand)
        for each in (usual, rules)
    )
    return Effect(None, hand, *results)


def _first_round(usual: RuleSet, rules: RuleSet) -> Effect | None:
    hand = hand_without_bids(rules, usual_bid(rules))
    results = (
        explain_hand(each, hand)
        if each.first_round_bids_itself
        else Explanation([N_("Scored by what was bid.")])
        for each in (usual, rules)
    )
    case = N_(
        "Taking {n} trick in round 1",
        "Taking {n} tricks in round 1",
        n=sum(hand.tricks),
    )
    return Effect(case, None, *results)


def _minimum_bid(usual: RuleSet, rules: RuleSet) -> Effect | None:
    bid = min(usual.minimum_bid, rules.minimum_bid)
    results = (explain_bid(each, table_size(each), {}, 0, bid) for each in (usual, rules))
    return Effect(N_("Bidding {bid}", bid=bid), None, *results)


def _hook(usual: RuleSet, rules: RuleSet) -> Effect | None:
    players = table_size(rules)
    bidders = calls(rules, players)
    last = hooked_bid(rules, bidders)
    if last is None:
        return None
    others, bid = last
    bids = dict.fromkeys(range(bidders - 1), others)
    results = (explain_bid(each, players, bids, bidders - 1, bid) for each in (usual, rules))
    return Effect(hook_case(bidders, others, bid), None, *results)


def _board(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if not rules.partners_bid:
        least = max(usual.board or 0, rules.board or 0)
        return _of_both(lambda each: bid_example(each, least - 1), usual, rules)
    first = rules.minimum_bid
    second = max(usual.board or 0, rules.board or 0) - 1 - first
    if second < rules.minimum_bid:
        return None
    players = table_size(rules)
    results = (
        explain_bid(each, players, {0: first}, players // 2, second) for each in (usual, rules)
    )
    return Effect(board_case(first, second), None, *results)


def _deficit(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.blind_nil_points is None:
        return None
    low, high = sorted([usual.blind_nil_deficit or 0, rules.blind_nil_deficit or 0])
    behind = low or high // 2
    results = (
        explain_bid(each, table_size(each), {}, 0, Nil.BLIND, behind) for each in (usual, rules)
    )
    return Effect(behind_case(behind), None, *results)


def _blind_bid_from(usual: RuleSet, rules: RuleSet) -> Effect | None:
    lowest = min(each.blind_bid_from or each.highest_bid for each in (usual, rules))
    behind = max(each.blind_bid_deficit or 0 for each in (usual, rules))
    results = (
        explain_bid(each, table_size(each), {}, 0, blind_bid(lowest), behind)
        for each in (usual, rules)
    )
    return Effect(N_("Bidding {n} blind", n=lowest), None, *results)


def _blind_bid_deficit(usual: RuleSet, rules: RuleSet) -> Effect | None:
    low, high = sorted([usual.blind_bid_deficit or 0, rules.blind_bid_deficit or 0])
    behind = low or high // 2
    return _of_both(lambda each: blind_bid_example(each, behind), usual, rules)


def _blind_partners(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.blind_nil_points is None or not rules.partners_bid:
        return None
    behind, players = rules.blind_nil_deficit or 0, table_size(rules)
    results = (
        explain_bid(each, players, {0: Nil.BLIND}, players // 2, Nil.BLIND, behind)
        for each in (usual, rules)
    )
    case = N_("Bidding blind Nil after a partner’s blind Nil")
    return Effect(case, None, *results)


def _tricks(usual: RuleSet, rules: RuleSet) -> Effect | None:
    players = min(table_size(usual), table_size(rules))
    results = (Explanation(preparation(each, players)) for each in (usual, rules))
    return Effect(N_("With {n} players", n=players), None, *results)


def _target(usual: RuleSet, rules: RuleSet) -> Effect | None:
    high = min(each.target for each in (usual, rules) if each.target is not None)
    if rules.totals_by == "seat":
        return Effect(None, None, *(explain_partners(each, high, 0) for each in (usual, rules)))
    return Effect(None, None, *(explain_end(each, high, high // 2) for each in (usual, rules)))


def _mercy(usual: RuleSet, rules: RuleSet) -> Effect | None:
    low = max(mercy for mercy in (usual.mercy, rules.mercy) if mercy is not None)
    high, _ = usual_totals(usual, rules)
    high = min(40, high)
    return Effect(None, None, *(explain_end(each, high, low) for each in (usual, rules)))


def _compare_sentences(
    sentences: Callable[[RuleSet], list[Sentence]], usual: RuleSet, rules: RuleSet
) -> Effect | None:
    """Return the sentences of both rules, where no example shows the difference better."""
    return Effect(None, None, *(Explanation(sentences(each)) for each in (usual, rules)))


def _ending(
    case: str, numbers: Callable[[RuleSet], list[int | None]], usual: RuleSet, rules: RuleSet
) -> Effect | None:
    """Return whether a game ends once the smaller limit of both rules is reached."""
    limits = [n for each in (usual, rules) for n in numbers(each) if n is not None]
    if not limits:
        return None
    n = min(limits)
    high, low = usual_totals(usual, rules)
    round_number = max(each.minimum_rounds or 1 for each in (usual, rules))
    more: dict[str, Any] = {}
    if case == "example_first_round":
        n, round_number = max(limits) - 1, 1
        more = {"first_tricks": (n, PACK)}
    elif case == "example_sets":
        more = {"sets": (n, 0)}
    elif case == "example_sets_in_a_row":
        more = {"sets_in_a_row": (n, 0)}
    else:
        round_number = n
    results = (explain_end(each, high, low, round_number, **more) for each in (usual, rules))
    return Effect(EXAMPLES[case].about(n=n), None, *results)


def _tie(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.rounds is None:
        return _compare_sentences(end_sentences, usual, rules)
    high, _low = usual_totals(rules)
    results = (
        explain_end(each, high, high, rules.rounds, overtricks=(2, 5)) for each in (usual, rules)
    )
    return Effect(EXAMPLES["example_round"].about(n=rules.rounds), None, *results)


def _too_early(usual: RuleSet, rules: RuleSet) -> Effect | None:
    high, low = usual_totals(rules)
    number = max(each.minimum_rounds or 1 for each in (usual, rules)) - 1
    more: dict[str, Any] = {"sets": (MOST_ROUNDS, 0), "sets_in_a_row": (MOST_ROUNDS, 0)}
    results = (explain_end(each, high, low, number, **more) for each in (usual, rules))
    return Effect(EXAMPLES["example_round"].about(n=number), None, *results)


def _partner(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.target is None or rules.totals_by == "side":
        return None
    case = EXAMPLES["example_partner"].about(
        n=shown(rules.target, rules.shown_as), low=minus(-1, rules.shown_as)
    )
    return Effect(
        case, None, *(explain_partners(each, rules.target, -1) for each in (usual, rules))
    )


def _maximum_bid(usual: RuleSet, rules: RuleSet) -> Effect | None:
    bid = max(each.highest_bid for each in (usual, rules))
    return _of_both(lambda each: bid_example(each, bid), usual, rules)


def _minimum_by_total(usual: RuleSet, rules: RuleSet) -> Effect | None:
    steps = [step for each in (usual, rules) for step in total_steps(each.minimum_by_total)]
    total, least = max(steps)
    bid = max(1, least - 1)
    return _of_both(lambda each: bid_example(each, bid, total), usual, rules)


def _thrown_in(usual: RuleSet, rules: RuleSet) -> Effect | None:
    least = max(each.bids_at_least or 0 for each in (usual, rules)) - 1
    return _of_both(lambda each: thrown_in_example(each, least), usual, rules)


def _thrown_in_by_total(usual: RuleSet, rules: RuleSet) -> Effect | None:
    steps = [step for each in (usual, rules) for step in total_steps(each.bids_at_least_by_total)]
    total, least = max(steps)
    return _of_both(lambda each: thrown_in_example(each, least - 1, total), usual, rules)


def _thrown_in_counts(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.bids_at_least is None:
        return _compare_sentences(bid_sentences, usual, rules)
    least = rules.bids_at_least - 1
    lone = (min(least, rules.highest_bid), *(0,) * (table_size(rules) - 1))
    case = EXAMPLES["example_thrown_in"].about(n=sum(lone))
    return Effect(case, None, *(explain_deal(each, lone) for each in (usual, rules)))


def _of_both(
    example: Callable[[RuleSet], Example], usual: RuleSet, rules: RuleSet
) -> Effect | None:
    book, here = example(usual), example(rules)
    return Effect(here.title, None, book.explanation, here.explanation)


CASES: dict[str, Callable[[RuleSet, RuleSet], Effect | None]] = {
    "nil_points": partial(_nil, Nil.NIL),
    "blind_nil_points": partial(_nil, Nil.BLIND),
    "blind_nil_deficit": _deficit,
    "blind_nil_partners": _blind_partners,
    "blind_bid_from": _blind_bid_from,
    "blind_bid_deficit": _blind_bid_deficit,
    "first_round_bids_itself": _first_round,
    "minimum_bid": _minimum_bid,
    "bids_may_equal_tricks": _hook,
    "board": _board,
    "tricks": _tricks,
    "target": _target,
    "mercy": _mercy,
    "first_dealer": partial(_compare_sentences, lambda rules: [first_dealer(rules)]),
    "rematch_dealer": partial(
        _compare_sentences,
        lambda rules: rematch_dealer(rules) or [N_("A rematch starts like a first game.")],
    ),
    "joins_at": partial(
        _compare_sentences,
        lambda rules: joins_at(rules) or [N_("A new player in an empty seat starts from zero.")],
    ),
    "clockwise": partial(_compare_sentences, lambda rules: [deal_turns(rules)]),
    "trump": partial(_compare_sentences, trump),
    "trump_lead": partial(_compare_sentences, trump_leads),
    "must_trump": partial(_compare_sentences, following),
    "shown_as": partial(
        _compare_sentences, lambda rules: shown_as(rules) or [N_("Scores are whole numbers.")]
    ),
    "negative_doubles": partial(_compare_sentences, end_sentences),
    "bid_by": partial(_compare_sentences, bid_sentences),
    "tricks_by": partial(_compare_sentences, counting),
    "totals_by": partial(_compare_sentences, bid_sentences),
    "win_needs_partner": _partner,
    "rounds": partial(_ending, "example_round", lambda rules: [rules.rounds]),
    "tie_at_limit": _tie,
    "minutes": partial(
        _compare_sentences, lambda rules: time_limit(rules) or [N_("There’s no clock.")]
    ),
    "sets_lose": partial(_ending, "example_sets", lambda rules: [rules.sets_lose]),
    "sets_in_a_row_lose": partial(
        _ending, "example_sets_in_a_row", lambda rules: [rules.sets_in_a_row_lose]
    ),
    "minimum_rounds": _too_early,
    "first_round_minimum": partial(
        _ending, "example_first_round", lambda rules: [rules.first_round_minimum]
    ),
    "maximum_bid": _maximum_bid,
    "minimum_by_total": _minimum_by_total,
    "bids_at_least": _thrown_in,
    "bids_at_least_by_total": _thrown_in_by_total,
    "bids_at_least_counts": _thrown_in_counts,
}
