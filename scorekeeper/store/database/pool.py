"""Connections to a database, lent to whoever works with it and taken back after that."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database

from scorekeeper.sqlite import sqlite3

MOST_FREE = 16  # connections kept open for the next one; each takes a fifth of a megabyte or more
BUSY_SECONDS = 5.0  # to wait for a lock in all
SHORT_WAIT = PAUSE = 0.005  # seconds: inside SQLite, and between two tries
Result = TypeVar("Result")


class Busy(sqlite3.OperationalError):
    """The database was locked by others for as long as anybody waits; nothing was changed."""


class Connection(sqlite3.Connection):
    """A connection that waits for a locked database without stopping anybody else.

    SQLite's own wait stops its thread, and under gevent that is the whole worker. So SQLite waits
    shortly, and the statement is tried again after a sleep, in which other greenlets run.
    """

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Run a statement. Raises `Busy` where the database stays locked."""
        try:
            return super().execute(*statement)
        except sqlite3.OperationalError as error:
            if not _may_end(error):
                raise
        again = partial(super().execute, *statement)
        return _retry(again, time.monotonic() + BUSY_SECONDS)

    def begin_writing(self, until: float) -> None:
        """Begin a transaction that writes, or raise `Busy` at a moment of the monotonic clock."""
        _retry(partial(super().execute, "BEGIN IMMEDIATE"), until)


def _retry(call: Callable[[], Result], until: float) -> Result:
    while True:
        try:
            return call()
        except sqlite3.OperationalError as error:
            if not _may_end(error):
                raise
            if time.monotonic() >= until:
                raise Busy(str(error)) from error
        time.sleep(PAUSE)


def _may_end(error: sqlite3.OperationalError) -> bool:
    """Return whether a lock of others is in the way, and not a statement of this connection."""
    code = getattr(error, "sqlite_errorcode", 0)
    return (
        code & 0xFF == sqlite3.SQLITE_BUSY
        and code != sqlite3.SQLITE_BUSY_SNAPSHOT
        and str(error) == "database is locked"
    )


def connect(path: Path) -> Database:
    """Open a database; one thread after another may work with it, and never two at once."""
    connection = sqlite3.connect(
        str(path), timeout=SHORT_WAIT, check_same_thread=False, factory=Connection
    )
    try:
        db = Database(connection, execute_plugins=False)
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
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
    def borrow(self) -> Iterator[Database]:
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
