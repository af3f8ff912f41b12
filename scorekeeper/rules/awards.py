"""Awards at the end of a game."""

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
    "bags": (N_("Most bags"), N_("{n} bag", "{n} bags")),
    "nils_kept": (N_("Coolest Nil"), N_("{n} Nil made", "{n} Nils made")),
    "nils_failed": (N_("Bravest Nil"), N_("{n} failed Nil", "{n} failed Nils")),
    "exact": (N_("Most exact bids"), N_("{n} exact round", "{n} exact rounds")),
    "sets": (N_("Most optimistic"), N_("set {n} time", "set {n} times")),
    "round": (N_("Biggest round"), N_("{points} in one round")),
    "comeback": (N_("Best comeback"), N_("won from {n} behind")),
}
LEAST = {"bags": 3, "nils_kept": 1, "nils_failed": 1, "exact": 2, "sets": 2, "round": 1}


def awards(state: GameState) -> list[Award]:
    """Return the awards of a game, each to the side or sides with the highest figure.

    An award needs a least figure, and is not given when every side would share it.
    """
    by_side = [_figures(state, side) for side in range(len(state.sides))]
    given = [
        _best(code, [figures[code] for figures in by_side], state.rules.shown_as) for code in LEAST
    ]
    return [award for award in (*given, _comeback(state)) if award is not None]


def _figures(state: GameState, side: int) -> dict[str, int]:
    """Return the figures of a side, by the code of the award that each is for."""
    scores = [round_.scores[side] for round_ in state.rounds]
    nils_kept = [
        round_.tricks[seat] == 0
        for round_ in state.rounds
        for seat in state.sides[side]
        if isinstance(round_.bids[seat], Nil)
    ]
    return {
        "bags": sum(score.overtricks for score in scores),
        "nils_kept": nils_kept.count(True),
        "nils_failed": nils_kept.count(False),
        "exact": sum(score.made is True and not score.overtricks for score in scores),
        "sets": sum(score.made is False for score in scores),
        "round": max(score.points for score in scores),
    }


def _best(code: str, figures: list[int], shown_as: str) -> Award | None:
    most = max(figures)
    sides = tuple(side for side, figure in enumerate(figures) if figure == most)
    if most < LEAST[code] or len(sides) == len(figures):
        return None
    return _award(code, sides, most, shown_as)


def _award(code: str, sides: tuple[int, ...], n: int, shown_as: str) -> Award:
    title, why = PRIZES[code]
    return Award(title, sides, why.about(n=n, points=signed(n, shown_as)))


def _comeback(state: GameState) -> Award | None:
    """Return the award of a winner that was behind by a fifth of the target, or of the total."""
    if state.outcome is None or state.outcome.winner is None:
        return None
    winner = state.outcome.winner
    behind = max(
        max(round_.before.totals) - round_.before.totals[winner] for round_ in state.rounds
    )
    if behind <= 0 or behind * 5 < (state.rules.target or state.standing.totals[winner]):
        return None
    return _award("comeback", (winner,), behind, state.rules.shown_as)
