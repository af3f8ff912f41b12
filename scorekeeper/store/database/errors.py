"""Errors of a database, whichever it is."""

from scorekeeper.sqlite import sqlite3

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class StoreError(Exception):
    """The database could not be read or written."""


class StoreBusy(StoreError):
    """Others held the database or a table until the timeout; nothing was changed."""


class StoreDamaged(StoreError):
    """The database is damaged; nothing can be saved in it."""


class CommitUnknown(StoreError):
    """The connection was lost while a transaction was committed: it may be saved or not."""


# What a store raises: SQLite's own errors pass through it, those of PostgreSQL do not.
DATABASE_ERRORS = (StoreError, sqlite3.Error)


def is_damage(error: Exception) -> bool:
    """Return whether an error of a store says that the database is damaged."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, StoreDamaged) or code & 0xFF in DAMAGE
