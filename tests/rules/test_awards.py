"""Awards at the end of a game."""

import pytest

from scorekeeper.rules.awards import Award, awards
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import Round, fold
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP

NIL = Nil.NIL


def given(*rounds: Round, rules=CUTTHROAT_LITE) -> dict[str, Award]:
    state = fold(rules, 4, 3, rounds)
    return {str(award.title): award for award in awards(state)}


EXAMPLES = [
    pytest.param(
        [Round((1, 4, 2, 2), (4, 3, 2, 1))],
        {"Most bags": ((0,), "3 bags"), "Biggest round": ((2,), "+20 in one round")},
        id="three bags and the only clean contract",
    ),
    pytest.param(
        [Round((3, NIL, NIL, 4), (3, 0, 1, 6))],
        {"Coolest Nil": ((1,), "1 Nil made"), "Bravest Nil": ((2,), "1 failed Nil")},
        id="one Nil is kept, one fails",
    ),
    pytest.param(
        [Round((3, 2, 3, 2), (3, 2, 2, 3))] * 2,
        {
            "Most exact bids": ((0, 1), "2 exact rounds"),
            "Most optimistic": ((2,), "set 2 times"),
        },
        id="two share a prize",
    ),
]


@pytest.mark.parametrize(("rounds", "expected"), EXAMPLES)
def test_prizes_go_to_the_highest_figure(rounds, expected) -> None:
    found = given(*rounds)
    shown = {title: (found[title].sides, str(found[title].why)) for title in expected}
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
    found = given(Round((1, 4, 1, 5), (3, 3, 3, 4)), rules=PARTNERSHIP)
    assert found["Most bags"].sides == (0,)
