"""Games of a file that a table has already, known again by what was played."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlite_utils import Database

from scorekeeper.clock import stamp
from scorekeeper.player_names import name_key
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import fold
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.game_record import GameRecord
from scorekeeper.store.games import Game, is_unknown, load_game

# Neither reads all games of the table: kept and removed games have indexes of their own, and
# CROSS JOIN keeps SQLite from going through the games first.
BEGUN_AT = """
SELECT id FROM games WHERE table_id = :table AND removed IS NULL AND started = :value
UNION ALL
SELECT id FROM games WHERE table_id = :table AND removed IS NOT NULL AND started = :value
"""
WITH_FIRST_PLAYER = """
SELECT games.id FROM players
CROSS JOIN seats ON player_id = players.id AND seat = 0
CROSS JOIN games ON games.id = game_id
WHERE players.table_id = :table AND same_name = :value AND merged_into IS NULL
"""
Known = Literal["new", "same", "removed", "other"]
KINDS: tuple[Known, ...] = ("new", "same", "removed", "other")
Counted = list[tuple[Bids, tuple[int, ...] | None]]


class Sorted(NamedTuple):
    """What adding a game finds: it is new, the same, removed, or another of its id.

    `key` stands for what was played, and when if the game says it; `keeps_id` tells whether a new
    game can be stored under its own id.
    """

    known: Known
    key: bytes
    keeps_id: bool = False


def classify(
    db: Database, table_id: str, games: Iterable[GameRecord]
) -> Iterator[tuple[GameRecord, Known]]:
    """Yield each game and what adding it would find, without adding any."""
    duplicates = Duplicates(db, table_id)
    for game in games:
        yield game, duplicates.sort(game).known


class Duplicates:
    """Tells of each game of a file whether a table, or the file before it, has the same.

    A game that says when it began is the same as one that began then; one that does not, as any.
    """

    def __init__(self, db: Database, table_id: str):
        self._db, self._table_id = db, table_id
        self._alike: dict[tuple[str, str], dict[bytes, Known]] = {}
        self._seen: set[bytes] = set()
        self._ids: dict[str, bytes] = {}  # of new games, as far as they are kept

    def sort(self, game: GameRecord) -> Sorted:
        """Look for a game; one that is new counts as there for those that follow."""
        played = key_of(game)
        key, plain = digest(played, _began(game)), digest(played, "")
        known = self._find_stored(game, played) or self._find_seen(game.id, key, plain)
        if known is not None:
            return Sorted(known, key)
        self._seen |= {key, plain}
        keeps_id = is_unknown(self._db, game.id)
        if keeps_id:
            self._ids[game.id] = plain
        return Sorted("new", key, keeps_id)

    def load(self, game_id: str) -> tuple[Game, Known] | None:
        """Return a game of the table, and whether it was removed."""
        kinds: tuple[tuple[Known, bool], ...] = (("same", False), ("removed", True))
        for known, removed in kinds:
            if game := load_game(self._db, self._table_id, game_id, removed=removed):
                return game, known
        return None

    def _find_stored(self, game: GameRecord, played: tuple[Any, ...]) -> Known | None:
        if found := self.load(game.id):
            stored, known = found
            return known if key_of_stored(stored) == played else "other"
        return self._games_like(game).get(digest(played, ""))

    def _find_seen(self, game_id: str, key: bytes, plain: bytes) -> Known | None:
        if game_id in self._ids:
            return "same" if self._ids[game_id] == plain else "other"
        return "same" if key in self._seen else None

    def _games_like(self, game: GameRecord) -> dict[bytes, Known]:
        """Return games that may be the same: begun then, or else with that first player.

        Many games of a file may have these in common, so they are read once.
        """
        if began := _began(game):
            wanted, value = BEGUN_AT, began
        else:
            wanted, value = WITH_FIRST_PLAYER, name_key(game.names[0])
        if (wanted, value) not in self._alike:
            rows = self._db.execute(wanted, {"table": self._table_id, "value": value})
            loaded = [self.load(game_id) for (game_id,) in rows.fetchall()]
            self._alike[wanted, value] = {
                digest(key_of_stored(stored), ""): known for stored, known in filter(None, loaded)
            }
        return self._alike[wanted, value]


def key_of(game: GameRecord) -> tuple[Any, ...]:
    """Return by what a game is known again: rules, players, dealer, and the rounds that count."""
    counted = fold(game.rules, len(game.names), game.first_dealer, game.rounds).rounds
    return _key(game.rules, game.names, game.first_dealer, [(r.bids, r.tricks) for r in counted])


def key_of_stored(game: Game) -> tuple[Any, ...]:
    """Return the same of a game that is stored."""
    counted: Counted = [(r.bids, r.tricks) for r in game.board.rounds]
    return _key(game.rules, game.names, game.first_dealer, counted)


def digest(key: tuple[Any, ...], began: str) -> bytes:
    """Return a short form of a key, together with when the game began where that counts."""
    return hashlib.sha256(repr((key, began)).encode()).digest()


def _began(game: GameRecord) -> str:
    return stamp(datetime.fromisoformat(game.started)) if game.started else ""


def _key(
    rules: RuleSet, names: tuple[str, ...], first_dealer: int, counted: Counted
) -> tuple[Any, ...]:
    # What a table calls its house rules scores nothing, and a sheet does not tell it.
    return replace(rules, name=""), tuple(map(name_key, names)), first_dealer, counted
