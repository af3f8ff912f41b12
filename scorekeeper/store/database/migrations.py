"""Migrations of the schema. One that has been released is never changed.

The facts are in games, seats, rounds and bids; `changes` is the append-only journal of their
changes. `results` and `outcomes` are derived from the facts in the same transaction, and so are the
statistics in `player_games`, `player_totals` (where the rules `all` stand for all presets
together) and `player_pairs`. `requests` holds the idempotency keys of games.
"""

from sqlite_utils import Database, Migrations

steps = Migrations("scorekeeper")
SCHEMA_VERSION = 1


def migrate(db: Database) -> None:
    """Apply the migrations; the caller holds the lock that other processes take at their start."""
    steps.apply(db)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def has_every_table(db: Database) -> bool:
    """Return whether a database of this version has all its tables and views."""
    whole = Database(memory=True, execute_plugins=False)
    migrate(whole)
    expected, found = ({*d.table_names(), *d.view_names()} for d in (whole, db))
    whole.close()
    return expected <= found


@steps()
def facts_journal_results(db: Database) -> None:
    for statement in FIRST.split(";\n\n"):
        db.execute(statement)


FIRST = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    made TEXT NOT NULL
) STRICT;

CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    label TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT
) STRICT;

CREATE TABLE phones (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    label TEXT NOT NULL,
    joined TEXT NOT NULL,
    removed TEXT
) STRICT;

CREATE INDEX keys_of_table ON keys (table_id);

CREATE INDEX phones_of_table ON phones (table_id);

CREATE TABLE rule_sets (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
    version INTEGER NOT NULL CHECK (version > 0),
    UNIQUE (table_id, same_name)
) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    merged_into INTEGER REFERENCES players(id)
) STRICT;

CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name) WHERE merged_into IS NULL;

CREATE INDEX players_merged ON players (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE games (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL,
    rule_values TEXT NOT NULL CHECK (json_valid(rule_values)),
    first_dealer INTEGER NOT NULL CHECK (first_dealer >= 0),
    stake INTEGER CHECK (stake > 0),
    started TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    changed TEXT NOT NULL,
    removed TEXT
) STRICT;

CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);

CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;

CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;

CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;

CREATE TABLE requests (
    table_id TEXT NOT NULL REFERENCES tables(id),
    request_key TEXT NOT NULL,
    content TEXT NOT NULL,
    game_id TEXT NOT NULL REFERENCES games(id),
    PRIMARY KEY (table_id, request_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    game_id TEXT NOT NULL REFERENCES games(id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    player_id INTEGER NOT NULL REFERENCES players(id),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, player_id)
) STRICT;

CREATE INDEX seats_of_player ON seats (player_id);

CREATE TABLE takers (
    game_id TEXT NOT NULL REFERENCES games(id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    phone_id TEXT NOT NULL REFERENCES phones(id),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, phone_id)
) STRICT;

CREATE TABLE watches (
    hash TEXT PRIMARY KEY,
    game_id TEXT NOT NULL REFERENCES games(id),
    number INTEGER NOT NULL CHECK (number > 0),
    made TEXT NOT NULL,
    ended TEXT,
    UNIQUE (game_id, number)
) STRICT;

CREATE TABLE rounds (
    game_id TEXT NOT NULL REFERENCES games(id),
    round INTEGER NOT NULL CHECK (round > 0),
    scored TEXT,
    PRIMARY KEY (game_id, round)
) STRICT;

CREATE TABLE bids (
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ('nil', 'blind nil') OR bid GLOB '[1-9]' OR bid GLOB '1[0-9]'),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (game_id, round, seat),
    FOREIGN KEY (game_id, round) REFERENCES rounds(game_id, round) ON DELETE CASCADE
) STRICT;

CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL REFERENCES games(id),
    version INTEGER NOT NULL CHECK (version > 0),
    at TEXT NOT NULL,
    phone_id TEXT REFERENCES phones(id),
    label TEXT,
    kind TEXT NOT NULL,
    round INTEGER,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    stands INTEGER NOT NULL,
    follows INTEGER,
    hash TEXT NOT NULL,
    UNIQUE (game_id, version)
) STRICT;

CREATE INDEX changes_of_round ON changes (game_id, round, version);

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TABLE results (
    game_id TEXT NOT NULL REFERENCES games(id),
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
    PRIMARY KEY (game_id, round, seat)
) STRICT;

CREATE TABLE outcomes (
    game_id TEXT PRIMARY KEY REFERENCES games(id),
    round INTEGER NOT NULL,
    reason TEXT NOT NULL,
    side INTEGER NOT NULL
) STRICT;

CREATE TABLE player_games (
    player_id INTEGER NOT NULL REFERENCES players(id),
    started TEXT NOT NULL,
    game_id TEXT NOT NULL REFERENCES games(id),
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
    PRIMARY KEY (player_id, started, game_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX player_games_by_rules ON player_games (player_id, rules, started, game_id);

CREATE INDEX player_comebacks ON player_games (player_id, rules, comeback) WHERE comeback > 0;

CREATE INDEX player_runs ON player_games (player_id, run) WHERE run > 0;

CREATE INDEX player_runs_in_rules ON player_games (player_id, rules, run_in_rules)
WHERE run_in_rules > 0;

CREATE TABLE player_totals (
    player_id INTEGER NOT NULL REFERENCES players(id),
    rules TEXT NOT NULL,
    table_id TEXT NOT NULL REFERENCES tables(id),
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
    PRIMARY KEY (player_id, rules)
) STRICT, WITHOUT ROWID;

CREATE INDEX players_by_games ON player_totals (table_id, rules, -begun, player_id);

CREATE TABLE player_pairs (
    player_id INTEGER NOT NULL REFERENCES players(id),
    other_id INTEGER NOT NULL REFERENCES players(id),
    against INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    together INTEGER NOT NULL,
    together_won INTEGER NOT NULL,
    PRIMARY KEY (player_id, other_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pairs_by_games ON player_pairs (player_id, -against - together);

CREATE VIEW score_sheet AS
SELECT games.table_id, results.game_id, games.started, games.rules, games.house_rules,
    results.round, results.dealer + 1 AS dealer, results.seat + 1 AS seat, players.name AS player,
    results.side + 1 AS side, results.bid, results.tricks, results.nil_points,
    results.contract_points, results.overtrick_points, results.bag_penalty, results.points,
    results.bags, results.total,
    CASE
        WHEN outcomes.round IS NOT results.round THEN ''
        WHEN outcomes.side = results.side THEN 'won'
        ELSE 'lost'
    END AS outcome
FROM results
JOIN games ON games.id = results.game_id
JOIN seats ON seats.game_id = results.game_id AND seats.seat = results.seat
JOIN players ON players.id = seats.player_id
LEFT JOIN outcomes ON outcomes.game_id = results.game_id
ORDER BY games.started, results.game_id, results.round, results.seat
"""
