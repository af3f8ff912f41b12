"""The long form of the fault tests: `python -m tests.faults`, `--help` for how often each."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import postgresql
from tests.faults import databases
from tests.faults.damage import spoil
from tests.faults.dashboards import Server, kill_both
from tests.faults.hosted import HostedInstallation, kill_workers
from tests.faults.imports import kill_imports
from tests.faults.kills import Installation, kill, terminate
from tests.faults.ledger import Tale
from tests.faults.lost_files import LOSSES, lose_files, put_back
from tests.faults.pairs import race
from tests.faults.power import cut_power
from tests.faults.room import fail_writes, fill, run_out, small_disk
from tests.faults.starts import refuse
from tests.faults.trace import why_not
from tests.faults.upgrade import in_child

BATCH = 50  # kills in one folder, which then holds some hundred rounds
HEAD = ("fault", "times", "acknowledged", "lost", "doubled", "wrong", "seconds")
IMPORTS = 10  # killed imports in one folder: each adds a table, and all are checked after each
EXAMPLES = 3
IMPORTED = 400  # games, some 4,600 rounds
Run = Callable[[Path, int, Tale], object]


def main() -> int:
    """Cause every fault, print a line for each, and return 1 if anything was wrong after one."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    for name, (times, _run) in FAULTS.items():
        parser.add_argument(
            f"--{name}", type=int, default=times, metavar="N", help=f"{times} unless named"
        )
    options = vars(parser.parse_args())
    print(" | ".join(HEAD))
    bad = False
    for name, (_times, run) in FAULTS.items():
        if options[name.replace("-", "_")]:
            bad |= _tell(name, run, options[name.replace("-", "_")])
    return 1 if bad else 0


def _tell(name: str, run: Run, times: int) -> bool:
    tale, begun = Tale(name), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        run(Path(folder), times, tale)
    counts = (tale.lost, tale.doubled, tale.wrong)
    took = round(time.monotonic() - begun)
    cells = (name, tale.times, tale.acknowledged, *map(len, counts), took)
    print(" | ".join(map(str, cells)), flush=True)
    print(f"    the table sees: {tale.sees}")
    for example in [one for kind in counts for one in kind[:EXAMPLES]]:
        print(f"    {example}")
    return tale.is_bad


def _kills(folder: Path, times: int, tale: Tale) -> None:
    for batch in range(0, times, BATCH):
        with _installed(folder / str(batch), seed=batch + 1) as installation:
            kill(installation, min(BATCH, times - batch), tale)
        if tale.is_bad:
            return


def _ends(folder: Path, times: int, tale: Tale) -> None:
    with _installed(folder / "games") as installation:
        terminate(installation, times, tale)


def _workers(folder: Path, times: int, tale: Tale) -> None:
    with _installed(folder / "games", HostedInstallation) as installation:
        kill_workers(installation, times, tale)


def _masters(folder: Path, times: int, tale: Tale) -> None:
    with _installed(folder / "games", HostedInstallation) as installation:
        terminate(installation, times, tale)


def _pairs(folder: Path, times: int, tale: Tale) -> None:
    with _installed(folder / "games", phones=1) as installation:
        race(installation, times, tale)


def _imports(folder: Path, times: int, tale: Tale) -> None:
    for batch in range(0, times, IMPORTS):
        place = folder / str(batch)
        with _installed(place / "games", seed=batch + 1, phones=2) as installation:
            kill_imports(installation, place, IMPORTED, min(IMPORTS, times - batch), tale)
        if tale.is_bad:
            return


def _dashboards(folder: Path, times: int, tale: Tale) -> None:
    with Server(folder / "games") as server:
        kill_both(server, folder / "told", times, tale)


def _database_dashboards(folder: Path, times: int, tale: Tale) -> None:
    with postgresql.Cluster(fsync=True) as cluster, Server(folder / "games", cluster.url) as server:
        kill_both(server, folder / "told", times, tale)


def _cuts(folder: Path, times: int, tale: Tale) -> None:
    if reason := why_not():
        tale.sees = f"not tried: {reason}"
    else:
        cut_power(folder, times, 10.0, tale)


def _failing(folder: Path, times: int, tale: Tale) -> None:
    with _installed(folder / "games") as installation:
        run_out(installation, times, tale, fail_writes)


def _full(folder: Path, times: int, tale: Tale) -> None:
    with small_disk(folder / "disk") as reason:
        if reason:
            tale.sees = f"not tried: {reason}"
            return
        with _installed(folder / "disk" / "games") as installation:
            run_out(installation, times, tale, fill)


def _lost_files(folder: Path, times: int, tale: Tale) -> None:
    for number in range(times):
        for name, lose in LOSSES.items():
            with _installed(folder / f"{name} {number}", seed=number + 1, phones=2) as installation:
                lose_files(installation, 1, tale, lose)
    with _installed(folder / "renamed", phones=2) as installation:
        put_back(installation, times, tale)


def _upgrades(folder: Path, _times: int, tale: Tale) -> None:
    for what in ("new", "used", "old"):
        (folder / what).mkdir()
        found = in_child(folder / what, what)
        tale.times += found["killed"] + found["refused"]
        tale.wrong += found["wrong"]
    tale.sees = "the next start finishes it, after a backup"


def _on_postgresql(run: Run) -> Run:
    def run_there(folder: Path, times: int, tale: Tale) -> None:
        if not postgresql.BINARIES:
            tale.sees = "not tried: PostgreSQL is not installed"
        elif run in databases.MISSING:
            tale.sees = f"not tried: {databases.MISSING[run]} is not installed"
        else:
            folder.chmod(0o755)  # the server of the database has another user
            run(folder, times, tale)

    return run_there


@contextmanager
def _installed(
    folder: Path, kind: type[Installation] = Installation, **options: int
) -> Iterator[Installation]:
    installation = kind(folder, **options)
    with installation.open() as program:
        program.stop()
    yield installation
    installation.end()


FAULTS: dict[str, tuple[int, Run]] = {
    "kills": (500, _kills),
    "ends": (50, _ends),
    "worker-kills": (100, _workers),
    "master-ends": (20, _masters),
    "import-kills": (50, _imports),
    "dashboard-kills": (100, _dashboards),
    "power-cuts": (300, _cuts),
    "two-servers": (200, _pairs),
    "full-disk": (20, _full),
    "failing-disk": (20, _failing),
    "lost-files": (5, _lost_files),
    "damage": (2000, spoil),
    "bad-files": (1, refuse),
    "upgrades": (1, _upgrades),
    "database-kills": (300, _on_postgresql(databases.kill_server)),
    "failovers": (50, _on_postgresql(databases.fail_over)),
    "database-stops": (3, _on_postgresql(databases.stop_server)),
    "pooler-kills": (20, _on_postgresql(databases.restart_pooler)),
    "cut-commits": (20, _on_postgresql(databases.cut_commits)),
    "full-database-disk": (5, _on_postgresql(databases.fill_disk)),
    "database-dashboards": (30, _on_postgresql(_database_dashboards)),
    "machine-restarts": (5, _on_postgresql(databases.restart_machines)),
    "two-machines": (300, _on_postgresql(databases.race_machines)),
}

if __name__ == "__main__":
    sys.exit(main())
