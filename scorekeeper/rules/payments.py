"""Stakes at the end of a game: what everybody pays or gets, and with which payments."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.rules.game import GameState


class Payment(NamedTuple):
    """What one person pays another; people are counted from 0."""

    payer: int
    payee: int
    amount: int


def stakes_paid(state: GameState, stake: int) -> tuple[int, ...]:
    """Return what each seat of a finished game pays into the pot.

    By place it is the stake as many times as there are places ahead, so the winners pay nothing.
    """
    times = [place - 1 if state.rules.stake_by == "rank" else 1 for place in state.places]
    sides = map(state.side_of, range(state.players))
    return tuple(stake * times[side] * _stake_factor(state, side) for side in sides)


def stake_balances(state: GameState, stake: int) -> tuple[int, ...]:
    """Return what each seat of a finished game wins, or loses below zero; the sum is zero.

    The winners share the pot evenly, and so do partners; what is left over goes to the first.
    """
    if state.rules.stake_by == "points":
        return _balances_by_points(state, stake)
    paid = stakes_paid(state, stake)
    balances = [-amount for amount in paid]
    for side, share in zip(state.winners, shares(sum(paid), len(state.winners)), strict=True):
        seats = state.sides[side]
        for seat, own in zip(seats, shares(share, len(seats)), strict=True):
            balances[seat] += own
    return tuple(balances)


def _balances_by_points(state: GameState, stake: int) -> tuple[int, ...]:
    """Return the balances where everybody pays everybody the difference in points.

    Of tenths of a point, what is less than the smallest unit of the stake is not paid.
    """
    unit = 10 if state.rules.shown_as == "tenths" else 1
    seats = range(state.players)
    sides = [state.side_of(seat) for seat in seats]
    totals = [state.standing.totals[side] for side in sides]

    def due(payer: int, payee: int) -> int:
        gap = max(totals[payee] - totals[payer], 0)
        return gap * stake * _stake_factor(state, sides[payer]) // unit

    return tuple(sum(due(other, seat) - due(seat, other) for other in seats) for seat in seats)


def _stake_factor(state: GameState, side: int) -> int:
    return 2 if state.rules.negative_doubles and state.standing.totals[side] < 0 else 1


def shares(amount: int, people: int) -> list[int]:
    """Return an amount shared evenly; what is left over goes to the first."""
    share, rest = divmod(amount, people)
    return [share + rest, *[share] * (people - 1)]


MOST_PAYERS = 12  # people among whom the fewest payments are looked for


def payments(balances: Sequence[int]) -> list[Payment]:
    """Return the fewest payments that settle balances, whose sum is zero.

    People whose balances sum to zero settle among themselves, with one payment fewer than there
    are people. So the most such groups need the fewest payments. With more than `MOST_PAYERS`
    people they are one group.
    """
    people = [one for one, balance in enumerate(balances) if balance]
    groups = _groups(people, balances) if len(people) <= MOST_PAYERS else [people]
    return sorted(payment for group in groups for payment in _settle(group, balances))


def _groups(people: Sequence[int], balances: Sequence[int]) -> list[list[int]]:
    """Return people in the most groups whose balances sum to zero.

    Sets of people are numbers with a bit for each. For each set it is known how many groups are
    completed when its people come one after another in the best order; that order is then read
    backwards.
    """
    sums, most = [0], [0]
    for chosen in range(1, 1 << len(people)):
        first = (chosen & -chosen).bit_length() - 1
        sums.append(sums[chosen & (chosen - 1)] + balances[people[first]])
        before = max(most[rest] for _one, rest in _without_one(chosen, len(people)))
        most.append(before + (sums[chosen] == 0))
    groups: list[list[int]] = []
    chosen = len(sums) - 1
    while chosen:
        if sums[chosen] == 0:
            groups.append([])
        before = most[chosen] - (sums[chosen] == 0)
        one, chosen = next(
            (one, rest) for one, rest in _without_one(chosen, len(people)) if most[rest] == before
        )
        groups[-1].append(people[one])
    return groups


def _without_one(chosen: int, people: int) -> list[tuple[int, int]]:
    """Return each member of a set with the set of all others."""
    return [(one, chosen ^ 1 << one) for one in range(people) if chosen >> one & 1]


def _settle(group: Sequence[int], balances: Sequence[int]) -> Iterator[Payment]:
    """Yield payments within a group: who owes most pays whom most is owed, over and over."""
    open_ = {one: balances[one] for one in group}
    while any(open_.values()):
        payer = min(group, key=lambda one: (open_[one], one))
        payee = min(group, key=lambda one: (-open_[one], one))
        amount = min(-open_[payer], open_[payee])
        yield Payment(payer, payee, amount)
        open_[payer] += amount
        open_[payee] -= amount
