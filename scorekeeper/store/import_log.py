"""Imports of a page: the file that waits for one, what it has added, and its undo.

An upload waits for an hour at most, in the database, so that each worker of a server sees it. An
import adds its games in many short transactions. It can be undone as long as nobody has changed
its games.
"""

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from scorekeeper.clock import now, stamp
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.database import Store, in_steps
from scorekeeper.store.games import Game, load_game, load_games
from scorekeeper.store.history import remove_game
from scorekeeper.store.imports import Importing, Match, PreparedGame, write_game
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.players import PLAYER, Player
from scorekeeper.store.tables import random_word

ID_LENGTH = 16
KEPT = timedelta(hours=1)  # how long an upload waits
MOST_KEPT = 3  # of a table
STOPPED = timedelta(minutes=1)  # after its last step; then it may be continued
State = Literal["running", "done", "undoing", "undone"]


class Import(NamedTuple):
    """An import of a table; `games` is how many were new when it began, `done` how many are stored.

    `counts` are those of the games in the file by how they matched, once all were looked at.
    """

    table_id: str
    id: str
    at: str
    touched: str
    state: State
    games: int
    counts: Counter[Match]
    done: int

    @property
    def has_stopped(self) -> bool:
        """Whether its last step was too long ago, as where a server ended during it.

        A step in the future means that the clock was set back.
        """
        since = now() - datetime.fromisoformat(self.touched)
        return self.state in ("running", "undoing") and not timedelta() <= since < STOPPED


def keep_upload(db: Database, table_id: str, data: bytes, at: datetime) -> str:
    """Store a file until it is imported and return its id; older ones are deleted."""
    db.execute("DELETE FROM uploads WHERE at < ?", [stamp(at - KEPT)])
    kept = db.execute(
        "SELECT id FROM uploads WHERE table_id = ? ORDER BY at DESC, id", [table_id]
    ).fetchall()
    for (upload_id,) in kept[MOST_KEPT - 1 :]:
        drop_upload(db, table_id, upload_id)
    upload_id = random_word(ID_LENGTH)
    content = base64.b64encode(zlib.compress(data)).decode()
    db.execute("INSERT INTO uploads VALUES (?, ?, ?, ?)", [table_id, upload_id, stamp(at), content])
    return upload_id


def upload_of(db: Database, table_id: str, upload_id: str) -> bytes | None:
    """Return a file that is kept for a table."""
    query = "SELECT content FROM uploads WHERE table_id = ? AND id = ?"
    content: str | None = scalar(db, query, [table_id, upload_id])
    return zlib.decompress(base64.b64decode(content)) if content else None


def drop_upload(db: Database, table_id: str, upload_id: str) -> None:
    """Delete a file that is kept."""
    db.execute("DELETE FROM uploads WHERE table_id = ? AND id = ?", [table_id, upload_id])


def find_import(db: Database, table_id: str, import_id: str) -> Import | None:
    """Return an import of a table, which has the id of its upload."""
    row = db.execute(
        "SELECT at, touched, state, games, counts, (SELECT count(*) FROM imported "
        "WHERE imported.table_id = imports.table_id AND import_id = imports.id) "
        "FROM imports WHERE table_id = ? AND id = ?",
        [table_id, import_id],
    ).fetchone()
    if row is None:
        return None
    at, touched, state, games, counts, done = row
    return Import(table_id, import_id, at, touched, state, games, Counter(json.loads(counts)), done)


def begin_import(db: Database, table_id: str, import_id: str, games: int, at: datetime) -> bool:
    """Log that an import begins, or goes on after it has stopped; return whether it may.

    It may not where it is running, or was done before.
    """
    found = find_import(db, table_id, import_id)
    if found is None:
        values = [table_id, import_id, stamp(at), stamp(at), "running", games, "{}"]
        db.execute("INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return True
    if found.state != "running" or not found.has_stopped:
        return False
    _touch(db, found, "running")
    return True


def add_games(
    store: Store, begun: Import, games: Iterable[GameRecord], phone_id: str, at: datetime
) -> None:
    """Add the games that the table does not have, as the command does, and log each of them.

    Their journals have been checked.
    """
    adding = Importing(store, begun.table_id, phone_id, at)

    def steps() -> Iterator[None]:
        for prepared in adding.prepare(games):
            if prepared:
                _log(store.db, begun, prepared, _write(store.db, prepared))
            _touch(store.db, begun, "running")
            yield
        stored = len(games_of(store.db, begun))
        # What it had stored before it stopped was found as the same.
        adding.counts["same"] -= stored - adding.counts["new"]
        adding.counts["new"] = stored
        _touch(store.db, begun, "done", json.dumps(adding.counts))
        drop_upload(store.db, begun.table_id, begun.id)

    in_steps(store, steps(), begun.table_id)
    if adding.counts["new"]:
        store.backups.ask()


def _write(db: Database, prepared: PreparedGame) -> list[int]:
    """Store a game and return the ids of its players who are new."""
    newest = "SELECT coalesce(max(id), 0) FROM players WHERE table_id = ?"
    before = scalar(db, newest, [prepared.game.table_id]) or 0
    write_game(db, prepared)
    after = scalar(db, newest, [prepared.game.table_id]) or 0
    return [*range(before + 1, after + 1)]


def _log(db: Database, begun: Import, prepared: PreparedGame, players: list[int]) -> None:
    game = prepared.game
    values = [begun.table_id, begun.id, game.id, game.version, json.dumps(players)]
    db.execute("INSERT INTO imported VALUES (?, ?, ?, ?, ?)", values)


def _touch(db: Database, one: Import, state: State, counts: str = "") -> None:
    db.execute(
        "UPDATE imports SET touched = ?, state = ?, counts = coalesce(nullif(?, ''), counts) "
        "WHERE table_id = ? AND id = ?",
        [stamp(now()), state, counts, one.table_id, one.id],
    )


# Removing a game makes a line of its journal too, so one that was restored has changed.
CHANGED = (
    "SELECT games.id FROM imported JOIN games "
    "ON games.table_id = imported.table_id AND games.id = imported.game_id "
    "WHERE imported.table_id = ? AND import_id = ? AND removed IS NULL "
    "AND games.version <> imported.version ORDER BY games.started, games.id LIMIT ?"
)
LISTED = 10  # games that were changed


def changed_games(db: Database, one: Import) -> list[Game]:
    """Return the first games of an import that somebody has changed since."""
    rows = db.execute(CHANGED, [one.table_id, one.id, LISTED]).fetchall()
    return load_games(db, one.table_id, [game_id for (game_id,) in rows])


def begin_undo(db: Database, one: Import) -> list[Game] | None:
    """Log that an undo begins, and return None; or return the changed games that forbid it.

    An empty list says that the import is not done, or being undone.
    """
    if one.state != "done" and not (one.state == "undoing" and one.has_stopped):
        return []
    if one.state == "done" and (changed := changed_games(db, one)):
        return changed
    _touch(db, one, "undoing")
    return None


def remove_games(
    store: Store, one: Import, game_ids: Iterable[str], phone_id: str, at: datetime
) -> None:
    """Remove the games of an import, each as somebody would, but those changed meanwhile."""

    def steps() -> Iterator[None]:
        for game_id in game_ids:
            game = load_game(store.db, one.table_id, game_id)
            if game and game.version == _version(store.db, one, game_id):
                remove_game(store.db, game, phone_id, at)
            _touch(store.db, one, "undoing")
            yield
        _touch(store.db, one, "undone")

    in_steps(store, steps(), one.table_id)


def _version(db: Database, one: Import, game_id: str) -> int | None:
    query = "SELECT version FROM imported WHERE table_id = ? AND import_id = ? AND game_id = ?"
    version: int | None = scalar(db, query, [one.table_id, one.id, game_id])
    return version


class Added(NamedTuple):
    """What an import has added: when its games began, and the players who were new."""

    started: list[str]
    players: list[Player]


def added_by(db: Database, one: Import) -> Added:
    """Return what an import has added."""
    rows = db.execute(
        "SELECT started, players FROM imported JOIN games "
        "ON games.table_id = imported.table_id AND games.id = imported.game_id "
        "WHERE imported.table_id = ? AND import_id = ? ORDER BY started",
        [one.table_id, one.id],
    ).fetchall()
    ids = [player_id for _started, ids in rows for player_id in json.loads(ids)]
    places = ", ".join("?" * len(ids)) or "NULL"
    found = db.execute(
        f"SELECT {PLAYER} FROM players WHERE table_id = ? AND id IN ({places}) "
        "AND merged_into IS NULL ORDER BY id",
        [one.table_id, *ids],
    ).fetchall()
    return Added([started for started, _ids in rows], [*map(Player.of_row, found)])


def left_by(db: Database, one: Import) -> int:
    """Return how many games of an import are not removed."""
    return (
        scalar(
            db,
            "SELECT count(*) FROM imported JOIN games ON games.table_id = imported.table_id "
            "AND games.id = imported.game_id "
            "WHERE imported.table_id = ? AND import_id = ? AND removed IS NULL",
            [one.table_id, one.id],
        )
        or 0
    )


def games_of(db: Database, one: Import) -> list[str]:
    """Return the ids of the games that an import has added."""
    query = "SELECT game_id FROM imported WHERE table_id = ? AND import_id = ?"
    return [row[0] for row in db.execute(query, [one.table_id, one.id]).fetchall()]
