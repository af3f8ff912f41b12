"""A change, seen by everybody who follows the game: server-sent events, as pages listen to them."""

import importlib.util
import resource
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.bench.bench import Bench, Table
from tests.bench.memory import mebibytes
from tests.bench.play import Caller
from tests.bench.rows import Row
from tests.bench.servers import Server
from tests.bench.wire import Line, request
from tests.program import CHECKOUT, clean_environment


def in_the_box(bench: Bench) -> Iterator[Row]:
    """The server that the program brings along."""
    table = bench.table(played=(1, 5))
    with Server("ours", table.folder) as ours:
        yield from _watched(bench, table, ours.address, [ours.process.pid], 100, 100)


def gevent(bench: Bench) -> Iterator[Row]:
    """Two workers of gunicorn, as the README starts them."""
    name = "a change to the last of 1 000 watchers, gevent, two workers"
    if importlib.util.find_spec("gunicorn") is None or importlib.util.find_spec("gevent") is None:
        yield Row(
            name,
            "the POST sent",
            None,
            300,
            unit="ms",
            left_out="gunicorn and gevent are not installed: pip install '.[host]'",
        )
        return
    table = bench.table(played=(1, 5))
    with _gunicorn(table) as (address, pids):
        yield from _watched(bench, table, address, pids, 1000, 300)


def _watched(
    bench: Bench, table: Table, address: str, pids: list[int], watchers: int, most: float
) -> Iterator[Row]:
    path = f"/games/{table.games['played'][0]}"
    caller = Caller(address, table.cookie)
    caller.learn_token(path)
    before = sum(map(mebibytes, pids))
    with _listening(address, caller.asking(f"{path}/events"), watchers) as crowd:
        time.sleep(1)
        each = (sum(map(mebibytes, pids)) - before) * 1024 / watchers
        took, missed = [], 0
        for n in range(3 if bench.quick else 15):
            fields: dict[str, object] = {"version": 6 + n, "seat": n % 5 + 1, "bid": 2 + n // 5}
            sent = caller.sending(f"{path}/rounds/6/bids", fields)
            caller.line = Line(address)  # the server may have ended one that was quiet
            start = time.perf_counter()
            posting = threading.Thread(target=caller.line.ask, args=[sent])
            posting.start()
            missed += watchers - _told(crowd, watchers, version=7 + n)
            took.append((time.perf_counter() - start) * 1e3)
            posting.join()
            caller.line.close()
            time.sleep(0.1)
    yield Row(
        f"a change to the last of {watchers} watchers",
        "the POST sent",
        None,
        most,
        took,
        "ms",
        seen=f"{missed} missed, {each:.0f} KiB a watcher",
    )


@contextmanager
def _listening(address: str, asked: bytes, watchers: int) -> Iterator[selectors.BaseSelector]:
    """Open so many streams; each has said its first event when the block begins."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    crowd = selectors.DefaultSelector()
    parts = urlsplit(address)
    for _ in range(watchers):
        line = socket.create_connection((parts.hostname, parts.port), timeout=30)
        line.sendall(asked)
        line.setblocking(False)
        crowd.register(line, selectors.EVENT_READ, bytearray())
    assert _told(crowd, watchers, version=6) == watchers
    yield crowd
    for key in list(crowd.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr]


def _told(crowd: selectors.BaseSelector, watchers: int, version: int) -> int:
    """Wait until every stream has told a version, at most ten seconds; return how many did."""
    waiting = set(crowd.get_map())
    word, end = f"data: {version}\n".encode(), time.perf_counter() + 10
    while waiting and time.perf_counter() < end:
        for key, _events in crowd.select(timeout=0.5):
            try:
                key.data.extend(key.fileobj.recv(1 << 14))  # type: ignore[union-attr]
            except BlockingIOError:
                continue
            if word in key.data:
                waiting.discard(key.fd)
                key.data.clear()
    return watchers - len(waiting)


@contextmanager
def _gunicorn(table: Table) -> Iterator[tuple[str, list[int]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        *(sys.executable, "-m", "gunicorn", "-k", "gevent", "-w", "2", "-b", f"127.0.0.1:{port}"),
        *("--graceful-timeout", "1", "--no-control-socket", "scorekeeper:create_app()"),
    ]
    environment = clean_environment(
        SCOREKEEPER_DATA=str(table.folder),
        SCOREKEEPER_STREAMS="1000",
        SCOREKEEPER_STREAMS_PER_LINK="1000",
        SCOREKEEPER_STREAMS_PER_ADDRESS="1000",
        PYTHONPATH=str(CHECKOUT),
    )
    process = subprocess.Popen(command, cwd=CHECKOUT, env=environment, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(address)
        told = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
        yield address, [process.pid, *map(int, told.stdout.split())]
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(address: str) -> None:
    for _ in range(200):
        try:
            Caller(address, "").line.ask(request(address, "/"))
        except (OSError, AssertionError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")
