"""What a finished game is remembered for: prizes nobody asked for."""

from collections.abc import Callable
from typing import NamedTuple

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import Scoreboard
from scorekeeper.rules.sentence import N_, Sentence, signed


class Award(NamedTuple):
    """A prize, the sides that share it, and the figure it is given for."""

    title: Sentence
    sides: tuple[int, ...]
    why: Sentence


def awards(board: Scoreboard) -> list[Award]:
    """Return the prizes of a game, each to the side or sides with the highest figure.

    A prize needs a figure worth telling, and is not given when every side would share it.
    """
    given = [
        _best(board, _overtricks, 3, N_("Bag collector"), _bags_told),
        _best(board, _nils_kept, 1, N_("Coolest Nil"), _nils_told),
        _best(board, _nils_failed, 1, N_("Bravest Nil"), _failed_told),
        _best(board, _exact, 2, N_("Sharpest bidder"), _exact_told),
        _best(board, _sets, 2, N_("Greatest optimist"), _sets_told),
        _best(board, _biggest_round, 1, N_("Round of the evening"), _round_told),
        _comeback(board),
    ]
    return [award for award in given if award is not None]


def _best(
    board: Scoreboard,
    figure: Callable[[Scoreboard, int], int],
    least: int,
    title: Sentence,
    told: Callable[[int], Sentence],
) -> Award | None:
    figures = [figure(board, side) for side in range(len(board.sides))]
    most = max(figures)
    sides = tuple(side for side, number in enumerate(figures) if number == most)
    if most < least or len(sides) == len(figures):
        return None
    return Award(title, sides, told(most))


def _overtricks(board: Scoreboard, side: int) -> int:
    return sum(round_.scores[side].overtricks for round_ in board.rounds)


def _exact(board: Scoreboard, side: int) -> int:
    return sum(
        round_.scores[side].made is True and not round_.scores[side].overtricks
        for round_ in board.rounds
    )


def _sets(board: Scoreboard, side: int) -> int:
    return sum(round_.scores[side].made is False for round_ in board.rounds)


def _biggest_round(board: Scoreboard, side: int) -> int:
    return max(round_.scores[side].points for round_ in board.rounds)


def _nils_kept(board: Scoreboard, side: int) -> int:
    return _nils(board, side, kept=True)


def _nils_failed(board: Scoreboard, side: int) -> int:
    return _nils(board, side, kept=False)


def _nils(board: Scoreboard, side: int, *, kept: bool) -> int:
    return sum(
        isinstance(round_.bids[seat], Nil) and (round_.tricks[seat] == 0) is kept
        for round_ in board.rounds
        for seat in board.sides[side]
    )


def _comeback(board: Scoreboard) -> Award | None:
    """Return the winner's prize for having been far behind: a fifth of the target at least."""
    if board.outcome is None or board.outcome.winner is None:
        return None
    winner = board.outcome.winner
    behind = max(
        max(round_.before.totals) - round_.before.totals[winner] for round_ in board.rounds
    )
    if behind * 5 < board.rules.target:
        return None
    return Award(N_("Best comeback"), (winner,), N_("won from {n} behind", n=behind))


def _bags_told(n: int) -> Sentence:
    return N_("{n} bag", "{n} bags", n=n)


def _nils_told(n: int) -> Sentence:
    return N_("{n} Nil kept", "{n} Nils kept", n=n)


def _failed_told(n: int) -> Sentence:
    return N_("{n} Nil that failed", "{n} Nils that failed", n=n)


def _exact_told(n: int) -> Sentence:
    return N_("{n} round made exactly", "{n} rounds made exactly", n=n)


def _sets_told(n: int) -> Sentence:
    return N_("set {n} time", "set {n} times", n=n)


def _round_told(n: int) -> Sentence:
    return N_("{points} in one round", points=signed(n))
