"""A locked database: writers wait in turn, with a timeout, and block nobody else."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.store import database as store_module
from scorekeeper.store import sqlite
from scorekeeper.store.connection import StoreBusy
from scorekeeper.store.database import FILE, Store
from tests.program import run_script

pytestmark = pytest.mark.sqlite

PATIENCE = 0.2  # seconds, in place of five
WRITERS = 20

# Prints the longest pause of a greenlet while another waits for the lock, as a share of the wait.
GEVENT = """
from gevent.monkey import patch_all
patch_all()
import sqlite3, sys, threading, time
from pathlib import Path
from scorekeeper.store import database, sqlite
from scorekeeper.store.connection import StoreBusy
sqlite.BUSY_SECONDS = database.BUSY_SECONDS = 2.0
store = database.Store(Path(sys.argv[1]))
other = sqlite3.connect(store.path)
other.execute("BEGIN IMMEDIATE")
ended = []
def write():
    try:
        with store.write():
            pass
    except StoreBusy:
        ended.append("busy")
writer = threading.Thread(target=write)
begun = last = time.monotonic()
longest = 0.0
writer.start()
while writer.is_alive():
    time.sleep(0.001)
    now = time.monotonic()
    longest, last = max(longest, now - last), now
print(*ended, longest / (last - begun))
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long."""
    for module in (sqlite, store_module):
        monkeypatch.setattr(module, "BUSY_SECONDS", PATIENCE)


@pytest.fixture
def locked(data: Path, impatient: None) -> Iterator[sqlite3.Connection]:
    """Another program that is writing, and does not end."""
    with closing(sqlite3.connect(data / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def write_nothing(store: Store) -> None:
    try:
        with store.write():
            pass
    finally:
        store.close()


@pytest.mark.slow
def test_under_gevent_a_wait_for_the_lock_stops_nobody_else(data: Path) -> None:
    said, stood_still = run_script(GEVENT, str(data)).split()
    assert said == "busy"
    assert float(stood_still) < 0.5  # of the time that the writer waited


def test_a_write_goes_on_when_the_lock_is_free_again(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(data / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(sqlite.time, "sleep", lambda _seconds: other.rollback())
        with store.write() as db:
            db.execute("INSERT INTO tables (id, made) VALUES ('x', 'now')")
    assert store.db.execute("SELECT id FROM tables").fetchall() == [("x",)]


def test_a_read_goes_on_when_the_lock_is_free_again(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    with closing(sqlite3.connect(data / FILE)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(sqlite.time, "sleep", lambda _seconds: other.close())
        assert store.db.execute("SELECT count(*) FROM tables").fetchone() == (0,)


def test_all_who_wait_give_up_after_the_same_time(store: Store, locked: sqlite3.Connection) -> None:
    begun = time.monotonic()
    with ThreadPoolExecutor(WRITERS) as threads:
        waiting = [threads.submit(write_nothing, store) for _ in range(WRITERS)]
        refused = [one.exception() for one in waiting]
    assert [type(error) for error in refused] == [StoreBusy] * WRITERS
    assert time.monotonic() - begun < WRITERS * PATIENCE / 2
    locked.rollback()
    write_nothing(store)
