"""A server that starts before its database: it answers 503 until that is there."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from scorekeeper import create_app
from scorekeeper.store.connection import StoreUnavailable
from scorekeeper.store.database import StoreRefused
from scorekeeper.store.opening import open_postgresql
from tests import postgresql
from tests.conftest import SECRET_KEY

pytestmark = pytest.mark.postgresql


class Server:
    """A database that can be reached once its socket is `there`."""

    def __init__(self, url: str, socket: Path, link: Path) -> None:
        self.url = url.replace(quote(str(socket)), quote(str(link)))
        self._socket, self._link = socket, link

    def starts(self) -> None:
        self._link.symlink_to(self._socket)


@pytest.fixture
def schema(postgresql_server: Path, tmp_path: Path) -> Iterator[Server]:
    """A database at an address where nothing answers yet."""
    with postgresql.schema(postgresql_server) as url:
        yield Server(url, postgresql_server, tmp_path / "socket")


def test_a_worker_boots_answers_503_and_goes_on_once_it_is_there(
    schema: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.store.postgresql.store.TRY_AGAIN", 0.0)
    monkeypatch.setattr("scorekeeper.web.http.metrics.FRESH", 0.0)
    monkeypatch.setenv("SCOREKEEPER_DATABASE", schema.url)
    app = create_app(DATA=tmp_path, SECRET_KEY=SECRET_KEY, OPEN=True)
    phone = app.test_client()
    refused = phone.post("/api/tables")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
    assert phone.get("/healthz").status_code == 503
    schema.starts()
    assert phone.get("/healthz").text.startswith("ok\n")
    assert phone.post("/api/tables").status_code == 201
    for stop in app.extensions["on_stop"]:
        stop()
    app.extensions["store"].close()


def test_while_it_does_not_answer_one_request_a_second_tries(
    schema: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.store.postgresql.store.TRY_AGAIN", 3600.0)
    store = open_postgresql(schema.url, tmp_path)
    schema.starts()
    with pytest.raises(StoreUnavailable):
        store.db.execute("SELECT 1")


def test_a_command_says_so_at_once(schema: Server, tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="Can’t use the PostgreSQL database"):
        open_postgresql(schema.url, tmp_path, waits_long=True)
