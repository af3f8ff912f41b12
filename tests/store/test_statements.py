"""How often a change asks the database: what a line with a long way would make slow."""

import selectors
import socket
import struct
import threading
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

import pytest

from scorekeeper.rules.round import Round
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_postgresql
from tests import postgresql
from tests.store.play import Keeper

BIDS, TRICKS = (3, 2, 1, 4), (3, 2, 1, 4)
EXECUTE, QUERY = b"E", b"Q"  # messages of PostgreSQL's protocol


class Line:
    """A line to a PostgreSQL server that counts what goes over it."""

    def __init__(self, server: Path, path: Path) -> None:
        self.statements = self.round_trips = 0
        self._server, self._listening = str(server / ".s.PGSQL.5432"), socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _address = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=[client], daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._server)
        waiting = selectors.DefaultSelector()
        waiting.register(client, selectors.EVENT_READ, server)
        waiting.register(server, selectors.EVENT_READ, client)
        has_begun, asks, unread = False, False, b""
        while True:
            for key, _events in waiting.select():
                source: socket.socket = key.fileobj
                if not (data := source.recv(1 << 20)):
                    client.close()
                    server.close()
                    return
                if source is client:
                    self.round_trips += not asks
                    if has_begun:  # the first message has no kind
                        unread = self._count(unread + data)
                    has_begun = True
                asks = source is client
                key.data.sendall(data)

    def _count(self, data: bytes) -> bytes:
        """Count the statements in whole messages, and return the rest."""
        while len(data) >= 5 and len(data) > (length := struct.unpack("!I", data[1:5])[0]):
            self.statements += data[:1] in (EXECUTE, QUERY)
            data = data[length + 1 :]
        return data


@pytest.fixture
def line(postgresql_server: Path, tmp_path: Path) -> Iterator[Line]:
    line = Line(postgresql_server, tmp_path)
    yield line
    line.close()


def taps(keeper: Keeper) -> Iterator[str]:
    """Play two rounds, and yield each tap of the second that is neither its first nor its last."""
    game = keeper.tap(keeper.begin(), 1, Round(BIDS, TRICKS), "scored")
    game = keeper.tap(game, 2, Round((*BIDS[:1], None, None, None)), "bid")
    yield ""
    game = keeper.tap(game, 2, Round((*BIDS[:2], None, None)), "bid")
    yield "bid"
    keeper.tap(game, 2, Round(BIDS, TRICKS), "scored")
    yield "scored"


@pytest.mark.postgresql
def test_a_tap_asks_postgresql_rarely(postgresql_server: Path, line: Line, tmp_path: Path) -> None:
    """Four find the phone, begin, commit and notify; each statement is a round trip."""
    with postgresql.schema(postgresql_server) as url:
        direct, indirect = (quote(str(path)) for path in (postgresql_server, tmp_path))
        store = open_postgresql(url.replace(direct, indirect), tmp_path, waits_long=True)
        found = {}
        for kind in taps(Keeper(store)):
            found[kind] = (line.statements, line.round_trips)
            line.statements = line.round_trips = 0
        store.close()
    assert found["bid"] == (9, 9)
    assert found["scored"] == (18, 14)


def test_a_tap_asks_sqlite_rarely(tmp_path: Path) -> None:
    """The rows that one call inserts are counted as one statement."""
    found: dict[str, list[str]] = {}
    statements: list[str] = []
    with Store(tmp_path) as store:
        keeper = Keeper(store)
        store.db.conn.set_trace_callback(statements.append)
        for kind in taps(keeper):
            found[kind] = [words for words, _rows in groupby(one[:30] for one in statements)]
            statements.clear()
    assert len(found["bid"]) == 7
    assert len(found["scored"]) == 10
