"""`scorekeeper import` is killed at any moment, while phones record."""

import csv
import io
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from scorekeeper.clock import now
from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.store.backup import open_to_read
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.imports import unfinished
from scorekeeper.store.tables import make_table
from tests.bench.play import DataFolder
from tests.bench.seed import many_games
from tests.faults.kills import Installation
from tests.faults.ledger import Tale
from tests.program import CHECKOUT, Program, clean_environment

IMPORT = [sys.executable, "-m", "scorekeeper", "import"]
PATIENCE = 60.0  # seconds
OF_TABLE = "SELECT count(*) FROM games WHERE table_id = ?"
OF_IMPORT = ("game", "started", "date")  # columns that say nothing of what was played
Played = Counter[tuple[tuple[str, ...], ...]]  # games by their rows without ids and times


def kill_imports(
    installation: Installation, folder: Path, games: int, times: int, tale: Tale
) -> Tale:
    """Kill imports; another one of the same file then adds exactly what is missing."""
    files, due = _files_of_games(folder, games)
    longest, parts = PATIENCE, 0  # the first import is not killed, to see how long one takes
    for number in range(times):
        table_id, file = _new_table(installation.folder), files[number % len(files)]
        with installation.start() as program:
            installation.come_back(program, tale)
            importing = _import(installation.folder, file, table_id)
            while importing.poll() is None and not _count(installation.folder, table_id):
                time.sleep(0.02)
            begun, kill_at = time.monotonic(), installation.dice.uniform(0, 1.2 * longest)
            while time.monotonic() - begun < kill_at and importing.poll() is None:
                _tap(installation, program)
            importing.kill()
            if importing.wait() == 0:
                longest = time.monotonic() - begun
            is_whole = _count(installation.folder, table_id) == games
            parts += not is_whole
            tale.check(installation.folder)
            _tap(installation, program)
            if not is_whole and not _told(installation.folder):
                tale.wrong.append(f"nothing is told after kill {number}")
            for _turn in range(2):
                assert _import(installation.folder, file, table_id).wait(PATIENCE) == 0
                if _played(installation.folder, table_id) != due:
                    tale.wrong.append(f"other games are there after kill {number}")
            tale.wrong += _told(installation.folder)
            tale.check(installation.folder)
        tale.times += 1
        if tale.is_bad:
            break
    installation.sum_up(tale)
    tale.sees = f"a part of the games ({parts} times), and all of them after another import"
    return tale


def _files_of_games(folder: Path, games: int) -> tuple[list[Path], Played]:
    """Write finished games that were played elsewhere, as JSON and as a sheet; return both.

    The sheet has neither ids nor times, so that many of its games are equal.
    """
    source = DataFolder(folder / "elsewhere")
    many_games(source, source.phone(), games)
    whole, sheet = folder / "games.json", folder / "games.csv"
    whole.write_bytes(b"".join(json_pieces(source.store)))
    rows = _rows(source.store)
    with sheet.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0])
        for number, (_id, of_game) in enumerate(groupby(rows[1:], key=itemgetter(0))):
            writer.writerows([str(number), "", *row[2:]] for row in of_game)
    source.store.backups.end()
    source.store.close()
    return [whole, sheet], _games(rows)


def _rows(store: Store, table_id: str | None = None) -> list[list[str]]:
    text = b"".join(csv_pieces(store, table_id)).decode()
    return list(csv.reader(io.StringIO(text)))


def _games(rows: list[list[str]]) -> Played:
    """Count the games. Those of a sheet without times are of the day on which it is imported."""
    kept = [place for place, name in enumerate(rows[0]) if name not in OF_IMPORT]
    return Counter(
        tuple(tuple(row[place] for place in kept) for row in of_game)
        for _id, of_game in groupby(rows[1:], key=itemgetter(0))
    )


@contextmanager
def _opened(folder: Path) -> Iterator[Store]:
    store = Store(folder)
    yield store
    store.close()


def _played(folder: Path, table_id: str) -> Played:
    with _opened(folder) as store:
        return _games(_rows(store, table_id))


def _told(folder: Path) -> list[str]:
    with _opened(folder) as store:
        return [str(one) for one in unfinished(store.db)]


def _tap(installation: Installation, program: Program) -> None:
    for keeper in installation.keepers:
        keeper.phone.move(program.address)  # the server lets go of a phone that waits too long
        keeper.tap()


def _new_table(folder: Path) -> str:
    with _opened(folder) as store, store.write() as db:
        return make_table(db, now())


def _import(folder: Path, file: Path, table_id: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*IMPORT, "--table", table_id, str(file)],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder), PYTHONPATH=str(CHECKOUT)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _count(folder: Path, table_id: str) -> int:
    with closing(open_to_read(folder / FILE)) as db:
        return int(db.execute(OF_TABLE, [table_id]).fetchone()[0])
