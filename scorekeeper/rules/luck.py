"""Wins against luck: what players won beside what an equal table would give them by chance.

At a table of equals every side wins as often as any other, so a game of four sides is worth a
quarter of a win to each. A win that sides share counts in equal parts.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import NamedTuple

MIN_GAMES = 5  # finished, of a player who is placed


class Luck(NamedTuple):
    """Finished games, the wins in them, and those that luck would give.

    `beaten` is the sum of the shares of the other sides that were beaten: 1 for a first place, 0
    for a last one.
    """

    games: int = 0
    wins: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    beaten: Fraction = Fraction(0)

    @property
    def ahead(self) -> Fraction:
        """The wins above what luck would give, exactly; negative below it."""
        return self.wins - self.expected

    @property
    def shown_ahead(self) -> Fraction:
        """The same as people count it by hand: from wins and luck of one decimal."""
        return tenths(self.wins) - tenths(self.expected)

    @property
    def numbers(self) -> dict[str, float | None]:
        """The same for programs: wins with one decimal, the mean share beaten with three."""
        beaten = round(float(self.beaten / self.games), 3) if self.games else None
        return {
            "games": self.games,
            "wins": float(tenths(self.wins)),
            "luck": float(tenths(self.expected)),
            "ahead": float(self.shown_ahead),
            "beaten": beaten,
        }

    @property
    def is_placed(self) -> bool:
        """Whether there are enough games for a place."""
        return self.games >= MIN_GAMES


def luck_of(sides: int, games: int, wins: int, winners: int = 1, places: int = 0) -> Luck:
    """Return what finished games among as many sides count.

    Each of the `wins` was shared by so many `winners`; `places` is the sum of all places. Nobody
    else can be beaten at a table of one side.
    """
    if sides < 1:
        return Luck(games)
    others = sides - 1
    beaten = Fraction(games * sides - places, others) if others else Fraction(0)
    return Luck(games, Fraction(wins, winners), Fraction(games, sides), beaten)


def added(lucks: Iterable[Luck]) -> Luck:
    """Return what several kinds of games count together."""
    games, wins, expected, beaten = 0, Fraction(0), Fraction(0), Fraction(0)
    for one in lucks:
        games += one.games
        wins += one.wins
        expected += one.expected
        beaten += one.beaten
    return Luck(games, wins, expected, beaten)


def tenths(number: Fraction) -> Fraction:
    """Return a number rounded to one decimal, halves up."""
    return Fraction(floor(number * 10 + Fraction(1, 2)), 10)


def placed(players: Mapping[int, Luck]) -> dict[int, int | None]:
    """Return the place of each player, the first one first.

    Equal players share a place and the next one skips; those of fewer than `MIN_GAMES` have none
    and come last, those with most games first.
    """
    order = sorted(
        players,
        key=lambda one: (
            (0, -players[one].ahead, one)
            if players[one].is_placed
            else (1, Fraction(-players[one].games), one)
        ),
    )
    aheads = [players[one].ahead for one in order if players[one].is_placed]
    return {
        one: aheads.index(players[one].ahead) + 1 if players[one].is_placed else None
        for one in order
    }
