"""Who sits where, from the first round and later."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import Refusal, refuse

Names = tuple[str, ...]


class Substitute(NamedTuple):
    """A player who takes a seat from a round on, or None where the seat is left empty.

    The total of the seat goes on, unless it was empty and somebody else sat there last. Where
    players change seats among themselves, totals that are their own go with them.
    """

    seat: int
    player: str | None


Substitutes = tuple[Substitute, ...]


class Seats(NamedTuple):
    """Who sits where; the name of an `empty` seat is that of the player who left it."""

    names: Names
    empty: tuple[int, ...] = ()

    @property
    def taken(self) -> tuple[int, ...]:
        """The seats on which somebody sits."""
        return tuple(seat for seat in range(len(self.names)) if seat not in self.empty)

    def after(self, substitutes: Substitutes) -> "Seats":
        """Return the seats once substitutes have taken or left theirs.

        >>> Seats(("Ana", "Ben", "Cy")).after((Substitute(1, None), Substitute(2, "Eve")))
        Seats(names=('Ana', 'Ben', 'Eve'), empty=(1,))
        """
        if not substitutes:
            return self
        names, empty = list(self.names), set(self.empty)
        for seat, player in substitutes:
            if player is None:
                empty.add(seat)
            else:
                names[seat] = player
                empty.discard(seat)
        return Seats(tuple(names), tuple(sorted(empty)))

    def moves(self, substitutes: Substitutes) -> dict[int, int]:
        """Return the former seats of players who change theirs, by the new ones.

        Where somebody new takes the seat of one, that is the one for whom the new player came.

        >>> Seats(("Ana", "Ben", "Cy")).moves((Substitute(0, "Ben"), Substitute(1, "Ana")))
        {0: 1, 1: 0}
        """
        former = {name: seat for seat, name in enumerate(self.names) if seat not in self.empty}
        moves = {
            seat: former[player]
            for seat, player in substitutes
            if player in former and former[player] != seat
        }
        left, gone = {*moves.values()} - {*moves}, {*moves} - {*moves.values()}
        return moves | dict(zip(sorted(left), sorted(gone), strict=True))

    def returns(self, substitute: Substitute) -> bool:
        """Return whether the player who left a seat returns to it."""
        seat, player = substitute
        return seat in self.empty and self.names[seat] == player

    def joins(self, substitute: Substitute) -> bool:
        """Return whether somebody new takes a seat that is empty."""
        seat, player = substitute
        return player is not None and seat in self.empty and self.names[seat] != player


def seats_after(starters: Sequence[str], rounds: Iterable[Substitutes]) -> Seats:
    """Return who sits where after the substitutes of some rounds."""
    seats = Seats(tuple(starters))
    for substitutes in rounds:
        seats = seats.after(substitutes)
    return seats


def seated(starters: Sequence[str], rounds: Iterable[Substitutes]) -> Names:
    """Return who sits where after the substitutes of some rounds, or sat there last.

    >>> seated(("Ana", "Ben", "Cy"), [(), (Substitute(2, "Eve"),)])
    ('Ana', 'Ben', 'Eve')
    """
    return seats_after(starters, rounds).names


def substituted(before: Seats, now: Substitutes, seat: int, player: str | None) -> Substitutes:
    """Return the substitutes of a round, sorted by seat, with one more who takes or leaves a seat.

    `before` are the seats of the previous round: a player who sat there already is no substitute,
    and nobody leaves an empty seat.
    """
    players = dict(now) | {seat: player}
    return tuple(
        Substitute(at, name)
        for at, name in sorted(players.items(), key=lambda one: one[0])
        if (name is None) != (at in before.empty) or name not in (None, before.names[at])
    )


def check_seating(
    rules: RuleSet, starters: Sequence[str], rounds: Iterable[Substitutes]
) -> list[Refusal]:
    """Return why players cannot take or leave the seats of a game.

    Nobody can sit on two seats: who takes another seat leaves the own one to somebody, or sits out
    a round. Each round needs a number of players that the rules allow, and the first round all who
    start.
    """
    seats = Seats(tuple(starters))
    for number, substitutes in enumerate(rounds, 1):
        before, seats = seats, seats.after(substitutes)
        for one in substitutes:
            if one.player is None:
                if number == 1:
                    return [refuse(one.seat, "first_round")]
                if one.seat in before.empty:
                    return [refuse(one.seat, "empty")]
            elif before.returns(one):
                continue
            elif seats.names.count(one.player) > 1:
                return [refuse(one.seat, "seated")]
        if seats.empty != before.empty and len(seats.taken) not in rules.table_sizes:
            return [refuse(None, "table_size", n=len(seats.taken))]
    return []
