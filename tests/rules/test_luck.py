"""Wins against luck."""

import random
from fractions import Fraction

import pytest

from scorekeeper.rules.luck import Luck, added, luck_of, placed, tenths


def test_luck_gives_every_side_of_a_game_the_same() -> None:
    luck = added([luck_of(2, 3, 2), luck_of(5, 10, 1)])
    assert (luck.games, luck.wins, luck.expected) == (13, 3, Fraction(7, 2))
    assert luck.ahead == Fraction(-1, 2)


def test_a_shared_win_counts_its_part() -> None:
    assert luck_of(4, 1, 1, winners=2).wins == Fraction(1, 2)
    assert added([luck_of(4, 1, 1, winners=4), luck_of(4, 2, 1)]).wins == Fraction(5, 4)


def test_others_are_beaten_from_none_at_the_last_place_to_all_at_the_first() -> None:
    for sides in (2, 3, 5):
        assert luck_of(sides, 1, 1, places=1).beaten == 1
        assert luck_of(sides, 1, 0, places=sides).beaten == 0
    assert luck_of(5, 2, 0, places=2 + 4).beaten == Fraction(3 + 1, 4)
    assert luck_of(1, 1, 1, places=1).beaten == 0
    assert luck_of(0, 0, 0) == Luck()


@pytest.mark.parametrize(
    ("number", "shown"),
    [("0", "0"), ("1/20", "1/10"), ("-1/20", "0"), ("15/4", "19/5"), ("1/3", "3/10")],
)
def test_one_decimal_is_rounded_half_up(number: str, shown: str) -> None:
    assert tenths(Fraction(number)) == Fraction(shown)


def test_what_is_shown_can_be_counted_by_hand() -> None:
    luck = luck_of(4, 15, 7)
    assert (luck.ahead, luck.shown_ahead) == (Fraction(13, 4), Fraction(16, 5))


def test_equal_players_share_a_place_and_few_games_have_none() -> None:
    players = {
        1: luck_of(4, 8, 2),
        2: luck_of(4, 8, 4),
        3: luck_of(2, 6, 5),
        4: luck_of(4, 8, 2),
        5: luck_of(4, 4, 4),
        6: luck_of(4, 8, 0),
    }
    assert list(placed(players).items()) == [(2, 1), (3, 1), (1, 3), (4, 3), (6, 5), (5, None)]


def test_a_league_of_known_strengths_is_put_in_their_order() -> None:
    chance = random.Random(1)
    strengths = {1: 1.0, 2: 1.3, 3: 1.7, 4: 2.2, 5: 2.9, 6: 3.8}
    lucks = dict.fromkeys(strengths, Luck())
    for game in range(3000):
        rests = 1 + game % len(strengths)  # so that all play as many games
        seated = [one for one in strengths if one != rests]
        (winner,) = chance.choices(seated, [strengths[one] for one in seated])
        for one in seated:
            lucks[one] = added([lucks[one], luck_of(len(seated), 1, int(one == winner))])
    assert {luck.games for luck in lucks.values()} == {2500}
    assert list(placed(lucks)) == [6, 5, 4, 3, 2, 1]
    assert sum(luck.ahead for luck in lucks.values()) == 0
