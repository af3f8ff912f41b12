"""The schema on PostgreSQL at version 3, the first there, and its migrations.

It has the same tables, columns and keys as SQLite's of that version. Texts compare byte by byte, as
in SQLite, whatever the collation of the database. `rate_limits` exists only here, as with SQLite a
process counts in its memory.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from scorekeeper.store.migrations import PORTABLE, SCHEMA_VERSION
from scorekeeper.store.migrations.versions_3_to_7 import SCORE_SHEET_3
from scorekeeper.store.migrations.versions_8_to_10 import game_rows_on_postgresql
from scorekeeper.store.postgresql.connections import Connection, translated

FIRST_VERSION = 3

_TABLES = """
CREATE TABLE schema_version (version BIGINT NOT NULL);

CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE
RETURN strpos($1, $2);

CREATE UNLOGGED TABLE rate_limits (
    kind TEXT COLLATE "C" NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    full_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (kind, who)
) WITH (fillfactor = 50);

CREATE TABLE tables (
    id TEXT COLLATE "C" PRIMARY KEY,
    made TEXT COLLATE "C" NOT NULL
);

CREATE TABLE keys (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    hash TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    made TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C",
    PRIMARY KEY (table_id, hash)
);

CREATE TABLE phones (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    id TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    joined TEXT COLLATE "C" NOT NULL,
    removed TEXT COLLATE "C",
    PRIMARY KEY (table_id, id)
);

CREATE INDEX keys_by_hash ON keys (hash);

CREATE INDEX phones_by_id ON phones (id);

CREATE TABLE rule_sets (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    same_name TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    house_rules TEXT COLLATE "C" NOT NULL CHECK (house_rules::json IS NOT NULL),
    version BIGINT NOT NULL CHECK (version > 0),
    PRIMARY KEY (table_id, id),
    UNIQUE (table_id, same_name)
);

CREATE TABLE players (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    same_name TEXT COLLATE "C" NOT NULL,
    merged_into BIGINT,
    PRIMARY KEY (table_id, id),
    FOREIGN KEY (table_id, merged_into) REFERENCES players(table_id, id)
);

CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name) WHERE merged_into IS NULL;

CREATE INDEX players_merged ON players (table_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE games (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    id TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    house_rules TEXT COLLATE "C" NOT NULL,
    rule_values TEXT COLLATE "C" NOT NULL CHECK (rule_values::json IS NOT NULL),
    first_dealer BIGINT NOT NULL CHECK (first_dealer >= 0),
    stake BIGINT CHECK (stake > 0),
    started TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    changed TEXT COLLATE "C" NOT NULL,
    removed TEXT COLLATE "C",
    import_id TEXT COLLATE "C",
    PRIMARY KEY (table_id, id)
);

CREATE INDEX games_by_id ON games (id);

CREATE INDEX games_imported ON games (import_id, table_id) WHERE import_id IS NOT NULL;

CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);

CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;

CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;

CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;

CREATE TABLE requests (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables(id),
    request_key TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, request_key),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
);

CREATE TABLE seats (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    seat BIGINT NOT NULL CHECK (seat >= 0),
    player_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, game_id, seat),
    UNIQUE (table_id, game_id, player_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
);

CREATE INDEX seats_of_player ON seats (table_id, player_id);

CREATE TABLE takers (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    seat BIGINT NOT NULL CHECK (seat >= 0),
    phone_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, game_id, seat),
    UNIQUE (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
);

CREATE TABLE watches (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    hash TEXT COLLATE "C" NOT NULL,
    made TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C",
    PRIMARY KEY (table_id, game_id, number),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
);

CREATE INDEX watches_by_hash ON watches (hash);

CREATE TABLE rounds (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL CHECK (round > 0),
    scored TEXT COLLATE "C",
    notes TEXT COLLATE "C" CHECK (notes IS NULL OR notes::json IS NOT NULL),
    PRIMARY KEY (table_id, game_id, round),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
);

CREATE TABLE bids (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    seat BIGINT NOT NULL CHECK (seat >= 0),
    bid TEXT COLLATE "C" CHECK (bid IN ('nil', 'blind nil') OR bid ~ '^(1[0-9]|[1-9])$'),
    tricks BIGINT CHECK (tricks >= 0),
    tally BIGINT CHECK (tally >= 0),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE
);

CREATE TABLE changes (
    sequence BIGINT GENERATED BY DEFAULT AS IDENTITY,
    id BIGINT,
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    at TEXT COLLATE "C" NOT NULL,
    phone_id TEXT COLLATE "C",
    label TEXT COLLATE "C",
    kind TEXT COLLATE "C" NOT NULL,
    round BIGINT,
    before TEXT COLLATE "C" CHECK (before IS NULL OR before::json IS NOT NULL),
    after TEXT COLLATE "C" CHECK (after IS NULL OR after::json IS NOT NULL),
    stands BIGINT NOT NULL,
    follows BIGINT,
    hash TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, game_id, version),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
);

CREATE INDEX changes_by_sequence ON changes (sequence);

CREATE INDEX changes_of_round ON changes (table_id, game_id, round, version);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('scorekeeper.unguarded', true) = 'yes' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the journal is only ever appended to';
END
$$;

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE results (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    side BIGINT NOT NULL,
    dealer BIGINT NOT NULL,
    bid TEXT COLLATE "C" NOT NULL,
    tricks BIGINT NOT NULL,
    nil_points BIGINT NOT NULL,
    contract_points BIGINT NOT NULL,
    overtrick_points BIGINT NOT NULL,
    bag_penalty BIGINT NOT NULL,
    points BIGINT NOT NULL,
    overtricks BIGINT NOT NULL,
    bags BIGINT NOT NULL,
    total BIGINT NOT NULL,
    made BIGINT CHECK (made IN (0, 1)),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
);

CREATE TABLE outcomes (
    table_id TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    side BIGINT NOT NULL,
    PRIMARY KEY (table_id, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
);

CREATE TABLE player_games (
    table_id TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    started TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    sides BIGINT NOT NULL DEFAULT 0,
    place BIGINT,
    comeback BIGINT NOT NULL DEFAULT 0,
    run BIGINT NOT NULL DEFAULT 0,
    run_in_rules BIGINT NOT NULL DEFAULT 0,
    rounds BIGINT NOT NULL DEFAULT 0,
    points BIGINT NOT NULL DEFAULT 0,
    bags BIGINT NOT NULL DEFAULT 0,
    bids BIGINT NOT NULL DEFAULT 0,
    bid_tricks BIGINT NOT NULL DEFAULT 0,
    taken BIGINT NOT NULL DEFAULT 0,
    made BIGINT NOT NULL DEFAULT 0,
    exact BIGINT NOT NULL DEFAULT 0,
    nils BIGINT NOT NULL DEFAULT 0,
    nils_made BIGINT NOT NULL DEFAULT 0,
    blind_nils BIGINT NOT NULL DEFAULT 0,
    blind_nils_made BIGINT NOT NULL DEFAULT 0,
    penalties BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, player_id, started, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
);

CREATE INDEX player_games_by_rules ON player_games (table_id, player_id, rules, started, game_id);

CREATE INDEX player_comebacks ON player_games (table_id, player_id, rules, comeback)
WHERE comeback > 0;

CREATE INDEX player_runs ON player_games (table_id, player_id, run) WHERE run > 0;

CREATE INDEX player_runs_in_rules ON player_games (table_id, player_id, rules, run_in_rules)
WHERE run_in_rules > 0;

CREATE TABLE player_totals (
    table_id TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    begun BIGINT NOT NULL,
    games BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    places BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    points BIGINT NOT NULL,
    bags BIGINT NOT NULL,
    bids BIGINT NOT NULL,
    bid_tricks BIGINT NOT NULL,
    taken BIGINT NOT NULL,
    made BIGINT NOT NULL,
    exact BIGINT NOT NULL,
    nils BIGINT NOT NULL,
    nils_made BIGINT NOT NULL,
    blind_nils BIGINT NOT NULL,
    blind_nils_made BIGINT NOT NULL,
    penalties BIGINT NOT NULL,
    PRIMARY KEY (table_id, player_id, rules),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
);

CREATE INDEX players_by_games ON player_totals (table_id, rules, (-begun), player_id);

CREATE TABLE player_pairs (
    table_id TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    other_id BIGINT NOT NULL,
    against BIGINT NOT NULL,
    ahead BIGINT NOT NULL,
    behind BIGINT NOT NULL,
    together BIGINT NOT NULL,
    together_won BIGINT NOT NULL,
    PRIMARY KEY (table_id, player_id, other_id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id),
    FOREIGN KEY (table_id, other_id) REFERENCES players(table_id, id)
);

CREATE INDEX pairs_by_games ON player_pairs (table_id, player_id, (-against - together));
"""
SCHEMA = f"{_TABLES}\n{SCORE_SHEET_3}"


STARTING = 7291001  # advisory lock while the schema is made or migrated
# How PostgreSQL says what SQLite says otherwise, as patterns and their replacements.
WORDS = {
    r"\bTEXT\b": 'TEXT COLLATE "C"',
    r"\bINTEGER\b": "BIGINT",
    r"\bjson_valid\((\w+)\)": r"\1::json IS NOT NULL",
    r"\) STRICT\b(, WITHOUT ROWID)?": ")",
}
STEPS = {**PORTABLE, 8: game_rows_on_postgresql}  # by the version that they lead to


class Translator:
    """A database that gets each statement of SQLite in the words of PostgreSQL."""

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Any:
        for pattern, words in WORDS.items():
            sql = re.sub(pattern, words, sql)
        return self._execute(translated(sql), parameters) if parameters else self._execute(sql)


def migrate(connection: Connection) -> int:
    """Bring a database, which may be empty, up to this version of the schema.

    Returns the version that it has then: another one where the database is of a newer program, or
    older than the first version on PostgreSQL, and nothing was changed.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [STARTING])
        version = _version(connection)
        if not FIRST_VERSION <= version < SCHEMA_VERSION:
            return version
        connection.read_timeout = None  # a step may take long
        for number in range(version + 1, SCHEMA_VERSION + 1):
            STEPS[number](Translator(connection.execute))
        connection.execute("UPDATE schema_version SET version = %s", [SCHEMA_VERSION])
        return SCHEMA_VERSION


def _version(connection: Connection) -> int:
    """Return the version of the schema, which is made where there is none."""
    found = connection.execute("SELECT to_regclass('schema_version')").fetchone()
    if found is None or found[0] is None:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO schema_version VALUES (%s)", [FIRST_VERSION])
        return FIRST_VERSION
    row = connection.execute("SELECT version FROM schema_version").fetchone()
    return int(row[0]) if row else 0
