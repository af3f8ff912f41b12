"""Cache of the games that this process has read: only what changed since is read again.

A game in the cache is valid if the journal line it was read at still stands in the journal with the
same hash, as then its whole past is the same. The rounds that later lines name are read again. So
it does not matter which process wrote them.
"""

from dataclasses import replace
from typing import NamedTuple

from sqlite_utils import Database

from scorekeeper.store.games import Game, load_game, load_head
from scorekeeper.store.lru import LRUCache
from scorekeeper.store.rounds import load_rounds

MAX_GAMES = 64  # each less than a kilobyte a round


class CachedGame(NamedTuple):
    """A game, and the hash of its newest journal line when it was read."""

    game: Game
    newest: str


_games: LRUCache[str, CachedGame] = LRUCache(MAX_GAMES)  # by game id


def cached_game(db: Database, table_id: str, game_id: str) -> Game | None:
    """Return what `load_game` returns; the same object where nothing has changed."""
    if db.conn.in_transaction:
        return _find(db, table_id, game_id)
    db.execute("BEGIN")  # so that every statement reads the same snapshot
    try:
        return _find(db, table_id, game_id)
    finally:
        db.execute("ROLLBACK")


def remember_game(game: Game, newest: str) -> None:
    """Cache a game as a change leaves it; `newest` is the hash of that change's journal line.

    If the transaction is rolled back, that line is in no journal, and the game is read again.
    """
    _games.set(game.id, CachedGame(game, newest))


def _find(db: Database, table_id: str, game_id: str) -> Game | None:
    cached = _games.get(game_id)
    if cached is not None:
        lines = _lines_since(db, cached.game)
        if lines and lines[0][1] == cached.newest:
            changed = {number for number, _hash in lines[1:] if number is not None}
            game = _update(db, table_id, cached.game, changed)
            if game is not None and game is not cached.game:
                _games.set(game_id, CachedGame(game, lines[-1][1]))
            return game
    game = load_game(db, table_id, game_id)
    if game is not None:
        _games.set(game_id, CachedGame(game, _lines_since(db, game)[0][1]))
    return game


def _lines_since(db: Database, game: Game) -> list[tuple[int | None, str]]:
    """Return round and hash of the journal line at a game's version, and of all later ones."""
    return db.execute(
        "SELECT round, hash FROM changes WHERE game_id = ? AND version >= ? ORDER BY version",
        [game.id, game.version],
    ).fetchall()


def _update(db: Database, table_id: str, game: Game, changed: set[int]) -> Game | None:
    """Return the game with its changed rounds read again, or None where it was deleted."""
    head = load_head(db, table_id, game.id)
    if head is None:
        return None
    rounds = game.rounds
    if len(changed) == 1:
        (number,) = changed
        facts = load_rounds(db, game.id, number).values()
        rounds = (*rounds[: number - 1], *facts, *rounds[number:])
    elif changed:
        rounds = tuple(load_rounds(db, game.id).values())
    current = replace(head, rounds=rounds)
    return game if current == game else current
