"""Long score sheets: scored from a file, sent by the server, and imported while others play."""

import csv
import io
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from tests.bench.bench import Bench, Figure, mebibytes, percentile, ratio, turns
from tests.bench.play import Keeper
from tests.bench.servers import ours
from tests.bench.wire import Line, request, seconds_of
from tests.program import CHECKOUT, clean_environment

RULES = ("--rules", "partnership-sandbags")
PROGRAM = (sys.executable, "-m", "scorekeeper")
SCORE = (*PROGRAM, "score", *RULES, "--set", "target=1000000")
COPY = (
    *(sys.executable, "-c"),
    "import csv, sys; file = open(sys.argv[1], newline='', encoding='utf-8'); "
    "csv.writer(sys.stdout).writerows(csv.reader(file))",
)
ENOUGH = 8_000_000  # bytes, to measure by hand


def score(bench: Bench) -> list[Figure]:
    """Return how much longer scoring a file takes than copying it, and its memory by length."""
    many = 20_000 if bench.quick else 1_000_000
    folder = bench.folder()
    long, short = _sheet(folder / "long.csv", many), _sheet(folder / "short.csv", many // 10)
    here, there = turns(
        lambda: _run(*SCORE, str(long)),
        lambda: _run(*COPY, str(long)),
        1 if bench.quick else 5,
    )
    peaks = [_peak(*SCORE, str(sheet)) for sheet in (long, short)]
    return [
        Figure(ratio(here, there), f"{median(here):.1f} s"),
        Figure(peaks[0] / peaks[1], f"{peaks[0]:.0f} MiB"),
    ]


def export(bench: Bench) -> list[Figure]:
    """Return the rate of a CSV of all games over one from memory, and the MiB that it takes."""
    table = bench.big
    with ours(table.folder) as server:
        headers = {"Connection": "close", "Accept_Encoding": "identity"}
        asked = request(server.address, "/history.csv", None, table.cookie, **headers)
        before = mebibytes(server.process.pid)
        rates, most = [], 0.0
        for _ in range(1 if bench.quick else 3):
            fetch = Fetch(server.address, asked)
            fetch.start()
            while fetch.is_alive():
                most = max(most, mebibytes(server.process.pid))
                fetch.join(0.1)
            rates.append(fetch.rows / fetch.seconds)
    lines = list(csv.reader(io.StringIO(fetch.begun.partition(b"\r\n\r\n")[2].decode())))[:-1]
    by_hand = [
        len(lines) / seconds_of(lambda: csv.writer(io.StringIO()).writerows(lines)) for _ in rates
    ]
    note = f"{fetch.rows // 4:,} rounds".replace(",", " ")
    return [Figure(ratio(rates, by_hand), note), Figure(most - before)]


class Fetch(threading.Thread):
    """Somebody who takes a long file, as fast as it comes."""

    def __init__(self, address: str, asked: bytes) -> None:
        super().__init__()
        parts = urlsplit(address)
        self._line = socket.create_connection((parts.hostname, parts.port))
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


def import_(bench: Bench) -> list[Figure]:
    """Return how much slower taps are at p99 while the command line imports 50,000 rounds."""
    rounds = 1_000 if bench.quick else 50_000
    table = bench.table(played=(40, 10))  # games that do not reach the most rounds meanwhile
    sheet = _sheet(bench.folder() / "long.csv", 4 * rounds)
    with ours(table.folder) as server, Line(server.address) as line:
        keepers = [Keeper(server.address, table.cookie, game) for game in table.games["played"]]
        for keeper in keepers:
            keeper.learn(line.ask(keeper.facts()))
        idle, _errors = _taps(line, keepers, seconds=2 if bench.quick else 10)
        importing = subprocess.Popen(
            [*PROGRAM, "import", str(sheet), *RULES],
            cwd=CHECKOUT,
            env=clean_environment(SCOREKEEPER_DATA=str(table.folder)),
            stdout=subprocess.DEVNULL,
        )
        beside, errors = _taps(line, keepers, beside=importing)
        assert importing.returncode == 0
    p99 = [percentile(took, 99) * 1e3 for took in (beside, idle)]
    note = f"{p99[0]:.0f} and {p99[1]:.0f} ms, {errors} of {len(beside)} refused"
    return [Figure(p99[0] / p99[1], note, not errors)]


def _taps(
    line: Line,
    keepers: list[Keeper],
    seconds: float = 0,
    beside: "subprocess.Popen[bytes] | None" = None,
) -> tuple[list[float], int]:
    """Tap at some tables for so long, or beside a program; return the seconds and the errors."""
    took, errors, end = [], 0, time.perf_counter() + seconds
    while beside.poll() is None if beside else time.perf_counter() < end:
        for keeper in keepers:
            sent = keeper.tap()
            start = time.perf_counter()
            answer = line.ask(sent)
            took.append(time.perf_counter() - start)
            if answer.status == 200:
                keeper.saved(answer)
            else:
                errors += 1
                keeper.learn(line.ask(keeper.facts()))
            time.sleep(0.005)
    return took, errors


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


def _run(*command: str) -> float:
    """Return how many seconds a program takes."""
    start = time.perf_counter()
    subprocess.run(
        command, cwd=CHECKOUT, env=clean_environment(), stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - start


def _peak(*command: str) -> float:
    """Return the MiB that a program takes at most.

    What the system counts for a child begins with the memory of the process that started it.
    """
    process = subprocess.Popen(
        command, cwd=CHECKOUT, env=clean_environment(), stdout=subprocess.DEVNULL
    )
    most = 0.0
    while process.poll() is None:
        with suppress(OSError, AssertionError):  # it has just ended
            most = max(most, mebibytes(process.pid))
        time.sleep(0.05)
    assert process.returncode == 0, command
    return most
