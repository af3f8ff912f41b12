"""Version 7: statistics are queries of `player_games`, so their sums are not stored any more.

Entries in conflict are stored, so that every phone of the table shows them.
"""

from scorekeeper.store.database.migrations.portable import AnyDatabase


def queried_statistics(db: AnyDatabase) -> None:
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
