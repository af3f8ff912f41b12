"""A locked database: writers wait in turn, with a timeout, and block nobody else."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.store import database as store_module
from scorekeeper.store import pool
from scorekeeper.store.connection import StoreBusy
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.locks import FairLock
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
from scorekeeper.store.database import pool, store
from scorekeeper.store.database.errors import StoreBusy
pool.BUSY_SECONDS = store.BUSY_SECONDS = 2.0
store = store.Store(Path(sys.argv[1]))
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
    for module in (pool, store_module):
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
        monkeypatch.setattr(pool.time, "sleep", lambda _seconds: other.rollback())
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
        monkeypatch.setattr(pool.time, "sleep", lambda _seconds: other.close())
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


def test_who_writes_again_at_once_waits_behind_those_who_asked_before(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, order = FairLock(), []
    monkeypatch.setattr(store_module, "FairLock", lambda: lock)
    store = Store(data)

    def write_later() -> None:
        with store.write():
            order.append("the other")
        store.close()

    other = threading.Thread(target=write_later)
    with store.write():
        other.start()
        while not lock.n_waiting:
            time.sleep(0.001)
    with store.write():
        order.append("the same")
    other.join()
    store.close()
    assert order == ["the other", "the same"]


def test_the_lock_goes_to_whoever_asked_first() -> None:
    lock, got = FairLock(), []

    def take(number: int) -> None:
        assert lock.acquire(60)
        got.append(number)
        lock.release()

    assert lock.acquire(0)
    threads = [threading.Thread(target=take, args=[number]) for number in range(5)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        while lock.n_waiting < number:
            time.sleep(0.001)
    assert not lock.acquire(0)
    lock.release()
    for thread in threads:
        thread.join()
    assert got == [0, 1, 2, 3, 4]
    assert lock.acquire(0)


class Killed:
    """A lock whose waiting thread is ended, before or just after the lock was handed to it."""

    def __init__(self, fair: FairLock, handed_over: bool) -> None:
        self._fair, self._handed_over = fair, handed_over

    def acquire(self, timeout: float | None = None) -> bool:
        if timeout is None:
            return True
        if self._handed_over:
            self._fair.release()
        raise KeyboardInterrupt

    def release(self) -> None:
        """Nobody waits any more."""


@pytest.mark.parametrize("handed_over", [False, True])
def test_who_is_ended_while_waiting_leaves_the_lock_to_others(
    monkeypatch: pytest.MonkeyPatch, handed_over: bool
) -> None:
    lock = FairLock()
    assert lock.acquire(0)
    with monkeypatch.context() as ended:
        ended.setattr(threading, "Lock", lambda: Killed(lock, handed_over))
        with pytest.raises(KeyboardInterrupt):
            lock.acquire(60)
    if not handed_over:
        lock.release()
    assert lock.acquire(0)
