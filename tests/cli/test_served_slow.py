"""Bodies that come a byte now and then are ended, by the built-in server and by gunicorn."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorekeeper.web.http.slow_bodies import GRACE
from tests.faults.hosted import Hosted
from tests.program import Program, fetch

pytestmark = [pytest.mark.slow]
CLIENTS = 20
DRIP = 0.5  # seconds from byte to byte
MAX_WAIT = 3 * GRACE  # seconds; a busy machine is slow
HEAD = (
    b"POST /games/new HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n"
)


@contextmanager
def slow_clients(address: str) -> Iterator[list[socket.socket]]:
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    clients = [socket.create_connection((host, int(port))) for _ in range(CLIENTS)]
    for client in clients:
        client.sendall(HEAD)
    yield clients
    for client in clients:
        client.close()


def drip(clients: list[socket.socket]) -> None:
    """Send a byte on each connection, and forget those that the server has ended."""
    readable, _, _ = select.select(clients, [], [], 0)
    for client in list(clients):
        try:
            is_over = client in readable and not client.recv(1 << 16)
            client.sendall(b"x")
        except OSError:
            is_over = True
        if is_over:
            clients.remove(client)
            client.close()


@pytest.mark.parametrize("server", ["built-in", "gunicorn"])
def test_a_slow_body_ends(tmp_path: Path, server: str) -> None:
    started = (
        Hosted(tmp_path / "games", workers=1)
        if server == "gunicorn"
        else Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path))
    )
    with started as running, slow_clients(running.address) as clients:
        begun = time.monotonic()
        while clients:
            assert time.monotonic() < begun + MAX_WAIT, f"{len(clients)} are still open"
            drip(clients)
            time.sleep(DRIP)
        assert time.monotonic() > begun + GRACE / 2  # a bad line has its time
        assert fetch(f"{running.address}/healthz")[0] == 200
