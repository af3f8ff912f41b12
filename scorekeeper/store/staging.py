"""Games on their way in: written where nobody sees them, then shown all at once.

SQLite has one writer at a time, so an import is many short transactions between which phones write.
What it writes belongs to a table of its own that no key opens, and its games are marked as removed,
so that whoever looks at the games of a table, or at all that count, does not meet them. One last
transaction hands them to the table they are meant for. What is left of an import that was killed
is deleted at the next start or before the next import.
"""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from sqlite_utils import Database

from scorekeeper.clock import stamp
from scorekeeper.player_names import name_key
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.abandoned_imports import AT_ONCE, LOCK, PREFIX, delete_abandoned
from scorekeeper.store.database.batches import in_steps, snapshot
from scorekeeper.store.database.lock import Held, hold
from scorekeeper.store.database.store import Store
from scorekeeper.store.games import Game
from scorekeeper.store.hash_chain import add_line
from scorekeeper.store.new_games import GameSetup, insert_game, player_of_name
from scorekeeper.store.rounds import store_round
from scorekeeper.store.stats import totals_check
from scorekeeper.store.stats.result_rows import COLUMNS, expected, expected_outcome
from scorekeeper.store.stats.streaks import recount_streaks
from scorekeeper.store.tables import random_word

LOOK = 0.05  # seconds between two looks whether another import has ended


class ImportRunning(Exception):
    """Another file is being imported into this database."""


class ChangedMeanwhile(Exception):
    """What the games were prepared for is not so any more: import them again."""


class Arrival(NamedTuple):
    """A game with everything that is stored of it, before its players are known here.

    `game` belongs to the table it is meant for, `lines` are the rows of its journal, and `scored`
    says when each round was scored.
    """

    game: Game
    lines: list[dict[str, Any]]
    scored: list[datetime]


@contextmanager
def staged(store: Store, table_id: str, at: datetime, patience: float) -> Iterator["Staging"]:
    """Give a place to prepare games for a table; what was not shown at the end is deleted.

    Only one import runs at a time: raises `ImportRunning` after so many seconds of waiting.
    """
    held = _alone(store, patience)
    try:
        delete_abandoned(store)
        staging = Staging(store, PREFIX + random_word(10), table_id)
        with store.write() as db:
            db.execute("INSERT INTO tables VALUES (?, ?)", [staging.id, stamp(at)])
        try:
            yield staging
        finally:
            with suppress(sqlite3.Error):  # then the next start deletes it
                totals_check.forget(store.db)
                delete_abandoned(store)
    finally:
        held.release()


class Staging:
    """Games that are being prepared for a table."""

    def __init__(self, store: Store, staging_id: str, table_id: str):
        self.id, self.table_id, self._store = staging_id, table_id, store

    def write(self, arrivals: Iterable[Arrival]) -> None:
        """Store games where nobody sees them."""
        in_steps(self._store, self._rows(arrivals))

    def count(self) -> None:
        """Add up what the games will give their players, before they are shown."""
        with snapshot(self._store.db):
            totals_check.count(self._store.db, "games.table_id = ?", [self.id])

    def show(self, db: Database, but: Iterable[str] = ()) -> None:
        """Hand the games that were counted over to their table, but for some of them.

        Raises `ChangedMeanwhile` where players were renamed so that two of one game are the same.
        """
        left_out = [(game_id,) for game_id in but]
        db.conn.executemany("DELETE FROM temp.counted_games WHERE game_id = ?", left_out)
        due = db.execute("SELECT count(DISTINCT game_id) FROM temp.counted_games").fetchone()[0]
        shown = db.execute(
            "UPDATE games SET table_id = ?, removed = NULL "
            "WHERE table_id = ? AND id IN (SELECT game_id FROM temp.counted_games)",
            [self.table_id, self.id],
        )
        if shown.rowcount != due:
            raise ChangedMeanwhile
        self._hand_over_players(db)
        moved = db.execute(
            "UPDATE temp.counted_games SET player_id = "
            "(SELECT merged_into FROM players WHERE id = player_id) "
            "WHERE player_id IN (SELECT id FROM players WHERE merged_into IS NOT NULL)"
        )
        if left_out or moved.rowcount:
            totals_check.add_up(db)
        totals_check.add_counted(db, self.table_id)
        for player_id in totals_check.players_with_more(db):
            recount_streaks(db, player_id)

    def _rows(self, arrivals: Iterable[Arrival]) -> Iterator[None]:
        for arrival in arrivals:
            yield from self._write(self._store.db, arrival)

    def _write(self, db: Database, arrival: Arrival) -> Iterator[None]:
        """Store a game; others may write wherever it yields."""
        game, lines = arrival.game, arrival.lines
        players = [self._player(db, name) for name in game.names]
        setup = GameSetup(game.rules, game.names, game.first_dealer, game.stake)
        started = datetime.fromisoformat(game.started)
        insert_game(db, game.id, self.id, setup, players, started)
        db.execute(
            "UPDATE games SET version = ?, changed = ?, removed = changed WHERE id = ?",
            [game.version, game.changed, game.id],
        )
        begun = json.dumps(json.loads(lines[0]["after"]) | {"players": players})
        for line in [lines[0] | {"after": begun}, *lines[1:]]:
            add_line(db, line)
            yield
        for number, (round_, at) in enumerate(zip(game.rounds, arrival.scored, strict=True), 1):
            store_round(db, game.id, number, round_, at)
            yield
        results, places = expected(game), ", ".join("?" * COLUMNS)
        while rows := list(islice(results, AT_ONCE)):
            db.conn.executemany(f"INSERT INTO results VALUES ({places})", rows)
            yield
        if outcome := expected_outcome(game):
            db.execute("INSERT INTO outcomes VALUES (?, ?, ?, ?)", outcome)

    def _player(self, db: Database, name: str) -> int:
        """Return the player of this name at the table, else one that it does not see yet."""
        here = _player_called(db, self.table_id, name_key(name))
        return player_of_name(db, self.id, name) if here is None else here

    def _hand_over_players(self, db: Database) -> None:
        """Let the table have its new players; one who came there meanwhile is the same person."""
        new = db.execute(
            "SELECT id, same_name FROM players WHERE table_id = ? AND merged_into IS NULL",
            [self.id],
        )
        for player_id, name in new.fetchall():
            if not _has_played(db, player_id, self.table_id):
                continue
            here = _player_called(db, self.table_id, name)
            if here is not None:
                try:
                    pair = [here, player_id]
                    db.execute("UPDATE seats SET player_id = ? WHERE player_id = ?", pair)
                except sqlite3.IntegrityError as error:
                    raise ChangedMeanwhile from error
            db.execute(
                "UPDATE players SET table_id = ?, merged_into = ? WHERE id = ?",
                [self.table_id, here, player_id],
            )


def _player_called(db: Database, table_id: str, name: str) -> int | None:
    row = db.execute(
        "SELECT id FROM players WHERE table_id = ? AND same_name = ? AND merged_into IS NULL",
        [table_id, name],
    ).fetchone()
    return None if row is None else int(row[0])


def _has_played(db: Database, player_id: int, table_id: str) -> bool:
    row = db.execute(
        "SELECT 1 FROM seats JOIN games ON games.id = game_id "
        "WHERE player_id = ? AND table_id = ? LIMIT 1",
        [player_id, table_id],
    ).fetchone()
    return row is not None


def _alone(store: Store, patience: float) -> Held:
    """Return the lock of imports once it is free."""
    until = time.monotonic() + patience
    while (held := hold(store.path.parent / LOCK, alone=True, wait=False)) is None:
        if time.monotonic() > until:
            raise ImportRunning
        time.sleep(LOOK)
    return held
