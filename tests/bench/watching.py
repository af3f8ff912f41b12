"""A change, told to everybody who follows a game: server-sent events, as pages listen to them."""

import resource
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from urllib.parse import urlsplit

from scorekeeper.clock import now
from scorekeeper.store.games import load_game
from scorekeeper.store.tables import make_watch_link
from tests.bench.bench import Bench, Figure
from tests.bench.play import DataFolder, Keeper
from tests.bench.servers import ours, processor_seconds
from tests.bench.wire import Line, request
from tests.deployed import PUBLIC, Deployed

FOLLOWERS = 3  # of a table, beside the phone that taps
CAPS = {f"SCOREKEEPER_STREAMS{which}": "1100" for which in ("", "_PER_LINK", "_PER_ADDRESS")}


def watchers(bench: Bench) -> list[Figure]:
    """Return the milliseconds until the last of 100 and of 1,000 watchers knows of a change."""
    few, many = (10, 20) if bench.quick else (100, 1000)
    with DataFolder(bench.folder()) as data_folder:
        phone = data_folder.phone()
        games = data_folder.games(phone, 2, 5)
        with data_folder.store.write() as db:
            secret = data_folder.app.config["SECRET_KEY"]
            found = [load_game(db, phone.table_id, game_id) for game_id in games]
            keys = [make_watch_link(db, game, secret, now()) for game in found if game]
        keepers = [Keeper("", data_folder.cookie(phone), game_id) for game_id in games]
    with ours(data_folder.folder, **CAPS) as server:
        first = _last_of(bench, few, server.address, keepers[0], keys[0])
    with Deployed(
        data_folder.folder, bench.scratch / "log", **CAPS, SCOREKEEPER_URL=""
    ) as deployed:
        second = _last_of(bench, many, deployed.address, keepers[1], keys[1])
    return [first, second]


def _last_of(bench: Bench, how_many: int, address: str, keeper: Keeper, key: str) -> Figure:
    keeper.address = address
    line = Line(address)
    keeper.learn(line.ask(keeper.facts()))
    asked = request(address, f"/watch/{key}/events", Accept="text/event-stream")
    took, missed = [], 0
    with listening(address, [asked] * how_many) as crowd:
        for _ in range(3 if bench.quick else 24):
            sent, version = keeper.tap(), keeper.version + 1
            start = time.perf_counter()
            posting = threading.Thread(target=lambda sent=sent: keeper.saved(line.ask(sent)))
            posting.start()
            missed += how_many - crowd.told(dict.fromkeys(crowd.streams, version))
            took.append((time.perf_counter() - start) * 1e3)
            posting.join()
            time.sleep(0.1)
    line.close()
    return Figure(median(took), f"{missed} missed", not missed)


def follower(bench: Bench) -> list[Figure]:
    """Return the milliseconds of processor time that telling one follower of a tap takes."""
    tables, taps, how_often = (4, 4, 2) if bench.quick else (40, 8, 5)
    with DataFolder(bench.folder(), BASE_URL=PUBLIC) as data_folder:
        phones = [data_folder.phone() for _ in range(tables)]
        games = [data_folder.games(phone, 1, 5)[0] for phone in phones]
        cookies = [data_folder.cookie(phone) for phone in phones]
    with (
        Deployed(data_folder.folder, bench.scratch / "log") as server,
        Line(server.address) as line,
    ):
        keepers = [
            Keeper(PUBLIC, cookie, game_id, X_Forwarded_For=f"10.0.0.{n}")
            for n, (cookie, game_id) in enumerate(zip(cookies, games, strict=True))
        ]
        for keeper in keepers:
            keeper.learn(line.ask(keeper.facts()))
        spend = partial(_spent, server.pids, line, keepers)
        spend(taps)
        each, told_rounds = [], True
        for _ in range(how_often):
            alone = spend(taps)
            asked = [k.asking(f"/events?seen={k.revision}") for k in keepers] * FOLLOWERS
            with listening(server.address, asked) as crowd:
                followed = spend(taps, crowd)
                told_rounds = told_rounds and b'"facts"' in crowd.newest
            each.append((followed - alone) * 1e3 / (tables * taps * FOLLOWERS))
    return [Figure(median(each), "" if told_rounds else "and a fetch: events tell no round")]


def _spent(
    pids: list[int], line: Line, keepers: list[Keeper], taps: int, crowd: "Crowd | None" = None
) -> float:
    """Return the processor time of the server while every table taps so often."""
    before = processor_seconds(pids)
    for _ in range(taps):
        for keeper in keepers:
            keeper.saved(line.ask(keeper.tap()))
        if crowd:
            versions = [keeper.version for keeper in keepers] * FOLLOWERS
            reached = crowd.told(dict(zip(crowd.streams, versions, strict=True)))
            assert reached == len(crowd.streams), "a follower missed a change"
    return processor_seconds(pids) - before


class Crowd:
    """Open event streams."""

    def __init__(self) -> None:
        self.streams: list[socket.socket] = []
        self.newest = b""  # what came last
        self._selector = selectors.DefaultSelector()

    def open(self, address: str, asked: bytes) -> None:
        """Open a stream."""
        parts = urlsplit(address)
        line = socket.create_connection((parts.hostname, parts.port), timeout=30)
        line.sendall(asked)
        line.setblocking(False)
        self._selector.register(line, selectors.EVENT_READ, bytearray())
        self.streams.append(line)

    def told(self, versions: dict[socket.socket, int]) -> int:
        """Wait at most ten seconds for each stream to tell a version; return how many did."""
        waiting = {line: f"id: {version}\n".encode() for line, version in versions.items()}
        end = time.perf_counter() + 10
        while waiting and time.perf_counter() < end:
            for key, _events in self._selector.select(timeout=0.5):
                line, kept = key.fileobj, key.data
                assert isinstance(line, socket.socket)
                self.newest = line.recv(1 << 14)
                kept.extend(self.newest)
                if line in waiting and waiting[line] in kept:
                    del waiting[line]
                    kept.clear()
        return len(versions) - len(waiting)

    def close(self) -> None:
        """Close all streams."""
        self._selector.close()
        for line in self.streams:
            line.close()


@contextmanager
def listening(address: str, requests: list[bytes]) -> Iterator[Crowd]:
    """Open a stream with each request; all are open when the block begins."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd()
    try:
        for asked in requests:
            crowd.open(address, asked)
        time.sleep(1)
        yield crowd
    finally:
        crowd.close()
