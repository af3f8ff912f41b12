"""Version 11: results have the points that were given by hand, which penalties do not include.

Version 12: notes on games and rounds, which the search finds in one column, and shared wins: where
several sides win a game, its outcome has the first of them.

Version 13: every player keeps a shape and a color.
"""

from scorekeeper.store.connection import AnyDatabase


def points_by_hand(db: AnyDatabase) -> None:
    """Add points by hand to the results and the score sheet, on SQLite."""
    _add_points(db, POINTS_ON_SQLITE)


def points_by_hand_on_postgresql(db: AnyDatabase) -> None:
    """Add the same on PostgreSQL, whose functions of JSON are others."""
    _add_points(db, POINTS_ON_POSTGRESQL)


def _add_points(db: AnyDatabase, score_sheet: str) -> None:
    db.execute("ALTER TABLE results ADD COLUMN bonus_points INTEGER NOT NULL DEFAULT 0")
    _replace_score_sheet(db, score_sheet)


def remarks(db: AnyDatabase) -> None:
    """Add notes to the games and the score sheet, on SQLite."""
    _add_remarks(db, REMARKS_ON_SQLITE)


def remarks_on_postgresql(db: AnyDatabase) -> None:
    """Add the same on PostgreSQL, whose functions of JSON are others."""
    _add_remarks(db, REMARKS_ON_POSTGRESQL)


def _add_remarks(db: AnyDatabase, score_sheet: str) -> None:
    db.execute("ALTER TABLE games ADD COLUMN remarks TEXT NOT NULL DEFAULT ''")
    _replace_score_sheet(db, score_sheet)


def _replace_score_sheet(db: AnyDatabase, score_sheet: str) -> None:
    db.execute("DROP VIEW score_sheet")
    db.execute(score_sheet)


def faces(db: AnyDatabase) -> None:
    """Add the face of each player, the same on both databases."""
    for column, most in (("shape", 10), ("color", 7)):
        check = f"CHECK ({column} BETWEEN 1 AND {most})"
        db.execute(f"ALTER TABLE players ADD COLUMN {column} INTEGER NOT NULL DEFAULT 1 {check}")
    db.execute(FACES)


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
POINTS_ON_SQLITE = SCORE_SHEET.format(
    **SQLITE,
    notes="""nullif(
        json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes'), '{}'
    )""",
    won="outcomes.side = results.side",
    more="",
)
POINTS_ON_POSTGRESQL = SCORE_SHEET.format(
    **POSTGRESQL,
    notes="""nullif(
        (one.facts::jsonb - '{bids,tricks,tally,substitutes}'::text[])::text, '{}'
    )""",
    won="outcomes.side = results.side",
    more="",
)

WON = """(
            SELECT min(place) FROM player_games WHERE player_games.table_id = results.table_id
                AND player_games.game_id = results.game_id AND player_games.side = results.side
        ) = 1"""
REMARKS_ON_SQLITE = SCORE_SHEET.format(
    **SQLITE,
    won=WON,
    notes="""nullif(
        json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes', '$.remark',
            '$.game_remark'), '{}'
    )""",
    more=""",
    json_extract(one.value, '$.remark') AS remark,
    json_extract(games.rounds, '$[0].game_remark') AS game_remark""",
)
REMARKS_ON_POSTGRESQL = SCORE_SHEET.format(
    **POSTGRESQL,
    won=WON,
    notes="""nullif(
        (one.facts::jsonb
            - '{bids,tricks,tally,substitutes,remark,game_remark}'::text[])::text, '{}'
    )""",
    more=""",
    one.facts ->> 'remark' AS remark,
    games.rounds::json -> 0 ->> 'game_remark' AS game_remark""",
)

# Players get those of the seats in the order in which they came, then the same shapes in other
# colors: 70 players of a table differ. Those who were merged into others come last.
FACES = """
UPDATE players SET shape = came.n % 10 + 1, color = (came.n % 10 + came.n / 10) % 7 + 1
FROM (
    SELECT table_id, id, row_number() OVER (
        PARTITION BY table_id ORDER BY merged_into IS NOT NULL, id
    ) - 1 AS n
    FROM players
) AS came
WHERE came.table_id = players.table_id AND came.id = players.id
"""
