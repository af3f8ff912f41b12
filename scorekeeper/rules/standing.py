"""What is known of every side between two rounds."""

from typing import NamedTuple

from scorekeeper.rules.bidding import sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, Seats, Substitutes


class Standing(NamedTuple):
    """The total of every side between two rounds, and its bags toward a penalty.

    `seat_totals` are kept only where each player has a total. `overtricks` are those of the whole
    game; `sets` and `sets_in_a_row` count failed contracts; `first_tricks` are those of round 1.
    `time_is_up` is true after the round that was called the last. `lost` are the sides that lost
    the game by a penalty. `seats` are those of the round.
    """

    totals: tuple[int, ...]
    bags: tuple[int, ...]
    seat_totals: tuple[int, ...] = ()
    overtricks: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    sets_in_a_row: tuple[int, ...] = ()
    first_tricks: tuple[int, ...] = ()
    time_is_up: bool = False
    lost: tuple[int, ...] = ()
    seats: Seats = Seats(())

    @property
    def playing(self) -> tuple[int, ...]:
        """The sides that play. Where seats are empty everybody is a side."""
        sides, empty = range(len(self.totals)), self.seats.empty
        return tuple([side for side in sides if side not in empty])

    @property
    def kept(self) -> tuple[int, ...]:
        """The totals that the rules compare: those of players where each has one, else of sides."""
        return self.seat_totals or self.totals

    def kept_of(self, side: int) -> tuple[int, ...]:
        """Return the totals of a side's players where each has one, else its own."""
        return self.kept[side :: len(self.totals)]


def start(rules: RuleSet, starters: Names) -> Standing:
    """Return the standing before the first round."""
    players = len(starters)
    zeros = (0,) * len(sides_of(rules, players))
    seats = (0,) * players if rules.totals_by == "seat" else ()
    return Standing(zeros, zeros, seats, zeros, zeros, zeros, seats=Seats(starters))


def take_seats(rules: RuleSet, standing: Standing, substitutes: Substitutes) -> Standing:
    """Return the standing once substitutes have taken or left their seats.

    Somebody new on an empty seat begins with the total that `joins_at` says, and without bags.
    """
    if not substitutes:
        return standing
    seats = standing.seats.after(substitutes)
    new = {one.seat for one in substitutes if standing.seats.joins(one)}
    lowest = min(standing.totals[side] for side in standing.playing)
    total = lowest if rules.joins_at == "lowest" else 0

    def begin(counts: tuple[int, ...], value: int = 0) -> tuple[int, ...]:
        return tuple(value if side in new else n for side, n in enumerate(counts))

    return standing._replace(
        totals=begin(standing.totals, total),
        bags=begin(standing.bags),
        overtricks=begin(standing.overtricks),
        sets=begin(standing.sets),
        sets_in_a_row=begin(standing.sets_in_a_row),
        seats=seats,
    )
