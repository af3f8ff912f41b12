"""Random corruption of the database is detected, or without consequence."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from scorekeeper.store.check import faults_of_path
from scorekeeper.store.database import FILE, Store, StoreRefused
from tests.faults.ledger import Tale
from tests.faults.upgrade import fill_with_games

MAX_BYTES = 20
COUNTED = ("games", "seats", "rounds", "bids", "changes", "results", "outcomes", "player_games")
TABLE_SEES = "the start says “… is damaged” and how to restore, or `check` names the game and round"


def spoil(folder: Path, times: int, tale: Tale) -> Tale:
    """Change some bytes of a database at random, open it, check it, and read every total."""
    before = folder / "before"
    before.mkdir()
    fill_with_games(before)
    facts, dice = _content(before), random.Random(1)
    tale.acknowledged = len(facts["changes"])
    for _ in range(times):
        work = folder / "work"
        shutil.copytree(before, work)
        places = _spoil(work / FILE, dice)
        if wrong := _look(work, facts):
            tale.wrong.append(f"bytes {places}: {wrong}")
        shutil.rmtree(work)
        tale.times += 1
    tale.sees = TABLE_SEES
    return tale


def _spoil(database: Path, dice: random.Random) -> list[int]:
    content = bytearray(database.read_bytes())
    places = [dice.randrange(len(content)) for _ in range(dice.randint(1, MAX_BYTES))]
    for place in places:
        content[place] ^= 1 << dice.randrange(8)
    database.write_bytes(content)
    return places


def _look(folder: Path, facts: dict[str, list[Any]]) -> str:
    """Return what went on as if nothing had happened, though it had."""
    try:
        Store(folder).close()
    except StoreRefused as refused:
        return "" if FILE in str(refused) else f"refused without a reason: {refused}"
    if any(faults_of_path(folder / FILE)):
        return ""
    try:
        after = _content(folder)
    except sqlite3.DatabaseError:
        return ""  # whoever reads it is told
    return ", ".join(name for name in COUNTED if after[name] != facts[name])


def _content(folder: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.row_factory = sqlite3.Row
        return {name: list(map(_read, db.execute(f"SELECT * FROM {name}"))) for name in COUNTED}


def _read(row: sqlite3.Row) -> dict[str, Any]:
    # A hash is compared with those that phones have, and no total follows from it.
    return {name: value for name, value in dict(row).items() if name != "hash"}
