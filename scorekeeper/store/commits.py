"""Detection of changes that any process has committed, for those who follow games live."""

import time
from pathlib import Path
from typing import Protocol

from scorekeeper.store.changes import newest_line
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.pool import connect
from scorekeeper.store.database.store import Store

LOOK = 0.02  # seconds between two polls, each of which takes some microseconds
GameKey = tuple[str, str]  # of a game: its table and its id


def watch_commits(store: Store) -> "Commits":
    """Return what detects changes from now on; the thread that uses it opens it."""
    if store.is_file:
        return PolledCommits(store.path)
    from scorekeeper.store.database.postgresql.notices import Notices
    from scorekeeper.store.database.postgresql.store import PostgresStore

    assert isinstance(store, PostgresStore)
    return Notices(store)


class Commits(Protocol):
    """Detection of changes, with a connection to read them."""

    @property
    def db(self) -> Database: ...

    def changed_games(self) -> list[tuple[GameKey, int]] | None:
        """Wait for some time, and return the games that changed, with their versions before.

        None means that only something else has changed, as when a phone is removed.
        """

    def close(self) -> None: ...


class PolledCommits:
    """Detection of changes in SQLite.

    The connection never writes, as `PRAGMA data_version` does not count its own commits.
    """

    def __init__(self, path: Path):
        self.db = connect(path)
        try:
            self.db.execute("PRAGMA query_only = ON")
            self._newest = newest_line(self.db)
        except BaseException:
            self.db.close()
            raise
        self._seen: int | None = None

    def changed_games(self) -> list[tuple[GameKey, int]] | None:
        time.sleep(LOOK)
        seen = self.db.execute("PRAGMA data_version").fetchone()[0]
        if seen == self._seen:
            return []
        rows = self.db.execute(
            "SELECT table_id, game_id, min(version) - 1, max(sequence) FROM changes "
            "WHERE sequence > ? GROUP BY table_id, game_id",
            [self._newest],
        ).fetchall()
        self._seen = seen
        self._newest = max([self._newest, *(int(row[3]) for row in rows)])
        return [(row[:2], row[2]) for row in rows] or None

    def close(self) -> None:
        """Close the connection."""
        self.db.close()
