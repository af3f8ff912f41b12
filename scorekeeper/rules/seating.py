"""Who sits where: the players who start a game, and those who take a seat later."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.rules.refusals import Refusal, refuse

Names = tuple[str, ...]


class Substitute(NamedTuple):
    """A player who takes a seat from a round on; the total of the seat goes on."""

    seat: int
    player: str


Substitutes = tuple[Substitute, ...]


def seated(starters: Sequence[str], rounds: Iterable[Substitutes]) -> Names:
    """Return who sits where after the substitutes of some rounds.

    >>> seated(("Ana", "Ben", "Cy"), [(), (Substitute(2, "Eve"),)])
    ('Ana', 'Ben', 'Eve')
    """
    names = list(starters)
    for substitutes in rounds:
        for seat, player in substitutes:
            names[seat] = player
    return tuple(names)


def substituted(before: Sequence[str], now: Substitutes, seat: int, player: str) -> Substitutes:
    """Return the substitutes of a round once a player has taken a seat too, by seats.

    `before` are the players of the round before: a player who was there already is no substitute.
    """
    players = dict(now) | {seat: player}
    return tuple(Substitute(at, name) for at, name in sorted(players.items()) if name != before[at])


def check_seating(starters: Sequence[str], rounds: Iterable[Substitutes]) -> list[Refusal]:
    """Return why players cannot take the seats of a game.

    Nobody can sit on two seats, or change seats without sitting out a round: then a change of seats
    is never taken for a mistake in a score sheet.
    """
    names = tuple(starters)
    for substitutes in rounds:
        before, names = names, seated(names, [substitutes])
        for seat, player in substitutes:
            if player in before or names.count(player) > 1:
                return [refuse(seat, "seated")]
    return []
