"""A PostgreSQL server of the tests' own, and a schema in it for each store."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Self
from urllib.parse import quote

import pytest

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
OPTIONS = "-c listen_addresses='' -c max_connections=200"
RUN_AS = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []  # initdb refuses root
numbers = count(1)


def needs_postgresql() -> None:
    """Skip a test where the server or the driver is not installed."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    if not (BINARIES or shutil.which("initdb")):
        pytest.skip("PostgreSQL is not installed")


class Cluster:
    """A server of its own; leaving the `with` block ends and deletes it.

    `settings` are further options of the command that starts it. Its data are in a folder of their
    own under `parent`. A `standby_of` another server follows it, until it is promoted.
    """

    def __init__(
        self,
        *,
        fsync: bool = False,
        settings: str = "",
        parent: Path | None = None,
        standby_of: "Cluster | None" = None,
    ) -> None:
        self._folder = _own_folder(parent)
        self.socket = Path(self._folder.name)
        self.data = self.socket / "data"
        self.run_as = RUN_AS
        self._pg_ctl = [_program("pg_ctl"), "-D", str(self.data), "-w"]
        self._options = f"-k {self.socket} {OPTIONS} {settings}" + ("" if fsync else " -F")
        if standby_of:
            self.follow(standby_of)
        else:
            _run(["cp", "-R", f"{_new_data().name}/data", str(self.data)])

    def __enter__(self) -> Self:
        if not self.is_running:
            self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self.is_running:  # a killed server leaves its file with a number behind
            self.stop_at_once()
        self._folder.cleanup()

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql://scorekeeper@/postgres?host={quote(str(self.socket))}"

    @property
    def is_running(self) -> bool:
        ended = subprocess.run([*self.run_as, *self._pg_ctl, "status"], capture_output=True)
        return ended.returncode == 0

    @property
    def pids(self) -> list[int]:
        """Its processes, the one that starts the others first."""
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children")
        return [self._pid, *map(int, children.read_text().split())]

    def start(self) -> None:
        log = str(self.socket / "log")
        _run([*self._pg_ctl, "-o", self._options, "-l", log, "start"])

    def stop_at_once(self) -> None:
        """End the server without a checkpoint, as where the power of its machine fails."""
        _run([*self._pg_ctl, "-m", "immediate", "stop"])

    def kill(self) -> None:
        """Kill the server, which kills all that work for it, and wait until it is gone."""
        pid = self._pid
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}").exists() or self._is_shared():
            time.sleep(0.01)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop every process of the server for a block; they go on after it."""
        os.kill(self._pid, signal.SIGSTOP)  # first, so that it starts no more
        pids = self.pids
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in reversed(pids):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def follow(self, primary: "Cluster") -> None:
        """Begin anew as a copy of a server that runs, which waits for it with every commit."""
        shutil.rmtree(self.data, ignore_errors=True)
        copy = ["-D", str(self.data), "-h", str(primary.socket), "-U", "scorekeeper"]
        _run([_program("pg_basebackup"), *copy, "-R", "-X", "stream", "-c", "fast"])
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            settings.write("synchronous_standby_names = ''\n")  # it has no standby itself
        self.start()
        self._wait_for(primary, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("SELECT pg_reload_conf()")
        self._wait_for(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")

    def promote(self) -> None:
        """Let a standby take writes."""
        _run([*self._pg_ctl, "promote"])

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Execute a statement on a connection of its own and return the rows."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    @staticmethod
    def _wait_for(server: "Cluster", query: str) -> None:
        while not server.execute(query):
            time.sleep(0.02)

    @property
    def _pid(self) -> int:
        return int((self.data / "postmaster.pid").read_text().splitlines()[0])

    def _is_shared(self) -> bool:
        """Return whether processes of a killed server have not ended yet."""
        command = f"-D {self.data}".encode()
        return any(
            command in line.replace(b"\0", b" ") for line in map(_command_line, _processes())
        )


@cache
def _new_data() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder with the data of a new server, as these take longer to make than to copy."""
    folder = _own_folder()
    small = ["-A", "trust", "-U", "scorekeeper", "-N", "--wal-segsize=4"]
    _run([_program("initdb"), "-D", f"{folder.name}/data", *small])
    return folder


def _own_folder(parent: Path | None = None) -> "tempfile.TemporaryDirectory[str]":
    folder = tempfile.TemporaryDirectory(prefix="scorekeeper-pg-", dir=parent)
    if RUN_AS:
        shutil.chown(folder.name, "postgres")
    return folder


def _program(name: str) -> str:
    initdb = BINARIES[-1] if BINARIES else Path(str(shutil.which("initdb")))
    return str(initdb.with_name(name))


def _run(command: list[str]) -> None:
    subprocess.run([*RUN_AS, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")


def _processes() -> list[Path]:
    return [path for path in Path("/proc").iterdir() if path.name.isdigit()]


def _command_line(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def schema(socket: Path) -> Iterator[str]:
    """Provide the URL of a new, empty schema, which is dropped at the end."""
    import psycopg

    base = f"postgresql://scorekeeper@/postgres?host={quote(str(socket))}"
    name = f"test_{next(numbers)}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    yield f"{base}&options={quote(f'-c search_path={name}')}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE")


class Emptied:
    """A schema that is emptied after each test, over one connection, as a new one takes longer."""

    def __init__(self, url: str) -> None:
        import psycopg

        self.url = url
        # Under a name, as sessions without one may be those of older programs.
        self._connection = psycopg.connect(url, autocommit=True, application_name="tests")
        # In this role no trigger keeps the journal, and no foreign key asks for an order.
        self._connection.execute("SET session_replication_role = replica")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def empty(self) -> None:
        """Delete every row."""
        names = self._connection.execute(
            "SELECT tablename FROM pg_tables "
            "WHERE schemaname = current_schema AND tablename <> 'schema_version'"
        ).fetchall()
        statements = [f"DELETE FROM {name}" for (name,) in names]
        restart = "ALTER TABLE IF EXISTS changes ALTER sequence RESTART"
        self._connection.execute("; ".join([*statements, restart]).encode())


def remake(url: str) -> None:
    """Drop all that is in a schema, for a test that begins without tables."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        (name,) = connection.execute("SELECT current_schema").fetchone() or ("",)
        connection.execute(f"DROP SCHEMA {name} CASCADE; CREATE SCHEMA {name}".encode())
