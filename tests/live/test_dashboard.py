"""Programs that follow a whole table, through kills of the server and of their own."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.faults.dashboards import PLAYED, PLAYERS, Server, compare, kill_both
from tests.faults.ledger import Tale
from tests.live.room import eventually
from tests.postgresql import Cluster, needs_postgresql
from tests.program import CHECKOUT

pytestmark = pytest.mark.slow
KILLS = 3
BRIDGE = re.search(
    r"^## A bridge$.*?```python\n(.*?)```",
    (CHECKOUT / "docs" / "api.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if request.param == "sqlite":
        with Server(tmp_path) as server:
            yield server
        return
    needs_postgresql()
    with Cluster() as cluster, Server(tmp_path, cluster.url) as server:
        yield server


def test_each_change_is_told_once_and_in_order_through_kills(
    server: Server, tmp_path: Path
) -> None:
    tale = kill_both(server, tmp_path / "told", KILLS, Tale("kill -9 of both"))
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])
    assert tale.times == KILLS
    assert tale.acknowledged >= PLAYERS * (PLAYED + 1)


def test_what_is_not_told_told_twice_or_too_early_is_seen() -> None:
    game = ["g-1 started", "g-2 scored", "g-3 over"]
    noted = [f"g-{n}-{'0' * 12} {name}" for n, name in enumerate(("started", "scored", "over"), 1)]
    for told, bad in (
        (noted, []),
        (noted[:2], ["lost"]),
        ([*noted, noted[0]], ["doubled", "wrong"]),
        ([noted[1], noted[0], noted[2]], ["wrong"]),
    ):
        tale = Tale("planted")
        compare([game], told, tale)
        assert [name for name in ("lost", "doubled", "wrong") if getattr(tale, name)] == bad


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
