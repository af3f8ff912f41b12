"""Awards at the end of a game."""

import pytest

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import (
    CALL_BREAK,
    CUTTHROAT_LITE,
    FORTY_ONE,
    PARTNERSHIP,
    PARTNERSHIP_500,
)
from scorekeeper.rules.result import Award, awards
from scorekeeper.rules.round import Round

NIL = Nil.NIL


def given(*rounds: Round, rules=CUTTHROAT_LITE) -> dict[str, Award]:
    state = fold(rules, 4, 3, rounds)
    return {str(award.title): award for award in awards(state)}


EXAMPLES = [
    pytest.param(
        [Round((1, 4, 2, 2), (4, 3, 2, 1))],
        {"Most bags": (((0,),), "3 bags"), "Biggest round": (((2,),), "+20 in one round")},
        id="three bags and the only clean contract",
    ),
    pytest.param(
        [Round((3, NIL, NIL, 4), (3, 0, 1, 6))],
        {"Coolest Nil": (((1,),), "1 Nil made"), "Bravest Nil": (((2,),), "1 failed Nil")},
        id="one Nil is kept, one fails",
    ),
    pytest.param(
        [Round((3, 2, 3, 2), (3, 2, 2, 3))] * 2,
        {
            "Most exact bids": (((0,), (1,)), "2 exact rounds"),
            "Biggest dreamer": (((2,),), "set 2 times"),
        },
        id="two share a prize",
    ),
]


@pytest.mark.parametrize(("rounds", "expected"), EXAMPLES)
def test_prizes_go_to_the_highest_figure(rounds, expected) -> None:
    found = given(*rounds)
    shown = {title: (found[title].seats, str(found[title].why)) for title in expected}
    assert shown == expected


def test_nothing_is_given_that_everybody_would_share() -> None:
    assert "Most exact bids" not in given(*[Round((2, 3, 2, 3), (2, 3, 2, 3))] * 2)


def test_a_winner_who_was_far_behind_is_remembered_for_it() -> None:
    behind = Round((4, 3, 2, 1), (0, 4, 4, 2))
    ahead = Round((NIL, 4, 3, 3), (0, 4, 3, 3))
    found = given(*[behind], *[Round((NIL, 6, 6, 1), (0, 5, 4, 1))] * 4)
    assert str(found["Best comeback"].why).startswith("won from ")
    assert "Best comeback" not in given(behind, ahead)


def test_partners_share_their_prizes() -> None:
    found = given(Round((1, 4, 1, 5), (3, 3, 3, 4)), rules=PARTNERSHIP_500)
    assert found["Most bags"].seats == ((0, 2),)


@pytest.mark.parametrize("rules", [PARTNERSHIP, CALL_BREAK, FORTY_ONE])
def test_bags_that_never_cost_anything_are_no_award(rules) -> None:
    assert "Most bags" not in given(Round((1, 4, 1, 5), (3, 3, 3, 4)), rules=rules)


def test_players_with_totals_of_their_own_do_not_share_their_partners_prizes() -> None:
    found = given(*[Round((7, 2, 2, 3), (7, 2, 1, 3))] * 2, rules=FORTY_ONE)
    assert found["Biggest round"].seats == ((0,),)
    assert str(found["Biggest round"].why) == "+14 in one round"
    assert found["Biggest dreamer"].seats == ((2,),)


def test_points_of_call_break_have_one_decimal() -> None:
    behind, ahead = Round((4, 3, 2, 3), (4, 3, 1, 5)), Round((1, 1, 8, 1), (1, 1, 10, 1))
    found = given(*[behind] * 2, *[ahead] * 3, rules=CALL_BREAK)
    assert str(found["Biggest round"].why) == "+8.2 in one round"
    assert str(found["Best comeback"].why) == "won from 12.0 behind"
