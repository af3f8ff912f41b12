"""Games whose derived rows do not follow from their facts."""

from sqlite_utils import Database

from scorekeeper.store.games import load_game
from scorekeeper.store.player_games import (
    COLUMNS,
    expected,
    expected_outcome,
    player_rows,
    seating_of,
)


def disagreements(db: Database) -> list[tuple[str, str]]:
    """Return table and game ids of games whose results or players' rows do not follow."""
    wrong = []
    query = "SELECT id, table_id, removed FROM games ORDER BY id"
    games = list(db.query(query))
    for row in games:
        removed = row["removed"] is not None
        game = load_game(db, row["table_id"], row["id"], removed=removed)
        assert game is not None
        results, outcome, players = (
            db.execute(f"SELECT {columns} FROM {rows} ORDER BY {order}", [game.id])
            for columns, rows, order in (
                ("*", "results WHERE game_id = ?", "round, seat"),
                ("table_id, game_id, round, reason, side", "outcomes WHERE game_id = ?", "round"),
                (", ".join(COLUMNS), "player_games WHERE game_id = ?", "player_id"),
            )
        )
        stored = (results.fetchall(), outcome.fetchone(), players.fetchall())
        due = (
            list(expected(game)),
            expected_outcome(game),
            sorted(player_rows(game, seating_of(db, game))),
        )
        if stored != (([], None, []) if removed else due):
            wrong.append((game.table_id, game.id))
    return wrong
