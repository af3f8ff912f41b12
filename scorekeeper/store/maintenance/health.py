"""Health check: whether games can be stored."""

import errno
import os
import shutil
import time
from contextlib import closing
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.database.pool import SHORT_WAIT, Busy, Connection
from scorekeeper.store.database.store import Store

PATIENCE = 1.0  # seconds to wait for the lock, which a change holds for some milliseconds
MIN_FREE = 4 * 1024 * 1024  # bytes: size of the write-ahead log before its checkpoint


def storage_problem(store: Store) -> str:
    """Return why games cannot be stored, or an empty text where they can. Writes nothing."""
    if store.is_file:
        return _problem_of_file(store.path)
    sentence = _("Can’t read or write the database: {reason}. Nothing was changed.")
    try:
        with store.borrow() as db:
            found = db.execute("SELECT pg_is_in_recovery(), (SELECT min(id) FROM tables)")
            is_standby = found.fetchone()[0]
    except StoreError as error:
        return sentence.format(reason=error)
    return sentence.format(reason=_("it’s a read-only standby")) if is_standby else ""


def _problem_of_file(database: Path) -> str:
    sentence = _("Can’t read or write the database: {reason}. Nothing was changed.")
    try:
        if shutil.disk_usage(database.parent).free < MIN_FREE:
            return sentence.format(reason=os.strerror(errno.ENOSPC))
        address = f"{database.absolute().as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(address, uri=True, timeout=SHORT_WAIT, factory=Connection)
        ) as db:
            commits = _commits(db)
            try:
                db.begin_writing(time.monotonic() + PATIENCE)
            except Busy:
                # Under load others take the lock every time, which is well as long as they commit.
                if _commits(db) == commits:
                    raise
            db.execute("SELECT max(sequence) FROM changes").fetchone()
            db.rollback()
    except (sqlite3.Error, OSError) as error:
        return sentence.format(reason=getattr(error, "strerror", None) or error)
    return ""


def _commits(db: sqlite3.Connection) -> int:
    """Return a number that differs once another connection has committed."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])
