"""Long score sheets: scored from a file, and sent by the server."""

import csv
import io
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.bench import Bench
from tests.bench.memory import mebibytes
from tests.bench.play import Caller
from tests.bench.rows import Row, quotients, turns
from tests.bench.servers import Server
from tests.bench.wire import request, seconds_of
from tests.program import CHECKOUT, clean_environment

ENOUGH = 8_000_000  # bytes, to measure by hand
SCORE = [sys.executable, "-m", "scorekeeper", "score", "--rules", "partnership-sandbags",
         "--set", "target=1000000"]  # fmt: skip
COPY = [sys.executable, "-c", (
    "import csv, sys\n"
    "with open(sys.argv[1], newline='', encoding='utf-8') as file:\n"
    "    csv.writer(sys.stdout).writerows(csv.reader(file))"
)]  # fmt: skip


def scored_file(bench: Bench) -> Iterator[Row]:
    """`scorekeeper score` as people run it, its output thrown away."""
    many = 20_000 if bench.quick else 1_000_000
    folder = bench.folder()
    folder.mkdir()
    long, short = _sheet(folder / "long.csv", many), _sheet(folder / "short.csv", many // 10)
    here, there = turns(
        lambda: _run([*SCORE, str(long)])[0],
        lambda: _run([*COPY, str(long)])[0],
        1 if bench.quick else 5,
    )
    seen = f"{median(here):.1f} and {median(there):.1f} s"
    yield Row(
        "`scorekeeper score` of 1,000,000 rows",
        "csv.reader to csv.writer of the same file",
        None,
        4,
        quotients(here, there),
        seen=seen,
    )
    peaks = [_run([*SCORE, str(sheet)])[1] for sheet in (long, short)]
    yield Row(
        "its memory",
        "with a tenth of the rows",
        None,
        1.1,
        [peaks[0] / peaks[1]],
        seen=f"{peaks[0]:.0f} and {peaks[1]:.0f} MiB",
    )


def sent_by_server(bench: Bench) -> Iterator[Row]:
    """All games of the big table as one file, while somebody else looks at pages."""
    table = bench.big
    with Server("ours", table.folder) as ours:
        asked = request(
            ours.address,
            "/history.csv",
            cookie=table.cookie,
            Connection="close",
            Accept_Encoding="identity",
        )
        looker = Caller(ours.address, table.cookie)
        alone = _looks(looker, table.games["open"][0], seconds=2)
        before = mebibytes(ours.process.pid)
        peak = Peak(ours.process.pid)
        rows, seconds, beside = 0, [], []
        for _ in range(1 if bench.quick else 3):
            fetch = Fetch(ours.address, asked)
            with peak:
                fetch.start()
                beside += _looks(looker, table.games["open"][0], fetch)
            rows, seconds = fetch.rows, [*seconds, fetch.seconds]
    lines = list(csv.reader(io.StringIO(fetch.begun.partition(b"\r\n\r\n")[2].decode())))[:-1]
    by_hand = [
        len(lines) / seconds_of(lambda: csv.writer(io.StringIO()).writerows(lines)) for _ in seconds
    ]
    rates = [rows / each for each in seconds]
    yield Row(
        f"CSV of {rows // 4:,} rounds through the server".replace(",", " "),
        "csv.writer of rows in memory",
        0.2,
        None,
        quotients(rates, by_hand),
        seen=f"{median(rates):,.0f} and {median(by_hand):,.0f} rows a second".replace(",", " "),
    )
    yield Row("memory it takes meanwhile", "before", None, 10, [peak.most - before], "MiB")
    yield Row(
        "other pages meanwhile, p50",
        "alone",
        None,
        1.5,
        [median(beside) / median(alone)],
        seen=f"{median(beside) * 1e3:.1f} and {median(alone) * 1e3:.1f} ms",
    )


class Fetch(threading.Thread):
    """Somebody who takes a long file, as fast as it comes."""

    def __init__(self, address: str, asked: bytes) -> None:
        super().__init__()
        host, port = address.removeprefix("http://").split(":")
        self._line = socket.create_connection((host, int(port)))
        self._asked, self.rows, self.seconds, self.begun = asked, 0, 0.0, b""

    def run(self) -> None:
        start = time.perf_counter()
        self._line.sendall(self._asked)
        while data := self._line.recv(1 << 16):
            self.rows += data.count(b"\r\n")
            if len(self.begun) < ENOUGH:
                self.begun += data
        self.seconds = time.perf_counter() - start
        self._line.close()


class Peak(threading.Thread):
    """Looks now and then how much memory a process takes, inside its `with` blocks."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.most, self._pid, self._looks = 0.0, pid, threading.Event()
        self.start()

    def __enter__(self) -> None:
        self._looks.set()

    def __exit__(self, *_error: object) -> None:
        self._looks.clear()

    def run(self) -> None:
        while True:
            self._looks.wait()
            try:
                self.most = max(self.most, mebibytes(self._pid))
            except OSError:
                return
            time.sleep(0.1)


def _looks(
    looker: Caller, game_id: str, fetch: Fetch | None = None, seconds: float = 0
) -> list[float]:
    """Return how long a page takes to come, asked for as long as a file does, or some seconds."""
    took, end = [], time.perf_counter() + seconds
    while fetch.is_alive() if fetch else time.perf_counter() < end:
        asked = looker.asking(f"/games/{game_id}")
        took.append(seconds_of(lambda asked=asked: looker.line.ask(asked)))
        time.sleep(0.01)
    return took


def _sheet(path: Path, rows: int) -> Path:
    """Write games of ten rounds of four players."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "round", "player", "bid", "tricks"])
        for n in range(rows // 4):
            game, number, turn = n // 10, n % 10 + 1, n % 4
            taken = [4, 3, 1, 5] if turn % 2 else [3, 3, 3, 4]
            for seat, name in enumerate(("North", "East", "South", "West")):
                bid = taken[(seat + turn) % 4]
                writer.writerow([f"game-{game}", number, name, bid, taken[seat]])
    return path


def _run(command: list[str]) -> tuple[float, float]:
    """Return how many seconds a program takes, and the MiB it needs at most."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=CHECKOUT, env=clean_environment(), stdout=subprocess.DEVNULL
    )
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return time.perf_counter() - start, used.ru_maxrss / 1024
