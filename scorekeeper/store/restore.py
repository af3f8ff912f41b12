"""Restoring a backup, and moving games between SQLite and PostgreSQL."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from sqlite_utils import Database

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.backup import copy_whole, draft_of, sync_folder
from scorekeeper.store.check import Fault, Tell, checked, faults_of_path, store_faults
from scorekeeper.store.connection import scalar, sqlite3
from scorekeeper.store.database import BESIDE, FILE, IN_USE, OPEN, Store
from scorekeeper.store.locks import hold, keep_private, make_private
from scorekeeper.store.migrations import SCHEMA_VERSION, TABLES, migrate, told_version

MAX_FAULTS = 10


class RestoreRefused(Exception):
    """Nothing was restored and nothing changed; the message says why."""


def restore(folder: Path, backup: Path, tell: Tell = lambda _sentence: None) -> str:
    """Replace the database of a folder with a backup and return a message of what was done.

    `tell` is given how far it is. Raises `RestoreRefused` while a program has the folder open, and
    for a file that is not an intact database of ours; then nothing has changed.
    """
    database = folder / FILE
    try:
        with _nobody_else(folder), _checked_copy(folder, backup, tell) as copy:
            games = _count_games(copy)
            aside = _set_aside(database)
            copy.replace(database)
            sync_folder(folder)
            make_private(folder / IN_USE)
    except OSError as error:
        sentence = _("Can’t restore {file}: {reason}.")
        reason = error.strerror or error
        raise RestoreRefused(sentence.format(file=backup, reason=reason)) from error
    sentence = ngettext("Restored {n} game from {file}.", "Restored {n} games from {file}.", games)
    said = sentence.format(n=games, file=backup)
    if aside is None:
        return said
    return said + " " + _("The previous files were moved to {folder}.").format(folder=aside)


@contextmanager
def _nobody_else(folder: Path) -> Iterator[None]:
    held = hold(folder / OPEN, alone=True, wait=False)
    if held is None:
        sentence = _(
            "{folder} is in use by a running server or command. Stop it and restore again. "
            "Nothing was changed."
        )
        raise RestoreRefused(sentence.format(folder=folder))
    try:
        yield
    finally:
        held.release()


@contextmanager
def _checked_copy(folder: Path, backup: Path, tell: Tell) -> Iterator[Path]:
    """Provide a checked copy of the backup beside the database, migrated to this version."""
    if not backup.is_file():
        raise RestoreRefused(_("File {file} not found.").format(file=backup))
    with draft_of(folder / FILE) as copy:
        try:
            copy_whole(backup, copy)
            _bring_up_to_date(copy, backup)
        except sqlite3.Error as error:
            sentence = _("Can’t read all of {file} ({reason}). Nothing was changed.")
            raise RestoreRefused(sentence.format(file=backup, reason=error)) from error
        recorded = (str(fault) for fault in faults_of_path(copy, tell) if not fault.derived)
        if found := list(islice(recorded, MAX_FAULTS)):
            sentence = _("{file} has been altered or damaged, so nothing was changed:")
            raise RestoreRefused("\n".join([sentence.format(file=backup), *found]))
        with copy.open("rb") as whole:
            os.fsync(whole.fileno())
        yield copy


def _bring_up_to_date(copy: Path, backup: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        db = Database(connection, execute_plugins=False)
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 or not db["games"].exists():
            sentence = _("{file} isn’t a Scorekeeper backup. Nothing was changed.")
            raise RestoreRefused(sentence.format(file=backup))
        if version > SCHEMA_VERSION:
            sentence = _(
                "{file} is from a newer Scorekeeper (data version {found}; this one supports "
                "{known}). Update first. Nothing was changed."
            )
            told = told_version(db, version)
            raise RestoreRefused(sentence.format(file=backup, found=told, known=SCHEMA_VERSION))
        if version < SCHEMA_VERSION:
            migrate(db)


def _count_games(copy: Path) -> int:
    with closing(sqlite3.connect(copy)) as connection:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])


def _set_aside(database: Path) -> Path | None:
    """Move the present database to a dated folder, and return that; None without a database.

    The database itself is moved first: if the move is interrupted it is missing, which is noticed,
    rather than without the newest changes, which may be in its write-ahead log.
    """
    present = [path for end in BESIDE if (path := Path(f"{database}{end}")).exists()]
    if not present:
        return None
    aside = database.parent / f"before-restore-{now():%Y%m%d-%H%M%S-%f}"
    aside.mkdir(mode=0o700)
    for path in present:
        keep_private(path)
        path.replace(aside / path.name)
    sync_folder(aside)
    sync_folder(database.parent)
    return aside


class MoveRefused(Exception):
    """Nothing was moved; the message says why."""


def move(source: Store, target: Store, tell: Tell = lambda _sentence: None) -> str:
    """Copy every row to an empty database in one transaction, and return a message about it.

    Ids and hashes stay, so phones and links work on. Raises `MoveRefused` where the target is not
    empty, the source has faults, or the rows that arrive differ from those sent: a database that is
    equal to one without faults has none, so it is not checked again.
    """
    if scalar(target.db, "SELECT 1 FROM tables LIMIT 1"):
        raise MoveRefused(_("The target already has tables. Nothing was changed."))
    _check(source, tell)
    with source.write() as read, target.write(backs_up=False) as written:
        read.lock_everything()
        for name in TABLES:
            tell(partial(_("Copying “{table}”").format, table=name))
            query = f"SELECT * FROM {name}"
            rows = read.execute(query).fetchall()
            written.copy_rows(name, rows)
            if set(written.execute(query).fetchall()) != set(rows):
                raise MoveRefused(_("Not all rows of “{table}” were copied.").format(table=name))
        games = scalar(read, "SELECT count(*) FROM games") or 0
    return ngettext("Moved {n} game.", "Moved {n} games.", games).format(n=games)


def _check(store: Store, tell: Tell) -> None:
    games = 0
    found: list[Fault] = []
    for one in store_faults(store):
        if isinstance(one, Fault):
            found.append(one)
        else:
            games += one
            tell(partial(checked, games))
    if found:
        sentence = _("These errors were found, so the games stay where they are:")
        raise MoveRefused("\n".join([sentence, *map(str, found[:MAX_FAULTS])]))
