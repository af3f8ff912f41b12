"""What every connection to a database can do, whether to SQLite or to PostgreSQL, and its errors.

Two SQLite libraries on one file in one process are unsafe, so every module imports it from here.

Statements are written in the SQL that both understand: parameters are `?` or `:name`, rows are
replaced by `ON CONFLICT`, conditions are counted by `FILTER`, and booleans are not numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from sqlite_utils.utils import sqlite3 as sqlite3  # type: ignore[attr-defined]  # it says no names


class StoreError(Exception):
    """The database could not be read or written."""


class StoreBusy(StoreError):
    """Others held the database or a table until the timeout; nothing was changed."""


class StoreDamaged(StoreError):
    """The database is damaged; nothing can be saved in it."""


class StoreUnavailable(StoreError):
    """The database is out of reach, or its disk takes nothing; neither is a bug."""


class StoreLost(StoreUnavailable):
    """The files of the database were deleted, moved or replaced while it was open."""


class CommitUnknown(StoreError):
    """The connection was lost while a transaction was committed: it may be saved or not."""


OF_SQLITE = {
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
    sqlite3.SQLITE_FULL: StoreUnavailable,
    sqlite3.SQLITE_IOERR: StoreUnavailable,
    sqlite3.SQLITE_READONLY: StoreUnavailable,
    sqlite3.SQLITE_CANTOPEN: StoreUnavailable,
}


@contextmanager
def errors_of_sqlite() -> Iterator[None]:
    """Raise errors of the store instead of those of SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without its extension
        raise OF_SQLITE.get(code, StoreError)(str(error)) from error


class Cursor(Protocol):
    """The result of a statement: tuples of columns."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def close(self) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...


class Changes:
    """What the transaction of a connection has changed, which others are told after its commit."""

    def __init__(self) -> None:
        self.versions: dict[tuple[str, str], int] = {}  # by table and game
        self.ended_a_game = False


class Database(Protocol):
    """A connection to a database."""

    changes: Changes

    @property
    def in_transaction(self) -> bool: ...

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None: ...

    def query(self, sql: str, parameters: Any = None, /) -> Iterator[dict[str, Any]]: ...

    def begin_snapshot(self) -> None:
        """Begin a transaction whose statements all read the same state of the database."""

    def lock_table(self, table_id: str, /) -> None:
        """Wait until no other transaction writes to a table, in a transaction that will."""

    def lock_everything(self) -> None:
        """Wait until nobody else writes, in a transaction during which nobody else can."""

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Insert whole rows into an empty table."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...


class AnyDatabase(Protocol):
    """A database that executes statements; PostgreSQL's translates them from those of SQLite."""

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Any: ...


def scalar(db: Database, query: str, values: Sequence[object] = ()) -> Any | None:
    """Return the first column of the first row that a query finds, or None where it finds none."""
    row = db.execute(query, values).fetchone()
    return row[0] if row else None
