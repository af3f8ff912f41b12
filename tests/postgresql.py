"""A PostgreSQL server of the tests' own, and a schema in it for each store."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
OPTIONS = "-c listen_addresses='' -c max_connections=200"
numbers = count(1)


def needs_postgresql() -> None:
    """Skip a test where the server or the driver is not installed."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    if not (BINARIES or shutil.which("initdb")):
        pytest.skip("PostgreSQL is not installed")


class Cluster:
    """A server of its own, or a standby of one; leaving the `with` block ends and deletes it."""

    def __init__(self, *, fsync: bool = False, standby_of: Path | None = None) -> None:
        initdb = BINARIES[-1] if BINARIES else Path(str(shutil.which("initdb")))
        self._folder = tempfile.TemporaryDirectory(prefix="scorekeeper-pg-")
        self.socket = Path(self._folder.name)
        self.data = self.socket / "data"
        self._user: list[str] = []
        if os.geteuid() == 0:  # initdb refuses root
            self._user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(self.socket, "postgres")
        self._pg_ctl = [str(initdb.with_name("pg_ctl")), "-D", str(self.data), "-w"]
        self._options = f"-k {self.socket} {OPTIONS}" + ("" if fsync else " -F")
        of_the_user = ["-D", str(self.data), "-U", "scorekeeper"]
        if standby_of is None:
            self._run([str(initdb), *of_the_user, "-A", "trust", "-N"])
        else:
            copy = initdb.with_name("pg_basebackup")
            self._run([str(copy), *of_the_user, "-R", "-N", "-c", "fast", "-h", str(standby_of)])

    def __enter__(self) -> Path:
        self.start()
        return self.socket

    def __exit__(self, *_error: object) -> None:
        self._run([*self._pg_ctl, "-m", "immediate", "stop"])
        self._folder.cleanup()

    def start(self) -> None:
        log = str(self.socket / "log")
        self._run([*self._pg_ctl, "-o", self._options, "-l", log, "start"])

    def kill(self) -> None:
        """Kill the server, which kills all that work for it, and wait until it is gone."""
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}").exists() or self._is_shared():
            time.sleep(0.01)

    def _is_shared(self) -> bool:
        """Return whether processes of a killed server have not ended yet."""
        command = f"-D {self.data}".encode()
        return any(
            command in line.replace(b"\0", b" ") for line in map(_command_line, _processes())
        )

    def _run(self, command: list[str]) -> None:
        subprocess.run(
            [*self._user, *command], check=True, stdout=subprocess.DEVNULL, cwd=self.socket
        )


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
