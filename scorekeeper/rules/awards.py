"""Awards at the end of a game."""

from collections.abc import Callable
from typing import NamedTuple

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import GameState
from scorekeeper.rules.sentence import N_, Sentence, signed


class Award(NamedTuple):
    """An award, the sides that share it, and the figure it is given for."""

    title: Sentence
    sides: tuple[int, ...]
    why: Sentence


# The title of each award and what it is given for, by its code. The phone has the same codes.
PRIZES = {
    "bags": (N_("Bag collector"), N_("{n} bag", "{n} bags")),
    "nils_kept": (N_("Coolest Nil"), N_("{n} Nil kept", "{n} Nils kept")),
    "nils_failed": (N_("Bravest Nil"), N_("{n} Nil that failed", "{n} Nils that failed")),
    "exact": (N_("Sharpest bidder"), N_("{n} round made exactly", "{n} rounds made exactly")),
    "sets": (N_("Greatest optimist"), N_("set {n} time", "set {n} times")),
    "round": (N_("Round of the evening"), N_("{points} in one round")),
    "comeback": (N_("Best comeback"), N_("won from {n} behind")),
}


def awards(state: GameState) -> list[Award]:
    """Return the awards of a game, each to the side or sides with the highest figure.

    An award needs a least figure, and is not given when every side would share it.
    """
    given = [
        _best(state, "bags", _overtricks, 3),
        _best(state, "nils_kept", _nils_kept, 1),
        _best(state, "nils_failed", _nils_failed, 1),
        _best(state, "exact", _exact, 2),
        _best(state, "sets", _sets, 2),
        _best(state, "round", _biggest_round, 1),
        _comeback(state),
    ]
    return [award for award in given if award is not None]


def _best(
    state: GameState, code: str, figure: Callable[[GameState, int], int], least: int
) -> Award | None:
    figures = [figure(state, side) for side in range(len(state.sides))]
    most = max(figures)
    sides = tuple(side for side, number in enumerate(figures) if number == most)
    if most < least or len(sides) == len(figures):
        return None
    return _award(code, sides, most)


def _award(code: str, sides: tuple[int, ...], n: int) -> Award:
    title, why = PRIZES[code]
    return Award(title, sides, why.about(n=n, points=signed(n)))


def _overtricks(state: GameState, side: int) -> int:
    return sum(round_.scores[side].overtricks for round_ in state.rounds)


def _exact(state: GameState, side: int) -> int:
    return sum(
        round_.scores[side].made is True and not round_.scores[side].overtricks
        for round_ in state.rounds
    )


def _sets(state: GameState, side: int) -> int:
    return sum(round_.scores[side].made is False for round_ in state.rounds)


def _biggest_round(state: GameState, side: int) -> int:
    return max(round_.scores[side].points for round_ in state.rounds)


def _nils_kept(state: GameState, side: int) -> int:
    return _nils(state, side, kept=True)


def _nils_failed(state: GameState, side: int) -> int:
    return _nils(state, side, kept=False)


def _nils(state: GameState, side: int, *, kept: bool) -> int:
    return sum(
        isinstance(round_.bids[seat], Nil) and (round_.tricks[seat] == 0) is kept
        for round_ in state.rounds
        for seat in state.sides[side]
    )


def _comeback(state: GameState) -> Award | None:
    """Return the award of a winner that was behind by at least a fifth of the target."""
    if state.outcome is None or state.outcome.winner is None:
        return None
    winner = state.outcome.winner
    behind = max(
        max(round_.before.totals) - round_.before.totals[winner] for round_ in state.rounds
    )
    if behind * 5 < state.rules.target:
        return None
    return _award("comeback", (winner,), behind)
