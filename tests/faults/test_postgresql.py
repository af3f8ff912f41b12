"""PostgreSQL is killed and started again under taps: nothing acknowledged is lost or doubled."""

import threading
import time
from pathlib import Path

import pytest

from scorekeeper.live import Caps, Listener, Live
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.database.store import Store
from scorekeeper.store.games import Game
from scorekeeper.store.maintenance.check import faults
from scorekeeper.store.opening import open_postgresql
from tests import postgresql
from tests.store.play import Keeper

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]
KILLS = 5
PATIENCE = 20.0  # seconds


class Phone:
    """A phone that sends each tap until it is acknowledged, made on the version that it knows."""

    def __init__(self, store: Store) -> None:
        self.keeper = Keeper(store)
        self.game: Game = self.keeper.begin()
        self.refused = 0

    def tap(self) -> None:
        bid = 1 + self.game.version % 9
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.game = self.keeper.bid(self.game, 0, bid, seen=self.game.version)
                return
            except StoreError:
                self.refused += 1
                assert time.monotonic() < until
                time.sleep(0.02)


@pytest.fixture
def server(tmp_path: Path) -> postgresql.Cluster:
    postgresql.needs_postgresql()
    return postgresql.Cluster(fsync=True)


def test_no_tap_is_lost_or_doubled(server: postgresql.Cluster, tmp_path: Path) -> None:
    with (
        server as socket,
        postgresql.schema(socket) as url,
        open_postgresql(url, tmp_path) as store,
    ):
        phones = [Phone(store) for _ in range(3)]
        ended = threading.Event()
        taps = [0] * len(phones)

        def play(number: int) -> None:
            while not ended.is_set():
                phones[number].tap()
                taps[number] += 1
            store.release()

        threads = [threading.Thread(target=play, args=[n]) for n in range(len(phones))]
        for thread in threads:
            thread.start()
        for _ in range(KILLS):
            seen = list(taps)
            until = time.monotonic() + PATIENCE
            while not all(now > then for now, then in zip(taps, seen, strict=True)):
                assert time.monotonic() < until
                time.sleep(0.02)
            server.kill()
            server.start()
        ended.set()
        for thread in threads:
            thread.join(PATIENCE)
        for phone, count in zip(phones, taps, strict=True):
            lines = changes_of(store.db, phone.game)
            assert [line.version for line in lines] == list(range(1, count + 2))
        assert sum(phone.refused for phone in phones) > 0
        assert list(faults(store)) == []


def test_a_stream_goes_on_after_the_server_came_back(
    server: postgresql.Cluster, tmp_path: Path
) -> None:
    with (
        server as socket,
        postgresql.schema(socket) as url,
        open_postgresql(url, tmp_path) as store,
    ):
        phone = Phone(store)
        live = Live(store, Caps(9, 9, 9))
        key = (phone.game.table_id, phone.game.id)
        stream = live.stream(key, phone.game.version, Listener(lambda _db: True))
        told: list[bytes] = []
        thread = threading.Thread(target=lambda: told.extend(stream))
        thread.start()
        for version in (2, 3):
            phone.tap()
            until = time.monotonic() + PATIENCE
            while not any(f"id: {version}".encode() in one for one in told):
                assert time.monotonic() < until
                time.sleep(0.02)
            server.kill()
            server.start()
        live.end()
        thread.join(PATIENCE)
