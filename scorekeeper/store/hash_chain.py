"""The hash chain of the journal: each line has a hash of itself and of the hash before it.

A line with a round holds the facts of the round before and after it. A line without one holds the
setup of the game: rules, stake, first dealer, and the seats by the ids of their players, so that
players can be renamed. The facts of a game follow from the lines of its journal.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scorekeeper.store.database.connection import Database, Statement

LINE = (
    "game_id", "version", "at", "phone_id", "label", "kind", "round", "before", "after",
    "stands", "follows",
)  # fmt: skip
INSERT = f"INSERT INTO changes (table_id, {', '.join(LINE)}, hash) VALUES (?, {'?, ' * len(LINE)}?)"
STORED = ("table_id", "id", *LINE, "hash")  # id: see `link`
SETUP = ("table_id", "rules", "house_rules", "rule_values", "first_dealer", "stake", "started")
REMOVALS = {"deleted": True, "restored": False}  # kinds of lines: whether the game is removed
Row = Mapping[str, Any]


class Replayed(NamedTuple):
    """The facts that follow from the lines of a journal."""

    setup: dict[str, Any]
    rounds: dict[int, dict[str, Any]]
    version: int
    changed: str
    removed: str | None  # when the game was removed, unless it was restored


def add_line(db: Database, line: dict[str, Any], previous: str = "", *also: Statement) -> str:
    """Append a line, given by column, to the journal of its game and return its hash.

    `previous` is the hash of the line before it, `also` is written with the line.
    """
    whole = dict.fromkeys(LINE) | line
    hash_ = link(previous, whole)
    values = [whole["table_id"], *(whole[name] for name in LINE), hash_]
    db.execute_together(*also, (INSERT, values))
    return hash_


def link(previous: str, line: Row) -> str:
    """Return the hash of a line that follows the line with the hash `previous`."""
    # In version 1 of the schema, lines of all tables were numbered by their ids.
    of = line["table_id"] if line.get("id") is None else line["id"]
    content = json.dumps([previous, of, *(line[name] for name in LINE)])
    return hashlib.sha256(content.encode()).hexdigest()


def setup_of(db: Database, table_id: str, game_id: str) -> dict[str, Any]:
    """Return the setup of a game in the form of the journal."""
    game = [table_id, game_id]
    row = next(iter(db.query("SELECT * FROM games WHERE table_id = ? AND id = ?", game)))
    setup = {name: row[name] for name in SETUP} | {"players": json.loads(row["seats"])}
    return setup | {"rule_values": json.loads(row["rule_values"])}


def broken_links(lines: Iterable[Row]) -> list[Row]:
    """Return the lines of a game's journal whose version or hash does not follow."""
    broken, previous = [], ""
    for version, line in enumerate(lines, 1):
        if line["version"] != version or line["hash"] != link(previous, line):
            broken.append(line)
        previous = line["hash"]
    return broken


def replay(lines: Iterable[Row]) -> Replayed:
    """Return the facts that follow from the lines of a game's journal.

    Raises `ValueError` for states that are not JSON.
    """
    setup: dict[str, Any] = {}
    rounds: dict[int, dict[str, Any]] = {}
    version, changed, removed = 0, "", None
    for line in lines:
        version = line["version"]
        after = None if line["after"] is None else json.loads(line["after"])
        if line["kind"] in REMOVALS:
            removed = line["at"] if REMOVALS[line["kind"]] else None
            continue
        changed = line["at"]
        if line["round"] is None:
            setup |= after or {}
        elif after is None:
            rounds.pop(line["round"], None)
        else:
            rounds[line["round"]] = after
    return Replayed(setup, rounds, version, changed, removed)
