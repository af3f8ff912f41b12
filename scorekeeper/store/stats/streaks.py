"""Winning runs: how many finished games in a row a player had won, up to each game.

They are kept twice, over all games of the player and over those of one rule book. A change
reaches only as far as the next game whose run stays as it was.
"""

from sqlite_utils import Database

Moment = tuple[str, str]  # when a game began, and its id
BEGINNING: Moment = ("", "")


def repair_streaks(db: Database, player_id: int, rules: str, since: Moment) -> None:
    """Count a player's runs again from one game on, which may have changed or gone."""
    db.execute(
        "UPDATE player_games SET run = 0, run_in_rules = 0 "
        "WHERE player_id = ? AND started = ? AND game_id = ? AND place IS NULL",
        [player_id, *since],
    )
    _mend(db, "run", "", [player_id], since)
    _mend(db, "run_in_rules", "AND rules = ?", [player_id, rules], since)


def recount_streaks(db: Database, player_id: int) -> None:
    """Count all runs of a player again."""
    rules = db.execute(
        "SELECT rules FROM player_totals WHERE player_id = ? ORDER BY rules", [player_id]
    ).fetchall()
    _mend(db, "run", "", [player_id], BEGINNING, to_the_end=True)
    for (key,) in rules:
        within = [player_id, key]
        _mend(db, "run_in_rules", "AND rules = ?", within, BEGINNING, to_the_end=True)


def _mend(
    db: Database,
    column: str,
    within: str,
    values: list[int | str],
    since: Moment,
    *,
    to_the_end: bool = False,
) -> None:
    finished = f"FROM player_games WHERE player_id = ? {within} AND place IS NOT NULL"
    before = db.execute(
        f"SELECT {column} {finished} AND (started, game_id) < (?, ?) "
        "ORDER BY started DESC, game_id DESC LIMIT 1",
        [*values, *since],
    ).fetchone()
    run = int(before[0]) if before else 0
    following = db.execute(
        f"SELECT started, game_id, place, {column} {finished} AND (started, game_id) >= (?, ?) "
        "ORDER BY started, game_id",
        [*values, *since],
    )
    changed = []
    for started, game_id, place, stored in following:
        run = run + 1 if place == 1 else 0
        if run != stored:
            changed.append((run, values[0], started, game_id))
        elif not to_the_end and (started, game_id) != since:
            break
    following.close()
    db.conn.executemany(
        f"UPDATE player_games SET {column} = ? WHERE player_id = ? AND started = ? AND game_id = ?",
        changed,
    )
