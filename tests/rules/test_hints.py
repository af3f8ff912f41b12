"""The scores from which a hint is shown, and from which it is not."""

import pytest

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import GameState, Standing, fold
from scorekeeper.rules.hints import hints
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.rules.seating import Substitute
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
    ("cutthroat-lite", "", 75, ["reaches 125 by making 5, or with Nil"]),
    ("cutthroat-lite", "", 74, ["reaches 125 by making 6"]),
    ("cutthroat-lite", "", 65, ["reaches 125 by making 6"]),
    ("cutthroat-lite", "", 64, ["61 short of 125"]),
    ("cutthroat-lite", "", 25, ["100 short of 125"]),
    ("cutthroat-lite", "", 24, []),
    ("cutthroat-lite", "", 125, []),
    ("cutthroat-lite", "nil_points=off", 75, ["reaches 125 by making 5"]),
    ("cutthroat-lite", "nil_points=100", 25, ["reaches 125 with Nil"]),
    ("cutthroat-lite", "minimum_bid=5", 124, ["reaches 125 by making 5, or with Nil"]),
    ("cutthroat-lite", "minimum_by_total=97:6", 96, ["reaches 125 by making 4, or with Nil"]),
    ("cutthroat-lite", "minimum_by_total=97:6", 97, ["reaches 125 by making 6, or with Nil"]),
    ("cutthroat-lite", "trick_points=0", 124, ["reaches 125 with Nil"]),
    # a bid of 1 can take 9 more tricks, and then six bags cost 10: one trick more reaches it surely
    ("cutthroat-lite", "", 115, ["reaches 125 by making 2, or with Nil"]),
    ("cutthroat-lite", "bag_penalty=5", 115, ["reaches 125 by making 1, or with Nil"]),
    ("cutthroat-lite", "bag_limit=off", 115, ["reaches 125 by making 1, or with Nil"]),
    # no hint of a bid that nobody may make
    (
        "cutthroat-lite",
        "maximum_bid=3;nil_points=off;bag_limit=off",
        95,
        ["reaches 125 by making 3"],
    ),
    ("cutthroat-lite", "maximum_bid=3;nil_points=off", 94, []),
    # Cookout: 350 to win, a contract of 4 at least
    ("cookout", "", 324, ["reaches 350 by making 4"]),
    # without bags partners who make what they bid lose nothing beside a Nil
    ("partnership", "", 430, ["reaches 500 by making 7, or Nil and the partner’s bid"]),
    ("partnership", "double_nil_points=50", 430, ["reaches 500 by making 7"]),
    # 13 tricks: a bid of up to 7 is a chance
    ("partnership-500", "", 430, ["reaches 500 by making 7"]),
    ("partnership-500", "", 429, ["71 short of 500"]),
    ("partnership-500", "", 370, ["130 short of 500"]),
    ("partnership-500", "", 369, []),
    # a contract of 10 pays more, but the hint promises what any contract pays
    ("partnership-500", "ten_for=20", 430, ["reaches 500 by making 7"]),
    ("partnership-500", "ten_for=20", 369, ["131 short of 500"]),
    # two partners bid 2 tricks at least, and with a board more
    ("partnership", "", 495, ["reaches 500 by making 2, or Nil and the partner’s bid"]),
    ("cookout", "", 345, ["reaches 350 by making 4"]),
    # 41 counts players, so a side reaches nothing
    ("forty-one", "", 80, []),
]


@pytest.mark.parametrize(("key", "house", "total", "hints"), TO_WIN)
def test_what_reaches_the_target(key: str, house: str, total: int, hints: list[str]) -> None:
    assert told(state(key, house, total=total)) == hints


NIL, PENALTY = Nil.NIL, Penalty(0, "points", 1, "nobody", "other")
# rule book, house rules, every bid, total, bags, total of the others, hint
BY_BID: list[tuple[str, str, Bids, int, int, int, list[str]]] = [
    ("cutthroat-lite", "", (5, 1, 1, 1), 75, 0, 0, ["wins by making the bid"]),
    ("cutthroat-lite", "", (5, 1, 1, 1), 74, 0, 0, []),
    ("cutthroat-lite", "", (NIL, 1, 1, 1), 75, 0, 0, ["wins if Nil is made"]),
    ("cutthroat-lite", "", (NIL, 1, 1, 1), 74, 0, 0, []),
    # another can come to the same: a bid of 4 and one overtrick are 41
    ("cutthroat-lite", "", (5, 4, 1, 1), 75, 0, 83, ["wins by making the bid"]),
    ("cutthroat-lite", "", (5, 4, 1, 1), 75, 0, 84, ["reaches 125 by making the bid"]),
    ("cutthroat-lite", "", (NIL, 4, 1, 1), 75, 0, 79, ["wins if Nil is made"]),
    ("cutthroat-lite", "", (NIL, 4, 1, 1), 75, 0, 80, ["reaches 125 if Nil is made"]),
    # bags can take the points back
    (
        "cutthroat-lite",
        "",
        (1, 2, 2, 2),
        115,
        5,
        0,
        ["1 bag to −10", "reaches 125 by making the bid without a bag penalty"],
    ),
    ("cutthroat-lite", "", (2, 2, 2, 2), 115, 5, 0, ["1 bag to −10", "wins by making the bid"]),
    # who has the target in a tie already reaches nothing
    ("cutthroat-lite", "", (1, 1, 1, 1), 130, 0, 130, []),
    # two of them have other ends
    ("cutthroat-lite", "first_round_minimum=5", (5, 1, 1, 1), 75, 0, 0, ["wins by making the bid"]),
    # who takes 5 loses the game, where all others do too, and then the highest score wins
    ("cutthroat-lite", "first_round_minimum=6", (5, 1, 1, 1), 75, 0, 0, ["wins by making the bid"]),
    (
        "cutthroat-lite",
        "first_round_minimum=5;bag_limit=off",
        (4, 1, 1, 1),
        85,
        0,
        0,
        ["reaches 125 by making the bid"],
    ),
    ("partnership", "", (5, 1, NIL, 1), 350, 0, 0, ["wins if both bids are made"]),
    ("partnership", "", (5, 1, NIL, 1), 350, 0, 473, ["wins if both bids are made"]),
    ("partnership", "", (5, 1, NIL, 1), 350, 0, 474, ["reaches 500 if both bids are made"]),
    ("partnership", "", (5, 1, NIL, 1), 349, 0, 0, []),
    ("partnership", "", (NIL, 1, NIL, 1), 300, 0, 0, ["wins if both bids are made"]),
    ("partnership", "bid_by=side", (5, 1, None, None), 450, 0, 0, ["wins by making the bid"]),
    ("partnership", "bid_by=side", (NIL, 1, None, None), 400, 0, 0, ["wins if Nil is made"]),
    (
        "partnership-500",
        "",
        (5, 1, 4, 1),
        410,
        6,
        0,
        ["reaches 500 by making the bid without a bag penalty"],
    ),
    ("partnership-500", "", (5, 1, 4, 1), 410, 5, 0, ["wins by making the bid"]),
    ("partnership-500", "", (5, 1, 4, 1), 410, 5, 500, ["reaches 500 by making the bid"]),
    ("partnership-500", "", (5, 1, 5, 1), 399, 0, 0, []),
    ("partnership-500", "ten_for=20", (5, 1, 4, 1), 409, 0, 0, []),
    ("partnership-500", "ten_for=20", (5, 1, 5, 1), 300, 0, 0, ["wins by making the bid"]),
    ("partnership-500", "ten_for=20", (5, 1, 5, 1), 299, 0, 0, []),
    # bids that together are more than there are tricks
    ("partnership-500", "", (7, 1, 7, 1), 450, 0, 0, []),
]


@pytest.mark.parametrize(("key", "house", "bids", "total", "bags", "other", "hints"), BY_BID)
def test_what_is_promised_once_everybody_has_bid(
    key: str, house: str, bids: Bids, total: int, bags: int, other: int, hints: list[str]
) -> None:
    assert told(state(key, house, total=total, bags=bags, other=other, bids=bids)) == hints


def test_nothing_is_promised_of_a_round_with_a_penalty() -> None:
    for bids in (OPEN, (5, 1, 1, 1)):
        near = state("cutthroat-lite", total=75, bids=bids)
        assert told(near)
        assert told(near._replace(open=near.open.noted(penalties=(PENALTY,)))) == []


SETS = [
    (2, (1, 0), ["one more set loses the game"]),
    (2, (0, 0), []),
    (2, (1, 1), ["one more set may lose the game"]),
    (3, (1, 2), []),
]


@pytest.mark.parametrize(("limit", "sets", "hints"), SETS)
def test_the_last_set_before_the_game_is_lost(
    limit: int, sets: tuple[int, int], hints: list[str]
) -> None:
    near = state("partnership", f"sets_lose={limit}")
    assert told(near._replace(standing=near.standing._replace(sets=sets))) == hints


def test_a_set_may_lose_where_too_few_tricks_lose_first() -> None:
    assert told(state("partnership", "sets_lose=1;first_round_minimum=4")) == [
        "one more set may lose the game"
    ]


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
        (-200, []),
    ],
)
def test_mercy_is_near_where_one_round_can_lose_as_much(total: int, hints: list[str]) -> None:
    assert told(state("partnership-500", "mercy=-200", total=total)) == hints


@pytest.mark.parametrize(("behind", "hints"), [(99, []), (100, ["may bid blind Nil"])])
def test_blind_nil_is_told_to_whoever_is_far_enough_behind(behind: int, hints: list[str]) -> None:
    assert told(state("partnership", other=behind)) == hints
    assert told(state("partnership", other=behind, bids=(3, 3, 3, 3))) == []


def test_blind_nil_is_not_told_where_it_would_be_refused() -> None:
    blind = "may bid blind Nil"
    far = {"other": 150}
    assert told(state("partnership", **far, bids=(Nil.BLIND, None, None, None))) == []
    both = "blind_nil_partners=both"
    assert told(state("partnership", both, **far, bids=(Nil.BLIND, None, None, None))) == [blind]
    assert told(state("partnership", **far, bids=(3, None, 3, None))) == []
    assert told(state("partnership", "board=4", **far, bids=(3, None, None, None))) == []
    assert told(state("partnership", "board=4", **far, bids=(4, None, None, None))) == [blind]


def test_a_tie_at_the_top_and_the_end_of_the_game() -> None:
    rules = with_house_rules(PRESETS["cutthroat-lite"], {"target": "50"})
    tied = fold(rules, 4, 0, [Round((5, 5, 1, 1), (5, 5, 0, 0))])
    assert [told(tied), [str(one.sentence) for one in hints(tied, 2)]] == [
        ["tied for the lead"],
        ["reaches 50 by making 6"],
    ]
    left = fold(
        rules,
        4,
        0,
        [Round((5, 5, 1, 1), (5, 5, 0, 0)), Round(OPEN).noted(substitutes=(Substitute(1, None),))],
    )
    assert told(left) == []
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
