"""Programs on one PostgreSQL know of each other: who moves or migrates games has them alone."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli.commands import scorekeeper
from scorekeeper.store.connection import StoreBusy, StoreUnavailable
from scorekeeper.store.database import Store, StoreRefused, storage_problem
from scorekeeper.store.migrations import SCHEMA_VERSION
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.postgresql import store as on_postgresql
from scorekeeper.store.postgresql.connections import USE, connect
from scorekeeper.store.postgresql.presence import LOCKLESS
from scorekeeper.store.postgresql.store import Translator, make_schema
from tests import postgresql
from tests.faults.databases import PGBOUNCER, Pooler
from tests.store.play import Keeper

TRY_ALONE = f"SELECT pg_try_advisory_lock({USE})"
END_HOLDERS = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND classid::bigint = 7291002 AND pid <> pg_backend_pid()
"""
pytestmark = [pytest.mark.postgresql]


@pytest.fixture
def url(postgresql_server: Path) -> Iterator[str]:
    with postgresql.schema(postgresql_server) as url:
        yield url


@contextmanager
def opened(url: str, folder: Path) -> Iterator[Store]:
    with open_postgresql(url, folder, waits_long=True) as store:
        yield store


def test_games_stay_while_a_server_runs(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
    monkeypatch.setenv("SCOREKEEPER_SECRET", "x" * 32)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    with opened(url, tmp_path) as server:
        keeper = Keeper(server)
        game = keeper.begin()
        refused = CliRunner().invoke(scorekeeper, ["move", str(tmp_path / "there")])
        assert refused.exit_code == 1
        assert "is in use by Scorekeeper 1" in refused.output
        assert f"process {os.getpid()}" in refused.output
        keeper.bid(game, 0, 3)
    moved = CliRunner().invoke(scorekeeper, ["move", str(tmp_path / "there")])
    assert moved.output == "Moved 1 game.\n"


def test_nobody_writes_or_comes_while_somebody_has_the_games(url: str, tmp_path: Path) -> None:
    with opened(url, tmp_path) as mover:
        keeper = Keeper(mover)
        game = keeper.begin()
        with mover.alone():
            keeper.bid(game, 0, 3)  # its own transactions are not in the way
            with pytest.raises(StoreRefused, match=r"in use by Scorekeeper .*, process \d"):
                open_postgresql(url, tmp_path, waits_long=True)
        with opened(url, tmp_path):
            pass


def test_a_writer_whose_program_is_not_known_waits_for_no_move(url: str, tmp_path: Path) -> None:
    with opened(url, tmp_path) as server, closing(connect(url)) as other:
        keeper = Keeper(server)
        game = keeper.begin()
        other.execute(END_HOLDERS)  # its thread, which it lacks here, would take the lock again
        while other.execute(TRY_ALONE).fetchone() != (True,):
            pass
        with pytest.raises(StoreBusy, match="for itself"):
            keeper.bid(game, 0, 3)


def test_no_newer_program_migrates_below_one_that_runs(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url, tmp_path) as older:
        keeper = Keeper(older)
        game = keeper.begin()
        newer = SCHEMA_VERSION + 1
        monkeypatch.setattr(on_postgresql, "SCHEMA_VERSION", newer)
        monkeypatch.setitem(on_postgresql.STEPS, newer, lambda _db: None)
        with pytest.raises(StoreRefused, match=r"in use by Scorekeeper .*, process \d"):
            open_postgresql(url, tmp_path, waits_long=True)
        monkeypatch.undo()
        keeper.bid(game, 0, 3)


def test_a_program_writes_nothing_once_its_data_were_migrated(url: str, tmp_path: Path) -> None:
    with opened(url, tmp_path) as older:
        keeper = Keeper(older)
        game = keeper.begin()
        older.db.execute("UPDATE schema_version SET version = ?", [SCHEMA_VERSION + 1])
        with pytest.raises(StoreUnavailable, match=rf"data version {SCHEMA_VERSION + 1}"):
            keeper.bid(game, 0, 3)
        with pytest.raises(StoreUnavailable, match=rf"data version {SCHEMA_VERSION + 1}"):
            keeper.begin()
        assert f"data version {SCHEMA_VERSION + 1}" in storage_problem(older)


def test_a_program_that_holds_no_lock_is_seen_by_what_it_asks(url: str, tmp_path: Path) -> None:
    with closing(connect(url, application_name="")) as older:
        make_schema(Translator(older.execute), LOCKLESS)
        older.execute("LISTEN scorekeeper")
        with pytest.raises(StoreRefused, match="in use by an older Scorekeeper"):
            open_postgresql(url, tmp_path, waits_long=True)
    with opened(url, tmp_path):
        pass


def test_servers_that_start_together_migrate_once(url: str, tmp_path: Path) -> None:
    with closing(connect(url)) as first:
        make_schema(Translator(first.execute), SCHEMA_VERSION - 1)
    stores: list[Store] = []

    def start() -> None:
        stores.append(open_postgresql(url, tmp_path, waits_long=True))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ExitStack() as at_end:
        for store in stores:
            at_end.enter_context(store)
        assert len(stores) == 4


def test_a_lost_lock_is_taken_again(url: str, tmp_path: Path) -> None:
    def is_alone() -> bool:
        try:
            with mover.alone():
                return True
        except StoreRefused:
            return False

    with (
        open_postgresql(url, tmp_path),
        closing(connect(url)) as other,
        opened(url, tmp_path) as mover,
    ):
        other.execute(END_HOLDERS)
        while is_alone():
            pass


@pytest.mark.slow
@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")
def test_a_pooler_lends_the_lock_too(tmp_path: Path) -> None:
    postgresql.needs_postgresql()
    with postgresql.Cluster() as cluster, Pooler(tmp_path, cluster) as pooler:
        with opened(pooler.url, tmp_path) as server:
            Keeper(server).begin()
            with (
                opened(cluster.url, tmp_path) as mover,
                pytest.raises(StoreRefused, match=r"in use by Scorekeeper .*, process \d"),
                mover.alone(),
            ):
                pass
        with opened(cluster.url, tmp_path) as mover, mover.alone():
            pass
