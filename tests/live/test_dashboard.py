"""Programs that follow a whole table, through kills of the server and of their own."""

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.clock import now
from scorekeeper.store.opening import open_store
from scorekeeper.store.tables import make_join_key, server_table
from tests.live.room import eventually
from tests.postgresql import Cluster, needs_postgresql
from tests.program import CHECKOUT, Program, clean_environment

pytestmark = pytest.mark.slow
GAMES, ROUNDS, KILLS = 3, 12, 3
ROUND = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3]}
BRIDGE = re.search(
    r"^## A bridge$.*?```python\n(.*?)```",
    (CHECKOUT / "docs" / "api.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)
# Notes the id and the name of each event in one write, and goes on after the last one it noted.
LISTENER = """
import os, sys, time, urllib.request
server, key, path = sys.argv[1:]
notes = os.open(path, os.O_APPEND | os.O_RDWR | os.O_CREAT)
while True:
    try:
        said = open(path).read().split()
        asked = urllib.request.Request(f"{server}/api/events")
        asked.add_header("Authorization", f"Bearer {key}")
        asked.add_header("Last-Event-ID", said[-2] if said else "0")
        event = {}
        for line in urllib.request.urlopen(asked, timeout=20):
            name, _, value = line.decode().rstrip("\\n").partition(": ")
            if name:
                event[name] = value
            elif "data" in event:
                os.write(notes, f"{event['id']} {event['event']}\\n".encode())
                event = {}
    except OSError:
        time.sleep(0.1)
"""


class Server:
    """The server at one address, however often it is killed, and a key of its table."""

    def __init__(self, folder: Path, url: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.settings = {"SCOREKEEPER_DATA": str(folder)}
        if url:
            self.settings |= {"SCOREKEEPER_DATABASE": url, "SCOREKEEPER_SECRET": "s" * 40}
        self.program = self.start()
        self.key = self._make_key(folder, url)

    def start(self) -> Program:
        options = ["--host", "127.0.0.1", "--port", str(self.port)]
        self.program = Program(
            [sys.executable, "-m", "scorekeeper", *options], CHECKOUT, **self.settings
        )
        return self.program

    def kill(self) -> None:
        self.program.kill()
        self.program.process.communicate()

    def _make_key(self, folder: Path, url: str) -> str:
        with pytest.MonkeyPatch.context() as patch:
            if url:
                patch.setenv("SCOREKEEPER_DATABASE", url)
            with open_store(folder) as store, store.write() as db:
                return make_join_key(db, server_table(db, now()), "a dashboard", now())

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request until it is answered; sending it again is safe."""
        headers |= {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        until = time.monotonic() + 60
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                connection.request(method, f"/api/{path}", body and json.dumps(body), headers)
                answer = connection.getresponse()
                told = json.loads(answer.read())
                if answer.status < 500:
                    assert answer.status < 300, told
                    return told
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.05)
            finally:
                connection.close()
        raise AssertionError("no answer")

    def play(self, name: str, counted: list[str], target: int = 500) -> None:
        """Play a game, and count what must be told of it."""
        game = self.call(
            "POST",
            "games",
            {
                "rules": "cutthroat-lite",
                "players": ["Ana", "Ben", "Cy", "Dana"],
                "house_rules": {"target": target},
            },
            **{"Idempotency-Key": name},
        )
        counted.append(f"{game['id']}-1 started")
        for number in range(1, ROUNDS + 1):
            path, seen = f"games/{game['id']}/rounds/{number}", game["version"]
            game = self.call("PUT", path, ROUND, **{"If-Match": f'"{seen}"'})
            is_over = game["outcome"] is not None and game["outcome"]["winner"]
            counted.append(f"{game['id']}-{game['version']} {'over' if is_over else 'scored'}")
            if is_over:
                return


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if request.param == "sqlite":
        server = Server(tmp_path, "")
        yield server
        server.kill()
        return
    needs_postgresql()
    with Cluster() as cluster:
        server = Server(tmp_path, cluster.url)
        yield server
        server.kill()


def listen(server: Server, notes: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", LISTENER, server.address, server.key, str(notes)],
        env=clean_environment(),
    )


def test_each_change_is_told_once_and_in_order_through_kills(
    server: Server, tmp_path: Path
) -> None:
    dice, notes = random.Random(1), tmp_path / "told"
    counted: list[list[str]] = [[] for _ in range(GAMES)]
    players = [
        threading.Thread(target=server.play, args=[f"game-{n}", counted[n], 900], daemon=True)
        for n in range(GAMES)
    ]
    listener = listen(server, notes)
    try:
        for player in players:
            player.start()
        for _ in range(KILLS):
            before = sum(map(len, counted))
            eventually(lambda before=before: sum(map(len, counted)) > before)  # type: ignore[misc]
            time.sleep(dice.uniform(0, 0.3))
            server.kill()
            server.start()
            listener.send_signal(signal.SIGKILL)
            listener.wait()
            listener = listen(server, notes)
        for player in players:
            player.join(timeout=120)
        due = sum(map(len, counted))
        assert due == GAMES * (ROUNDS + 1)
        assert eventually(lambda: len(notes.read_text().splitlines()) >= due)
    finally:
        listener.kill()
        listener.wait()
    told = [re.sub(r"-[0-9a-f]{12} ", " ", line) for line in notes.read_text().splitlines()]
    assert sorted(told) == sorted(chain.from_iterable(counted))
    for game in counted:
        assert [line for line in told if line in game] == game


class Sink(HTTPServer):
    """A webhook, which remembers what is posted; it refuses the first post."""

    def __init__(self) -> None:
        self.posted: list[Any] = []
        self.refused = False
        super().__init__(("127.0.0.1", 0), Hook)


class Hook(BaseHTTPRequestHandler):
    server: Sink

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.refused:
            self.server.posted.append(body)
        self.send_response(200 if self.server.refused else 503)
        self.server.refused = True
        self.end_headers()

    def log_message(self, *_said: object) -> None:
        pass


def test_the_bridge_of_the_documentation_posts_each_result_once(
    server: Server, tmp_path: Path
) -> None:
    assert BRIDGE
    sink = Sink()
    threading.Thread(target=sink.serve_forever, daemon=True).start()
    (tmp_path / "last-event").write_text("0")
    bridge = subprocess.Popen(
        [sys.executable, "-c", BRIDGE[1]],
        cwd=tmp_path,
        env={
            **os.environ,
            "SERVER": server.address,
            "KEY": server.key,
            "HOOK": f"http://127.0.0.1:{sink.server_port}/hook",
        },
        stdout=subprocess.DEVNULL,
    )
    try:
        server.play("one", [], target=30)
        server.kill()
        server.start()
        server.play("two", [], target=30)
        assert eventually(lambda: len(sink.posted) >= 2)
        time.sleep(0.2)
        assert [one["text"].partition(":")[0] for one in sink.posted] == [
            "Cutthroat Spades LITE"
        ] * 2
        assert "Ana " in sink.posted[0]["text"]
    finally:
        bridge.kill()
        bridge.wait()
        sink.shutdown()
        sink.server_close()
