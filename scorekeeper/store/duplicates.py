"""Finding the games of a file that a table has already, by what was played."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.player_names import name_key
from scorekeeper.rules.game import GameState, Round, fold
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, seated
from scorekeeper.rules.values import UNSCORED
from scorekeeper.store.database.connection import Database
from scorekeeper.store.game_record import GameRecord
from scorekeeper.store.games import Game, is_unknown, load_game

# Neither reads all games of the table: removed games have an index of their own.
BEGUN_AT = """
SELECT id FROM games WHERE table_id = :table AND removed IS NULL AND started = :value
UNION ALL
SELECT id FROM games WHERE table_id = :table AND removed IS NOT NULL AND started = :value
"""
WITH_FIRST_PLAYER = """
SELECT seats.game_id FROM players
JOIN player_games ON player_games.table_id = players.table_id
    AND player_games.player_id = players.id
JOIN seats ON seats.table_id = player_games.table_id AND seats.game_id = player_games.game_id
    AND seats.player_id = players.id AND seat = 0
WHERE players.table_id = :table AND same_name = :value AND merged_into IS NULL
UNION ALL
SELECT seats.game_id FROM games
JOIN seats ON seats.table_id = games.table_id AND seats.game_id = games.id AND seat = 0
JOIN players ON players.table_id = seats.table_id AND players.id = seats.player_id
WHERE games.table_id = :table AND removed IS NOT NULL AND same_name = :value
"""
Match = Literal["new", "same", "removed", "other"]
MATCHES: tuple[Match, ...] = ("new", "same", "removed", "other")


class Classified(NamedTuple):
    """How a game of a file matches those of a table: none, the same, removed, or other rounds.

    `key` is the digest of what was played, and when if the game says it; `keeps_id` says whether a
    new game can be stored under its own id.
    """

    known: Match
    key: bytes
    keeps_id: bool = False


def classify(
    db: Database, table_id: str, games: Iterable[GameRecord]
) -> Iterator[tuple[GameRecord, Match]]:
    """Yield each game with its match, without adding any."""
    duplicates = Duplicates(db, table_id)
    for game in games:
        yield game, duplicates.sort(game).known


class Duplicates:
    """Classifies the games of a file by whether a table, or the file before them, has the same.

    A game with a start time matches only one of that start time; a game without, any.
    """

    def __init__(self, db: Database, table_id: str):
        self._db, self._table_id = db, table_id
        self._alike: dict[tuple[str, str], dict[bytes, Match]] = {}
        self._seen: set[bytes] = set()
        self._ids: dict[str, bytes] = {}  # digests of new games that keep their ids

    def sort(self, game: GameRecord) -> Classified:
        """Return how a game matches; a new game counts as there for those that follow."""
        played = key_of(game)
        key, plain = digest(played, _began(game)), digest(played, "")
        known = self._find_stored(game, played) or self._find_seen(game.id, key, plain)
        if known is not None:
            return Classified(known, key)
        self._seen |= {key, plain}
        keeps_id = is_unknown(self._db, game.id)
        if keeps_id:
            self._ids[game.id] = plain
        return Classified("new", key, keeps_id)

    def load(self, game_id: str) -> tuple[Game, Match] | None:
        """Return a game of the table, with `removed` or `same`."""
        kinds: tuple[tuple[Match, bool], ...] = (("same", False), ("removed", True))
        for known, removed in kinds:
            if game := load_game(self._db, self._table_id, game_id, removed=removed):
                return game, known
        return None

    def _find_stored(self, game: GameRecord, played: tuple[Any, ...]) -> Match | None:
        if found := self.load(game.id):
            stored, known = found
            return known if key_of_stored(stored) == played else "other"
        return self._games_like(game).get(digest(played, ""))

    def _find_seen(self, game_id: str, key: bytes, plain: bytes) -> Match | None:
        if game_id in self._ids:
            return "same" if self._ids[game_id] == plain else "other"
        return "same" if key in self._seen else None

    def _games_like(self, game: GameRecord) -> dict[bytes, Match]:
        """Return the games with the same start time or else the same first player, by digest.

        Many games of a file may share these, so they are read once.
        """
        if began := _began(game):
            wanted, value = BEGUN_AT, began
        else:
            wanted, value = WITH_FIRST_PLAYER, name_key(game.starters[0])
        if (wanted, value) not in self._alike:
            rows = self._db.execute(wanted, {"table": self._table_id, "value": value})
            loaded = [self.load(game_id) for (game_id,) in rows.fetchall()]
            self._alike[wanted, value] = {
                digest(key_of_stored(stored), ""): known for stored, known in filter(None, loaded)
            }
        return self._alike[wanted, value]


def key_of(game: GameRecord) -> tuple[Any, ...]:
    """Return what identifies a game: rules, players, dealer, and the rounds that count."""
    players = len(game.starters)
    return _key(
        game, fold(game.rules, players, game.first_dealer, game.rounds, starters=game.starters)
    )


def key_of_stored(game: Game) -> tuple[Any, ...]:
    """Return the same for a stored game."""
    return _key(game, game.state)


def digest(key: tuple[Any, ...], began: str) -> bytes:
    """Return the hash of a key and of when the game began, empty where that does not count."""
    return hashlib.sha256(repr((key, began)).encode()).digest()


def _began(game: GameRecord) -> str:
    return stamp(datetime.fromisoformat(game.started)) if game.started else ""


def _key(game: GameRecord | Game, state: GameState) -> tuple[Any, ...]:
    # The name of house rules does not matter for scoring, and a CSV file does not have it. Nor do
    # values that score nothing, which older files may lack.
    unscored: dict[str, Any] = {
        spec.name: spec.default for spec in fields(RuleSet) if spec.name in UNSCORED
    }
    rules = replace(game.rules, name="", **unscored)
    rounds = [_comparable(one.facts) for one in state.rounds]
    names: Names = tuple(map(name_key, game.starters))
    if rounds:  # a sheet does not know of players who were replaced before they played a round
        names = seated(names, [rounds[0].substitutes])
        rounds[0] = rounds[0]._replace(substitutes=())
    return rules, names, game.first_dealer, rounds


def _comparable(facts: Round) -> Round:
    """Return the facts of a round with its players as they are compared."""
    keys = tuple(
        one._replace(player=one.player and name_key(one.player)) for one in facts.substitutes
    )
    return facts._replace(substitutes=keys)
