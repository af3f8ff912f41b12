"""Awards at the end of a game."""

from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.rules.bidding import Nil, highest_total
from scorekeeper.rules.game import GameState
from scorekeeper.rules.rounds import own_scores
from scorekeeper.rules.sentence import N_, Sentence, shown, signed


class Award(NamedTuple):
    """An award, the seats of each side that shares it, and the figure it is given for.

    Where every player has a total, players share it instead of sides.
    """

    title: Sentence
    seats: tuple[tuple[int, ...], ...]
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

    An award needs a least figure, and is not given when every side would share it. Bags are for
    games in which they are counted toward a penalty.
    """
    rules, sides = state.rules, state.sides
    if state.standing.seat_totals:
        sides = tuple((seat,) for seat in range(state.players))
    figures = {seats: _figures(state, seats) for seats in sides}
    codes = [code for code in LEAST if code != "bags" or rules.bag_limit is not None]
    given = [
        _best(code, {seats: figures[seats][code] for seats in sides}, rules.shown_as)
        for code in codes
    ]
    return [award for award in (*given, _comeback(state)) if award is not None]


def _figures(state: GameState, seats: tuple[int, ...]) -> dict[str, int]:
    """Return the figures of a side, by the code of the award that each is for."""
    scores = [own_scores(state.rules, round_)[seats[0]] for round_ in state.rounds]
    nils_kept = [
        sum(round_.tricks[one] for one in (seats if state.rules.bid_by == "side" else [seat])) == 0
        for round_ in state.rounds
        for seat in seats
        if isinstance(round_.bids[seat], Nil)
    ]
    return {
        "bags": sum(score.overtricks for score in scores),
        "nils_kept": nils_kept.count(True),
        "nils_failed": nils_kept.count(False),
        "exact": sum(score.made is True and not score.overtricks for score in scores),
        "sets": sum(score.made is False for score in scores),
        "round": max((score.points for score in scores), default=0),
    }


def _best(code: str, figures: Mapping[tuple[int, ...], int], shown_as: str) -> Award | None:
    most = max(figures.values())
    best = tuple(seats for seats, figure in figures.items() if figure == most)
    if most < LEAST[code] or len(best) == len(figures):
        return None
    title, why = PRIZES[code]
    return Award(title, best, why.about(n=most, points=signed(most, shown_as)))


def _comeback(state: GameState) -> Award | None:
    """Return the award of a winner that was behind by a fifth of the target, or of the total."""
    if state.outcome is None or state.outcome.winner is None:
        return None
    winner = state.outcome.winner
    standings = [round_.before for round_ in state.rounds]
    gaps = (highest_total(one.totals, one.seats.empty) - one.totals[winner] for one in standings)
    behind = max(gaps, default=0)
    if behind <= 0 or behind * 5 < (state.rules.target or state.standing.totals[winner]):
        return None
    title, why = PRIZES["comeback"]
    return Award(title, (state.sides[winner],), why.about(n=shown(behind, state.rules.shown_as)))
