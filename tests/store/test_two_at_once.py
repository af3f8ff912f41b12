"""Several processes and many threads use one data folder at once."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database import Store
from scorekeeper.store.journal import EditConflict
from scorekeeper.store.opening import open_store
from tests import postgresql
from tests.program import CHECKOUT, clean_environment
from tests.store.disagreements import disagreements
from tests.store.play import Keeper

STARTS, WRITERS, THREADS, GAMES = 4, 2, 8, 40

# Each process waits for a line on stdin, so that all begin together.
OPEN = """
import sys
from pathlib import Path
from scorekeeper.store.opening import open_store
from tests.store.play import Keeper
print("ready", flush=True)
sys.stdin.readline()
store = open_store(Path(sys.argv[1]))
Keeper(store).begin()
store.backups.end()
store.close()
"""
WRITE = """
import sys
from pathlib import Path
from scorekeeper.rules.round import Round
from scorekeeper.store.opening import open_store
from tests.store.play import Keeper
store = open_store(Path(sys.argv[1]))
store.backups.end()
keeper = Keeper(store)
game = keeper.begin()
print("ready", flush=True)
sys.stdin.readline()
for number in range(1, 31):
    game = keeper.bid(game, 0, 3)
    game = keeper.put(game, game.state.number, Round((3, 3, 1, 3), (3, 3, 1, 3)))
store.close()
"""


def run_together(script: str, folder: Path, count: int) -> list[tuple[int, str]]:
    """Run a script in several processes that begin together; return how each of them ended."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(folder)],
            cwd=CHECKOUT,
            env=clean_environment(
                PYTHONPATH=os.pathsep.join([str(CHECKOUT), *sys.path]),
                SCOREKEEPER_DATABASE=os.environ.get("SCOREKEEPER_DATABASE", ""),
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=60) for process in processes]
    return [(process.returncode, said[1]) for process, said in zip(processes, ends, strict=True)]


@pytest.mark.slow
def test_four_programs_open_a_new_folder_together(data: Path, database: str) -> None:
    if database == "postgresql":
        postgresql.remake(os.environ["SCOREKEEPER_DATABASE"])
    assert run_together(OPEN, data, STARTS) == [(0, "")] * STARTS
    store = open_store(data)
    assert store.db.execute("SELECT count(*) FROM games").fetchone() == (STARTS,)
    store.close()


@pytest.mark.slow
def test_two_programs_write_and_neither_finds_the_database_locked(data: Path) -> None:
    assert run_together(WRITE, data, WRITERS) == [(0, "")] * WRITERS
    store = open_store(data)
    counted = store.db.execute("SELECT count(*) FROM changes GROUP BY game_id").fetchall()
    assert counted == [(1 + 2 * 30,)] * WRITERS
    assert disagreements(store.db) == []
    store.close()


def test_many_threads_bid_at_many_games(store: Store) -> None:
    keepers = [Keeper(store) for _ in range(GAMES)]
    games = [keeper.begin() for keeper in keepers]

    def bid(seat: int) -> None:
        for keeper, game in zip(keepers, games, strict=True):
            keeper.bid(game, seat, seat + 1, seen=game.version)
        store.release()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(bid, seat) for seat in range(4)]:
            done.result()
    for keeper, game in zip(keepers, games, strict=True):
        assert keeper.load(game.id).state.open.bids == (1, 2, 3, 4)
        versions = [change.version for change in changes_of(keeper.db, game)]
        assert versions == [1, 2, 3, 4, 5]


def test_of_many_phones_that_disagree_exactly_one_is_recorded(store: Store) -> None:
    keeper = Keeper(store)
    game = keeper.begin()
    together = threading.Barrier(THREADS)
    recorded: list[int] = []
    refused: list[int] = []

    def bid(value: int) -> None:
        together.wait()
        try:
            keeper.bid(game, 0, value, seen=game.version)
            recorded.append(value)
        except EditConflict as stale:
            refused.append(stale.game.version)
        store.release()

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(bid, value) for value in range(1, THREADS + 1)]:
            done.result()
    assert len(recorded) == 1
    assert refused == [game.version + 1] * (THREADS - 1)
    assert keeper.load(game.id).state.open.bids == (recorded[0], None, None, None)


def test_of_many_double_taps_one_is_recorded(store: Store) -> None:
    keeper = Keeper(store)
    game = keeper.begin()
    together = threading.Barrier(THREADS)

    def bid(_phone: int) -> int:
        together.wait()
        version = keeper.bid(game, 0, 3, seen=game.version).version
        store.release()
        return version

    with ThreadPoolExecutor(THREADS) as pool:
        versions = list(pool.map(bid, range(THREADS)))
    assert versions == [2] * THREADS


def test_undo_from_two_phones_takes_one_change_back(store: Store) -> None:
    keeper = Keeper(store)
    game = keeper.bid(keeper.bid(keeper.begin(), 0, 3), 1, 2)
    together = threading.Barrier(2)
    stale: list[EditConflict] = []

    def undo(_phone: int) -> None:
        together.wait()
        try:
            with store.write(keeper.table_id) as db:
                now = keeper.load(game.id)
                journal.undo_or_redo(
                    db, now, "undo", game.version, journal.Who(keeper.phone.id, keeper.now())
                )
        except EditConflict as late:
            stale.append(late)
        store.release()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(undo, range(2)))
    assert len(stale) == 1
    assert keeper.load(game.id).state.open.bids == (3, None, None, None)
