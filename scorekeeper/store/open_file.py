"""The files of an open database: whether they are still at their paths, and a copy if they are not.

Files that were deleted, moved or replaced take changes as before from those who have them open:
SQLite commits into them, and all is gone once the last program ends.
"""

import logging
import os
import shlex
import threading
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.store.backup import BackupFailed, rescue
from scorekeeper.store.connection import StoreLost, StoreUnavailable
from scorekeeper.store.locks import in_real_thread
from scorekeeper.store.sqlite import SQLiteDatabase, connect

ENDS = ("", "-wal", "-shm")  # of the paths that SQLite has open
FileId = tuple[int, int] | None  # device and number of a file; None where there is none

log = logging.getLogger(__name__)


def file_ids(database: Path) -> list[FileId]:
    """Return what tells the files of a database from any others that may take their places."""
    return [_file_id(f"{database}{end}") for end in ENDS]


def _file_id(path: str) -> FileId:
    try:
        found = os.stat(path)
    except OSError:  # it is gone, or its disk is
        return None
    return found.st_dev, found.st_ino


class OpenFile:
    """The files of a database that this process has open, held by a connection of its own.

    From `hold` to `close` they stay the same: only the last connection deletes the write-ahead
    log. So other files at their paths mean that somebody deleted, moved or replaced them.
    """

    def __init__(self, database: Path):
        self._database = database
        self._held: SQLiteDatabase | None = None
        self.ids: list[FileId] = []
        self._advice = ""  # why they are lost and what to do, until they are back
        self._copy: Path | None = None  # of what was lost
        self._lock = threading.Lock()
        self._context = copy_context()  # for the language of the advice, which is logged

    def hold(self) -> None:
        """Hold the files that are at the paths now. Raises `StoreUnavailable` where one is gone."""
        self._held = connect(self._database)
        self._held.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self.ids = file_ids(self._database)
        if None in self.ids:
            raise StoreUnavailable("unable to open database file")  # in the words of SQLite

    def connect(self) -> SQLiteDatabase:
        """Open one more connection. Raises `StoreLost`, as it would open other files."""
        self.check()
        return connect(self._database)

    def check(self) -> None:
        """Raise `StoreLost` where the files are not at their paths.

        Whoever notices it first, or finds the copy gone, copies what is open, and logs where the
        copy is and what to do.
        """
        if self._held is None or file_ids(self._database) == self.ids:
            self._advice = ""
            return
        with self._lock:
            if self._held is None:  # closed meanwhile
                return
            # Who deletes a whole folder may delete the copy too.
            if not self._advice or (self._copy and not self._copy.exists()):
                self._advice = self._context.run(self._save)
                log.critical("%s", self._advice)
        raise StoreLost(self._advice)

    def check_if_lost(self) -> None:
        """Raise `StoreLost` where they were not at their paths the last time, and are not now."""
        if self._advice:
            self.check()

    def check_at_end(self) -> None:
        """Copy what is open and lost before the last connection is closed."""
        if self._copy is None:
            self._advice = ""  # a copy that failed is tried again
        with suppress(StoreLost):
            self.check()

    def close(self) -> None:
        """Close the connection that holds the files, as the last one.

        A write-ahead log that was copied is deleted where another database is beside it, or none:
        SQLite would apply it to whatever file is put there.
        """
        with self._lock:
            held, self._held = self._held, None
        if held is None:
            return
        held.close()
        found = file_ids(self._database)
        if self._copy and found[0] != self.ids[0]:
            for end, now, then in zip(ENDS[1:], found[1:], self.ids[1:], strict=True):
                if now == then:
                    with suppress(OSError):
                        os.unlink(f"{self._database}{end}")

    def _save(self) -> str:
        """Copy what is open, and return why that was done and what to do."""
        lost = [
            f"{self._database}{end}"
            for end, now, then in zip(ENDS, file_ids(self._database), self.ids, strict=True)
            if now != then
        ]
        assert self._held is not None
        source, self._copy = self._held.conn, None  # not that of an earlier loss
        sentence = _(
            "{path} was deleted, moved or replaced while it was in use, so nothing is saved."
        ).format(path=(lost or [str(self._database)])[0])  # they may be back this moment
        try:
            self._copy = in_real_thread(lambda: rescue(source, self._database))
        except BackupFailed as failed:
            what_to_do = _("Move it back before you stop the server, or all games are lost.")
            return f"{sentence} {failed} {what_to_do}"
        what_to_do = _(
            "Move it back, and saving goes on. Or stop the server and restore this copy, which has "
            "all that was saved:\n{command}"
        ).format(command=f"scorekeeper restore {shlex.quote(str(self._copy))}")
        return f"{sentence} {what_to_do}"
