"""Whole games with their journals, for export and import."""

import json
from typing import Any, NamedTuple

from scorekeeper.rules.game import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, people_of, read_round
from scorekeeper.store.players import with_names

LOCAL = ("table_id", "players")  # ids in a setup that mean nothing in another database
Setup = dict[str, Any]


class Line(NamedTuple):
    """A line of a journal; `before` and `after` are a round or a setup, see `hash_chain`."""

    at: str
    phone: str | None
    kind: str
    round: int | None
    before: Round | Setup | None
    after: Round | Setup | None
    stands: int
    follows: int | None


class GameRecord(NamedTuple):
    """Everything about a game, independent of a database.

    A game from a CSV file has no `lines`; its `id` and `started` may be empty too.
    """

    id: str
    started: str
    rules: RuleSet
    starters: tuple[str, ...]
    first_dealer: int
    stake: int | None
    rounds: tuple[Round, ...]
    lines: tuple[Line, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """All who sat at the table, in the order in which they came."""
        return people_of(self.starters, self.rounds)


def game_record(db: Database, game: Game) -> GameRecord:
    """Return a game with its journal."""
    rows = db.query(
        "SELECT at, coalesce(changes.label, phones.label) AS phone, kind, round, before, after,"
        " stands, follows FROM changes LEFT JOIN phones"
        " ON phones.table_id = changes.table_id AND phones.id = phone_id"
        " WHERE changes.table_id = ? AND game_id = ? ORDER BY version",
        [game.table_id, game.id],
    )
    return GameRecord(
        id=game.id,
        started=game.started,
        rules=game.rules,
        starters=game.starters,
        first_dealer=game.first_dealer,
        stake=game.stake,
        rounds=game.rounds,
        lines=tuple(_line(db, game, row) for row in list(rows)),
    )


def _line(db: Database, game: Game, row: dict[str, Any]) -> Line:
    sides: dict[str, Round | Setup | None] = {}
    for side in ("before", "after"):
        if row["round"] is not None:
            sides[side] = read_round(with_names(db, game.table_id, row[side]))
        else:
            setup = json.loads(row[side]) if row[side] else None
            sides[side] = setup and {k: v for k, v in setup.items() if k not in LOCAL}
    return Line(**{**row, **sides})
