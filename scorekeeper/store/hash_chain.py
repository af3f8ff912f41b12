"""The journal as a chain: each line carries a hash of the line before it and of itself.

A line with a round holds the round's facts before and after it. A line without one holds how the
game is set up: rules, stake, first dealer, who sits where, by the players' ids at the time, so
that players can be renamed. Going through the lines gives the facts of the game once more.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlite_utils import Database

LINE = (
    "id", "game_id", "version", "at", "phone_id", "label", "kind", "round", "before", "after",
    "stands", "follows",
)  # fmt: skip
INSERT = f"INSERT INTO changes ({', '.join(LINE)}, hash) VALUES ({'?, ' * len(LINE)}?)"
SETUP = ("table_id", "rules", "house_rules", "rule_values", "first_dealer", "stake", "started")
REMOVALS = {"deleted": True, "restored": False}  # lines that leave every fact as it is
Row = Mapping[str, Any]


class Replayed(NamedTuple):
    """The facts that the lines of a journal lead to."""

    setup: dict[str, Any]
    rounds: dict[int, tuple[dict[str, Any], str | None]]  # its facts, and when it was scored
    version: int
    changed: str
    removed: str | None  # when the game was removed, unless it was brought back


def add_line(db: Database, line: dict[str, Any]) -> str:
    """Append a line to the journal, linked to the line before it, and return its hash.

    `line` names its columns.
    """
    newest, previous = db.execute(
        "SELECT coalesce(max(id), 0), "
        "(SELECT hash FROM changes WHERE game_id = ? ORDER BY version DESC LIMIT 1) FROM changes",
        [line["game_id"]],
    ).fetchone()
    whole = dict.fromkeys(LINE) | line | {"id": newest + 1}
    hash_ = link(previous or "", whole)
    db.execute(INSERT, [*(whole[name] for name in LINE), hash_])
    return hash_


def link(previous: str, line: Row) -> str:
    """Return the hash of a line that follows the line with the hash `previous`."""
    content = json.dumps([previous, *(line[name] for name in LINE)])
    return hashlib.sha256(content.encode()).hexdigest()


def setup_of(db: Database, game_id: str) -> dict[str, Any]:
    """Return how a game is set up, as the journal keeps it."""
    row = next(iter(db.query("SELECT * FROM games WHERE id = ?", [game_id])))
    players = db.execute("SELECT player_id FROM seats WHERE game_id = ? ORDER BY seat", [game_id])
    setup = {name: row[name] for name in SETUP} | {"players": [seat[0] for seat in players]}
    return setup | {"rule_values": json.loads(row["rule_values"])}


def broken_links(lines: Iterable[Row]) -> list[Row]:
    """Return the lines of a game's journal that do not follow from the lines before them."""
    broken, previous = [], ""
    for version, line in enumerate(lines, 1):
        if line["version"] != version or line["hash"] != link(previous, line):
            broken.append(line)
        previous = line["hash"]
    return broken


def replay(lines: Iterable[Row]) -> Replayed:
    """Return the facts that follow from a game's journal; `ValueError` where it contradicts itself.

    A round is there as its newest line left it.
    """
    setup: dict[str, Any] = {}
    rounds: dict[int, tuple[dict[str, Any], str | None]] = {}
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
            rounds[line["round"]] = (after, changed if "tricks" in after else None)
    return Replayed(setup, rounds, version, changed, removed)
