"""Games that this process has read before: only what changed since then is read again.

The journal tells what changed. A game in memory is taken up again only where the line it was read
at still stands in the journal with the same hash, so that its whole past is the same; the round
that a later line names is read anew, or all of them where there are several lines. So it does not
matter who wrote them, or which process.
"""

from dataclasses import replace
from typing import NamedTuple

from sqlite_utils import Database

from scorekeeper.store.games import Game, load_game, load_head
from scorekeeper.store.lru import Recent
from scorekeeper.store.rounds import load_rounds

MOST_KNOWN = 64  # games, each less than a kilobyte a round


class Known(NamedTuple):
    """A game, and the hash of the newest line of its journal when it was read."""

    game: Game
    newest: str


# Key: the game. Before a use its newest line in the journal is compared, and its table read anew.
_known: Recent[str, Known] = Recent(MOST_KNOWN)


def cached_game(db: Database, table_id: str, game_id: str) -> Game | None:
    """Return what `load_game` returns; the very same game where nothing has changed."""
    if db.conn.in_transaction:
        return _find(db, table_id, game_id)
    db.execute("BEGIN")  # all is read as it stood at one moment
    try:
        return _find(db, table_id, game_id)
    finally:
        db.execute("ROLLBACK")


def remember_game(game: Game, newest: str) -> None:
    """Keep a game as a change is about to leave it; `newest` is the hash of that change's line.

    If the change is never committed, its line stands in no journal, and the game is read anew.
    """
    _known.keep(game.id, Known(game, newest))


def _find(db: Database, table_id: str, game_id: str) -> Game | None:
    known = _known.get(game_id)
    if known is not None:
        lines = _lines_since(db, known.game)
        if lines and lines[0][1] == known.newest:
            changed = {number for number, _hash in lines[1:] if number is not None}
            game = _follow(db, table_id, known.game, changed)
            if game is not None and game is not known.game:
                _known.keep(game_id, Known(game, lines[-1][1]))
            return game
    game = load_game(db, table_id, game_id)
    if game is not None:
        _known.keep(game_id, Known(game, _lines_since(db, game)[0][1]))
    return game


def _lines_since(db: Database, game: Game) -> list[tuple[int | None, str]]:
    """Return round and hash of a game's line at its version, and of those that came after."""
    return db.execute(
        "SELECT round, hash FROM changes WHERE game_id = ? AND version >= ? ORDER BY version",
        [game.id, game.version],
    ).fetchall()


def _follow(db: Database, table_id: str, game: Game, changed: set[int]) -> Game | None:
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
    now = replace(head, rounds=rounds)
    return game if now == game else now
