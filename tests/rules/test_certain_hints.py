"""Hints say who wins or reaches the target wherever it is certain, and nowhere else.

`CERTAIN_POSITIONS=200 pytest -m slow tests/rules/test_certain_hints.py` looks at more positions;
`python -m tests.rules.certain` counts what is said.
"""

import os
import random

import pytest

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import with_house_rules
from tests.properties import counts
from tests.rules.certain import Promise, certain, count_ways, positions, said
from tests.rules.tables import pairs
from tests.rules.test_promises import positions as positions_of_any_rules

FEW, MANY = 1, int(os.environ.get("CERTAIN_POSITIONS", 5))
SOME = 0.4  # of all bids
FEW_WAYS = 300  # in which the tricks of games with any rules can fall


@pytest.mark.parametrize("key", PRESETS)
@counts("number", FEW, MANY)
def test_rule_books_promise_what_is_certain(key: str, number: int) -> None:
    dice = random.Random(key)
    for _ in range(number):
        for state in positions(PRESETS[key], dice):
            check(state)


@counts("seeds", 12, 40 * MANY)
def test_any_rules_promise_what_is_certain(seeds: int) -> None:
    dice = random.Random(seeds)
    for seed in range(seeds):
        for state in positions_of_any_rules(seed):
            if count_ways(state) <= FEW_WAYS:
                check(state)
                check(between_bids(state, dice))


def between_bids(state: GameState, dice: random.Random) -> GameState:
    bids = tuple([bid if dice.random() < SOME else None for bid in state.open.bids])
    is_open = state.phase != "over" and bids != state.open.bids
    open_ = state.open._replace(bids=bids)
    return state._replace(open=open_, phase="bidding") if is_open else state


def check(state: GameState) -> None:
    for side in range(len(state.sides)):
        assert said(state, side) == certain(state, side), f"side {side} of {state}"


NIL = Nil.NIL
# rule book, house rules, bids, totals (in 41 of players), and what is promised to each side
LAST_ROUND: list[tuple[str, str, Bids, tuple[int, ...], list[str]]] = [
    # the last of five rounds: the first has 15.0 with 5 made, and 5.0 if they are not
    ("call-break", "", (5, 3, 3, 3), (100, 60, 0, 0), ["wins_if_made", "", "", ""]),
    ("call-break", "", (5, 3, 3, 3), (100, 118, 0, 0), ["", "", "", ""]),
    ("call-break", "", (5, 3, 3, 3), (300, 60, 0, 0), ["wins", "", "", ""]),
    # who takes tricks has a point for each and not the 10 points of the bid; ties are shared
    ("oh-hell", "", (0, 0, 1, 0), (105, 100, 99, 0), ["wins_if_made", "", "", ""]),
    ("oh-hell", "", (0, 0, 0, 0), (50, 50, 30, 0), ["wins_if_made", "wins_if_made", "", ""]),
    ("oh-hell", "tie_at_limit=another_round", (0, 0, 0, 0), (50, 50, 30, 0), ["", "", "", ""]),
    # only one side can make 7 of 13 tricks where the other has bid 8
    ("convention", "", (4, 4, 3, 4), (130, 60), ["wins_if_made", "wins_if_made"]),
    ("convention", "", (NIL, 4, 3, 4), (200, 200), ["wins_if_both", ""]),
    # the game to 41 ends with a player whose partner is not below zero
    ("forty-one", "", (3, 3, 3, 4), (38, 30, 5, 10), ["wins_if_both", ""]),
    ("forty-one", "", (3, 3, 3, 4), (38, 30, -9, 10), ["", ""]),
    ("forty-one", "", (3, 3, 3, 4), (38, 38, 5, 10), ["", "wins_if_both"]),
]


@pytest.mark.parametrize(("key", "house", "bids", "totals", "promised"), LAST_ROUND)
def test_the_last_round_tells_who_surely_wins(
    key: str, house: str, bids: Bids, totals: tuple[int, ...], promised: list[str]
) -> None:
    rules = with_house_rules(PRESETS[key], pairs(house) if house else {})
    begun = fold(rules, 4, 0, [Round(bids)])
    standing = begun.standing._replace(totals=totals)
    if rules.totals_by == "seat":
        sums = (totals[0] + totals[2], totals[1] + totals[3])
        standing = standing._replace(totals=sums, seat_totals=totals)
    state = begun._replace(number=rules.length(4) or 1, standing=standing)
    told = [said(state, side) for side in range(len(state.sides))]
    assert [one.code if one else "" for one in told] == promised
    assert told == [certain(state, side) for side in range(len(state.sides))]


# rule book, house rules, total of the side, its bids and others so far, and what is promised
NEXT_BID: list[tuple[str, str, int, Bids, Promise | None]] = [
    # 4 bags: a bid of 4 can cost the sixth, one of 5 cannot
    ("cutthroat-lite", "", 85, (None,) * 4, Promise("reaches_or_nil", 5)),
    # two partners bid 2 at least, 4 before ten bags cost; with Nil they need the other bid too
    ("partnership-500", "", 492, (None,) * 4, Promise("reaches_or_partner_nil", 4)),
    ("partnership", "", 492, (None,) * 4, Promise("reaches_or_partner_nil", 2)),
    ("partnership", "", 430, (5, None, None, None), Promise("reaches_or_partner_nil", 7)),
    ("partnership", "", 430, (NIL, None, None, None), Promise("reaches_beside_nil", 1)),
    ("partnership", "", 400, (None,) * 4, Promise("reaches_partner_nil")),
    ("partnership", "", 430, (4, None, 3, None), Promise("reaches_if_made")),
    # the last bidder cannot bid 5 where the others have 8 of 13
    ("cutthroat", "nil_points=off;bag_limit=off", 450, (None, 3, 3, 2), Promise("reaches", 6)),
    # whoever has bid is not told of other bids
    ("cutthroat-lite", "", 75, (3, None, None, None), None),
]


@pytest.mark.parametrize(("key", "house", "total", "bids", "promised"), NEXT_BID)
def test_a_bid_that_can_be_made_is_told(
    key: str, house: str, total: int, bids: Bids, promised: Promise | None
) -> None:
    rules = with_house_rules(PRESETS[key], pairs(house) if house else {})
    begun = fold(rules, 4, 0, [Round(bids)])
    others = len(begun.sides) - 1
    bags = (4 if rules.bag_limit == 6 else 0, *[0] * others)
    standing = begun.standing._replace(totals=(total, *[0] * others), bags=bags)
    state = begun._replace(standing=standing)
    assert said(state, 0) == certain(state, 0) == promised
