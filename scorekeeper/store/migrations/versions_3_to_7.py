"""Versions 3 to 7: notes of rounds, substitutes, blind bids, claims in turn, queried statistics.

Entries in conflict are stored, so that every phone of the table shows them.
"""

from sqlite_utils import Database


def notes_of_rounds(db: Database) -> None:
    """Add the notes of a round, and show them and the points of penalties on the score sheet."""
    check = "CHECK (notes IS NULL OR json_valid(notes))"
    db.execute(f"ALTER TABLE rounds ADD COLUMN notes TEXT {check}")
    db.execute("DROP VIEW IF EXISTS score_sheet")
    db.execute(SCORE_SHEET_3)


SCORE_SHEET_3 = """
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
JOIN players ON players.table_id = seats.table_id AND players.id = seats.player_id
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
ORDER BY games.started, results.game_id, results.round, results.seat
"""


def substitutes(db: Database) -> None:
    """Add the players who take a seat from a round on, and show them on the score sheet.

    Where a seat is left empty there is no player.
    """
    db.execute(SUBSTITUTES)
    db.execute("CREATE INDEX substitutes_of_player ON substitutes (table_id, player_id)")
    db.execute("DROP VIEW score_sheet")
    db.execute(SCORE_SHEET_4)


SUBSTITUTES = """
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
"""

SCORE_SHEET_4 = """
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
ORDER BY games.started, results.game_id, results.round, results.seat
"""


def blind_bids(db: Database) -> None:
    """Allow bids such as `blind 6`; a check is changed only with the whole table."""
    db.execute(BIDS)
    db.execute("INSERT INTO checked_bids SELECT * FROM bids")
    db.execute("DROP TABLE bids")
    db.execute("ALTER TABLE checked_bids RENAME TO bids")


POSSIBLE = ", ".join(f"'{n}', 'blind {n}'" for n in ("nil", *range(1, 20)))
BIDS = f"""
CREATE TABLE checked_bids (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ({POSSIBLE})),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE
) STRICT
"""


def claims_in_turn(db: Database) -> None:
    """Number the claims of seats in a game, and let a phone keep one that another took over."""
    db.execute(TAKERS)
    db.execute(
        "INSERT INTO numbered_takers SELECT table_id, game_id, phone_id, seat, 1 FROM takers"
    )
    db.execute("DROP TABLE takers")
    db.execute("ALTER TABLE numbered_takers RENAME TO takers")


TAKERS = """
CREATE TABLE numbered_takers (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    number INTEGER NOT NULL CHECK (number > 0),
    PRIMARY KEY (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT
"""


def queried_statistics(db: Database) -> None:
    """Drop the sums and streaks of players, and store their side in each finished game.

    Make the table of entries in conflict.
    """
    for table in ("player_totals", "player_pairs"):
        db.execute(f"DROP TABLE {table}")
    db.execute(PLAYER_GAMES)
    db.execute(COPY)
    db.execute("DROP TABLE player_games")
    db.execute("ALTER TABLE queried_player_games RENAME TO player_games")
    db.execute(
        "CREATE INDEX player_games_by_start ON player_games (table_id, player_id, started, game_id)"
    )
    db.execute("CREATE INDEX players_of_game ON player_games (table_id, game_id, side, place)")
    db.execute(CONFLICTS)


PLAYER_GAMES = """
CREATE TABLE queried_player_games (
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
"""

# The side is that of the seat which the player had in the last round.
COPY = """
INSERT INTO queried_player_games
SELECT table_id, player_id, started, game_id, rules,
    CASE WHEN place IS NOT NULL THEN (
        SELECT min(results.side) FROM outcomes JOIN results
            ON results.table_id = outcomes.table_id AND results.game_id = outcomes.game_id
            AND results.round = outcomes.round
        WHERE outcomes.table_id = old.table_id AND outcomes.game_id = old.game_id
            AND old.player_id = coalesce(
                (SELECT substitutes.player_id FROM substitutes
                    WHERE substitutes.table_id = results.table_id
                    AND substitutes.game_id = results.game_id AND substitutes.seat = results.seat
                    AND substitutes.round <= results.round
                    ORDER BY substitutes.round DESC LIMIT 1),
                (SELECT seats.player_id FROM seats WHERE seats.table_id = results.table_id
                    AND seats.game_id = results.game_id AND seats.seat = results.seat))
    ) END,
    sides, place, comeback, rounds, points, bags, bids, bid_tricks, taken, made, exact, nils,
    nils_made, blind_nils, blind_nils_made, penalties
FROM player_games AS old
ORDER BY table_id, player_id, rules, started, game_id
"""

CONFLICTS = """
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
"""
