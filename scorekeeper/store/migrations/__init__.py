"""Migrations of the schema, in files named by the versions that their steps lead to.

A step that has been released is never changed. Those from version 8 on run on PostgreSQL too, with
statements that `postgresql/store.py` translates, as it does the schema of version 7.

Every row has the id of its table, which comes first in every key: rows of different tables never
meet, so a database can be divided by it.

The facts of a game are its row, with its seats and rounds as JSON; `changes` is the append-only
journal of their changes. `results`, `outcomes` and `player_games`, from which statistics are
queried, are derived from the facts in the same transaction. `seats`, `rounds`, `bids`,
`substitutes`, `score_sheet`, `game_results` and `player_stats` are views of all these for people.
`requests` holds the idempotency keys of games, `conflicts` the entries of phones that wait for the
players to choose. `imports` and `imported` tell what a page has imported; `uploads`, the files of
previews, are not among `TABLES`, as nobody misses them after a move. `club_changes` is the journal
of `club_nights`; `club_teams` and `club_matches` are derived from it, and `club_keepers` are phones
that keep score at one table of an evening.

`changes.sequence` grows with every line of any journal. `changes.id` is that number in lines of
version 1 of the schema, whose hashes it is part of.
"""

from functools import cache

from sqlite_utils import Database, Migrations

from scorekeeper.store.migrations.version_2_rows_by_table import rows_by_table
from scorekeeper.store.migrations.version_14_one_name import one_name
from scorekeeper.store.migrations.version_15_imports import imports
from scorekeeper.store.migrations.version_16_usual_names import usual_names
from scorekeeper.store.migrations.version_17_bids_by_number import bids_by_number
from scorekeeper.store.migrations.version_18_devices import devices
from scorekeeper.store.migrations.version_19_club_nights import club_nights
from scorekeeper.store.migrations.version_20_shared_language import shared_language
from scorekeeper.store.migrations.versions_3_to_7 import (
    blind_bids,
    claims_in_turn,
    notes_of_rounds,
    queried_statistics,
    substitutes,
)
from scorekeeper.store.migrations.versions_8_to_10 import (
    drop_rate_limits,
    game_rows,
    zones_of_tables,
)
from scorekeeper.store.migrations.versions_11_to_13 import faces, points_by_hand, remarks
from scorekeeper.version import __version__

SCHEMA_VERSION = 20
TABLES = (  # those that others refer to come first
    "tables", "keys", "phones", "rule_sets", "players", "games", "requests", "claims",
    "watch_links", "changes", "results", "outcomes", "player_games", "conflicts",
    "imports", "imported", "club_nights", "club_changes", "club_teams", "club_matches",
    "club_keepers",
)  # fmt: skip
ON_SQLITE = (
    rows_by_table, notes_of_rounds, substitutes, blind_bids, claims_in_turn, queried_statistics,
)  # fmt: skip
PORTABLE = {
    8: game_rows,
    9: zones_of_tables,
    10: drop_rate_limits,
    11: points_by_hand,
    12: remarks,
    13: faces,
    14: one_name,
    15: imports,
    16: usual_names,
    17: bids_by_number,
    18: devices,
    19: club_nights,
    20: shared_language,
}  # steps after those that only SQLite had, by version

steps = Migrations("scorekeeper")
for step in (*ON_SQLITE, *PORTABLE.values()):
    steps()(step)  # under the name of the function, which databases have stored

# Beside its steps, a file has the versions of the program that have opened it, each with its day.
programs = Migrations("scorekeeper versions")


@programs(name=__version__)
def _opened(_db: Database) -> None:
    """Change nothing: what counts is the row that is added with it."""


def migrate(db: Database) -> None:
    """Apply the migrations; the caller holds the lock that other processes take at their start."""
    steps.apply(db)
    programs.apply(db)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def told_version(db: Database, found: int) -> str:
    """Return a data version with the last version of the program that was new to the file.

    Files of older programs do not tell that.
    """
    newest = [f"Scorekeeper {one.name}" for one in programs.applied(db)[-1:]]
    return ", ".join([str(found), *newest])


def has_every_table(db: Database) -> bool:
    """Return whether a database of this version has all its tables and views."""
    return _all_tables() <= {*db.table_names(), *db.view_names()}


@cache  # a server asks once, the tests thousands of times
def _all_tables() -> frozenset[str]:
    """Return the names of the tables and views of a new database."""
    new = Database(memory=True, execute_plugins=False)
    migrate(new)
    names = frozenset((*new.table_names(), *new.view_names()))
    new.close()
    return names
