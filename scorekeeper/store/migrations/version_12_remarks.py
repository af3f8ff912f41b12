"""Version 12: notes on games and rounds, which the search finds in one column; shared wins.

Several sides can win a game, whose outcome has the first of them.
"""

from scorekeeper.store.connection import AnyDatabase
from scorekeeper.store.migrations.version_11_points_by_hand import POSTGRESQL, SCORE_SHEET, SQLITE


def remarks(db: AnyDatabase) -> None:
    """Add notes to the games and the score sheet, on SQLite."""
    _add(db, ON_SQLITE)


def remarks_on_postgresql(db: AnyDatabase) -> None:
    """Add the same on PostgreSQL, whose functions of JSON are others."""
    _add(db, ON_POSTGRESQL)


def _add(db: AnyDatabase, score_sheet: str) -> None:
    db.execute("ALTER TABLE games ADD COLUMN remarks TEXT NOT NULL DEFAULT ''")
    db.execute("DROP VIEW score_sheet")
    db.execute(score_sheet)


WON = """(
            SELECT min(place) FROM player_games WHERE player_games.table_id = results.table_id
                AND player_games.game_id = results.game_id AND player_games.side = results.side
        ) = 1"""
ON_SQLITE = SCORE_SHEET.format(
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
ON_POSTGRESQL = SCORE_SHEET.format(
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
