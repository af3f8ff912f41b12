"""Online backups of the database.

A copy gets its name only when it is complete, checked and synced to disk.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.lock import Held, hold, hold_open

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
            with draft.open("rb") as copied:
                os.fsync(copied.fileno())
            draft.replace(target)
            sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise failed(target, error) from error


def copy_whole(database: Path, draft: Path) -> None:
    """Copy a snapshot of a database to an empty file, and check the copy.

    Raises `sqlite3.Error`, also where what was copied is damaged.
    """
    with closing(open_to_read(database)) as source, closing(sqlite3.connect(draft)) as copy:
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
