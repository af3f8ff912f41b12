"""Rate limits that several servers share, as they share a database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scorekeeper import create_app
from scorekeeper.store.database.store import Store
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.rate_limits import delete_full_buckets, take_token
from scorekeeper.web.http.rate_limits import DAY
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
    def takes(kind: str, who: str, times: int) -> list[int]:
        with shared.borrow() as db:
            return [take_token(db, kind, who, each=360.0, burst=2.0) for _ in range(times)]

    assert takes("new_tables", "North", 4) == [0, 0, 360, 360]
    assert takes("new_tables", "East", 1) == [0]
    assert takes("imports", "North", 1) == [0]
    pass_seconds(shared, 300)
    assert takes("new_tables", "North", 2) == [60, 60], "being refused makes no wait longer"
    pass_seconds(shared, 60)
    assert takes("new_tables", "North", 2) == [0, 360]
    pass_seconds(shared, DAY)
    assert takes("new_tables", "North", 3) == [0, 0, 360], "never more than a burst"


def test_servers_that_count_together_let_no_more_through(shared: Store) -> None:
    def take(_n: int) -> int:
        with shared.borrow() as db:
            return take_token(db, "wrong_keys", "192.0.2.1", each=180.0, burst=20.0)

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


def test_what_one_server_counts_another_refuses(
    postgresql_server: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgresql.schema(postgresql_server) as url:
        monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
        one, other = (create_app(DATA=tmp_path, SECRET_KEY="x" * 32, OPEN=True) for _ in range(2))
        assert {try_key(one).status_code for _ in range(20)} == {404}
        answer = try_key(other)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3")
        for app in (one, other):
            for stop in app.extensions["on_stop"]:
                stop()
            app.extensions["store"].close()
