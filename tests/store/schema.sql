CREATE VIEW bids AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round, bid.key AS seat,
    CAST(bid.value AS TEXT) AS bid,
    json_extract(one.value, '$.tricks[' || bid.key || ']') AS tricks,
    json_extract(one.value, '$.tally[' || bid.key || ']') AS tally
FROM games CROSS JOIN json_each(games.rounds) AS one
CROSS JOIN json_each(one.value, '$.bids') AS bid;

CREATE VIEW game_results AS
SELECT own.table_id, own.game_id, own.started, own.rules, games.house_rules,
    outcomes.round AS rounds, own.side + 1 AS side, group_concat(players.name, ', ') AS players,
    own.place, (
        SELECT total FROM results WHERE results.table_id = own.table_id
            AND results.game_id = own.game_id AND results.round = outcomes.round
            AND results.side = own.side LIMIT 1
    ) AS total, outcomes.reason, outcomes.day, (
        SELECT group_concat(name, ', ') FROM (
            SELECT winners.name FROM player_games AS best
            JOIN players AS winners
                ON winners.table_id = best.table_id AND winners.id = best.player_id
            WHERE best.table_id = own.table_id AND best.game_id = own.game_id AND best.place = 1
            ORDER BY best.side, best.player_id
        ) AS winning
    ) AS winner
FROM player_games AS own
JOIN players ON players.table_id = own.table_id AND players.id = own.player_id
JOIN games ON games.table_id = own.table_id AND games.id = own.game_id
JOIN outcomes ON outcomes.table_id = own.table_id AND outcomes.game_id = own.game_id
WHERE own.place IS NOT NULL
GROUP BY own.table_id, own.game_id, own.started, own.rules, games.house_rules, outcomes.round,
    own.side, own.place, outcomes.reason, outcomes.day
ORDER BY own.started, own.game_id, own.place, own.side;

CREATE VIEW player_stats AS
SELECT own.table_id, own.player_id, players.name AS player, own.rules,
    count(*) AS begun, count(own.place) AS games,
    count(*) FILTER (WHERE own.place = 1) AS wins,
    CAST(sum(own.rounds) AS INTEGER) AS rounds,
    CAST(sum(own.points) AS INTEGER) AS points,
    CAST(sum(own.bags) AS INTEGER) AS bags,
    CAST(sum(own.bids) AS INTEGER) AS bids,
    CAST(sum(own.bid_tricks) AS INTEGER) AS bid_tricks,
    CAST(sum(own.taken) AS INTEGER) AS taken,
    CAST(sum(own.made) AS INTEGER) AS made,
    CAST(sum(own.exact) AS INTEGER) AS exact,
    CAST(sum(own.nils) AS INTEGER) AS nils,
    CAST(sum(own.nils_made) AS INTEGER) AS nils_made,
    CAST(sum(own.blind_nils) AS INTEGER) AS blind_nils,
    CAST(sum(own.blind_nils_made) AS INTEGER) AS blind_nils_made,
    CAST(sum(own.penalties) AS INTEGER) AS penalties
FROM player_games AS own
JOIN players ON players.table_id = own.table_id AND players.id = own.player_id
GROUP BY own.table_id, own.player_id, players.name, own.rules;

CREATE VIEW rounds AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round,
    CASE WHEN json_extract(one.value, '$.tricks') IS NOT NULL THEN (
        SELECT at FROM changes
        WHERE changes.table_id = games.table_id AND changes.game_id = games.id
            AND changes.round = one.key + 1
        ORDER BY version DESC LIMIT 1
    ) END AS scored,
    nullif(json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes'), '{}') AS notes
FROM games CROSS JOIN json_each(games.rounds) AS one;

CREATE VIEW score_sheet AS
SELECT games.table_id, results.game_id, games.started, games.rules, games.house_rules,
    results.round, results.dealer + 1 AS dealer, results.seat + 1 AS seat, (
        SELECT name FROM players WHERE players.table_id = games.table_id
        AND players.id = coalesce((
            SELECT player_id FROM substitutes
            WHERE substitutes.table_id = results.table_id
                AND substitutes.game_id = results.game_id
                AND substitutes.seat = results.seat AND substitutes.round <= results.round
            ORDER BY substitutes.round DESC LIMIT 1
        ), starters.merged_into, starters.id)
    ) AS player,
    results.side + 1 AS side, results.bid, results.tricks, results.nil_points,
    results.contract_points, results.overtrick_points, results.bag_penalty,
    results.points - results.nil_points - results.contract_points - results.overtrick_points
        - results.bag_penalty - results.bonus_points AS penalty_points,
    results.points,
    results.bags, results.total,
    CASE
        WHEN outcomes.round IS NULL OR outcomes.round <> results.round THEN ''
        WHEN (
            SELECT min(place) FROM player_games WHERE player_games.table_id = results.table_id
                AND player_games.game_id = results.game_id AND player_games.side = results.side
        ) = 1 THEN 'won'
        ELSE 'lost'
    END AS outcome,
    nullif(
        json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes', '$.remark',
            '$.game_remark'), '{}'
    ) AS notes, results.bonus_points,
    json_extract(one.value, '$.remark') AS remark,
    json_extract(games.rounds, '$[0].game_remark') AS game_remark
FROM games CROSS JOIN json_each(games.rounds) AS one
CROSS JOIN results
JOIN players AS starters ON starters.table_id = games.table_id AND starters.id = json_extract(games.seats, '$[' || results.seat || ']')
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
WHERE results.table_id = games.table_id AND results.game_id = games.id
    AND results.round = one.key + 1
ORDER BY games.started, results.game_id, results.round, results.seat;

CREATE VIEW seats AS
SELECT games.table_id, games.id AS game_id, one.key AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN json_each(games.seats) AS one
CROSS JOIN players ON players.table_id = games.table_id AND players.id = one.value;

CREATE VIEW substitutes AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round,
    json_extract(member.value, '$.seat') AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN json_each(games.rounds) AS one
CROSS JOIN json_each(one.value, '$.substitutes') AS member
LEFT JOIN players ON players.table_id = games.table_id
    AND players.id = json_extract(member.value, '$.player')
WHERE instr(games.rounds, '"substitutes"') > 0;

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;

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
    head INTEGER NOT NULL,
    parent INTEGER,
    hash TEXT NOT NULL,
    UNIQUE (table_id, game_id, version),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT;

CREATE TABLE "claims" (
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
;

CREATE TABLE club_keepers (
    table_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (table_id, phone_id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id)
) STRICT
;

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
;

CREATE TABLE club_nights (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    started TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (table_id, id)
) STRICT
;

CREATE TABLE club_teams (
    table_id TEXT NOT NULL,
    night_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    names TEXT NOT NULL CHECK (json_valid(names)),
    has_left INTEGER NOT NULL,
    PRIMARY KEY (table_id, night_id, entry),
    FOREIGN KEY (table_id, night_id) REFERENCES club_nights(table_id, id)
) STRICT
;

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
    removed TEXT, seats TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(seats)), rounds TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(rounds)), remarks TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, id)
) STRICT;

CREATE TABLE imported (
    table_id TEXT NOT NULL REFERENCES tables(id),
    import_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    players TEXT NOT NULL CHECK (json_valid(players)),
    PRIMARY KEY (table_id, import_id, game_id),
    FOREIGN KEY (table_id, import_id) REFERENCES imports(table_id, id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT
;

CREATE TABLE imports (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    touched TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'undoing', 'undone')),
    games INTEGER NOT NULL,
    counts TEXT NOT NULL CHECK (json_valid(counts)),
    PRIMARY KEY (table_id, id)
) STRICT
;

CREATE TABLE keys (
    table_id TEXT NOT NULL REFERENCES tables(id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT, made_by TEXT,
    PRIMARY KEY (table_id, hash)
) STRICT;

CREATE TABLE outcomes (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    reason TEXT NOT NULL,
    side INTEGER NOT NULL, day TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, game_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT;

CREATE TABLE phones (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    joined TEXT NOT NULL,
    removed TEXT, joined_by TEXT, seen TEXT,
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
    penalties INTEGER NOT NULL DEFAULT 0, by_number TEXT NOT NULL DEFAULT '{}',
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
    merged_into INTEGER, shape INTEGER NOT NULL DEFAULT 1 CHECK (shape BETWEEN 1 AND 10), color INTEGER NOT NULL DEFAULT 1 CHECK (color BETWEEN 1 AND 7),
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

CREATE TABLE "results" (
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
    made INTEGER CHECK (made IN (0, 1)), bonus_points INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT, WITHOUT ROWID
;

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

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    made TEXT NOT NULL
, zone TEXT, name TEXT, invites_since TEXT, language TEXT) STRICT;

CREATE TABLE uploads (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (table_id, id)
) STRICT
;

CREATE TABLE "watch_links" (
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

CREATE INDEX club_nights_by_id ON club_nights(id);

CREATE INDEX games_by_id ON games (id);

CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;

CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;

CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);

CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;

CREATE INDEX keys_by_hash ON keys (hash);

CREATE INDEX phones_by_id ON phones (id);

CREATE INDEX player_games_by_start ON player_games (table_id, player_id, started, game_id);

CREATE INDEX players_merged ON players (table_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX players_of_game ON player_games (table_id, game_id, side, place);

CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name, name) WHERE merged_into IS NULL;

CREATE INDEX uploads_by_age ON uploads (at);

CREATE INDEX watch_links_by_hash ON watch_links (hash);

