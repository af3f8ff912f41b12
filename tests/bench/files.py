"""Long score sheets: sent by the server, and imported while others play."""

import csv
import io
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from scorekeeper.clock import now
from scorekeeper.store.connection import scalar
from scorekeeper.store.import_log import keep_upload
from tests.bench.bench import Bench, Figure, Table, mebibytes, percentile, ratio
from tests.bench.play import CAST, DataFolder, Keeper, deal
from tests.bench.servers import ours
from tests.bench.wire import Line, request, seconds_of
from tests.program import CHECKOUT, clean_environment

RULES = ("--rules", "partnership-sandbags")
PROGRAM = (sys.executable, "-m", "scorekeeper")
ENOUGH = 8_000_000  # bytes, to measure by hand


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
    """Return how much slower taps are at p99 beside the command's import, and beside a page's."""
    rounds = 1_000 if bench.quick else 50_000
    table = bench.table(played=(40, 10))  # games that do not reach the most rounds meanwhile
    sheet = _sheet(bench.folder() / "long.csv", 4 * rounds)
    file_of_page = _file_of_page(table, 80 if bench.quick else 19_960)  # of 20,000
    with ours(table.folder) as server, Line(server.address) as line:
        keepers = [Keeper(server.address, table.cookie, game) for game in table.games["played"]]
        for keeper in keepers:
            keeper.learn(line.ask(keeper.facts()))
        until = time.monotonic() + (2 if bench.quick else 10)
        idle, _errors = _taps(line, keepers, lambda: time.monotonic() < until)
        importing = subprocess.Popen(
            [*PROGRAM, "import", str(sheet), *RULES],
            cwd=CHECKOUT,
            env=clean_environment(SCOREKEEPER_DATA=str(table.folder)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        beside, errors = _taps(line, keepers, lambda: importing.poll() is None)
        assert importing.returncode == 0
        with ThreadPoolExecutor() as others:
            sending = others.submit(_import_on_page, keepers[0], file_of_page)
            beside_page, errors_there = _taps(line, keepers, lambda: not sending.done())
        sending.result()
    p99 = [percentile(took, 99) * 1e3 for took in (beside, idle, beside_page)]
    note = f"{p99[0]:.0f} and {p99[1]:.0f} ms, {errors} of {len(beside)} refused"
    there = f"{errors_there} of {len(beside_page)} refused"
    return [Figure(p99[0] / p99[1], note, not errors), Figure(p99[2], there, not errors_there)]


def _file_of_page(table: Table, rows: int) -> str:
    """Return the id under which a sheet of other games is kept for the import of a page."""
    with DataFolder(table.folder) as data_folder, data_folder.app.app_context():
        table_id = scalar(data_folder.store.db, "SELECT table_id FROM games LIMIT 1")
        sheet = _sheet(data_folder.folder / "page.csv", rows, seed=5)
        with data_folder.store.write(str(table_id)) as db:
            return keep_upload(db, str(table_id), sheet.read_bytes(), now())


def _import_on_page(keeper: Keeper, kept: str) -> None:
    """Import a file as a page does, and wait until that is done."""
    fields = {"csrf_token": keeper.token, "kept": kept, "rules": RULES[1]}
    headers = {"Origin": keeper.address}
    asked = request(keeper.address, "/import/all", fields, keeper.cookie, **headers)
    with Line(keeper.address) as line:
        answer = line.ask(asked)
        assert answer.status == 303, answer.text[-500:]
        path = answer.header("Location")
        while "progress" in path:
            answer = line.ask(request(keeper.address, path, None, keeper.cookie))
            path = answer.header("Location") or path
            time.sleep(0.5)
    assert "/import/done" in path, path


def _taps(
    line: Line, keepers: list[Keeper], goes_on: Callable[[], bool]
) -> tuple[list[float], int]:
    """Tap at some tables while something goes on; return the seconds and the errors."""
    took, errors = [], 0
    while goes_on():
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


def _sheet(path: Path, rows: int, seed: int = 4) -> Path:
    """Write games of ten rounds of four players, no two of which are the same."""
    chance = random.Random(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "round", "player", "bid", "tricks"])
        for n in range(rows // 4):
            tricks = deal(chance, 4, 13).tricks or ()
            for name, taken in zip(CAST, tricks, strict=True):
                bid = taken + n % 2  # made and set in turns, so that no game ends before its time
                writer.writerow([f"game-{n // 10}", n % 10 + 1, name, bid, taken])
    return path
