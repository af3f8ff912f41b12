"""A year of a table: its finished games, and who won most against luck in them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorekeeper.rules.luck import Luck, added, luck_of, placed
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.players import Player
from scorekeeper.store.records import Ended
from scorekeeper.store.statistics import people_of


class Step(NamedTuple):
    """A finished game: how many sides shared the win, and the place of each of its players."""

    started: str
    rules: str
    rounds: int
    sides: int
    winners: int
    places: Mapping[int, int]

    @property
    def ahead(self) -> dict[int, float]:
        """How many wins above luck the game gave each of its players."""
        luck = 1 / self.sides if self.sides else 0
        won = 1 / self.winners
        return {one: (won if place == 1 else 0) - luck for one, place in self.places.items()}


class Placed(NamedTuple):
    """A player and the wins against luck; `place` is None for too few games."""

    player: Player
    place: int | None
    luck: Luck


def first_start(db: Database, table_id: str) -> str | None:
    """Return when the first game of a table began."""
    return scalar(
        db,
        "SELECT started FROM games WHERE table_id = ? AND removed IS NULL "
        "ORDER BY started, id LIMIT 1",
        [table_id],
    )


def steps_of(ended: Iterable[Ended]) -> list[Step]:
    """Return the games of `ended_games`, in their order."""
    return [_step(list(game)) for _id, game in groupby(ended, lambda one: one.game_id)]


def _step(parts: Sequence[Ended]) -> Step:
    first = parts[0]
    winners = len({one.side for one in parts if one.place == 1}) or 1
    places = {one.player_id: one.place for one in parts}
    return Step(first.started, first.rules, first.rounds, first.sides, winners, places)


def lucks_of(steps: Iterable[Step]) -> dict[int, Luck]:
    """Return the wins against luck of everybody who played in games.

    They are those of `statistics.standings`, without another query.
    """
    counts: dict[tuple[int, int, int], list[int]] = {}
    for step in steps:
        for player_id, place in step.places.items():
            key = (player_id, step.sides, step.winners if place == 1 else 1)
            one = counts.setdefault(key, [0, 0, 0])
            one[0] += 1
            one[1] += place == 1
            one[2] += place
    lucks: dict[int, list[Luck]] = {}
    for (player_id, sides, winners), (games, wins, places) in counts.items():
        lucks.setdefault(player_id, []).append(luck_of(sides, games, wins, winners, places))
    return {player_id: added(parts) for player_id, parts in lucks.items()}


def first_players(db: Database, table_id: str, steps: Iterable[Step], limit: int) -> list[Placed]:
    """Return the first players by wins against luck in games."""
    lucks = lucks_of(steps)
    places = [*placed(lucks).items()][:limit]
    people = people_of(db, table_id, [player_id for player_id, _place in places])
    return [Placed(people[one], place, lucks[one]) for one, place in places]
