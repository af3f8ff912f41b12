"""Whole copies of the database, made while games go on.

A copy gets its name only when it is complete, checked and on the disk.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.lock import Held, hold

SQLITE = b"SQLite format 3\0"


class BackupFailed(Exception):
    """No backup was made; the message says why."""


def back_up(database: Path, target: Path) -> None:
    """Copy a database that may be in use to a file of its own. Raises `BackupFailed`.

    An earlier backup of that name is replaced once the new one is whole; no other file is.
    """
    if target.exists() and not _may_be_replaced(database, target):
        sentence = _("{target} is there already and is no backup: choose another name.")
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
    """Copy a database as it stands at one moment to an empty file, and check the copy.

    Raises `sqlite3.Error`, also where what was copied is damaged.
    """
    with closing(open_to_read(database)) as source, closing(sqlite3.connect(draft)) as copy:
        copy.execute("PRAGMA journal_mode = OFF")  # the file is thrown away if this fails
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # a copy is one file, with none beside it
        if wrong := damage(copy):
            raise sqlite3.DatabaseError(wrong)


def open_to_read(database: Path) -> sqlite3.Connection:
    """Return a connection to a database, which must be there, that changes nothing."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=5)


def damage(connection: sqlite3.Connection) -> str:
    """Return what SQLite finds wrong with a database; nothing where it is whole."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if answer == "ok" else str(answer).splitlines()[-1]


def sync_folder(folder: Path) -> None:
    """Let a new name in a folder survive a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """Give an empty file beside a target that is this backup's alone, gone at the end."""
    draft = target.with_name(f".{target.name}.part")
    with hold_draft(draft) as held:
        if held is None:
            sentence = _("Another backup to {target} is being made just now.")
            raise BackupFailed(sentence.format(target=target))
        os.truncate(draft, 0)
        try:
            yield draft
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def hold_draft(draft: Path) -> Iterator[Held | None]:
    """Hold an unfinished file, made if need be; None where another program does."""
    held = hold(draft, alone=True, wait=False)
    try:
        yield held
    finally:
        if held is not None:
            held.release()


def _may_be_replaced(database: Path, target: Path) -> bool:
    if not target.is_file() or (database.exists() and target.samefile(database)):
        return False
    with target.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def failed(target: Path, error: Exception) -> BackupFailed:
    """Return an error in a sentence."""
    reason = getattr(error, "strerror", None) or error
    sentence = _("No backup could be made at {target}: {reason}.")
    return BackupFailed(sentence.format(target=target, reason=reason))
