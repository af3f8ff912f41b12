CREATE VIEW score_sheet AS
SELECT games.table_id, results.game_id, games.started, games.rules, games.house_rules,
    results.round, results.dealer + 1 AS dealer, results.seat + 1 AS seat, players.name AS player,
    results.side + 1 AS side, results.bid, results.tricks, results.nil_points,
    results.contract_points, results.overtrick_points, results.bag_penalty,
    results.points - results.nil_points - results.contract_points - results.overtrick_points
        - results.bag_penalty AS penalty_points,
    results.points,
    results.bags, results.total,
    CASE
        WHEN outcomes.round IS NULL OR outcomes.round <> results.round THEN ''
        WHEN outcomes.side = results.side THEN 'won'
        ELSE 'lost'
    END AS outcome,
    rounds.notes
FROM results
JOIN rounds ON rounds.table_id = results.table_id AND rounds.game_id = results.game_id
    AND rounds.round = results.round
JOIN games ON games.table_id = results.table_id AND games.id = results.game_id
JOIN seats ON seats.table_id = results.table_id AND seats.game_id = results.game_id
    AND seats.seat = results.seat
JOIN players ON players.table_id = seats.table_id AND players.id = coalesce((
    SELECT player_id FROM substitutes
    WHERE substitutes.table_id = results.table_id AND substitutes.game_id = results.game_id
        AND substitutes.seat = results.seat AND substitutes.round <= results.round
    ORDER BY substitutes.round DESC LIMIT 1
), seats.player_id)
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
ORDER BY games.started, results.game_id, results.round, results.seat;

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TABLE "bids" (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ('nil', 'blind nil', '1', 'blind 1', '2', 'blind 2', '3', 'blind 3', '4', 'blind 4', '5', 'blind 5', '6', 'blind 6', '7', 'blind 7', '8', 'blind 8', '9', 'blind 9', '10', 'blind 10', '11', 'blind 11', '12', 'blind 12', '13', 'blind 13', '14', 'blind 14', '15', 'blind 15', '16', 'blind 16', '17', 'blind 17', '18', 'blind 18', '19', 'blind 19')),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE
) STRICT
;

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

CREATE TABLE conflicts (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round > 0),
    entry TEXT NOT NULL CHECK (json_valid(entry)),
    at TEXT NOT NULL,
    PRIMARY KEY (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id) ON DELETE CASCADE,
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT
;

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

CREATE TABLE keys (
    table_id TEXT NOT NULL REFERENCES tables(id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT,
    PRIMARY KEY (table_id, hash)
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

CREATE TABLE phones (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    joined TEXT NOT NULL,
    removed TEXT,
    PRIMARY KEY (table_id, id)
) STRICT;

CREATE TABLE "player_games" (
    table_id TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    started TEXT NOT NULL,
    game_id TEXT NOT NULL,
    rules TEXT NOT NULL,
    side INTEGER,
    sides INTEGER NOT NULL DEFAULT 0,
    place INTEGER,
    comeback INTEGER NOT NULL DEFAULT 0,
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
    PRIMARY KEY (table_id, player_id, rules, started, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
) STRICT, WITHOUT ROWID
;

CREATE TABLE players (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    merged_into INTEGER,
    PRIMARY KEY (table_id, id),
    FOREIGN KEY (table_id, merged_into) REFERENCES players(table_id, id)
) STRICT;

CREATE TABLE requests (
    table_id TEXT NOT NULL REFERENCES tables(id),
    request_key TEXT NOT NULL,
    content TEXT NOT NULL,
    game_id TEXT NOT NULL,
    PRIMARY KEY (table_id, request_key),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE rounds (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round > 0),
    scored TEXT, notes TEXT CHECK (notes IS NULL OR json_valid(notes)),
    PRIMARY KEY (table_id, game_id, round),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

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

CREATE TABLE substitutes (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    player_id INTEGER,
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE,
    FOREIGN KEY (table_id, player_id) REFERENCES players(table_id, id)
) STRICT
;

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    made TEXT NOT NULL
, zone TEXT) STRICT;

CREATE TABLE "takers" (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    number INTEGER NOT NULL CHECK (number > 0),
    PRIMARY KEY (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT
;

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

CREATE INDEX changes_of_round ON changes (table_id, game_id, round, version);

CREATE INDEX games_by_id ON games (id);

CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;

CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;

CREATE INDEX games_imported ON games (import_id, table_id) WHERE import_id IS NOT NULL;

CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);

CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;

CREATE INDEX keys_by_hash ON keys (hash);

CREATE INDEX phones_by_id ON phones (id);

CREATE INDEX player_games_by_start ON player_games (table_id, player_id, started, game_id);

CREATE INDEX players_merged ON players (table_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX players_of_game ON player_games (table_id, game_id, side, place);

CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name) WHERE merged_into IS NULL;

CREATE INDEX seats_of_player ON seats (table_id, player_id);

CREATE INDEX substitutes_of_player ON substitutes (table_id, player_id);

CREATE INDEX watches_by_hash ON watches (hash);

