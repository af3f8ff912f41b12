"""The bags of a game by round, as a chart and a table."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.rules.scoring import SideScore
from scorekeeper.store.games import Game
from scorekeeper.web.game import charts
from scorekeeper.web.text.numbers import signed
from scorekeeper.web.text.wording import listed


class SideHead(NamedTuple):
    """The head of a side's column; `n` is the number of its first seat."""

    n: int
    names: Markup


class BagsCell(NamedTuple):
    """A side's overtricks in a round, the penalty if it paid one, and the bags it has then."""

    overtricks: str
    penalty: str
    bags: int


class BagsRow(NamedTuple):
    """The bags of a round; `game_id` is empty where the round is not linked to."""

    game_id: str
    number: int
    cells: list[BagsCell]


class BagsTaken(NamedTuple):
    """The bags of a game, the newest round first."""

    chart: Markup
    sides: list[SideHead]
    rows: list[BagsRow]


def bags_taken(game: Game, *, linked: bool = True) -> BagsTaken | None:
    """Return the bags of a game; None where there are none, or where they cost nothing."""
    state, chart = game.state, charts.bags(game)
    if not chart:
        return None
    sides = enumerate(state.sides)
    return BagsTaken(
        chart,
        [SideHead(seats[0] + 1, listed(game.side_names(side))) for side, seats in sides],
        [
            BagsRow(game.id if linked else "", played.number, [*map(_cell, played.scores)])
            for played in reversed(state.rounds)
        ],
    )


def _cell(score: SideScore) -> BagsCell:
    penalty = signed(score.bag_penalty) if score.bag_penalty else ""
    return BagsCell(signed(score.overtricks), penalty, score.bags)
