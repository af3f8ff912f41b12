"""A PostgreSQL server of the tests' own, and a schema in it for each store."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
OPTIONS = "-F -c listen_addresses='' -c max_connections=200 -c full_page_writes=off"
numbers = count(1)


def needs_postgresql() -> None:
    """Skip a test where the server or the driver is not installed."""
    pytest.importorskip("psycopg_pool", reason="the PostgreSQL driver is not installed")
    if not (BINARIES or shutil.which("initdb")):
        pytest.skip("PostgreSQL is not installed")


@contextmanager
def cluster() -> Iterator[Path]:
    """Run a server without fsync, and provide the folder of its socket."""
    initdb = BINARIES[-1] if BINARIES else Path(str(shutil.which("initdb")))
    with tempfile.TemporaryDirectory(prefix="scorekeeper-pg-") as name:
        folder, data = Path(name), Path(name) / "data"
        as_user = []
        if os.geteuid() == 0:  # initdb refuses root
            as_user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(folder, "postgres")
        pg_ctl = [*as_user, str(initdb.with_name("pg_ctl")), "-D", str(data), "-w"]
        make = [
            str(initdb),
            "-D",
            str(data),
            "-A",
            "trust",
            "-U",
            "scorekeeper",
            "-N",
            "-E",
            "UTF8",
        ]
        subprocess.run([*as_user, *make], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        start = [*pg_ctl, "-o", f"{OPTIONS} -k {folder}", "-l", str(folder / "log"), "start"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        try:
            yield folder
        finally:
            stop = [*pg_ctl, "-m", "immediate", "stop"]
            subprocess.run(stop, check=True, stdout=subprocess.DEVNULL, cwd=folder)


@contextmanager
def schema(socket: Path) -> Iterator[str]:
    """Provide the URL of a new, empty schema, which is dropped at the end."""
    import psycopg

    base = f"postgresql://scorekeeper@/postgres?host={quote(str(socket))}"
    name = f"test_{next(numbers)}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
        yield f"{base}&options={quote(f'-c search_path={name}')}"
        connection.execute(f"DROP SCHEMA {name} CASCADE")
