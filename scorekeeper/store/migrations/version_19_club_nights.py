"""Version 19: club nights, with a journal of their own, from which their rows follow."""

from scorekeeper.store.connection import AnyDatabase


def club_nights(db: AnyDatabase) -> None:
    """Add the tables, the same on both databases."""
    for statement in (NIGHTS, BY_ID, CHANGES, TEAMS, MATCHES, KEEPERS):
        db.execute(statement)


NIGHTS = """
CREATE TABLE club_nights (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    started TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (table_id, id)
) STRICT
"""

# By the id in a link, which names no table.
BY_ID = "CREATE INDEX club_nights_by_id ON club_nights(id)"

# What one person did at once is an act: its lines have the version of the first of them. A line
# has an event as JSON, or else undoes an act.
CHANGES = """
CREATE TABLE club_changes (
    table_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    act INTEGER NOT NULL,
    at TEXT NOT NULL,
    phone_id TEXT,
    label TEXT,
    event TEXT CHECK (event IS NULL OR json_valid(event)),
    undoes INTEGER,
    PRIMARY KEY (table_id, night_id, version),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT
"""

TEAMS = """
CREATE TABLE club_teams (
    table_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    names TEXT NOT NULL CHECK (json_valid(names)),
    has_left INTEGER NOT NULL,
    PRIMARY KEY (table_id, night_id, entry),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id)
) STRICT
"""

# One row for each table number of a match, with its game once that has begun.
MATCHES = """
CREATE TABLE club_matches (
    table_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sides TEXT NOT NULL CHECK (json_valid(sides)),
    state TEXT NOT NULL CHECK (state IN ('paired', 'running', 'closed')),
    game_id TEXT,
    PRIMARY KEY (table_id, night_id, match, number),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT
"""

# Phones that keep score at a table number of an evening, and of nothing else.
KEEPERS = """
CREATE TABLE club_keepers (
    table_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (table_id, phone_id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id)
) STRICT
"""
