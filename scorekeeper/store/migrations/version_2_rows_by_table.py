"""Version 2: every row has the id of its table, which comes first in every key.

Its view of the score sheet is left to version 3, which replaces it.
"""

from sqlite_utils import Database


def rows_by_table(db: Database) -> None:
    """Create the schema, and copy a database of version 1 into it."""
    is_old = db.table("games").exists()
    if is_old:
        _set_aside(db)
    for statement in SCHEMA.split(";\n\n"):
        db.execute(statement)
    if is_old:
        for name in TABLES:
            _copy(db, name)
        for name in reversed(TABLES):
            db.execute(f"DROP TABLE old_{name}")


def _set_aside(db: Database) -> None:
    """Rename the tables of version 1, and drop all else, whose names are needed."""
    db.execute("DROP VIEW score_sheet")
    others = db.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('index', 'trigger') "
        "AND sql IS NOT NULL AND tbl_name NOT LIKE '\\_%' ESCAPE '\\'"
    )
    for kind, name in others.fetchall():
        db.execute(f"DROP {kind} {name}")
    for name in TABLES:
        db.execute(f"ALTER TABLE {name} RENAME TO old_{name}")


def _copy(db: Database, table: str) -> None:
    """Copy a table of version 1, except for games of an import that was killed."""
    names = [column.name for column in db.table(f"old_{table}").columns]
    columns = {name: f"old.{name}" for name in names}
    join = ""
    if table != "tables" and "table_id" not in columns:
        parent, key = ("games", "game_id") if "game_id" in columns else ("players", "player_id")
        join = f"JOIN old_{parent} AS parent ON parent.id = old.{key}"
        columns["table_id"] = "parent.table_id"
    if table == "changes":
        columns["sequence"] = "old.id"
    table_id = columns["id" if table == "tables" else "table_id"]
    db.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns.values())} "
        f"FROM old_{table} AS old {join} WHERE {table_id} NOT GLOB 'import-*'"
    )


TABLES = (  # those that others refer to come first
    "tables", "keys", "phones", "rule_sets", "players", "games", "requests", "seats", "takers",
    "watches", "rounds", "bids", "changes", "results", "outcomes", "player_games",
    "player_totals", "player_pairs",
)  # fmt: skip

SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    made TEXT NOT NULL
) STRICT;

CREATE TABLE keys (
    table_id TEXT NOT NULL REFERENCES tables(id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT,
    PRIMARY KEY (table_id, hash)
) STRICT;

CREATE TABLE phones (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    joined TEXT NOT NULL,
    removed TEXT,
    PRIMARY KEY (table_id, id)
) STRICT;

CREATE INDEX keys_by_hash ON keys (hash);

CREATE INDEX phones_by_id ON phones (id);

CREATE TABLE rule_sets (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
    version INTEGER NOT NULL CHECK (version > 0),
    PRIMARY KEY (table_id, id),
    UNIQUE (table_id, same_name)
) STRICT;

CREATE TABLE players (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    merged_into INTEGER,
    PRIMARY KEY (table_id, id),
    FOREIGN KEY (table_id, merged_into) REFERENCES players(table_id, id)
) STRICT;

CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name) WHERE merged_into IS NULL;

CREATE INDEX players_merged ON players (table_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE games (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL,
    rule_values TEXT NOT NULL CHECK (json_valid(rule_values)),
    first_dealer INTEGER NOT NULL CHECK (first_dealer >= 0),
    stake INTEGER CHECK (stake > 0),
    started TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    changed TEXT NOT NULL,
    removed TEXT,
    import_id TEXT,
    PRIMARY KEY (table_id, id)
) STRICT;

CREATE INDEX games_by_id ON games (id);

CREATE INDEX games_imported ON games (import_id, table_id) WHERE import_id IS NOT NULL;

CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);

CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;

CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;

CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;

CREATE TABLE requests (
    table_id TEXT NOT NULL REFERENCES tables(id),
    request_key TEXT NOT NULL,
    content TEXT NOT NULL,
    game_id TEXT NOT NULL,
    PRIMARY KEY (table_id, request_key),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    player_id INTEGER NOT NULL,
    PRIMARY KEY (table_id, game_id, seat),
    UNIQUE (table_id, game_id, player_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
) STRICT;

CREATE INDEX seats_of_player ON seats (table_id, player_id);

CREATE TABLE takers (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    phone_id TEXT NOT NULL,
    PRIMARY KEY (table_id, game_id, seat),
    UNIQUE (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT;

CREATE TABLE watches (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    hash TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT,
    PRIMARY KEY (table_id, game_id, number),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

CREATE INDEX watches_by_hash ON watches (hash);

CREATE TABLE rounds (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round > 0),
    scored TEXT,
    PRIMARY KEY (table_id, game_id, round),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

CREATE TABLE bids (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ('nil', 'blind nil') OR bid GLOB '[1-9]' OR bid GLOB '1[0-9]'),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE
) STRICT;

CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY,
    id INTEGER,
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    at TEXT NOT NULL,
    phone_id TEXT,
    label TEXT,
    kind TEXT NOT NULL,
    round INTEGER,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    stands INTEGER NOT NULL,
    follows INTEGER,
    hash TEXT NOT NULL,
    UNIQUE (table_id, game_id, version),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT;

CREATE INDEX changes_of_round ON changes (table_id, game_id, round, version);

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TABLE results (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    side INTEGER NOT NULL,
    dealer INTEGER NOT NULL,
    bid TEXT NOT NULL,
    tricks INTEGER NOT NULL,
    nil_points INTEGER NOT NULL,
    contract_points INTEGER NOT NULL,
    overtrick_points INTEGER NOT NULL,
    bag_penalty INTEGER NOT NULL,
    points INTEGER NOT NULL,
    overtricks INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    total INTEGER NOT NULL,
    made INTEGER CHECK (made IN (0, 1)),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

CREATE TABLE outcomes (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    reason TEXT NOT NULL,
    side INTEGER NOT NULL,
    PRIMARY KEY (table_id, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

CREATE TABLE player_games (
    table_id TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    started TEXT NOT NULL,
    game_id TEXT NOT NULL,
    rules TEXT NOT NULL,
    sides INTEGER NOT NULL DEFAULT 0,
    place INTEGER,
    comeback INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL DEFAULT 0,
    run_in_rules INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER NOT NULL DEFAULT 0,
    points INTEGER NOT NULL DEFAULT 0,
    bags INTEGER NOT NULL DEFAULT 0,
    bids INTEGER NOT NULL DEFAULT 0,
    bid_tricks INTEGER NOT NULL DEFAULT 0,
    taken INTEGER NOT NULL DEFAULT 0,
    made INTEGER NOT NULL DEFAULT 0,
    exact INTEGER NOT NULL DEFAULT 0,
    nils INTEGER NOT NULL DEFAULT 0,
    nils_made INTEGER NOT NULL DEFAULT 0,
    blind_nils INTEGER NOT NULL DEFAULT 0,
    blind_nils_made INTEGER NOT NULL DEFAULT 0,
    penalties INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, player_id, started, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX player_games_by_rules ON player_games (table_id, player_id, rules, started, game_id);

CREATE INDEX player_comebacks ON player_games (table_id, player_id, rules, comeback)
WHERE comeback > 0;

CREATE INDEX player_runs ON player_games (table_id, player_id, run) WHERE run > 0;

CREATE INDEX player_runs_in_rules ON player_games (table_id, player_id, rules, run_in_rules)
WHERE run_in_rules > 0;

CREATE TABLE player_totals (
    table_id TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    rules TEXT NOT NULL,
    begun INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    places INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    points INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    bids INTEGER NOT NULL,
    bid_tricks INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    made INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    nils INTEGER NOT NULL,
    nils_made INTEGER NOT NULL,
    blind_nils INTEGER NOT NULL,
    blind_nils_made INTEGER NOT NULL,
    penalties INTEGER NOT NULL,
    PRIMARY KEY (table_id, player_id, rules),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX players_by_games ON player_totals (table_id, rules, -begun, player_id);

CREATE TABLE player_pairs (
    table_id TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    against INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    together INTEGER NOT NULL,
    together_won INTEGER NOT NULL,
    PRIMARY KEY (table_id, player_id, other_id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id),
    FOREIGN KEY (table_id, other_id) REFERENCES players(table_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pairs_by_games ON player_pairs (table_id, player_id, -against - together);
"""
