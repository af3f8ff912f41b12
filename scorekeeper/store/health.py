"""Health check: whether games can be stored, and in what database."""

import errno
import os
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import StoreBusy, StoreError, sqlite3
from scorekeeper.store.database import Store
from scorekeeper.store.sqlite import SHORT_WAIT, Connection

PATIENCE = 1.0  # seconds to wait for the lock, which a change holds for some milliseconds
MIN_FREE = 4 * 1024 * 1024  # bytes: size of the write-ahead log before its checkpoint
STANDBYS = """
SELECT application_name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint
FROM pg_stat_replication WHERE replay_lsn IS NOT NULL ORDER BY application_name
"""


class DatabaseState(NamedTuple):
    """Which database has the games, whether it takes changes, and its standbys.

    Each of them has a name, and how many bytes of the log it has still to replay. Those that the
    user of the database may not read, who needs the role pg_monitor, are left out.
    """

    kind: str
    is_primary: bool = True
    standbys: tuple[tuple[str, int], ...] = ()


def database_state(store: Store) -> DatabaseState:
    """Return the state of a database. Raises `StoreError` where PostgreSQL does not answer."""
    if store.is_file:
        return DatabaseState("sqlite")
    with store.borrow() as db:
        if db.execute("SELECT pg_is_in_recovery()").fetchone()[0]:
            return DatabaseState("postgresql", is_primary=False)
        return DatabaseState("postgresql", True, tuple(db.execute(STANDBYS).fetchall()))


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
            except StoreBusy:
                # Under load others take the lock every time, which is well as long as they commit.
                if _commits(db) == commits:
                    raise
            db.execute("SELECT max(sequence) FROM changes").fetchone()
            db.rollback()
    except (StoreError, sqlite3.Error, OSError) as error:
        return sentence.format(reason=getattr(error, "strerror", None) or error)
    return ""


def _commits(db: sqlite3.Connection) -> int:
    """Return a number that differs once another connection has committed."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])
