"""Deletion of the games that a killed import left behind, at the next start."""

import logging
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile

from scorekeeper.store.database.batches import in_steps
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.database.store import Store

AT_ONCE = 100  # rows deleted in one statement
GAMES_AT_ONCE = 20
CHILDREN = ("changes", "outcomes")  # results have no row ids

log = logging.getLogger(__name__)


class CleanUp:
    """Deletes abandoned imports in a background thread, unless an import is running."""

    def __init__(self, store: Store):
        self._store = store
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clean up", daemon=True)
        with suppress(StoreError):  # the check of the file reports what is wrong with it
            if abandoned(store.db):
                self._thread.start()
        store.release()

    def end(self) -> None:
        """Stop, because the program ends; the next start deletes the rest."""
        self._ending.set()
        self.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all is deleted, at most `timeout` seconds; return whether that has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        held = self._store.hold_imports()
        if held is None:
            return
        try:
            delete_abandoned(self._store, self._ending)
        except StoreError as error:
            log.warning("an import that was killed is not deleted yet: %s", error)
        finally:
            held.release()
            self._store.release()


def delete_abandoned(store: Store, ending: threading.Event | None = None) -> None:
    """Delete the games of every abandoned import; the caller holds the lock of imports.

    It stops early once `ending` is set.
    """
    for table_id, import_id in abandoned(store.db):
        rows = _delete(store.db, table_id, import_id)
        # All rows that refer to a game are deleted before it, so keys need not be checked.
        with store.unchecked():
            in_steps(store, takewhile(lambda _: not (ending and ending.is_set()), rows), table_id)


def abandoned(db: Database) -> list[tuple[str, str]]:
    """Return table and id of unpublished imports, abandoned if the lock of imports is free."""
    rows = db.execute("SELECT DISTINCT table_id, import_id FROM games WHERE import_id > ''")
    return rows.fetchall()


def _delete(db: Database, table_id: str, import_id: str) -> Iterator[None]:
    """Delete games of an import; the transaction may be committed wherever it yields."""
    while games := db.execute(
        "SELECT id FROM games WHERE table_id = ? AND import_id = ? LIMIT ?",
        [table_id, import_id, GAMES_AT_ONCE],
    ).fetchall():
        ids = [game_id for (game_id,) in games]
        places = ", ".join("?" * len(ids))
        for table in CHILDREN:
            statement = (
                f"DELETE FROM {table} WHERE {db.ROW_ID} IN (SELECT {db.ROW_ID} FROM {table} "
                f"WHERE table_id = ? AND game_id IN ({places}) LIMIT {AT_ONCE})"
            )
            while db.delete_unguarded(statement, [table_id, *ids]):
                yield
        for name, column in (("results", "game_id"), ("games", "id")):
            of_table = f"DELETE FROM {name} WHERE table_id = ?"
            db.execute(f"{of_table} AND {column} IN ({places})", [table_id, *ids])
            yield
    db.execute(
        "DELETE FROM players WHERE table_id = ? AND merged_into IS NULL AND id NOT IN ("
        "SELECT player_id FROM seats WHERE table_id = ? UNION ALL "
        "SELECT player_id FROM substitutes WHERE table_id = ? AND player_id IS NOT NULL) "
        # Redo may need a player whose seat change was undone.
        "AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.table_id = players.table_id "
        "AND round IS NOT NULL AND instr(after, '\"player\": ' || players.id || '}') > 0) "
        "AND NOT EXISTS (SELECT 1 FROM players AS gone "
        "WHERE gone.table_id = players.table_id AND gone.merged_into = players.id)",
        [table_id] * 3,
    )
