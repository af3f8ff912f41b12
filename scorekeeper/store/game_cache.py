"""Cache of the games that this process read last.

The journal tells what has changed since: a cached game is used where its newest line is still in
the journal with the same hash, so that its whole past is the same. The round that a later line
names is then read again, or all of them where several lines follow. So it does not matter which
process wrote them.

The rows `tap`, `score` and `rounds` of the benchmark need it: without it a tap takes a fifth
longer, and the longer the game, the more. The rows `tables` and `overload` need its size: tables
tap in turns, so where there are more games than places, each is evicted just before its next tap.
"""

from dataclasses import replace

from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import MAX_CACHED, Game, load_game, load_head
from scorekeeper.store.lru import LRUCache
from scorekeeper.store.rounds import load_round

_games: LRUCache[str, Game] = LRUCache(MAX_CACHED)  # by id
# The lines of a journal from a version on, and the players, who are renamed without a line.
LINES_AND_PLAYERS = """
SELECT 0 AS part, version AS place, round, hash FROM changes
WHERE table_id = ? AND game_id = ? AND version >= ?
UNION ALL
SELECT 1, seat, player_id, name FROM seats
JOIN players ON players.table_id = seats.table_id AND players.id = player_id
WHERE seats.table_id = ? AND game_id = ?
UNION ALL
SELECT 2, round, seat, name FROM substitutes
LEFT JOIN players ON players.table_id = substitutes.table_id AND players.id = player_id
WHERE substitutes.table_id = ? AND game_id = ?
"""


def cached_game(db: Database, table_id: str, game_id: str) -> Game | None:
    """Return what `load_game` returns; the same object where nothing has changed."""
    if db.in_transaction:
        return _find(db, table_id, game_id)
    db.begin_snapshot()  # one snapshot for all that is read
    try:
        return _find(db, table_id, game_id)
    finally:
        db.rollback()


def cache_game(game: Game) -> None:
    """Cache a game as a change is about to leave it.

    If the change is never committed, its line is in no journal, and the game is read again.
    """
    _games[game.id] = game


def _find(db: Database, table_id: str, game_id: str) -> Game | None:
    cached = _games.get(game_id)
    lines, players, seats = _lines_and_players(db, cached) if cached else ([], [], [])
    if cached and lines and lines[0][1] == cached.hash and cached.table_id == table_id:
        are_same = seats == _substitutes(cached)
        starters = [*zip(cached.player_ids, cached.starters, strict=True)]
        if len(lines) == 1 and players == starters and are_same:
            return cached
        changed = {number for number, _hash in lines[1:] if number is not None}
        if not are_same:
            changed |= {number for number, _seat, _name in seats}
        game = _update(db, table_id, cached, changed)
    else:
        game = load_game(db, table_id, game_id)
    if game is not None and game is not cached:
        _games[game_id] = game
    return game


def _lines_and_players(
    db: Database, game: Game
) -> tuple[list[tuple[int | None, str]], list[tuple[int, str]], list[tuple[int, int, str | None]]]:
    """Return round and hash of the line of a game's version and those after it, and its players.

    Those who started come by id and name, substitutes by round, seat and name.
    """
    key = [game.table_id, game.id]
    rows = sorted(db.execute(LINES_AND_PLAYERS, [*key, game.version, *key, *key]).fetchall())
    lines, players = ([row[2:] for row in rows if row[0] == part] for part in (0, 1))
    return lines, players, [row[1:] for row in rows if row[0] == 2]


def _substitutes(game: Game) -> list[tuple[int, int, str | None]]:
    return [(n, *one) for n, round_ in enumerate(game.rounds, 1) for one in round_.substitutes]


def _update(db: Database, table_id: str, game: Game, changed: set[int]) -> Game | None:
    """Return a game with its row read again, and the changed round, or all where several are."""
    if len(changed) > 1:
        return load_game(db, table_id, game.id)
    head = load_head(db, table_id, game.id)
    if head is None:
        return None
    rounds = game.rounds
    for number in changed:
        round_ = load_round(db, table_id, game.id, number)
        rounds = (*rounds[: number - 1], *([round_] if round_ else []), *rounds[number:])
    return replace(head, rounds=rounds)
