"""What the command line does with the data folder: backup, restore, check, export, import."""

import os
import pickle
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TextIO

from scorekeeper.clock import now
from scorekeeper.files.exports import csv_pieces, import_failure, import_summary, json_pieces
from scorekeeper.files.imports import games_of_file
from scorekeeper.files.json.strict_json import FileError
from scorekeeper.i18n import gettext as _
from scorekeeper.store.database.backup import BackupFailed, back_up, draft_of
from scorekeeper.store.database.rotation import back_up_dated, dated_name
from scorekeeper.store.database.store import FILE, Store
from scorekeeper.store.game_record import GameRecord
from scorekeeper.store.imports import DoesNotFollow, add_new
from scorekeeper.store.maintenance.restore import RestoreRefused, restore
from scorekeeper.store.staging import ChangedMeanwhile
from scorekeeper.store.tables import house_table


def make_backup(folder: Path, target: Path | None, out: TextIO) -> int:
    """Back up into the folder of backups, into another folder or under a name; print the path.

    The database is only read, as it is, so that games go on meanwhile.
    """
    database = folder / FILE
    if not database.exists():
        print(
            _("There is no {path}, so there is nothing to back up.").format(path=database),
            file=sys.stderr,
        )
        return 1
    try:
        if target is None:
            target = back_up_dated(database)
        else:
            target = target / dated_name(now()) if target.is_dir() else target
            back_up(database, target)
    except BackupFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    print(target, file=out)
    return 0


def bring_back(folder: Path, backup: Path, out: TextIO) -> int:
    """Restore a backup and say what was done."""
    try:
        print(restore(folder, backup), file=out)
    except RestoreRefused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


def export_games(folder: Path, target: Path | None, kind: str | None, out: BinaryIO) -> int:
    """Write every game as CSV or JSON to a file or to `out`; a file is there whole or not at all.

    Without `kind` the name of the file decides, else it is CSV.
    """
    as_json = kind == "json" or (kind is None and target is not None and target.suffix == ".json")
    with Store(folder) as store:
        return _write(json_pieces(store) if as_json else csv_pieces(store), target, out)


def _write(pieces: Iterable[bytes], target: Path | None, out: BinaryIO) -> int:
    if target is None:
        for piece in pieces:
            out.write(piece)
        out.flush()
        return 0
    try:
        with draft_of(target) as draft:
            with draft.open("wb") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
    except OSError as error:
        sentence = _("{path} cannot be written: {reason}.")
        reason = error.strerror or error
        print(sentence.format(path=target, reason=reason), file=sys.stderr)
        return 1
    print(target, file=sys.stderr)
    return 0


def import_games(
    folder: Path, source: BufferedReader, table_id: str | None, rules_key: str | None, out: TextIO
) -> int:
    """Take in the games of a file, all or none, and say what was added.

    They belong to the table of the house unless another is named. The file is read to its end
    before the first game is added.
    """
    at = now()
    try:
        with Store(folder) as store, _read_whole(games_of_file(source, rules_key)) as games:
            with store.write() as db:
                table_id = table_id or house_table(db, at)
                if not db.execute("SELECT 1 FROM tables WHERE id = ?", [table_id]).fetchone():
                    raise FileError(None, _("There is no table {id} here.").format(id=table_id))
            counts = add_new(store, table_id, games, None, at)
    except (FileError, DoesNotFollow, ChangedMeanwhile) as error:
        print(error if isinstance(error, FileError) else import_failure(error), file=sys.stderr)
        print(_("Nothing was taken in."), file=sys.stderr)
        return 2
    print(import_summary(counts), file=out)
    return 0


@contextmanager
def _read_whole(games: Iterable[GameRecord]) -> Iterator[Iterator[GameRecord]]:
    """Give the games again once all were read; they wait on the disk, as there may be many."""
    with tempfile.TemporaryFile() as waiting:
        for game in games:
            pickle.dump(game, waiting)
        pickle.dump(None, waiting)
        waiting.seek(0)
        yield iter(lambda: pickle.load(waiting), None)
