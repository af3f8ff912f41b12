"""The folder of dated backups and their rotation.

A backup is made after every game that ends and before every migration of the schema. The newest
ten are kept, and the last one of each month.
"""

import contextlib
import logging
import os
import re
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scorekeeper.clock import now
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.backup import BackupFailed, back_up, damage, failed, open_to_read
from scorekeeper.store.database.threads import in_real_thread

FOLDER = "backups"
START = "scorekeeper-"
NAME = re.compile(START + r"[0-9]{8}-[0-9]{6}-[0-9]{3}\.db")
NEWEST = 10
MILLISECOND = timedelta(milliseconds=1)
REST = 20  # pause after an automatic backup, as a multiple of its time

log = logging.getLogger(__name__)


class AfterGames:
    """Makes backups in a background thread, one at a time."""

    def __init__(self, database: Path):
        self._database = database
        self._wake = threading.Condition()
        self._asked = self._ending = False
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        """Request a backup; where one is being made, another follows it."""
        with self._wake:
            self._asked = True
            if self._thread is None and not self._ending:
                self._thread = threading.Thread(target=self._run, name="backup", daemon=True)
                self._thread.start()

    def end(self, seconds: float = 3.0) -> None:
        """Wait for requested backups, because the program ends."""
        with self._wake:
            self._ending = True
            self._wake.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._wake:
                if not self._asked:
                    self._thread = None
                    return
                self._asked = False
            begun = time.monotonic()
            try:
                in_real_thread(lambda: back_up_dated(self._database))
            except (BackupFailed, OSError) as error:
                log.warning("no backup: %s", error)
            rest = REST * (time.monotonic() - begun)
            with self._wake:
                self._wake.wait_for(lambda: self._ending, rest)


def back_up_dated(database: Path) -> Path:
    """Back up into the folder of backups beside the database, and delete old ones.

    Return the path of the backup. Raises `BackupFailed`.
    """
    folder = database.parent / FOLDER
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        target = folder / _next_name(folder)
        back_up(database, target)
        for old in superfluous({name: _month(folder / name) for name in _names(folder)}):
            (folder / old).unlink(missing_ok=True)
    except OSError as error:
        raise failed(folder, error) from error
    return target


def newest_good(folder: Path) -> Path | None:
    """Return the newest backup of a data folder that can be restored."""
    for name in sorted(_names(folder / FOLDER), reverse=True):
        path = folder / FOLDER / name
        with contextlib.suppress(sqlite3.Error, OSError), closing(open_to_read(path)) as copy:
            if not damage(copy) and copy.execute("SELECT count(*) FROM games").fetchone():
                return path
    return None


def dated_name(at: datetime) -> str:
    """Return the name of a backup; names sort by time."""
    return f"{START}{at:%Y%m%d-%H%M%S}-{at.microsecond // 1000:03}.db"


def _next_name(folder: Path) -> str:
    """Return a name that sorts after all others, even if the clock was set back."""
    newest, at = max(_names(folder), default=""), now()
    if dated_name(at) <= newest:
        with contextlib.suppress(ValueError, OverflowError):  # the name is no date
            at = datetime.strptime(newest, f"{START}%Y%m%d-%H%M%S-%f.db") + MILLISECOND
    return dated_name(at)


def superfluous(written: Mapping[str, str]) -> list[str]:
    """Return the backups to delete: all but the newest ten and the last of each month.

    `written` has the month in which each file was written. That of its name is another where the
    clock was ahead once, as later names sort after that one.
    """
    backups = sorted(written)
    last_of_month = {(name[len(START) :][:6], written[name]): name for name in backups}
    return [name for name in backups[:-NEWEST] if name not in last_of_month.values()]


def _month(file: Path) -> str:
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y%m}"


def _names(folder: Path) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if NAME.fullmatch(name)]
    except OSError:
        return []
