"""Effects of house rules that no single hand shows: bids, the deal, the end of a game."""

from collections.abc import Callable
from functools import partial

from scorekeeper.rules.bidding import Nil, nil_points
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import behind_case, board_case, hook_case, hooked_bid, usual_bid
from scorekeeper.rules.rule_text import first_dealer
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sample_hands import (
    Effect,
    Explanation,
    explain_bid,
    explain_end,
    explain_hand,
    hand_without_bids,
    nil_hand,
    table_size,
)
from scorekeeper.rules.sentence import N_


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
    last = hooked_bid(rules, players)
    if last is None:
        return None
    others, bid = last
    bids = dict.fromkeys(range(players - 1), others)
    results = (explain_bid(each, players, bids, players - 1, bid) for each in (usual, rules))
    return Effect(hook_case(players, others, bid), None, *results)


def _board(usual: RuleSet, rules: RuleSet) -> Effect | None:
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


def _blind_partners(usual: RuleSet, rules: RuleSet) -> Effect | None:
    if rules.blind_nil_points is None or not rules.partnerships:
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
    high = min(usual.target, rules.target)
    return Effect(None, None, *(explain_end(each, high, high // 2) for each in (usual, rules)))


def _mercy(usual: RuleSet, rules: RuleSet) -> Effect | None:
    low = max(mercy for mercy in (usual.mercy, rules.mercy) if mercy is not None)
    high = min(40, rules.target - 1)
    return Effect(None, None, *(explain_end(each, high, low) for each in (usual, rules)))


def _first_dealer(usual: RuleSet, rules: RuleSet) -> Effect | None:
    return Effect(None, None, *(Explanation([first_dealer(each)]) for each in (usual, rules)))


CASES: dict[str, Callable[[RuleSet, RuleSet], Effect | None]] = {
    "nil_points": partial(_nil, Nil.NIL),
    "blind_nil_points": partial(_nil, Nil.BLIND),
    "blind_nil_deficit": _deficit,
    "blind_nil_partners": _blind_partners,
    "first_round_bids_itself": _first_round,
    "minimum_bid": _minimum_bid,
    "bids_may_equal_tricks": _hook,
    "board": _board,
    "tricks": _tricks,
    "target": _target,
    "mercy": _mercy,
    "first_dealer": _first_dealer,
}
