"""A migration that is killed before each of its statements, or runs out of disk space.

Run as a program of its own, since it forks: `python -m tests.faults.upgrade FOLDER used 1`.
"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scorekeeper.rules.round import Round
from scorekeeper.store import database, migrations
from scorekeeper.store.check import faults_of_path
from scorekeeper.store.database import FILE, IN_USE, Store, StoreRefused
from tests.program import CHECKOUT, clean_environment
from tests.store.play import Keeper
from tests.store.test_migration import VERSION_1

REFUSED = 3  # how a start ends that says why it does not begin
BLOCK = 16 * 1024  # bytes more at each try that finds no room
connect = sqlite3.connect
Content = dict[str, list[Any]]


def next_version(db: Database) -> None:
    """Bring the data to a version that there is not yet, in some statements."""
    db.execute("CREATE TABLE places (game_id TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT")
    db.execute("INSERT INTO places SELECT id, 'at home' FROM games")
    db.execute("CREATE INDEX places_by_name ON places (place)")
    db.execute("CREATE TABLE weather (game_id TEXT PRIMARY KEY, degrees INTEGER) STRICT")
    db.execute("INSERT INTO weather SELECT id, 21 FROM games")


def know_next_version() -> None:
    """Let this process be a program of that version."""
    migrations.steps()(next_version)
    for module in (migrations, database):
        module.SCHEMA_VERSION += 1


def interrupt(folder: Path, what: str, every: int) -> dict[str, Any]:
    """Interrupt a first start or an upgrade; say how often, and what was wrong after.

    It is interrupted at each statement and each size of the disk, or at one of `every` so many.

    `what` is new, used or old: a folder with nothing in it, with games of the version before a next
    one that there is not yet, or with games of version 1.
    """
    before, work = folder / "before", folder / "work"
    before.mkdir()
    facts = {}
    if what == "used":
        fill_with_games(before)
        know_next_version()
    elif what == "old":
        fill_with_old_games(before)
    if what != "new":
        facts = _content_of_upgraded(before, folder / "upgraded")
    found: dict[str, Any] = {"killed": 0, "refused": 0, "wrong": []}
    for name, prevent in (("killed", _kill), ("refused", _no_room)):
        for step in range(1, 1000, every):
            shutil.copytree(before, work)
            ended = _start_in_child(work, lambda step=step, prevent=prevent: prevent(step))
            found["wrong"] += [f"{name} at {step}: {wrong}" for wrong in _look(work, facts)]
            shutil.rmtree(work)
            if ended == 0:
                break
            if ended != (-signal.SIGKILL if name == "killed" else REFUSED):
                found["wrong"].append(f"{name} at {step}: ended with {ended}")
            found[name] += 1
    return found


def fill_with_games(folder: Path) -> None:
    """Keep some games in a folder."""
    store = Store(folder)
    store.backups.end()
    keeper = Keeper(store)
    for _ in range(3):
        game = keeper.begin()
        for number in range(1, 4):
            game = keeper.put(game, number, Round((3, 2, 1, 4), (3, 3, 1, 3)))
    store.close()


def fill_with_old_games(folder: Path) -> None:
    """Keep games in a folder as version 1 did."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.executescript(VERSION_1.read_text("utf-8"))
    (folder / IN_USE).touch()


def _content_of_upgraded(before: Path, folder: Path) -> Content:
    """Return the content that an upgrade leaves which nothing interrupts."""
    shutil.copytree(before, folder)
    Store(folder).close()
    return _content(folder)


def _content(folder: Path) -> Content:
    with closing(sqlite3.connect(folder / FILE)) as db:
        named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_sqlite%'"
        names = [row[0] for row in db.execute(named).fetchall()]
        return {name: db.execute(f"SELECT * FROM [{name}]").fetchall() for name in names}


def _start_in_child(folder: Path, prevent: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended = 1
    try:
        prevent()
        Store(folder).close()
        ended = 0
    except StoreRefused as refused:
        ended = (
            REFUSED if "Free up space" in str(refused) or "Couldn’t back up" in str(refused) else 1
        )
    finally:
        os._exit(ended)


def _kill(step: int) -> None:
    done = 0

    def count(_statement: str) -> None:
        nonlocal done
        done += 1
        if done == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def counting(path: Any, *options: Any, **more: Any) -> sqlite3.Connection:
        opened = connect(path, *options, **more)
        if str(path).removesuffix("?mode=rw").endswith(FILE):
            opened.set_trace_callback(count)
        return opened

    sqlite3.connect = counting


def _no_room(step: int) -> None:
    size = (step - 1) * BLOCK
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _look(folder: Path, facts: Content) -> list[str]:
    """Return what is wrong when the folder is opened once more, undisturbed."""
    try:
        store = Store(folder)
    except StoreRefused as refused:
        return [str(refused)]
    version = store.db.execute("PRAGMA user_version").fetchone()[0]
    store.close()
    wrong = [] if version == migrations.SCHEMA_VERSION else [f"it is of version {version}"]
    wrong += [str(fault) for fault in faults_of_path(folder / FILE)]
    after = _content(folder)
    wrong += [f"{name} is not as upgraded" for name in facts if after.get(name) != facts[name]]
    if facts and not list((folder / "backups").glob("*.db")):
        wrong.append("no backup was made before")
    return wrong


def in_child(folder: Path, what: str, every: int = 1) -> dict[str, Any]:
    """Interrupt a start or an upgrade in a process that may fork, and return what it found."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults.upgrade", str(folder), what, str(every)],
        cwd=CHECKOUT,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(interrupt(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))))
