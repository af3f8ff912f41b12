"""The check of the whole file runs while the store is in use, and stops every save if it fails."""

import logging
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.rules.round import Round
from scorekeeper.store import damage, database
from scorekeeper.store.backup import back_up_dated
from scorekeeper.store.database import FILE, Store, StoreRefused
from tests.program import run_script
from tests.store.play import Keeper

pytestmark = pytest.mark.sqlite

MAX_WAIT = 30.0  # seconds; a busy machine is slow
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

# Prints the longest pause of a greenlet while a long check runs, as a share of its time.
GEVENT = """
from gevent.monkey import patch_all
patch_all()
import sys, time
from pathlib import Path
from scorekeeper.store import damage
from scorekeeper.store.database import Store
def slow(connection):
    query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)"
    return connection.execute(f"{query} SELECT count(*) FROM n").fetchone() == (3000000,)
damage.is_whole = slow
store = Store(Path(sys.argv[1]), check_later=True)
begun = last = time.monotonic()
longest = 0.0
while not store.file_check.wait(0):
    time.sleep(0.001)
    now = time.monotonic()
    longest, last = max(longest, now - last), now
assert store.file_check.sentence == ""
store.close()
print(longest / (last - begun))
"""


def damage_index(database: Path) -> None:
    """Damage a part of a database that few pages need: the root of an index of removed games."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'games_removed'"
        ).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * 8)


def wait_for_damage(store: Store) -> str:
    """Return what the check says when it has found damage and a backup to go on with."""
    end = time.monotonic() + MAX_WAIT
    while "backup" not in store.file_check.sentence and time.monotonic() < end:
        time.sleep(0.01)
    return store.file_check.sentence


@pytest.fixture
def damaged(data: Path) -> Path:
    """A folder with a game, a good backup and a file that is damaged since."""
    store = Store(data)
    keeper = Keeper(store)
    keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 4, 0, 3)))
    store.backups.end()
    store.close()
    back_up_dated(data / FILE)
    damage_index(data / FILE)
    return data


@pytest.fixture
def endless(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store whose check takes longer than anybody waits."""
    monkeypatch.setattr(damage, "is_whole", lambda db: bool(db.execute(ENDLESS).fetchone()))
    store = Store(data, check_later=True)
    yield store
    store.close()


def test_damage_stops_every_save_with_the_sentence_of_the_start(
    damaged: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreRefused) as at_the_start:
        Store(damaged)
    store = Store(damaged, check_later=True)
    sentence = wait_for_damage(store)
    assert sentence == str(at_the_start.value)
    assert sentence.splitlines()[-1].startswith("scorekeeper restore ")
    for _ in range(2):
        with pytest.raises(StoreRefused) as refused, store.write():
            pytest.fail("something could be written")
        assert str(refused.value) == sentence
    assert store.db.execute("SELECT count(*) FROM games").fetchone() == (1,)
    store.close()
    (record,) = [one for one in caplog.records if one.levelno == logging.CRITICAL]
    assert record.getMessage() == sentence


def test_the_start_does_not_wait_for_the_check(data: Path, endless: Store) -> None:
    games = Keeper(endless)
    for _ in range(3):
        games.begin()
    assert not endless.file_check.wait(0)


def test_the_check_ends_with_the_store(endless: Store) -> None:
    assert not endless.file_check.wait(0)
    endless.close()
    assert endless.file_check.wait(0)
    assert endless.file_check.sentence == ""


def test_a_whole_file_is_found_whole(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(data, check_later=True)
    assert store.file_check.wait(MAX_WAIT)
    assert store.file_check.sentence == ""
    assert caplog.records == []
    store.close()


NICER = """
import os, sys
from pathlib import Path
from scorekeeper.store import damage
from scorekeeper.store.database import Store
found = []
damage.is_whole = lambda connection: found.append(os.getpriority(os.PRIO_PROCESS, 0)) or True
os.nice(int(sys.argv[2]))
store = Store(Path(sys.argv[1]), check_later=True)
store.file_check.wait()
store.close()
print(*found)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no niceness")
@pytest.mark.parametrize(("started", "checked"), [(0, damage.NICENESS), (15, 15)])
def test_a_check_is_at_least_as_nice_as_its_server(data: Path, started: int, checked: int) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    printed = run_script(NICER, str(data), str(max(started - own, 0)))
    assert int(printed) == max(own, checked)


def test_a_check_that_cannot_be_made_is_no_damage(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_connection: sqlite3.Connection) -> bool:
        raise sqlite3.OperationalError("out of memory")

    monkeypatch.setattr(damage, "is_whole", fails)
    store = Store(data, check_later=True)
    assert store.file_check.wait(MAX_WAIT)
    Keeper(store).begin()
    store.close()
    assert "could not be checked: out of memory" in caplog.text


def test_a_command_checks_before_it_does_anything(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(data).close()
    monkeypatch.setattr(database, "is_whole", lambda _db: False)
    with pytest.raises(StoreRefused, match="is damaged"):
        Store(data)
    Store(data, check_later=True).close()


@pytest.mark.slow
def test_under_gevent_the_check_stops_nobody(data: Path) -> None:
    assert float(run_script(GEVENT, str(data))) < 0.5  # of the time that the check took
