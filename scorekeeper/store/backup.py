"""Online backups of the database, the folder of dated backups, and their rotation.

A copy gets its name only when it is complete, checked and synced to disk.

A backup is made after every game that ends and before every migration of the schema. The newest
ten are kept, and the last one of each month. A database whose file is gone while it is open is
copied too; such copies are not deleted.
"""

import contextlib
import logging
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from filecmp import cmp
from pathlib import Path

from scorekeeper.clock import now, stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import sqlite3
from scorekeeper.store.locks import Held, hold, hold_open, in_real_thread

SQLITE = b"SQLite format 3\0"
DRAFT = ".scorekeeper-"


class BackupFailed(Exception):
    """No backup was made; the message says why."""


def back_up(database: Path, target: Path) -> None:
    """Copy a database, which may be in use, to a file. Raises `BackupFailed`.

    An earlier backup of that name is replaced once the new one is complete; other files are not.
    """
    if target.exists() and not _may_be_replaced(database, target):
        sentence = _("{target} already exists and isn’t a backup. Choose another name.")
        raise BackupFailed(sentence.format(target=target))
    try:
        with draft_of(target) as draft:
            copy_whole(database, draft)
            _sync(draft)
            draft.replace(target)
            sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise failed(target, error) from error


def _sync(file: Path) -> None:
    with file.open("rb") as copied:
        os.fsync(copied.fileno())


def copy_whole(database: Path, draft: Path) -> None:
    """Copy a snapshot of a database to an empty file, and check the copy.

    Raises `sqlite3.Error`, also where what was copied is damaged.
    """
    with closing(open_to_read(database)) as source:
        _copy_open(source, draft)


def _copy_open(source: sqlite3.Connection, draft: Path) -> None:
    """Copy what a connection reads, as `copy_whole` does."""
    with closing(sqlite3.connect(draft)) as copy:
        copy.execute("PRAGMA journal_mode = OFF")  # the file is thrown away if this fails
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # a copy is one file, with none beside it
        if wrong := damage(copy):
            raise sqlite3.DatabaseError(wrong)


def open_to_read(
    database: Path, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """Return a read-only connection to a database, which must exist."""
    address = f"{database.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=5, factory=factory)


def damage(connection: sqlite3.Connection) -> str:
    """Return what SQLite finds wrong with a database; empty where it is intact."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if answer == "ok" else str(answer).splitlines()[-1]


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to disk, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """Provide an empty temporary file beside a target, deleted at the end.

    Its name is random, so that in a folder like `/tmp` nobody can plant a link of that name and
    have another file overwritten.
    """
    clear_drafts(target.parent)
    held, draft = _new_draft(target.parent)
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)
        held.release()


def clear_drafts(folder: Path) -> None:
    """Delete drafts that nobody holds: backups and exports that were killed have left them."""
    for draft in folder.glob(f"{DRAFT}*.part"):
        with suppress(OSError):  # another program has deleted it, or it is not ours
            if held := hold(draft, alone=True, wait=False):
                draft.unlink(missing_ok=True)
                held.release()


def _new_draft(folder: Path) -> tuple[Held, Path]:
    while True:
        handle, name = tempfile.mkstemp(prefix=DRAFT, suffix=".part", dir=folder)
        held = hold_open(handle, alone=True, wait=False)
        if held and os.path.exists(name):  # else it was cleared before it was held
            return held, Path(name)


def _may_be_replaced(database: Path, target: Path) -> bool:
    if not target.is_file() or (database.exists() and target.samefile(database)):
        return False
    with target.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def failed(target: Path, error: Exception) -> BackupFailed:
    """Return the `BackupFailed` of an error."""
    reason = getattr(error, "strerror", None) or error
    sentence = _("Couldn’t back up to {target}: {reason}.")
    return BackupFailed(sentence.format(target=target, reason=reason))


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
    """Return the newest backup or rescued copy of a data folder that can be restored."""
    found = [folder / FOLDER / name for name in _names(folder / FOLDER)]
    found += folder.glob(f"{RESCUED}*.db")
    for path in sorted(found, key=lambda path: path.name.removeprefix(RESCUED), reverse=True):
        with contextlib.suppress(sqlite3.Error, OSError), closing(open_to_read(path)) as copy:
            if not damage(copy) and copy.execute("SELECT count(*) FROM games").fetchone():
                return path
    return None


def last_backup(database: Path) -> str | None:
    """Return when the newest dated backup of a database was made, None where there is none."""
    newest = max(_names(database.parent / FOLDER), default="")
    with contextlib.suppress(ValueError):  # the name is no date
        at = datetime.strptime(newest, f"{START}%Y%m%d-%H%M%S-%f.db")
        return stamp(at.replace(tzinfo=UTC))
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


RESCUED = "rescued-"  # and the name of a dated backup


def rescue(source: sqlite3.Connection, database: Path) -> Path:
    """Copy an open database whose file is gone, beside its path or as near as can be written.

    Return the path of the copy, which is that of another process if that has copied the same.
    Raises `BackupFailed`.
    """
    folder = database.parent
    errors: list[Exception] = []
    for place in (folder, folder.parent, Path(tempfile.gettempdir())):
        try:
            return _rescue_into(place, source)
        except (OSError, sqlite3.Error) as error:
            errors.append(error)
    raise failed(folder, errors[0])


def _rescue_into(folder: Path, source: sqlite3.Connection) -> Path:
    with draft_of(folder / RESCUED) as draft:
        _copy_open(source, draft)
        _sync(draft)
        for other in folder.glob(f"{RESCUED}*.db"):
            if cmp(other, draft, shallow=False):
                return other
        target = _new_file(folder)
        draft.replace(target)
        sync_folder(folder)
        return target


def _new_file(folder: Path) -> Path:
    """Create a file for a rescued copy, by a name that no other process has chosen."""
    at = now()
    while True:
        with suppress(FileExistsError):
            target = folder / f"{RESCUED}{dated_name(at)}"
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return target
        at += MILLISECOND


def _month(file: Path) -> str:
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y%m}"


def _names(folder: Path) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if NAME.fullmatch(name)]
    except OSError:
        return []
