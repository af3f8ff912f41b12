"""The stored rows of many games, which a check reads together."""

from typing import Any, NamedTuple

from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import ask_seats
from scorekeeper.store.hash_chain import STORED
from scorekeeper.store.rounds import GameKey, RoundRows, Rows, Where, ask_rows, by_game, read_rows
from scorekeeper.store.stats.player_games import COLUMNS

SPAN = "(table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?)"
LINES = f"SELECT {', '.join(STORED)} FROM changes WHERE {{}} ORDER BY table_id, game_id, version"
RESULTS = "SELECT * FROM results WHERE {} ORDER BY table_id, game_id, round, seat"
OUTCOMES = "SELECT * FROM outcomes WHERE {}"
PLAYERS = f"SELECT {', '.join(COLUMNS)} FROM player_games WHERE {{}} ORDER BY game_id, player_id"
MERGED = """
SELECT table_id, id, merged_into FROM players
WHERE merged_into IS NOT NULL AND table_id >= ? AND table_id <= ?
"""


class StoredGame(NamedTuple):
    """The rows of a game beside its own; `merged` has players by those merged into them."""

    lines: list[dict[str, Any]]
    seats: list[tuple[int, int, str]]
    rounds: RoundRows
    results: Rows
    outcome: tuple[Any, ...] | None
    players: Rows
    merged: dict[int, int]

    def player_now(self, player_id: int) -> int:
        """Return the player into whom a player was merged, or else the player."""
        return self.merged.get(player_id, player_id)


class StoredGames:
    """The rows of all games from one key to another."""

    def __init__(self, db: Database, first: GameKey, last: GameKey) -> None:
        span = Where(SPAN, [*first, *last])
        # All are asked for before the first is read: PostgreSQL is then waited for once.
        seats, rounds = ask_seats(db, span), ask_rows(db, span)
        results, outcomes, players, lines = (
            db.execute(query.format(span.condition), span.values)
            for query in (RESULTS, OUTCOMES, PLAYERS, LINES)
        )
        merged = db.execute(MERGED, [first[0], last[0]])
        self._seats, self._results, self._outcomes = map(by_game, (seats, results, outcomes))
        self._rounds = read_rows(*rounds)
        self._players = by_game(players, COLUMNS.index("game_id"))
        self._lines = by_game(lines, STORED.index("game_id"))
        self._merged: dict[str, dict[int, int]] = {}
        for table_id, player_id, merged_into in merged:
            self._merged.setdefault(table_id, {})[player_id] = merged_into

    def game(self, key: GameKey) -> StoredGame:
        """Return the rows of one of the games."""
        return StoredGame(
            [dict(zip(STORED, line, strict=True)) for line in self._lines[key]],
            [seat[2:] for seat in self._seats[key]],
            self._rounds[key],
            self._results[key],
            next(iter(self._outcomes[key]), None),
            self._players[key],
            self._merged.get(key[0], {}),
        )
