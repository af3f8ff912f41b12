"""A change reaches watchers through the built-in server and through two workers of gunicorn."""

import http.client
import importlib.util
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from scorekeeper import create_app
from scorekeeper.clock import now
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.store.database import Store
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import join, make_table, make_watch_link
from tests.program import CHECKOUT, clean_environment
from tests.web.page import Page

pytestmark = pytest.mark.slow

WATCHERS = 20
SECRET = "a secret key for a test, long enough"
BOX = [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", "{port}"]
GUNICORN = [
    *(sys.executable, "-m", "gunicorn", "-k", "gevent", "-w", "2", "-b", "127.0.0.1:{port}"),
    *("--graceful-timeout", "1", "--no-control-socket", "scorekeeper:create_app()"),
]


class ServedGame:
    """A game in a data folder, a phone that keeps it, and the server that serves it."""

    def __init__(self, data: Path, port: int) -> None:
        self.port, self.store = port, Store(data)
        self.watchers: list[threading.Thread] = []
        with self.store.write() as db:
            self.table_id = make_table(db, now())
            self.phone = join(db, self.table_id, "a phone", now())
            cast = ("North", "East", "South", "West")
            self.id = create_game(
                db, self.table_id, GameSetup(CUTTHROAT_LITE, cast, 3), Who(self.phone.id, now())
            )
            game = load_game(db, self.table_id, self.id)
            assert game is not None
            self.watch = "/watch/" + make_watch_link(db, game, SECRET, now())
        app = create_app(DATA=data, SECRET_KEY=SECRET)
        signer = app.session_interface.get_signing_serializer(app)
        self.cookie = "s=" + signer.dumps({"phone": self.phone.id, "_permanent": True})
        app.extensions["store"].close()

    def ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, str]:
        """Send one request as the phone that keeps score."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Cookie": self.cookie, "Connection": "close"}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, urlencode(fields or {}), headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self.cookie = cookie.partition(";")[0]
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def bid(self, seat: int, bid: int) -> None:
        """Enter a bid in the form of round 1."""
        path = f"/games/{self.id}/rounds/1"
        form = Page(self.ask("GET", path)[1]).form("round")
        status, answer = self.ask("POST", path, {**form.fields, f"bid-{seat}": bid})
        assert status == 303, answer

    @property
    def version(self) -> int:
        game = load_game(self.store.db, self.table_id, self.id)
        assert game is not None
        return game.version


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(params=[BOX, GUNICORN], ids=["the server in the box", "two workers of gunicorn"])
def served_game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServedGame]:
    if "gunicorn" in request.param and importlib.util.find_spec("gunicorn") is None:
        pytest.fail("gunicorn is missing: install '.[test]', which names it")
    served_game = ServedGame(tmp_path, free_port())
    environment = clean_environment(
        SCOREKEEPER_DATA=str(tmp_path), SCOREKEEPER_SECRET=SECRET, PYTHONPATH=str(CHECKOUT)
    )
    process = subprocess.Popen(
        [part.format(port=served_game.port) for part in request.param],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(served_game)
        yield served_game
    finally:
        process.terminate()
        process.wait(timeout=20)
        for watcher in served_game.watchers:
            watcher.join(10)
        served_game.store.close()


def _wait_for(served_game: ServedGame) -> None:
    for _ in range(200):
        try:
            assert served_game.ask("GET", "/")[0] == 200
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the server did not answer")


class Watcher(threading.Thread):
    """A phone that looks on and notes the versions it is told."""

    def __init__(self, served_game: ServedGame) -> None:
        super().__init__(daemon=True)
        served_game.watchers.append(self)
        self.versions: list[int] = []
        self.told = threading.Condition()
        self.listening = threading.Event()
        self._connection = http.client.HTTPConnection("127.0.0.1", served_game.port, timeout=30)
        self._path = served_game.watch + "/events"

    def run(self) -> None:
        self._connection.request("GET", self._path)
        answer = self._connection.getresponse()
        assert answer.status == 200
        try:
            while line := answer.readline():
                if line.startswith(b"data:"):
                    with self.told:
                        self.versions.append(int(line[5:]))
                        self.told.notify_all()
                    self.listening.set()
        except (OSError, http.client.HTTPException):
            pass  # the server has ended
        finally:
            answer.close()
            self._connection.close()

    def hears(self, version: int) -> bool:
        """Wait until a version was told."""
        with self.told:
            return self.told.wait_for(lambda: version in self.versions, timeout=10)


def test_every_watcher_is_told_every_change(served_game: ServedGame) -> None:
    watchers = [Watcher(served_game) for _ in range(WATCHERS)]
    for watcher in watchers:
        watcher.start()
    assert all(watcher.listening.wait(10) for watcher in watchers)
    for seat, bid in enumerate((3, 2, 1, 4), 1):
        served_game.bid(seat, bid)
        assert all(watcher.hears(served_game.version) for watcher in watchers)
    assert {tuple(watcher.versions) for watcher in watchers} == {(1, 2, 3, 4, 5)}


def test_a_phone_that_comes_back_is_told_what_it_missed(served_game: ServedGame) -> None:
    served_game.bid(1, 3)
    late = Watcher(served_game)
    late.start()
    assert late.hears(2)
