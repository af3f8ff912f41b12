"""Version 4: players take and leave seats from a round on."""

from scorekeeper.store.database.migrations.portable import AnyDatabase


def substitutes(db: AnyDatabase) -> None:
    """Add the players who take a seat from a round on, and show them on the score sheet.

    Where a seat is left empty there is no player.
    """
    db.execute(SUBSTITUTES)
    db.execute("CREATE INDEX substitutes_of_player ON substitutes (table_id, player_id)")
    db.execute("DROP VIEW score_sheet")
    db.execute(SCORE_SHEET)


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

SCORE_SHEET = """
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
