"""A database that is damaged or cannot be used: advice to its owner, and the check of its file."""

import logging
import os
import shlex
import sys
import threading
import time
from contextlib import closing, suppress
from contextvars import copy_context
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.store.backup import newest_good, open_to_read
from scorekeeper.store.connection import (
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    errors_of_sqlite,
    sqlite3,
)
from scorekeeper.store.locks import in_real_thread


def advice(database: Path, error: Exception) -> str:
    """Return why a database cannot be used and what to do about it."""
    if "readonly" in str(error) or "unable to open" in str(error):
        sentence = _(
            "Can’t write to {path}. Give this user write access to it and its folder, or choose "
            "another folder with SCOREKEEPER_DATA."
        )
        return sentence.format(path=database)
    if isinstance(error, StoreUnavailable):
        sentence = _("Can’t store games in {folder}: {reason}.")
        what_to_do = _("Free up space on that disk, then start again. Nothing was changed.")
        return f"{sentence.format(folder=database.parent, reason=error)} {what_to_do}"
    if "locked" in str(error):
        sentence = _("{path} is locked by another program. Close it and start again.")
        return sentence.format(path=database)
    return f"{damaged_sentence(database)} {restore_advice(newest_good(database.parent))}"


def damaged_sentence(database: Path) -> str:
    """Return the sentence that a database is damaged, without advice."""
    return _("{path} is damaged.").format(path=database)


def restore_advice(backup: Path | None) -> str:
    """Return how to restore the newest good backup, or what to do without one."""
    if backup is None:
        return _(
            "Put a copy of the file back, or move the folder away to start over. Nothing was "
            "changed."
        )
    command = f"scorekeeper restore {shlex.quote(str(backup))}"
    if chosen := os.environ.get("SCOREKEEPER_DATA"):
        command = f"SCOREKEEPER_DATA={shlex.quote(chosen)} {command}"
    return _(
        "Nothing was changed. This command restores the latest good backup and sets the current "
        "files aside:\n{command}"
    ).format(command=command)


MAX_JOIN = 1.0  # seconds to wait for the thread at the end
NICENESS = 10  # of the thread, so that requests come first on a slow computer

log = logging.getLogger(__name__)


class FileCheck:
    """Checks a database for damage once, in a background thread.

    A gigabyte takes ten seconds, in which a starting server would answer nobody. The check reads
    one snapshot: writers do not wait for it, and the write-ahead log is checkpointed after it.
    """

    def __init__(self, database: Path):
        self._database = database
        self._thread: threading.Thread | None = None
        self._connection: sqlite3.Connection | None = None
        self._is_ending = self._is_damaged = False
        self._advice: tuple[Path | None] | None = None  # the newest good backup, once known

    def start(self) -> None:
        context = copy_context()  # for the language of messages
        self._thread = threading.Thread(
            target=context.run, args=[self._run], name="file check", daemon=True
        )
        self._thread.start()

    def end(self) -> None:
        """Interrupt the check, because the program ends."""
        self._is_ending = True
        give_up = time.monotonic() + MAX_JOIN
        while not self.wait(0.01) and time.monotonic() < give_up:
            if self._connection is not None:
                with suppress(sqlite3.ProgrammingError):  # it is closed already
                    self._connection.interrupt()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the check has ended, at most `timeout` seconds; return whether it has."""
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def sentence(self) -> str:
        """The message that the database is damaged and what to do; empty if none was found."""
        if not self._is_damaged:
            return ""
        sentence = damaged_sentence(self._database)
        return f"{sentence} {restore_advice(*self._advice)}" if self._advice else sentence

    def _run(self) -> None:
        try:
            self._is_damaged = not in_real_thread(self._is_whole)
        except (StoreError, OSError) as error:
            self._is_damaged = isinstance(error, StoreDamaged)
            if not (self._is_damaged or self._is_ending):
                log.warning("the file of games could not be checked: %s", error)
        if self._is_damaged:
            # From here on nothing can be written. Finding a good backup takes a while.
            self._advice = (in_real_thread(lambda: newest_good(self._database.parent)),)
            log.critical("%s", self.sentence)

    def _is_whole(self) -> bool:
        if sys.platform == "linux":  # elsewhere it applies to the whole process
            # A server that was started nicer must stay so: only root may take that back.
            niceness = max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0))
            os.setpriority(os.PRIO_PROCESS, 0, niceness)
        with errors_of_sqlite(), closing(open_to_read(self._database)) as self._connection:
            return self._is_ending or is_whole(self._connection)


def is_whole(connection: sqlite3.Connection) -> bool:
    """Return whether the quick check of SQLite finds no damage."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
