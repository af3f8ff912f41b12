"""Fixtures shared by all tests: a server, a phone, a table."""

import gc
import math
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

import tests.properties  # noqa: F401  # before the option that chooses among its profiles
from scorekeeper import addresses, create_app
from scorekeeper.store.database import FILE, Store
from scorekeeper.web.http import budget
from tests import postgresql
from tests.routing import shared_rule
from tests.web.play import Table

# Whatever PYTHONDONTWRITEBYTECODE says: else each worker rewrites the assertions of all tests anew.
sys.dont_write_bytecode = False
# Programs that a shell starts in the background ignore it, and so would those of the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["LANGUAGE"] = "en"  # whatever the language of this computer
Flask.url_rule_class = staticmethod(shared_rule)
LAN = "192.168.178.20"  # the address of this computer in every test
addresses.interfaces = lambda: [addresses.Interface("wlan0", LAN)]
budget.FREE = math.inf  # no page is refused because this computer is slow
SECRET_KEY = "north east south west and centre"
MEMORY = Path("/dev/shm")  # a folder in memory, where nothing waits for a disk
ROOM = 4 << 30  # bytes that are free there: the tests need a fraction of them

# They import it. The extra `test` is without it, for whoever only changes the rules.
collect_ignore = [] if find_spec("playwright") else ["browser"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--no-skips`, for where all is installed, and `--rewrite-golden`."""
    parser.addoption("--no-skips", action="store_true", help="fail if any test was skipped")
    rewrites = "write what is scored now to tests/files/golden: read the diff before you commit it"
    parser.addoption("--rewrite-golden", action="store_true", help=rewrites)


def pytest_report_header() -> list[str]:
    """Say which tests are left out."""
    return [f"left out: {name}, install .[browser]" for name in collect_ignore]


def pytest_configure(config: pytest.Config) -> None:
    """Put the folders of the tests into memory if it has room: each server waits for its disk."""
    if config.option.no_skips and collect_ignore:
        raise pytest.UsageError("--no-skips needs .[browser]")
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among the thousands of tests."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests on PostgreSQL of what only SQLite has."""
    left_out = [
        item
        for item in items
        if item.get_closest_marker("postgresql") and item.get_closest_marker("sqlite")
    ]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]


def skipped(terminalreporter: pytest.TerminalReporter) -> Counter[str]:
    """Return how many tests were skipped for each reason."""
    reports = terminalreporter.stats.get("skipped", [])
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say each reason for which tests were skipped once."""
    for reason, count in skipped(terminalreporter).items():
        terminalreporter.write_line(f"{count} skipped: {reason}", yellow=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End with status 1 if tests were skipped and none may be."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.option.no_skips and reporter and skipped(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


class CompiledTemplates(BytecodeCache):
    """Templates compiled once for all tests, of which each has a server of its own."""

    def __init__(self) -> None:
        self._code: dict[str, object] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.code


COMPILED = CompiledTemplates()


@cache
def _empty_database() -> bytes:
    """Return a database file without rows: to migrate one takes most of the start of a server."""
    with tempfile.TemporaryDirectory() as folder:
        Store(Path(folder)).close()
        return Path(folder, FILE).read_bytes()


def prepare(folder: Path) -> None:
    """Put an empty database into a folder without one, unless PostgreSQL has the games."""
    if "SCOREKEEPER_DATABASE" not in os.environ and not (folder / FILE).exists():
        (folder / FILE).write_bytes(_empty_database())


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Path]:
    """The socket of a PostgreSQL server that runs for these tests alone."""
    postgresql.needs_postgresql()
    with postgresql.Cluster() as cluster:
        yield cluster.socket


@pytest.fixture(scope="session")
def postgresql_schema(postgresql_server: Path) -> Iterator[postgresql.Emptied]:
    """A schema that tests use one after the other, as a new one takes longer."""
    with (
        postgresql.schema(postgresql_server) as url,
        postgresql.Emptied(url) as schema,
    ):
        yield schema


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The database that `open_store` and `create_app` open: SQLite, or a schema without rows."""
    monkeypatch.delenv("SCOREKEEPER_DATABASE", raising=False)
    if request.param == "sqlite":
        yield "sqlite"
        return
    schema: postgresql.Emptied = request.getfixturevalue("postgresql_schema")
    monkeypatch.setenv("SCOREKEEPER_DATABASE", schema.url)
    yield "postgresql"
    schema.empty()


@pytest.fixture
def data(tmp_path: Path, database: str) -> Path:
    """The folder of the games."""
    folder = tmp_path / "games"
    folder.mkdir()
    return folder


@contextmanager
def server(folder: Path) -> Iterator[Flask]:
    """Run a server for a folder, without any setting of this computer's."""
    prepare(folder)
    with pytest.MonkeyPatch.context() as settings:
        for setting in ("SCOREKEEPER_URL", "SCOREKEEPER_OPEN", "SCOREKEEPER_DATA"):
            settings.delenv(setting, raising=False)
        app = create_app(DATA=folder, SECRET_KEY=SECRET_KEY)
    app.jinja_env.bytecode_cache = COMPILED
    yield app
    for stop in app.extensions["on_stop"]:
        stop()
    app.extensions["store"].close()


@pytest.fixture
def app(data: Path) -> Iterator[Flask]:
    """A server with an empty folder, as one starts; nothing of it is switched off."""
    with server(data) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A phone that has not joined a table."""
    return app.test_client()


@pytest.fixture
def stranger(app: Flask) -> Table:
    """A phone that was given a join link and has not opened it."""
    return Table(app)


@pytest.fixture
def table(stranger: Table) -> Table:
    """A phone that has joined its table, where nothing has been played."""
    stranger.sit_down()
    return stranger


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The same as `game`, shared by the tests of a file that see it refuse to change."""
    with server(tmp_path_factory.mktemp("still")) as app:
        table = Table(app)
        table.sit_down()
        table.begin()
        yield table


@pytest.fixture
def game(table: Table) -> Table:
    """Four players before the first bid of Cutthroat Spades LITE; West deals, North bids first."""
    table.begin()
    return table
