"""Staging of imported games: written in short transactions, then published in one.

SQLite has one writer at a time, so an import leaves room for phones to write in between. Its games
have an `import_id` and are marked as removed, so that no query of games finds them. The last
transaction publishes them. What an import that was killed has left is deleted at the next start or
before the next import.
"""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import Any, NamedTuple

from scorekeeper.store.abandoned_imports import AT_ONCE, delete_abandoned
from scorekeeper.store.database.batches import in_steps
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.database.store import Lock, Store
from scorekeeper.store.games import Game
from scorekeeper.store.hash_chain import add_line
from scorekeeper.store.new_games import GameSetup, insert_game
from scorekeeper.store.player_ids import player_of_name, with_ids
from scorekeeper.store.rounds import join_rounds, write_round
from scorekeeper.store.stats import player_games
from scorekeeper.store.stats.result_rows import (
    INSERT,
    INSERT_OUTCOME,
    expected,
    expected_outcome,
)
from scorekeeper.store.tables import random_word

POLL = 0.05  # seconds between two attempts to take the lock of imports
# The rows of players wait in a temporary table, as statistics read all that are stored.
ROWS = f"""
CREATE TEMP TABLE staged_players AS
SELECT {", ".join(player_games.COLUMNS)} FROM player_games WHERE 1 = 0
"""


class ImportRunning(Exception):
    """Another file is being imported into this database."""


class ChangedMeanwhile(Exception):
    """Players of the table have changed since the games were prepared: import them again."""


class PreparedGame(NamedTuple):
    """A game with all its rows, except for the ids of its players.

    `lines` are the rows of its journal.
    """

    game: Game
    lines: list[dict[str, Any]]


@contextmanager
def staged(store: Store, table_id: str, patience: float) -> Iterator["Staging"]:
    """Provide the staging of an import; games that were not published at its end are deleted.

    Only one import runs at a time: raises `ImportRunning` after `patience` seconds.
    """
    held = _alone(store, patience)
    try:
        delete_abandoned(store)
        store.db.execute("DROP TABLE IF EXISTS staged_players")
        store.db.execute(ROWS)
        try:
            yield Staging(store, random_word(10), table_id)
        finally:
            with suppress(StoreError):  # then the next start deletes it
                store.db.execute("DROP TABLE IF EXISTS staged_players")
                delete_abandoned(store)
    finally:
        held.release()


class Staging:
    """The staging of one import."""

    def __init__(self, store: Store, import_id: str, table_id: str):
        self.id, self.table_id, self._store = import_id, table_id, store

    def write(self, prepared_games: Iterable[PreparedGame]) -> None:
        """Store games, which nobody sees yet."""
        in_steps(self._store, chain.from_iterable(map(self._write, prepared_games)), self.table_id)

    def show(self, db: Database, but: Iterable[str] = ()) -> None:
        """Publish the games that were written, except for the ids in `but`.

        Raises `ChangedMeanwhile` where not all of them are there any more.
        """
        db.executemany("DELETE FROM staged_players WHERE game_id = ?", [(one,) for one in but])
        due = db.execute("SELECT count(DISTINCT game_id) FROM staged_players").fetchone()[0]
        shown = db.execute(
            "UPDATE games SET import_id = NULL, removed = NULL WHERE table_id = ? "
            "AND import_id = ? AND id IN (SELECT game_id FROM staged_players)",
            [self.table_id, self.id],
        )
        if shown.rowcount != due:
            raise ChangedMeanwhile
        db.execute(
            "UPDATE staged_players SET player_id = (SELECT merged_into FROM players "
            "WHERE players.table_id = staged_players.table_id AND players.id = player_id) "
            "WHERE player_id IN "
            "(SELECT id FROM players WHERE table_id = ? AND merged_into IS NOT NULL)",
            [self.table_id],
        )
        columns = ", ".join(player_games.COLUMNS)
        db.execute(
            f"INSERT INTO player_games ({columns}) SELECT {columns} FROM staged_players "
            "ORDER BY player_id, started, game_id"
        )

    def _write(self, prepared: PreparedGame) -> Iterator[None]:
        """Store a game; its transaction may be committed wherever it yields."""
        db, game, lines = self._store.db, prepared.game, prepared.lines
        players = [player_of_name(db, self.table_id, name) for name in game.starters]
        setup = GameSetup(game.rules, game.starters, game.first_dealer, game.stake)
        started = datetime.fromisoformat(game.started)
        insert_game(db, game.id, self.table_id, setup, players, started, self.id)
        db.execute(
            "UPDATE games SET version = ?, changed = ?, removed = changed "
            "WHERE table_id = ? AND id = ?",
            [game.version, game.changed, self.table_id, game.id],
        )
        begun = json.dumps(json.loads(lines[0]["after"]) | {"players": players})
        hash_ = ""
        for line in [lines[0] | {"after": begun}, *lines[1:]]:
            if line["round"] is not None:
                sides = ("before", "after")
                line |= {side: with_ids(db, self.table_id, line[side]) for side in sides}
            hash_ = add_line(db, line, hash_)
            yield
        rounds = [with_ids(db, self.table_id, write_round(one)) or "" for one in game.rounds]
        db.execute(
            "UPDATE games SET rounds = ? WHERE table_id = ? AND id = ?",
            [join_rounds(rounds), self.table_id, game.id],
        )
        results = expected(game)
        while some := list(islice(results, AT_ONCE)):
            db.executemany(INSERT, some)
            yield
        if outcome := expected_outcome(game):
            db.execute(INSERT_OUTCOME, outcome)
        seated = replace(game, player_ids=tuple(players))
        rows = player_games.player_rows(seated, player_games.seating_of(db, seated))
        db.executemany(player_games.INSERT.replace("player_games", "staged_players"), rows)


def _alone(store: Store, patience: float) -> Lock:
    """Take the lock of imports. Raises `ImportRunning` where it is not free in time."""
    until = time.monotonic() + patience
    while (held := store.hold_imports()) is None:
        if time.monotonic() > until:
            raise ImportRunning
        time.sleep(POLL)
    return held
