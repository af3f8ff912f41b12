"""What is said of a PostgreSQL server and its standby."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from scorekeeper import create_app
from scorekeeper.store.database import StoreRefused
from tests import postgresql
from tests.web.http.test_metrics import value

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]
PATIENCE = 20.0  # seconds


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(StoreRefused):  # the schema has not arrived
            if holds():
                return True
        time.sleep(0.1)
    return False


def test_primary_and_standby_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    postgresql.needs_postgresql()

    def health(url: str) -> tuple[int, str, float]:
        monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
        app = create_app(DATA=tmp_path, SECRET_KEY="x" * 32)
        answer = app.test_client().get("/healthz")
        is_primary = value(app, "database_primary", database="postgresql")
        for stop in app.extensions["on_stop"]:
            stop()
        app.extensions["store"].close()
        return answer.status_code, answer.text, is_primary

    with (
        postgresql.Cluster() as primary,
        postgresql.Cluster(standby_of=primary) as standby,
        postgresql.schema(primary.socket) as url,
    ):
        words = "ok\ndatabase: postgresql, primary\nstandby walreceiver: 0 bytes behind\n"
        assert eventually(lambda: health(url) == (200, words, 1))
        there = url.replace(quote(str(primary.socket)), quote(str(standby.socket)))
        assert eventually(lambda: health(there)[0] == 503)
        _status, sentence, is_primary = health(there)
        assert "it’s a read-only standby" in sentence
        assert is_primary == 0
