"""Ids of players: found by name, and written in the journal for those who take a seat.

A player keeps the id when renamed, and refers to another one when merged, so the journal never
has to change.
"""

import json
from collections.abc import Callable
from typing import Any

from scorekeeper.player_names import name_key
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.rounds import MEMBER


def find_player_id(db: Database, table_id: str, key: str) -> int | None:
    """Return the player of a table with this `name_key`, or None."""
    return scalar(
        db,
        "SELECT id FROM players WHERE table_id = ? AND same_name = ? AND merged_into IS NULL",
        [table_id, key],
    )


def player_of_name(db: Database, table_id: str, name: str) -> int:
    """Return the player of this name at a table, inserted where there is none."""
    found = find_player_id(db, table_id, name_key(name))
    if found is not None:
        return found
    inserted = db.execute(
        "INSERT INTO players (table_id, id, name, same_name) "
        "SELECT ?, coalesce(max(id), 0) + 1, ?, ? FROM players WHERE table_id = ? RETURNING id",
        [table_id, name, name_key(name), table_id],
    )
    return int(inserted.fetchone()[0])


def first_spelling(db: Database, table_id: str, name: str) -> str:
    """Return a name as the table spells it, or as it is for a player whom it does not know."""
    query = "SELECT name FROM players WHERE table_id = ? AND same_name = ? AND merged_into IS NULL"
    known: str | None = scalar(db, query, [table_id, name_key(name)])
    return name if known is None else known


def name_of(db: Database, table_id: str, player_id: int) -> str:
    """Return the name of a player, or of the one into whom the player was merged."""
    query = (
        "SELECT coalesce(other.name, players.name) FROM players LEFT JOIN players AS other "
        "ON other.table_id = players.table_id AND other.id = players.merged_into "
        "WHERE players.table_id = ? AND players.id = ?"
    )
    return str(scalar(db, query, [table_id, player_id]))


def with_ids(db: Database, table_id: str, facts: str | None) -> str | None:
    """Return the facts of a round with its players by id, as the journal keeps them."""
    return _with_players(facts, lambda name: player_of_name(db, table_id, name))


def with_names(db: Database, table_id: str, facts: str | None) -> str | None:
    """Return the facts of a round that are in the journal with its players by name."""
    return _with_players(facts, lambda player_id: name_of(db, table_id, player_id))


def _with_players(facts: str | None, convert: Callable[[Any], Any]) -> str | None:
    if facts is None or MEMBER not in facts:
        return facts
    members = json.loads(facts)
    for one in members[MEMBER]:
        one["player"] = one["player"] and convert(one["player"])  # None leaves a seat
    return json.dumps(members)
