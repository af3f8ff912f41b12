"""Winning streaks: how many finished games in a row a player had won, up to each game.

There are two, over all games of the player and over those of one rule set. A change affects only
the games up to the next one whose streak does not change.
"""

from scorekeeper.store.database.connection import Database

Moment = tuple[str, str]  # when a game began, and its id
BEGINNING: Moment = ("", "")


def repair_streaks(db: Database, table_id: str, player_id: int, rules: str, since: Moment) -> None:
    """Update a player's streaks from a game on, which was changed or removed."""
    db.execute(
        "UPDATE player_games SET run = 0, run_in_rules = 0 "
        "WHERE table_id = ? AND player_id = ? AND started = ? AND game_id = ? AND place IS NULL",
        [table_id, player_id, *since],
    )
    _update(db, "run", "", [table_id, player_id], since)
    _update(db, "run_in_rules", "AND rules = ?", [table_id, player_id, rules], since)


def recount_streaks(db: Database, table_id: str, player_id: int) -> None:
    """Count all streaks of a player again."""
    rules = db.execute(
        "SELECT rules FROM player_totals WHERE table_id = ? AND player_id = ? ORDER BY rules",
        [table_id, player_id],
    ).fetchall()
    _update(db, "run", "", [table_id, player_id], BEGINNING, to_the_end=True)
    for (key,) in rules:
        within = [table_id, player_id, key]
        _update(db, "run_in_rules", "AND rules = ?", within, BEGINNING, to_the_end=True)


def _update(
    db: Database,
    column: str,
    within: str,
    values: list[int | str],
    since: Moment,
    *,
    to_the_end: bool = False,
) -> None:
    which = f"table_id = ? AND player_id = ? {within}"
    finished = f"FROM player_games WHERE {which} AND place IS NOT NULL"
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
            changed.append((run, *values[:2], started, game_id))
        elif not to_the_end and (started, game_id) != since:
            break
    following.close()
    db.executemany(
        f"UPDATE player_games SET {column} = ? "
        "WHERE table_id = ? AND player_id = ? AND started = ? AND game_id = ?",
        changed,
    )
