"""Connections to a database, lent to whoever works with it and taken back after that."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from scorekeeper.sqlite import sqlite3

MOST_FREE = 16  # connections kept open for the next one; each takes a fifth of a megabyte or more
BUSY_SECONDS = 5


def connect(path: Path) -> Database:
    """Open a database; one thread after another may work with it, and never two at once."""
    connection = sqlite3.connect(str(path), timeout=BUSY_SECONDS, check_same_thread=False)
    db = Database(connection, execute_plugins=False)
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    return db


class Pool:
    """The connections of one process: as many as are worked with at once.

    Opening one costs more than most queries, so the one given back last is lent first. Whoever has
    one has it alone.
    """

    def __init__(self, connect: Callable[[], Database]):
        self._connect = connect
        self._free: list[Database] = []
        self._lock = threading.Lock()

    def take(self) -> Database:
        """Return a connection that nobody else works with."""
        with self._lock:
            if self._free:
                return self._free.pop()
        return self._connect()

    def give_back(self, db: Database) -> None:
        """Take a connection back; what was begun on it and not committed never happened."""
        try:
            db.rollback()
        except sqlite3.Error:
            db.close()
            return
        with self._lock:
            if len(self._free) < MOST_FREE:
                self._free.append(db)
                return
        db.close()

    @contextmanager
    def lend(self) -> Iterator[Database]:
        """Lend a connection for as long as the block lasts."""
        db = self.take()
        try:
            yield db
        finally:
            self.give_back(db)

    def close(self) -> None:
        """Close every connection that nobody works with."""
        with self._lock:
            free, self._free = self._free, []
        for db in free:
            db.close()
