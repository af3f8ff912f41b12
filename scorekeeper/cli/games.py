"""Backup, restore, export and import of the games in a data folder.

Each function raises `Failure` with a message and an exit status.
"""

import os
import pickle
import shlex
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from scorekeeper.cli.output import (
    Failure,
    StatusLine,
    found_data_folder,
    progress,
    used_data_folder,
)
from scorekeeper.cli.tables import statistics
from scorekeeper.clock import midnight_in, now, stamp
from scorekeeper.config import KEY_FILE, check_key, keep_key, key_in_use
from scorekeeper.files.csv_columns import FileError, Tell, excerpt, tell_nobody
from scorekeeper.files.exports import csv_pieces, games_csv_pieces, json_pieces
from scorekeeper.files.imports import games_of_file, import_failure, import_summary
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import DEFAULT
from scorekeeper.store.backup import FOLDER as BACKUPS
from scorekeeper.store.backup import (
    BackupFailed,
    back_up,
    back_up_dated,
    dated_name,
    draft_of,
    newest_good,
)
from scorekeeper.store.check import faults
from scorekeeper.store.connection import StoreError
from scorekeeper.store.damage import restore_advice
from scorekeeper.store.database import FILE, OPEN, Store, StoreRefused
from scorekeeper.store.games import UNREADABLE, DamagedGame
from scorekeeper.store.history import END, Search
from scorekeeper.store.imports import InvalidJournal, add_in_steps, check_journal
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.locks import hold
from scorekeeper.store.opening import (
    database_url,
    is_url,
    open_postgresql,
    open_store,
)
from scorekeeper.store.restore import MoveRefused, RestoreRefused, move, restore
from scorekeeper.store.statistics import EVER, Selection, Span
from scorekeeper.store.tables import find_server_table, server_table, zone_of_table


class Counted(NamedTuple):
    """Which games statistics count: of a table, or the server's own, by rules, sides and days."""

    table: str | None
    rules: str
    sides: int | None = None
    since: datetime | None = None
    until: datetime | None = None


def player_statistics(folder: Path, out: BinaryIO, wanted: Counted, form: str) -> None:
    """Write the statistics of a table's players, as by `tables.statistics`.

    Days are those of the table. Raises `Failure` where there is none of that id.
    """
    with open_store(folder) as store, store.borrow() as db:
        known = "SELECT 1 FROM tables WHERE id = ?"
        if wanted.table and not db.execute(known, [wanted.table]).fetchone():
            raise Failure(_("Table {id} not found.").format(id=wanted.table), 2)
        table_id = wanted.table or find_server_table(db) or ""
        zone = zone_of_table(db, table_id)
        since = midnight_in(zone, wanted.since.date()) if wanted.since else EVER.since
        until = midnight_in(zone, wanted.until.date(), 1) if wanted.until else EVER.until
        selection = Selection(wanted.rules, wanted.sides, Span(since, until))
        out.writelines(statistics(db, table_id, selection, form))


def make_backup(folder: Path, target: Path | None) -> Path:
    """Copy the database to a file, into a folder or, without `target`, among the dated backups.

    Return the path of the copy. The database is only read, so games can go on meanwhile.
    """
    _need_file()
    try:
        if target is None:
            return back_up_dated(folder / FILE)
        target = target / dated_name(now()) if target.is_dir() else target
        back_up(folder / FILE, target)
    except BackupFailed as error:
        raise Failure(error) from error
    return target


def restore_backup(folder: Path, backup: Path) -> str:
    """Replace the database with a backup and return a sentence that says what was done."""
    _need_file()
    try:
        with StatusLine() as line:
            return restore(folder, backup, line.show)
    except RestoreRefused as error:
        raise Failure(error) from error


def move_games(folder: Path, target: str) -> str:
    """Move all games from the database in use to another, and return a message about it.

    The target is the address of a PostgreSQL database or a folder, which gets the secret key too.
    The message says what it leaves to the user: a key for PostgreSQL, and dated backups. Raises
    `Failure` where the target is neither, or the database in use, or a folder with another key, and
    where a server has one of the folders open.
    """
    if "://" in target and not is_url(target):
        raise Failure(_("The target must be a folder, or start with postgresql://."))
    if _is_in(folder, target):
        raise Failure(_("The games are already in {target}.").format(target=target))
    for one in (folder, Path(target)):
        if os.path.exists(one / OPEN):
            held = hold(one / OPEN, alone=True, wait=False)
            if held is None:
                sentence = _("{folder} is in use by a running server. Stop it and try again.")
                raise Failure(sentence.format(folder=one))
            held.release()
    key = None if is_url(target) else key_in_use(folder)
    if key:
        check_key(Path(target), key)
    with (
        open_store(folder) as source,
        source.alone(),
        _opened(target, folder) as into,
        into.alone(),
        StatusLine() as line,
    ):
        try:
            moved = move(source, into, line.show)
        except MoveRefused as error:
            raise Failure(error) from error
    if key:
        keep_key(Path(target), key)
    return "\n".join([moved, *_left_behind(folder, target)])


def _left_behind(folder: Path, target: str) -> Iterator[str]:
    """Yield what a move leaves to the user."""
    if is_url(target) and (folder / KEY_FILE).exists() and "SCOREKEEPER_SECRET" not in os.environ:
        sentence = _(
            "To keep phones joined, start the new servers with the same secret key: "
            "SCOREKEEPER_SECRET={key}"
        )
        yield sentence.format(key=f'"$(cat {shlex.quote(str(folder / KEY_FILE))})"')
    if database_url() and not is_url(target) and not (Path(target) / KEY_FILE).exists():
        yield _("To keep phones joined, set SCOREKEEPER_SECRET to the key of the old servers.")
    if any((folder / BACKUPS).glob("*.db")):
        yield _("The dated backups stay in {folder}.").format(folder=folder / BACKUPS)


def _is_in(folder: Path, target: str) -> bool:
    """Return whether a target is the database in use."""
    url = database_url()
    return target == url if url else Path(target).resolve() == folder.resolve()


def _opened(target: str, folder: Path) -> Store:
    if is_url(target):
        return open_postgresql(target, folder, waits_long=True)
    new = Path(target)
    try:
        if not new.exists():
            new.mkdir(mode=0o700, parents=True)
    except OSError as error:
        sentence = _("Can’t store games in {folder}: {reason}.")
        raise Failure(sentence.format(folder=new, reason=error.strerror or error)) from error
    return Store(new)


def _need_file() -> None:
    """Raise `Failure` where the games are not in a file that could be copied."""
    if database_url():
        raise Failure(
            _("The games are in PostgreSQL. Back up and restore them with pg_dump and pg_restore.")
        )


def chosen_games(since: datetime | None, until: datetime | None, rules: str = "") -> Search:
    """Return what to look for: games of some days, given by their first moments, and rules."""
    return Search(
        since=stamp(since) if since else "",
        until=stamp(until + timedelta(days=1)) if until else END,
        rules=rules,
    )


def export_games(
    folder: Path,
    target: Path | BinaryIO,
    wanted: Search | None = None,
    kind: Literal["csv", "games", "json"] = "csv",
    excel: str = "",
) -> None:
    """Write the games as a file of a kind to a stream or a file; no part of it is left behind.

    They are all games, or those that are `wanted`. A file of "games" is as `games_csv_pieces`
    yields it; `excel` is as in `csv_pieces`.
    """
    with open_store(folder) as store:
        if kind == "json":
            found = json_pieces(store, None, wanted)
        else:
            written = games_csv_pieces if kind == "games" else csv_pieces
            found = written(store, None, wanted, excel)
        pieces = progress(_explained(store, found), _written, len)
        if isinstance(target, Path):
            _write_file(pieces, target)
        else:
            target.writelines(pieces)
            target.flush()


def _written(size: int) -> str:
    return _("{n} kB written").format(n=f"{size // 1000:,}")


def _explained(store: Store, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces of a file; raises `StoreRefused` at a game that is damaged in the database."""
    try:
        yield from pieces
    except (DamagedGame, *UNREADABLE) as error:
        fault = next(faults(store), None)
        if fault is None:
            raise
        advice = restore_advice(newest_good(store.path.parent))
        raise StoreRefused(f"{fault} {advice}") from error


def _write_file(pieces: Iterable[bytes], target: Path) -> None:
    try:
        if target.exists() and not target.is_file():  # a pipe or a device must not be replaced
            with target.open("wb") as file:
                file.writelines(pieces)
            return
        with draft_of(target) as draft:
            with draft.open("wb") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
    except OSError as error:
        raise _cannot_write(target, error) from error


def _cannot_write(path: Path | str, error: OSError) -> Failure:
    sentence = _("Can’t write {path}: {reason}.")
    return Failure(sentence.format(path=path, reason=error.strerror or error))


def import_games(
    source: BufferedReader,
    table_id: str | None,
    rules_key: str | None,
    tell: Tell = tell_nobody,
) -> str:
    """Add the games of a file, and return a sentence that says how many are new.

    They are added to the server's own table unless `table_id` names another. The whole file is
    read and checked, into a temporary one, before the database is opened. `tell` is given sentences
    as by `games_of_file`. Raises `Failure` with status 2 where anything in the file is refused, and
    with another one where the import ends before it is finished.
    """
    at = now()
    read = games_of_file(source, rules_key or DEFAULT.key, tell)
    opened = used_data_folder() if table_id else found_data_folder(tell)
    try:
        with _read_whole(read) as games, opened as folder, open_store(folder) as store:
            with store.write() as db:
                table_id = table_id or server_table(db, at)
                if not db.execute("SELECT 1 FROM tables WHERE id = ?", [table_id]).fetchone():
                    raise FileError(None, _("Table {id} not found.").format(id=table_id))
            with _says_how_to_go_on():
                games = progress(games, _added)
                return import_summary(add_in_steps(store, table_id, games, at, _label(source)))
    except FileError as error:
        raise Failure(f"{error}\n{_('Nothing was imported.')}", 2) from error
    except InvalidJournal as error:
        raise Failure(import_failure(), 2) from error
    except OSError as error:
        raise _cannot_write(tempfile.gettempdir(), error) from error


def _read(games: int) -> str:
    return ngettext("{n} game read", "{n} games read", games).format(n=f"{games:,}")


def _added(games: int) -> str:
    return ngettext("{n} game imported", "{n} games imported", games).format(n=f"{games:,}")


def _label(source: BufferedReader) -> str:
    """Return the name of a file without its folder; `-` for the standard input."""
    name = getattr(source, "name", 0)
    return "-" if isinstance(name, int) else excerpt(os.path.basename(name), 200)


@contextmanager
def _says_how_to_go_on() -> Iterator[None]:
    """Raise `Failure` with what to do where an import is interrupted or the database fails."""
    again = _("The import isn’t finished. Import the file again: nothing is added twice.")
    try:
        yield
    except KeyboardInterrupt as interrupted:
        raise Failure(again, 130) from interrupted
    except (StoreError, StoreRefused) as error:
        raise Failure(f"{error}\n{again}") from error


@contextmanager
def _read_whole(games: Iterable[GameRecord]) -> Iterator[Iterator[GameRecord]]:
    """Read and check all games, then provide them; they are kept on disk, as there may be many."""
    with tempfile.TemporaryFile() as waiting:
        for game in progress(games, _read):
            check_journal(game)
            pickle.dump(game, waiting)
        pickle.dump(None, waiting)
        waiting.seek(0)
        yield iter(lambda: pickle.load(waiting), None)
