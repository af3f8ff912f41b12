"""What is known of every side between two rounds, when a game is over, and who has won."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Table, sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, Seats, Substitutes


class Standing(NamedTuple):
    """The total of every side between two rounds, and its bags toward a penalty.

    `seat_totals` are kept only where each player has a total. Of sides that are tied after the last
    round the one with the most `tie_break` wins, where the rules have such a thing. `sets` and
    `sets_in_a_row` count failed contracts; `first_tricks` are those of round 1. `time_is_up` is
    true after the round that was called the last. `lost` are the sides that lost the game by a
    penalty. `seats` are those of the round.
    """

    totals: tuple[int, ...]
    bags: tuple[int, ...]
    seat_totals: tuple[int, ...] = ()
    tie_break: tuple[int, ...] = ()
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

    def table(self, rules: RuleSet) -> Table:
        """Return what the next bid is judged by under the rules of its round."""
        return Table(rules, self.kept, self.seats.empty)

    def kept_of(self, side: int) -> tuple[int, ...]:
        """Return the totals of a side's players where each has one, else its own."""
        return self.kept[side :: len(self.totals)]


def start(
    rules: RuleSet, starters: Names, points: Sequence[int] = (), bags: Sequence[int] = ()
) -> Standing:
    """Return the standing before the first round, with the points and bags that it begins with.

    These are those of the first seats, of each side at least, and count for their sides.
    """
    players = len(starters)
    sides = len(sides_of(rules, players))
    zeros = (0,) * sides
    own = (*points, *(0,) * (players - len(points)))
    totals = tuple([sum(own[side::sides]) for side in range(sides)])
    kept = (*bags, *zeros)[:sides] if rules.bag_limit is not None else zeros
    seats = own if rules.totals_by == "seat" else ()
    return Standing(totals, kept, seats, zeros, zeros, zeros, seats=Seats(starters))


def take_seats(rules: RuleSet, standing: Standing, substitutes: Substitutes) -> Standing:
    """Return the standing once substitutes have taken or left their seats.

    Somebody new on an empty seat begins with the total that `joins_at` says, and without bags.
    Players who change seats keep what is theirs.
    """
    if not substitutes:
        return standing
    seats = standing.seats.after(substitutes)
    standing = move_along(standing, standing.seats.moves(substitutes))
    new = {one.seat for one in substitutes if standing.seats.joins(one)}
    lowest = min(standing.totals[side] for side in standing.playing)
    total = lowest if rules.joins_at == "lowest" else 0

    def begin(counts: tuple[int, ...], value: int = 0) -> tuple[int, ...]:
        return tuple(value if side in new else n for side, n in enumerate(counts))

    return standing._replace(
        totals=begin(standing.totals, total),
        bags=begin(standing.bags),
        tie_break=begin(standing.tie_break),
        sets=begin(standing.sets),
        sets_in_a_row=begin(standing.sets_in_a_row),
        seats=seats,
    )


def move_along(standing: Standing, moves: Mapping[int, int]) -> Standing:
    """Return the standing once players have changed seats, by their former seats.

    What partners have scored together stays with their side.
    """
    if not moves:
        return standing
    sides, former = len(standing.totals), [*range(len(standing.seats.names))]
    for seat, before in moves.items():
        former[seat] = before
    own = tuple([standing.seat_totals[seat] for seat in former] if standing.seat_totals else ())
    if sides < len(former):
        totals = tuple([sum(own[side::sides]) for side in range(sides)])
        return standing._replace(seat_totals=own, totals=totals if own else standing.totals)

    def along(counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([counts[seat] for seat in former] if counts else ())

    return standing._replace(
        totals=along(standing.totals),
        bags=along(standing.bags),
        seat_totals=own,
        tie_break=along(standing.tie_break),
        sets=along(standing.sets),
        sets_in_a_row=along(standing.sets_in_a_row),
        first_tricks=along(standing.first_tricks),
        lost=tuple(sorted(former.index(side) for side in standing.lost)),
    )


Reason = Literal["target", "mercy", "rounds", "last_round", "sets", "first_round", "penalty"]


class Outcome(NamedTuple):
    """Whether a game is over, and why.

    `reason` is what ends it: the target or mercy is reached, the rounds are played, the last round
    was called, or a side has lost by a penalty, its sets or its first round. `winner` is a side, or
    None while the `tied` sides share the lead and play on. Where these share the win, it is the
    first of them.
    """

    reason: Reason
    winner: int | None
    tied: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won: one, or several that share it; none while a tie plays on."""
        return () if self.winner is None else self.tied or (self.winner,)


def outcome_of(rules: RuleSet, standing: Standing, number: int) -> Outcome | None:
    """Return the outcome of a game after a round; None while the game goes on.

    These end it, in this order: a loss by a penalty, by the first round or by sets; the target;
    mercy; the last round. Of the sides that play and have not lost, the one with the highest total
    wins. After a tie another round is played, unless it was the last one and `tie_break` decides,
    or all share it.
    """
    last = rules.length(len(standing.seats.names) or len(standing.totals))
    is_at_limit = last is not None and number >= last
    limit: Reason | None = (
        "rounds" if is_at_limit else "last_round" if standing.time_is_up else None
    )
    outcome = _ending(rules, standing, number, limit)
    if outcome is None or not outcome.tied or limit is None:
        return outcome
    if rules.tie_at_limit == "another_round":
        return outcome
    if rules.tie_at_limit == "shared":
        return Outcome(limit, outcome.tied[0], outcome.tied)
    most = max(standing.tie_break[side] for side in outcome.tied)
    return _led_by(
        standing, limit, [side for side in outcome.tied if standing.tie_break[side] == most]
    )


def _ending(
    rules: RuleSet, standing: Standing, number: int, limit: Reason | None
) -> Outcome | None:
    """Return how the totals end a game, of which a round may be the last by a `limit`."""
    sides = standing.playing
    for reason, lost in _losses(rules, standing, number):
        if lost:
            return _led_by(standing, reason, [side for side in sides if side not in lost] or sides)
    if reached := _at_target(rules, standing):
        return _led_by(standing, "target", reached)
    if rules.mercy is not None and min(_totals_playing(standing)) <= rules.mercy:
        return _led_by(standing, "mercy", sides)
    return _led_by(standing, limit, sides) if limit else None


def _losses(rules: RuleSet, standing: Standing, number: int) -> Iterator[tuple[Reason, list[int]]]:
    """Yield the sides that lose whatever their totals."""
    yield "penalty", list(standing.lost)
    if rules.first_round_minimum is not None:
        taken = enumerate(standing.first_tricks)
        few = [side for side, n in taken if n < rules.first_round_minimum]
        yield "first_round", [side for side in few if side in standing.playing]
    counts_sets = rules.sets_lose is not None or rules.sets_in_a_row_lose is not None
    if counts_sets and number >= (rules.minimum_rounds or 1):
        counted = enumerate(zip(standing.sets, standing.sets_in_a_row, strict=True))
        yield (
            "sets",
            [
                side
                for side, (sets, in_a_row) in counted
                if side in standing.playing
                and (
                    sets >= (rules.sets_lose or math.inf)
                    or in_a_row >= (rules.sets_in_a_row_lose or math.inf)
                )
            ],
        )


def _at_target(rules: RuleSet, standing: Standing) -> Sequence[int]:
    """Return the sides that the target lets win; without totals of seats all, if one is there."""
    if rules.target is None or max(_totals_playing(standing)) < rules.target:
        return ()
    sides = standing.playing
    if not standing.seat_totals:
        return sides
    least = rules.partner_least if rules.win_needs_partner else -math.inf
    own = [sorted(standing.kept_of(side)) for side in sides]
    return [side for side in sides if own[side][-1] >= rules.target and own[side][0] >= least]


def _totals_playing(standing: Standing) -> tuple[int, ...]:
    """Return the totals to compare, without those of seats that are empty."""
    if not standing.seats.empty:
        return standing.kept
    return tuple(standing.totals[side] for side in standing.playing)


def _led_by(standing: Standing, reason: Reason, sides: Sequence[int]) -> Outcome:
    best = max(standing.totals[side] for side in sides)
    leaders = tuple(side for side in sides if standing.totals[side] == best)
    return Outcome(reason, leaders[0]) if len(leaders) == 1 else Outcome(reason, None, leaders)
