"""Version 14: players are found by a key that is the same on every keyboard, and so are notes.

Join links name the phone that made them, and phones the link by which they came. Results of games
have the day at the table and who won.
"""

import json
from typing import Any

from scorekeeper.clock import day_in
from scorekeeper.free_text import name_key, search_key
from scorekeeper.store.connection import AnyDatabase


def one_name(db: AnyDatabase) -> None:
    """Bring a database up to this version, on SQLite."""
    _migrate(db, "group_concat({}, ', ')")


def one_name_on_postgresql(db: AnyDatabase) -> None:
    """Do the same on PostgreSQL, which has another word for texts that are joined."""
    _migrate(db, "string_agg({}, ', ')")


def _migrate(db: AnyDatabase, joined: str) -> None:
    _fold_names(db)
    _fold_notes(db)
    # NULL is what nobody knows of the time before; empty is a link of the server or the API, and
    # a phone that came by no link.
    db.execute("ALTER TABLE keys ADD COLUMN made_by TEXT")
    db.execute("UPDATE keys SET made_by = '' WHERE label = 'printed at the start'")
    db.execute("ALTER TABLE phones ADD COLUMN joined_by TEXT")
    db.execute("ALTER TABLE outcomes ADD COLUMN day TEXT NOT NULL DEFAULT ''")
    _fill_days(db)
    db.execute("DROP VIEW game_results")
    db.execute(
        GAME_RESULTS.format(names=joined.format("players.name"), winner=joined.format("name"))
    )


def _fold_names(db: AnyDatabase) -> None:
    """Give the players the keys of now, which several may share whose keys differed."""
    db.execute("DROP INDEX players_of_table")
    players = db.execute("SELECT table_id, id, name, same_name FROM players").fetchall()
    for table_id, player_id, name, before in players:
        if (key := name_key(name)) != before:
            db.execute(
                "UPDATE players SET same_name = ? WHERE table_id = ? AND id = ?",
                [key, table_id, player_id],
            )
    db.execute(
        "CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name, name) "
        "WHERE merged_into IS NULL"
    )


def _fold_notes(db: AnyDatabase) -> None:
    """Write the notes of games as the search compares them now."""
    noted = db.execute("SELECT table_id, id FROM games WHERE remarks <> ''").fetchall()
    for game in noted:
        query = "SELECT rounds FROM games WHERE table_id = ? AND id = ?"
        rounds = json.loads(db.execute(query, game).fetchone()[0])
        db.execute(
            "UPDATE games SET remarks = ? WHERE table_id = ? AND id = ?",
            [_searchable(rounds), *game],
        )


def _searchable(rounds: list[dict[str, Any]]) -> str:
    texts = [one.get(name) for one in rounds for name in ("game_remark", "remark")]
    return "\n".join(search_key(text) for text in texts if text)


def _fill_days(db: AnyDatabase) -> None:
    began = db.execute(
        "SELECT zone, started, games.table_id, games.id FROM outcomes "
        "JOIN games ON games.table_id = outcomes.table_id AND games.id = outcomes.game_id "
        "JOIN tables ON tables.id = games.table_id"
    ).fetchall()
    for zone, started, *game in began:
        db.execute(
            "UPDATE outcomes SET day = ? WHERE table_id = ? AND game_id = ?",
            [day_in(zone, started), *game],
        )


# Sides are counted from 1 for people, as on the score sheet. All winners of a shared win are named.
GAME_RESULTS = """
CREATE VIEW game_results AS
SELECT own.table_id, own.game_id, own.started, own.rules, games.house_rules,
    outcomes.round AS rounds, own.side + 1 AS side, {names} AS players,
    own.place, (
        SELECT total FROM results WHERE results.table_id = own.table_id
            AND results.game_id = own.game_id AND results.round = outcomes.round
            AND results.side = own.side LIMIT 1
    ) AS total, outcomes.reason, outcomes.day, (
        SELECT {winner} FROM (
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
ORDER BY own.started, own.game_id, own.place, own.side
"""
