"""Connections to SQLite, as all of the store uses them, and the idle ones of a process."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, Full, LifoQueue
from typing import Any, TypeVar

import sqlite_utils

from scorekeeper.store.connection import Changes, StoreError, errors_of_sqlite, sqlite3

BUSY_SECONDS = 5.0  # to wait for a lock in total
SHORT_WAIT = PAUSE = 0.005  # seconds: inside SQLite, and between two attempts
Result = TypeVar("Result")


class Cursor(sqlite3.Cursor):
    """The answer to a statement, which raises errors of the store while it is read."""

    def fetchone(self) -> Any:
        with errors_of_sqlite():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with errors_of_sqlite():
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # sqlite3's own returns itself
        with errors_of_sqlite():
            while (row := super().fetchone()) is not None:
                yield row


class Connection(sqlite3.Connection):
    """A connection that waits for a locked database without blocking other greenlets.

    SQLite's busy handler blocks its thread, and under gevent that is the whole worker. So SQLite
    waits only shortly, and the statement is retried after a sleep. Its errors are raised as those
    of the store.
    """

    def cursor(self) -> Cursor:  # type: ignore[override]  # no other class can be asked for
        return super().cursor(Cursor)

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Execute a statement. Raises `StoreBusy` where the database stays locked."""
        cursor = self.cursor()  # sqlite3's own method would make one of its own class
        with errors_of_sqlite():
            try:
                return cursor.execute(*statement)
            except sqlite3.OperationalError as error:
                if not _may_end(error):
                    raise
            again = partial(cursor.execute, *statement)
            return _retry(again, time.monotonic() + BUSY_SECONDS)

    def executemany(self, *statement: Any) -> sqlite3.Cursor:
        with errors_of_sqlite():
            return super().executemany(*statement)

    def commit(self) -> None:
        with errors_of_sqlite():
            super().commit()

    def rollback(self) -> None:
        with errors_of_sqlite():
            super().rollback()

    def begin_writing(self, until: float) -> None:
        """Begin a write transaction. `until` is a time of the monotonic clock.

        Raises `StoreBusy` where the database stays locked.
        """
        with errors_of_sqlite():
            _retry(partial(super().execute, "BEGIN IMMEDIATE"), until)


def _retry(call: Callable[[], Result], until: float) -> Result:
    while True:
        try:
            return call()
        except sqlite3.OperationalError as error:
            if not _may_end(error):
                raise
            if time.monotonic() >= until:
                raise
        time.sleep(PAUSE)


def _may_end(error: sqlite3.OperationalError) -> bool:
    """Return whether a lock of another connection is the cause, so that a retry can succeed."""
    code = getattr(error, "sqlite_errorcode", 0)
    return (
        code & 0xFF == sqlite3.SQLITE_BUSY
        and code != sqlite3.SQLITE_BUSY_SNAPSHOT
        and str(error) == "database is locked"
    )


class SQLiteDatabase(sqlite_utils.Database):
    """A connection to SQLite as all of the store uses it."""

    conn: Connection

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection, execute_plugins=False)
        self.changes = Changes()

    @property
    def in_transaction(self) -> bool:
        return self.conn.in_transaction

    def query(self, sql: str, params: Any = None) -> Generator[dict[str, Any], None, None]:
        """Return the rows that a SELECT finds, by the names of its columns.

        The method of sqlite-utils sets a savepoint around each, since it may get any statement.
        """
        rows = self.execute(sql, params)
        names = [column[0] for column in rows.description]
        return (dict(zip(names, row, strict=True)) for row in rows)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute a statement with each of many rows of values."""
        self.conn.executemany(sql, rows)

    def begin_snapshot(self) -> None:
        self.execute("BEGIN")

    def lock_table(self, table_id: str) -> None:
        """Do nothing: a writer has the whole database for itself."""

    def lock_everything(self) -> None:
        """Do nothing: a writer has the whole database for itself."""

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert whole rows into an empty table."""
        if rows:
            self.conn.executemany(
                f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows
            )


def connect(path: Path) -> SQLiteDatabase:
    """Open a database that exists; threads must use the connection one at a time.

    A file that has been deleted is not created anew: that would hide the loss of the games.
    """
    with errors_of_sqlite():
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            timeout=SHORT_WAIT,
            check_same_thread=False,
            factory=Connection,
            uri=True,
        )
    try:
        db = SQLiteDatabase(connection)
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return db


MAX_FREE = 16  # idle connections kept open; each takes a fifth of a megabyte or more


class Pool:
    """The connections of one process, as many as are in use at once.

    Opening one takes twice as long as the rest of a tap, so idle ones are used again. There is not
    one for each thread: under gevent each request has a thread of its own.
    """

    def __init__(self, connect: Callable[[], SQLiteDatabase]):
        self._connect = connect
        self._free: LifoQueue[SQLiteDatabase] = LifoQueue(MAX_FREE)

    def take(self) -> SQLiteDatabase:
        """Return a connection for exclusive use."""
        try:
            return self._free.get_nowait()
        except Empty:
            return self._connect()

    def give_back(self, db: SQLiteDatabase) -> None:
        """Return a connection to the pool; an open transaction is rolled back."""
        try:
            db.rollback()
            self._free.put_nowait(db)
        except (StoreError, sqlite3.ProgrammingError, Full):  # the second where it is closed
            db.close()

    @contextmanager
    def borrow(self) -> Iterator[SQLiteDatabase]:
        """Provide a connection for a block."""
        db = self.take()
        try:
            yield db
        finally:
            self.give_back(db)

    def close(self) -> None:
        """Close every idle connection."""
        with suppress(Empty):
            while True:
                self._free.get_nowait().close()
