"""`scorekeeper import` is killed at any moment, while phones record."""

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from scorekeeper.clock import now
from scorekeeper.files.exports import json_pieces
from scorekeeper.store.database.backup import open_to_read
from scorekeeper.store.database.store import FILE, Store
from scorekeeper.store.tables import make_table
from tests.bench.play import DataFolder
from tests.bench.seed import many_games
from tests.faults.kills import Installation
from tests.faults.ledger import Tale
from tests.program import CHECKOUT, Program, clean_environment

IMPORT = [sys.executable, "-m", "scorekeeper", "import"]
PATIENCE = 60.0  # seconds
STAGED = "SELECT count(DISTINCT import_id) FROM games"  # imports whose games nobody sees yet
OF_TABLE = "SELECT count(*) FROM games WHERE table_id = ? AND removed IS NULL"
LOOSE = "SELECT count(*) FROM games WHERE import_id IS NOT NULL OR removed IS NOT NULL"


def file_of_games(folder: Path, games: int) -> Path:
    """Write a file of finished games that were played elsewhere."""
    source = DataFolder(folder / "elsewhere")
    many_games(source, source.phone(), games)
    file = folder / f"{games}.json"
    file.write_bytes(b"".join(json_pieces(source.store)))
    source.store.backups.end()
    source.store.close()
    return file


def kill_imports(
    installation: Installation, folder: Path, games: int, times: int, tale: Tale
) -> Tale:
    """Kill imports: all of their games are there or none, and the next start leaves no trace.

    Every other time the next import is what tidies up, with no server.
    """
    file, small = (file_of_games(folder / str(many), many) for many in (games, 12))
    longest, whole = PATIENCE, 0  # the first import is not killed, to see how long one takes
    for number in range(times):
        table_id = _new_table(installation.folder)
        with installation.start() as program:
            installation.come_back(program, tale)
            importing = _import(installation.folder, file, table_id)
            _wait_until(installation.folder, STAGED, 1)
            begun, kill_at = time.monotonic(), installation.dice.uniform(0, 1.2 * longest)
            while time.monotonic() - begun < kill_at and importing.poll() is None:
                _tap(installation, program)
            importing.kill()
            ended = importing.wait()
            if ended == 0:
                longest = time.monotonic() - begun
            there = _count(installation.folder, OF_TABLE, table_id)
            whole += there == games
            if there not in (0, games) or (ended == 0 and there == 0):
                tale.wrong.append(f"{there} of {games} games are there after kill {number}")
            tale.check(installation.folder)
            _tap(installation, program)
            if number % 2:
                program.stop()
                assert (
                    _import(installation.folder, small, _new_table(installation.folder)).wait(
                        PATIENCE
                    )
                    == 0
                )
        if not number % 2:
            with installation.start() as program:
                installation.come_back(program, tale)
                _wait_until(installation.folder, STAGED, 0)
        if left := _count(installation.folder, LOOSE):
            tale.wrong.append(f"{left} games are left after kill {number}")
        tale.times += 1
        if tale.is_bad:
            break
    installation.sum_up(tale)
    tale.sees = f"nothing, or all games of the file ({whole} times)"
    return tale


def _tap(installation: Installation, program: Program) -> None:
    for keeper in installation.keepers:
        keeper.phone.move(program.address)  # the server lets go of a phone that waits too long
        keeper.tap()


def _new_table(folder: Path) -> str:
    store = Store(folder)
    with store.write() as db:
        table_id = make_table(db, now())
    store.close()
    return table_id


def _import(folder: Path, file: Path, table_id: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*IMPORT, "--table", table_id, str(file)],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder), PYTHONPATH=str(CHECKOUT)),
        stdout=subprocess.DEVNULL,
    )


def _wait_until(folder: Path, count: str, due: int) -> None:
    until = time.monotonic() + PATIENCE
    while _count(folder, count) != due:
        assert time.monotonic() < until, count
        time.sleep(0.02)


def _count(folder: Path, statement: str, *values: str) -> int:
    with closing(open_to_read(folder / FILE)) as db:
        return int(db.execute(statement, values).fetchone()[0])
