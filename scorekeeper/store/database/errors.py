"""Errors of a database, whichever it is."""

from collections.abc import Iterator
from contextlib import contextmanager

from scorekeeper.sqlite import sqlite3


class StoreError(Exception):
    """The database could not be read or written."""


class StoreBusy(StoreError):
    """Others held the database or a table until the timeout; nothing was changed."""


class StoreDamaged(StoreError):
    """The database is damaged; nothing can be saved in it."""


class StoreUnavailable(StoreError):
    """The database is out of reach, or its disk takes nothing; neither is a bug."""


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
