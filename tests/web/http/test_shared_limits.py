"""Rate limits that several servers share, as they share a database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper import create_app
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.rate_limits import delete_full_buckets, take_token
from scorekeeper.web.http.rate_limits import DAY, HOUR, Limit, Limits
from tests import postgresql
from tests.web.http.test_rate_limits import try_key

pytestmark = pytest.mark.postgresql


@pytest.fixture
def shared(postgresql_server: Path, tmp_path: Path) -> Iterator[Store]:
    """A store of which several servers count together."""
    with postgresql.schema(postgresql_server) as url:
        store = open_postgresql(url, tmp_path)
        yield store
        store.close()


def pass_seconds(store: Store, seconds: float) -> None:
    """Make the buckets in a database as full as they will be after some time."""
    with store.borrow() as db:
        db.execute("UPDATE rate_limits SET full_at = full_at - ?", [seconds])


def test_buckets_in_a_database_are_those_of_a_process(shared: Store) -> None:
    def hours(kind: str, who: str, times: int) -> list[int]:
        """Take tokens, of which there is a new one every ten hours; return the hours to wait."""
        with shared.borrow() as db:
            waits = [take_token(db, kind, who, 10 * HOUR, burst=2.0) for _ in range(times)]
        return [round(wait / HOUR) for wait in waits]

    assert hours("new_tables", "North", 4) == [0, 0, 10, 10]
    assert hours("new_tables", "East", 1) == [0]
    assert hours("imports", "North", 1) == [0]
    pass_seconds(shared, 8 * HOUR)
    assert hours("new_tables", "North", 2) == [2, 2], "being refused makes no wait longer"
    pass_seconds(shared, 2 * HOUR)
    assert hours("new_tables", "North", 2) == [0, 10]
    pass_seconds(shared, 9 * DAY)
    assert hours("new_tables", "North", 3) == [0, 0, 10], "never more than a burst"


@pytest.mark.parametrize("back", [DAY, 365 * DAY])
def test_a_clock_that_is_put_back_refuses_nobody_for_longer(shared: Store, back: float) -> None:
    def take(times: int) -> list[int]:
        with shared.borrow() as db:
            return [take_token(db, "imports", "North", HOUR, burst=2.0) for _ in range(times)]

    assert take(3)[:2] == [0, 0]
    pass_seconds(shared, -back)
    assert take(1) == [0]
    *passed, wait = take(2)
    assert passed == [0]
    assert 0 < wait <= HOUR


def test_servers_that_count_together_let_no_more_through(shared: Store) -> None:
    def take(_n: int) -> int:
        with shared.borrow() as db:
            return take_token(db, "wrong_keys", "192.0.2.1", each=HOUR, burst=20.0)

    with ThreadPoolExecutor(8) as servers:
        waits = list(servers.map(take, range(60)))
    assert waits.count(0) == 20


def test_full_buckets_are_deleted(shared: Store) -> None:
    with shared.borrow() as db:
        take_token(db, "new_tables", "North", each=360.0, burst=10.0)
        pass_seconds(shared, 361)
        take_token(db, "new_tables", "East", each=360.0, burst=10.0)
        delete_full_buckets(db)
        assert db.execute("SELECT who FROM rate_limits").fetchall() == [("East",)]


@pytest.fixture
def servers(
    postgresql_server: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Flask]]:
    """Two open servers with one database."""
    with postgresql.schema(postgresql_server) as url:
        monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
        apps = [create_app(DATA=tmp_path, SECRET_KEY="x" * 32, OPEN=True) for _ in range(2)]
        yield apps
        for app in apps:
            for stop in app.extensions["on_stop"]:
                stop()
            app.extensions["store"].close()


def test_what_one_server_counts_another_refuses(servers: list[Flask]) -> None:
    for app in servers:
        app.extensions["limits"] = Limits(wrong_keys=Limit(2, HOUR))
    one, other = servers
    assert [try_key(app).status_code for app in (one, one, other)] == [404, 404, 429]
