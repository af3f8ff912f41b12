"""How many tables one machine carries under gunicorn, beside a bare program there."""

import json
import math
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, Figure
from tests.bench.load import EVERY, SLOW
from tests.bench.play import DataFolder
from tests.bench.watching import FOLLOWERS
from tests.deployed import PUBLIC, Deployed
from tests.program import CHECKOUT, Started, clean_environment

STEP, MOST = 200, 4000  # tables
EACH = 1 + FOLLOWERS  # connections
LOAD = 15  # percent of a processor that the load maker may take
Seen = dict[str, Any]


def carried(bench: Bench) -> list[Figure]:
    """Return the tables carried as a share of what the bare program carries, and how many."""
    folder, seeds = bench.folder(), bench.scratch / "tables.json"
    tables = min(4 if bench.quick else MOST, _connections() // EACH)
    _seed(folder, seeds, tables)
    ours, seen = _measured(bench, folder, seeds, tables)
    bare, beside = _measured(bench, bench.folder(), seeds, tables, "tests.bench.bare_tables:app")
    note = (
        f"saved {seen['saved_p99']:.0f}, shown {seen['shown_p99']:.0f} ms at p99; "
        f"load maker {seen['load']:.0f} %; the bare one {bare}"
    )
    is_right = max(seen["load"], beside["load"]) <= LOAD
    return [Figure(ours / bare, "", is_right), Figure(ours, note, is_right)]


def _measured(
    bench: Bench, folder: Path, seeds: Path, tables: int, app: str | None = None
) -> tuple[int, Seen]:
    """Return how many tables an application carries, in steps, and what was seen with them."""
    step, ramp, seconds = (4, 0, EVERY + 0.5) if bench.quick else (STEP, STEP / 100, 15)
    slow = math.inf if bench.quick else SLOW  # however busy this machine is
    log = bench.scratch / "log"
    with Deployed(folder, log, app) as server, Load(server.address, seeds) as load:
        count, held = 0, None
        while count + step <= tables:
            seen = load.phase(count + step, ramp, seconds)
            if not _is_carried(seen, slow):  # once more, as another program may have had its moment
                seen = load.phase(count + step, 0, seconds)
            if not _is_carried(seen, slow):
                held = held or seen
                break
            count, held = count + step, seen
        assert held is not None
        assert count, held
    return count, held


def _is_carried(seen: Seen, slow: float) -> bool:
    """Return whether every tap was saved and shown on time."""
    wrong = seen["errors"] + seen["missed"] + seen["refused"]
    return not wrong and max(seen["saved_p99"], seen["shown_p99"]) <= slow * 1e3


def _told(seen: Seen) -> str:
    return (
        f"{seen['tables']} tables, {seen['taps']} taps in {seen['requests']} requests, "
        f"saved {seen['saved_p50']:.0f} and {seen['saved_p99']:.0f}, "
        f"shown {seen['shown_p50']:.0f} and {seen['shown_p99']:.0f} ms "
        f"at p50 and p99; {seen['missed']} missed, {seen['errors']} errors, "
        f"{seen['refused']} streams refused, {seen['following']} open, {seen['reopened']} "
        f"connections opened again, load maker {seen['load']:.0f} % of a processor"
    )


def _connections() -> int:
    """Return how many connections the load maker may open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 100


def _seed(folder: Path, seeds: Path, how_many: int) -> None:
    """Make tables that play, and write them for the load maker."""
    with DataFolder(folder, BASE_URL=PUBLIC) as data_folder:
        seeds.write_text(json.dumps(seed_tables(data_folder, how_many)))


def seed_tables(
    data_folder: DataFolder, how_many: int, followers: int = FOLLOWERS
) -> list[dict[str, Any]]:
    """Make tables with a game each, and return that game and the cookies of the phones."""
    tables = []
    for _ in range(how_many):
        first = data_folder.phone()
        phones = [first, *(data_folder.phone(first.table_id) for _ in range(followers))]
        (game_id,) = data_folder.games(first, 1, 3)
        tables.append({"game": game_id, "cookies": [data_folder.cookie(each) for each in phones]})
    return tables


class Load(Started):
    """The load maker, a process of its own."""

    def __init__(self, address: str, tables: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.load", address, PUBLIC, str(tables)],
            cwd=CHECKOUT,
            env=clean_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def phase(self, tables: int, ramp: float, seconds: float) -> Seen:
        """Play with so many tables, and return what was seen."""
        assert self.process.stdin
        assert self.process.stdout
        phase = {"tables": tables, "ramp": ramp, "seconds": seconds}
        print(json.dumps(phase), file=self.process.stdin, flush=True)
        seen: Seen = {"tables": tables} | json.loads(self.process.stdout.readline())
        print(f"  {_told(seen)}", file=sys.stderr)
        return seen
