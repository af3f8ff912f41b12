"""Games whose result rows do not follow from their facts."""

from sqlite_utils import Database

from scorekeeper.store.games import load_game
from scorekeeper.store.stats.result_rows import expected, expected_outcome


def disagreements(db: Database) -> list[tuple[str, str]]:
    """Return table and game ids of games whose result rows do not follow from their facts."""
    wrong = []
    games = list(db.query("SELECT id, table_id, removed FROM games ORDER BY id"))
    for row in games:
        removed = row["removed"] is not None
        game = load_game(db, row["table_id"], row["id"], removed=removed)
        assert game is not None
        stored = db.execute(
            "SELECT * FROM results WHERE game_id = ? ORDER BY round, seat", [game.id]
        ).fetchall()
        outcome = db.execute("SELECT * FROM outcomes WHERE game_id = ?", [game.id]).fetchone()
        due = ([], None) if removed else (list(expected(game)), expected_outcome(game))
        if (stored, outcome) != due:
            wrong.append((game.table_id, game.id))
    return wrong
