"""The stored rows of many games, which a check reads together."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from scorekeeper.store.database.connection import Database
from scorekeeper.store.hash_chain import STORED
from scorekeeper.store.rounds import RoundRows, read_rows

GameKey = tuple[str, str]  # of a game: the table and the id
Rows = list[tuple[Any, ...]]

LINES = (
    f"SELECT {', '.join(STORED)} FROM changes "
    "WHERE (table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?) "
    "ORDER BY table_id, game_id, version"
)
SEATS = """
SELECT seats.table_id, game_id, seat, player_id, name FROM seats
JOIN players ON players.table_id = seats.table_id AND players.id = player_id
WHERE (seats.table_id, game_id) >= (?, ?) AND (seats.table_id, game_id) <= (?, ?)
ORDER BY seats.table_id, game_id, seat
"""
BIDS = """
SELECT table_id, game_id, round, seat, bid, tricks, tally FROM bids
WHERE (table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?)
ORDER BY table_id, game_id, round, seat
"""
NOTES = """
SELECT table_id, game_id, round, NULL, NULL, notes, scored FROM rounds
WHERE (table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?)
UNION ALL
SELECT substitutes.table_id, game_id, round, seat, player_id, name, NULL FROM substitutes
LEFT JOIN players ON players.table_id = substitutes.table_id AND players.id = player_id
WHERE (substitutes.table_id, game_id) >= (?, ?) AND (substitutes.table_id, game_id) <= (?, ?)
"""
RESULTS = """
SELECT * FROM results WHERE (table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?)
ORDER BY table_id, game_id, round, seat
"""
OUTCOMES = """
SELECT * FROM outcomes WHERE (table_id, game_id) >= (?, ?) AND (table_id, game_id) <= (?, ?)
"""
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
    merged: dict[int, int]

    def player_now(self, player_id: int) -> int:
        """Return the player into whom a player was merged, or else the player."""
        return self.merged.get(player_id, player_id)


class StoredGames:
    """The rows of all games from one key to another."""

    def __init__(self, db: Database, first: GameKey, last: GameKey) -> None:
        span = [*first, *last]
        # All are asked for before the first is read: PostgreSQL is then waited for once.
        asked = [db.execute(query, span) for query in (SEATS, BIDS, RESULTS, OUTCOMES)]
        asked_notes, asked_lines = db.execute(NOTES, span * 2), db.execute(LINES, span)
        asked_merged = db.execute(MERGED, [first[0], last[0]])
        self._seats, self._bids, self._results, self._outcomes = map(_by_game, asked)
        self._notes = _by_game(asked_notes)
        self._lines = _by_game(asked_lines, STORED.index("game_id"))
        self._merged: dict[str, dict[int, int]] = {}
        for table_id, player_id, merged_into in asked_merged:
            self._merged.setdefault(table_id, {})[player_id] = merged_into

    def game(self, key: GameKey) -> StoredGame:
        """Return the rows of one of the games."""
        facts, noted = ([row[2:] for row in of.get(key, [])] for of in (self._bids, self._notes))
        return StoredGame(
            [dict(zip(STORED, line, strict=True)) for line in self._lines.get(key, [])],
            [(seat, player_id, name) for *_key, seat, player_id, name in self._seats.get(key, [])],
            read_rows(facts, noted),
            self._results.get(key, []),
            next(iter(self._outcomes.get(key, [])), None),
            self._merged.get(key[0], {}),
        )


def _by_game(rows: Iterable[tuple[Any, ...]], game_id: int = 1) -> dict[GameKey, Rows]:
    found: dict[GameKey, Rows] = {}
    for row in rows:
        found.setdefault((row[0], row[game_id]), []).append(row)
    return found
