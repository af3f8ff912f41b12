"""Version 3: a round has notes, which hold its penalties and whether it is the last, as JSON."""

from sqlite_utils import Database


def notes_of_rounds(db: Database) -> None:
    """Add the notes of a round, and show them and the points of penalties on the score sheet."""
    check = "CHECK (notes IS NULL OR json_valid(notes))"
    db.execute(f"ALTER TABLE rounds ADD COLUMN notes TEXT {check}")
    db.execute("DROP VIEW IF EXISTS score_sheet")
    db.execute(SCORE_SHEET)


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
JOIN players ON players.table_id = seats.table_id AND players.id = seats.player_id
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
ORDER BY games.started, results.game_id, results.round, results.seat
"""
