"""PostgreSQL fails under taps at two machines: nothing acknowledged is lost or doubled.

`python -m tests.faults` has the same faults, many times each.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import postgresql
from tests.deployed import printed
from tests.faults import databases
from tests.faults.hosted import MAX_WAIT, Hosted
from tests.faults.ledger import Tale
from tests.program import fetch

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]
Fault = Callable[[Path, int, Tale], None]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the user of the database may enter."""
    postgresql.needs_postgresql()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize(
    ("fault", "times"),
    [
        (databases.kill_server, 2),
        (databases.fail_over, 1),
        (databases.stop_server, 1),
        (databases.restart_pooler, 1),
        (databases.cut_commits, 1),
        (databases.fill_disk, 1),
        (databases.restart_machines, 1),
        (databases.race_machines, 9),
    ],
)
def test_every_tap_is_kept_once(open_folder: Path, fault: Fault, times: int) -> None:
    if fault in databases.MISSING:
        pytest.skip(f"{databases.MISSING[fault]} is not installed")
    tale = Tale(fault.__name__)
    fault(open_folder, times, tale)
    if tale.sees.startswith("not tried: "):
        pytest.skip(tale.sees)
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])
    assert tale.times == times


def test_the_settings_of_a_primary_are_taken() -> None:
    postgresql.needs_postgresql()
    cluster = postgresql.Cluster()
    lines = printed("standby").splitlines()
    settings = [line for line in lines if line and not line.startswith("#")]
    with (cluster.data / "postgresql.conf").open("a") as file:
        file.write("\n".join(settings) + "\n")
    with cluster:  # which does not start with a setting that there is not
        found = cluster.execute("SELECT name FROM pg_file_settings WHERE sourceline IS NOT NULL")
        assert {setting.partition(" = ")[0] for setting in settings} <= {name for (name,) in found}


def test_a_tap_that_is_acknowledged_before_it_is_safe_is_seen(open_folder: Path) -> None:
    tale = Tale("asynchronous commits")
    late = "-c synchronous_commit=off -c wal_writer_delay=10s"
    databases.kill_server(open_folder, 3, tale, settings=late)
    assert tale.lost


def test_workers_that_start_before_the_database_wait_for_it(open_folder: Path) -> None:
    postgresql.needs_postgresql()
    cluster = postgresql.Cluster()
    settings = {"SCOREKEEPER_DATABASE": cluster.url, "SCOREKEEPER_SECRET": "x" * 32}
    with Hosted(open_folder / "games", ready=False, **settings) as server:
        address = server.listening(503)
        assert fetch(f"{address}/")[0] == 503
        with cluster:
            assert server.listening(200) == address
            end = time.monotonic() + MAX_WAIT
            while fetch(f"{address}/")[0] != 200:  # the other worker may see it later
                assert time.monotonic() < end
                time.sleep(0.02)
            assert server.process.poll() is None
