"""The scores from which a hint is shown, and from which it is not."""

import pytest

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import GameState, Round, Standing, fold
from scorekeeper.rules.hints import hints
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from tests.rules.tables import pairs

OPEN: Bids = (None,) * 4


def state(
    key: str, house: str = "", *, total: int = 0, bags: int = 0, other: int = 0, bids: Bids = OPEN
) -> GameState:
    """A game of four that goes on, its first side at this total and these bags."""
    rules = with_house_rules(PRESETS[key], pairs(house) if house else {})
    begun = fold(rules, 4, 0, [Round(bids)])
    others = len(begun.sides) - 1
    zeros = (0,) * len(begun.sides)
    standing = Standing(
        (total, *[other] * others), (bags, *[0] * others), sets=zeros, sets_in_a_row=zeros
    )
    return begun._replace(standing=standing)


def told(state: GameState) -> list[str]:
    return [str(hint.sentence) for hint in hints(state, 0)]


# what is bid next: rule book, house rules, total, hint
TO_WIN = [
    # LITE: 125 to win, 10 tricks; a bid of up to 6 is a chance, Nil pays 50
    ("cutthroat-lite", "", 75, ["wins by making 5, or with Nil"]),
    ("cutthroat-lite", "", 74, ["wins by making 6"]),
    ("cutthroat-lite", "", 65, ["wins by making 6"]),
    ("cutthroat-lite", "", 64, ["needs 61 to win"]),
    ("cutthroat-lite", "", 25, ["needs 100 to win"]),
    ("cutthroat-lite", "", 24, []),
    ("cutthroat-lite", "", 124, ["wins by making 1, or with Nil"]),
    ("cutthroat-lite", "", 125, []),
    ("cutthroat-lite", "nil_points=off", 75, ["wins by making 5"]),
    ("cutthroat-lite", "nil_points=100", 25, ["wins with Nil"]),
    ("cutthroat-lite", "minimum_bid=3", 124, ["wins by making 3, or with Nil"]),
    ("cutthroat-lite", "minimum_by_total=97:4", 96, ["wins by making 3, or with Nil"]),
    ("cutthroat-lite", "minimum_by_total=97:4", 97, ["wins by making 4, or with Nil"]),
    ("cutthroat-lite", "trick_points=0", 124, []),
    # no hint of a bid that nobody may make
    ("cutthroat-lite", "maximum_bid=3;nil_points=off", 95, ["wins by making 3"]),
    ("cutthroat-lite", "maximum_bid=3;nil_points=off", 94, []),
    # Cookout: 350 to win, a contract of 4 at least
    ("cookout", "", 324, ["wins by making 4"]),
    # 13 tricks: a bid of up to 7 is a chance
    ("partnership-500", "nil_points=off", 430, ["wins by making 7"]),
    ("partnership-500", "nil_points=off", 429, ["needs 71 to win"]),
    ("partnership-500", "nil_points=off", 370, ["needs 130 to win"]),
    ("partnership-500", "nil_points=off", 369, []),
    # a contract of 10 pays more, but the hint promises what any contract pays
    ("partnership-500", "nil_points=off;ten_for=20", 430, ["wins by making 7"]),
    ("partnership-500", "nil_points=off;ten_for=20", 369, []),
]


@pytest.mark.parametrize(("key", "house", "total", "hints"), TO_WIN)
def test_what_wins_the_game(key: str, house: str, total: int, hints: list[str]) -> None:
    assert told(state(key, house, total=total)) == hints


# rule book, house rules, every bid, total, hint
BY_BID: list[tuple[str, str, Bids, int, list[str]]] = [
    ("cutthroat-lite", "", (5, 1, 1, 1), 75, ["wins by making the bid"]),
    ("cutthroat-lite", "", (5, 1, 1, 1), 74, []),
    ("cutthroat-lite", "", (Nil.NIL, 1, 1, 1), 75, ["wins if Nil is made"]),
    ("cutthroat-lite", "", (Nil.NIL, 1, 1, 1), 74, []),
    ("partnership-500", "", (5, 1, Nil.NIL, 1), 350, ["wins by making the bid"]),
    ("partnership-500", "", (5, 1, Nil.NIL, 1), 349, []),
    ("partnership-500", "", (5, 1, 4, 1), 410, ["wins by making the bid"]),
    ("partnership-500", "", (5, 1, 5, 1), 399, []),
    ("partnership-500", "ten_for=20", (5, 1, 4, 1), 409, []),
    ("partnership-500", "ten_for=20", (5, 1, 5, 1), 300, ["wins by making the bid"]),
    ("partnership-500", "ten_for=20", (5, 1, 5, 1), 299, []),
]


@pytest.mark.parametrize(("key", "house", "bids", "total", "hints"), BY_BID)
def test_what_wins_once_everybody_has_bid(
    key: str, house: str, bids: Bids, total: int, hints: list[str]
) -> None:
    assert told(state(key, house, total=total, bids=bids)) == hints


@pytest.mark.parametrize(
    ("bags", "hints"),
    [
        (3, []),
        (4, ["2 bags to −10"]),
        (5, ["1 bag to −10"]),
    ],
)
def test_the_last_two_bags_before_a_penalty(bags: int, hints: list[str]) -> None:
    assert told(state("cutthroat-lite", bags=bags)) == hints


@pytest.mark.parametrize(
    ("total", "hints"),
    [
        (-69, []),
        (-70, ["130 from losing at −200"]),
        (-199, ["1 from losing at −200"]),
    ],
)
def test_mercy_is_near_where_one_round_can_lose_as_much(total: int, hints: list[str]) -> None:
    assert told(state("partnership-500", "mercy=-200", total=total)) == hints


@pytest.mark.parametrize(("behind", "hints"), [(99, []), (100, ["may bid blind Nil"])])
def test_blind_nil_is_told_to_whoever_is_far_enough_behind(behind: int, hints: list[str]) -> None:
    assert told(state("partnership", other=behind)) == hints
    assert told(state("partnership", other=behind, bids=(3, 3, 3, 3))) == []


def test_a_tie_at_the_top_and_the_end_of_the_game() -> None:
    rules = with_house_rules(PRESETS["cutthroat-lite"], {"target": "50"})
    tied = fold(rules, 4, 0, [Round((5, 5, 1, 1), (5, 5, 0, 0))])
    assert [told(tied), [str(one.sentence) for one in hints(tied, 2)]] == [
        ["tied for the lead"],
        ["wins by making 6"],
    ]
    over = fold(rules, 4, 0, [Round((5, 4, 1, 1), (5, 4, 1, 0))])
    assert over.phase == "over"
    assert told(over) == []


@pytest.mark.parametrize(
    ("bids", "hints"),
    [
        (OPEN, ["bags: −10"]),
        ((2, None, None, None), []),
        ((Nil.NIL, None, None, None), []),
    ],
)
def test_what_bags_have_cost_is_told_until_the_next_bid(bids: Bids, hints: list[str]) -> None:
    penalized = Round((1, 1, 1, 1), (7, 1, 1, 1))
    assert told(fold(PRESETS["cutthroat-lite"], 4, 3, [penalized, Round(bids)])) == hints
