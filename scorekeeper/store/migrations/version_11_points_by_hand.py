"""Version 11: results have the points that were given by hand, which penalties do not include."""

from scorekeeper.store.connection import AnyDatabase


def points_by_hand(db: AnyDatabase) -> None:
    """Add points by hand to the results and the score sheet, on SQLite."""
    _add(db, ON_SQLITE)


def points_by_hand_on_postgresql(db: AnyDatabase) -> None:
    """Add the same on PostgreSQL, whose functions of JSON are others."""
    _add(db, ON_POSTGRESQL)


def _add(db: AnyDatabase, score_sheet: str) -> None:
    db.execute("ALTER TABLE results ADD COLUMN bonus_points INTEGER NOT NULL DEFAULT 0")
    db.execute("DROP VIEW score_sheet")
    db.execute(score_sheet)


# The rounds of a game are taken apart once for all of its results.
SCORE_SHEET = """
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
        WHEN {won} THEN 'won'
        ELSE 'lost'
    END AS outcome,
    {notes} AS notes, results.bonus_points{more}
FROM games CROSS JOIN {rounds}
CROSS JOIN results
JOIN players AS starters ON starters.table_id = games.table_id AND starters.id = {starter}
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
WHERE results.table_id = games.table_id AND results.game_id = games.id
    AND results.round = {number}
ORDER BY games.started, results.game_id, results.round, results.seat
"""

SQLITE = {
    "rounds": "json_each(games.rounds) AS one",
    "number": "one.key + 1",
    "starter": "json_extract(games.seats, '$[' || results.seat || ']')",
}
POSTGRESQL = {
    "rounds": "json_array_elements(games.rounds::json) WITH ORDINALITY AS one (facts, number)",
    "number": "one.number",
    "starter": "(games.seats::json ->> results.seat::int)::bigint",
}
ON_SQLITE = SCORE_SHEET.format(
    **SQLITE,
    notes="""nullif(
        json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes'), '{}'
    )""",
    won="outcomes.side = results.side",
    more="",
)
ON_POSTGRESQL = SCORE_SHEET.format(
    **POSTGRESQL,
    notes="""nullif(
        (one.facts::jsonb - '{bids,tricks,tally,substitutes}'::text[])::text, '{}'
    )""",
    won="outcomes.side = results.side",
    more="",
)
