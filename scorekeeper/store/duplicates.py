"""Finding the games of a file that a table has already, by what was played."""

import hashlib
from bisect import insort
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.player_names import name_key
from scorekeeper.rules.game import GameState, Round, fold
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, seated
from scorekeeper.rules.values import UNSCORED
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.threads import in_slices
from scorekeeper.store.game_record import GameRecord
from scorekeeper.store.games import GAME_ID_LENGTH, OWN_ID, Game, is_unknown, load_game
from scorekeeper.store.tables import random_word

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

    `id` is the one under which a new game can be stored: its own, unless that is not free.
    """

    known: Match
    id: str = ""


def classify(
    db: Database, table_id: str, games: Iterable[GameRecord]
) -> Iterator[tuple[GameRecord, Match]]:
    """Yield each game with its match, without adding any."""
    duplicates = Duplicates(db, table_id)
    for game in in_slices(games):
        yield game, duplicates.sort(game).known


class Duplicates:
    """Classifies the games of a file by whether a table has the same.

    A game with a start time matches only one of that start time; a game without, any. Each game of
    the table matches at most one of the file, so that two that are equal become two, and no more
    when the file is imported again.
    """

    def __init__(self, db: Database, table_id: str):
        self._db, self._table_id = db, table_id
        self._alike: dict[tuple[str, str], dict[bytes, list[_Stored]]] = {}
        self._matched: set[str] = set()  # ids of games of the table, also of those that are new
        self._ids: dict[str, bytes] = {}  # digests of new games that keep their ids

    def sort(self, game: GameRecord) -> Classified:
        """Return how a game matches; a new game is not compared with those that follow."""
        key = _digest(key_of(game))
        is_own = OWN_ID.fullmatch(game.id) is not None
        known = (self._find_by_id(game.id, key) if is_own else None) or self._find(game, key)
        if known is not None:
            return Classified(known)
        keeps_id = is_own and is_unknown(self._db, game.id)
        game_id = game.id if keeps_id else random_word(GAME_ID_LENGTH)
        self._ids[game_id] = key
        self._matched.add(game_id)
        return Classified("new", game_id)

    def add(self, game_ids: Iterable[str]) -> None:
        """Take games into account that others have changed since the first one was classified."""
        for game_id in game_ids:
            if game_id not in self._matched and (found := self._load(game_id)):
                self._remember(*found)

    def _find_by_id(self, game_id: str, key: bytes) -> Match | None:
        if game_id in self._ids:
            return "same" if self._ids[game_id] == key else "other"
        if found := self._load(game_id):
            stored, known = found
            self._matched.add(game_id)
            return known if _digest(key_of_stored(stored)) == key else "other"
        return None

    def _find(self, game: GameRecord, key: bytes) -> Match | None:
        alike = self._games_like(game).get(key, [])
        while alike:
            stored = alike.pop()
            if stored.id not in self._matched:
                self._matched.add(stored.id)
                return "same" if stored.is_listed else "removed"
        return None

    def _games_like(self, game: GameRecord) -> dict[bytes, list["_Stored"]]:
        """Return the games with the same start time or else the same first player, by digest.

        Many games of a file may share these, so they are read once.
        """
        if began := _began(game):
            wanted, value = BEGUN_AT, began
        else:
            wanted, value = WITH_FIRST_PLAYER, name_key(game.starters[0])
        if (wanted, value) not in self._alike:
            self._alike[wanted, value] = {}
            rows = self._db.execute(wanted, {"table": self._table_id, "value": value})
            self.add(game_id for (game_id,) in in_slices(rows.fetchall()))
        return self._alike[wanted, value]

    def _load(self, game_id: str) -> tuple[Game, Match] | None:
        """Return a game of the table, with `removed` or `same`."""
        kinds: tuple[tuple[Match, bool], ...] = (("same", False), ("removed", True))
        for known, removed in kinds:
            if game := load_game(self._db, self._table_id, game_id, removed=removed):
                return game, known
        return None

    def _remember(self, stored: Game, known: Match) -> None:
        first = name_key(stored.starters[0])
        for place in ((BEGUN_AT, stored.started), (WITH_FIRST_PLAYER, first)):
            if place in self._alike:
                alike = self._alike[place].setdefault(_digest(key_of_stored(stored)), [])
                insort(alike, _Stored(known == "same", stored.started, stored.id))


class _Stored(NamedTuple):
    """A game of the table, in the order in which those that are alike are matched, from the last.

    One that was imported without a start time began at its import, later than others.
    """

    is_listed: bool  # not removed
    started: str
    id: str


def key_of(game: GameRecord) -> tuple[Any, ...]:
    """Return what identifies a game: rules, players, dealer, and the rounds that count."""
    players = len(game.starters)
    return _key(
        game, fold(game.rules, players, game.first_dealer, game.rounds, starters=game.starters)
    )


def key_of_stored(game: Game) -> tuple[Any, ...]:
    """Return the same for a stored game."""
    return _key(game, game.state)


def _digest(key: tuple[Any, ...]) -> bytes:
    return hashlib.sha256(repr(key).encode()).digest()


def _began(game: GameRecord) -> str:
    return stamp(datetime.fromisoformat(game.started)) if game.started else ""


def _key(game: GameRecord | Game, state: GameState) -> tuple[Any, ...]:
    rounds = [_comparable(one.facts) for one in state.rounds]
    names: Names = tuple(map(name_key, game.starters))
    if rounds:  # a sheet does not know of players who were replaced before they played a round
        names = seated(names, [rounds[0].substitutes])
        rounds[0] = rounds[0]._replace(substitutes=())
    return _scoring(game.rules), names, game.first_dealer, rounds


@lru_cache(maxsize=64)  # the same few in all games of a file, and there are some sixty values
def _scoring(rules: RuleSet) -> str:
    """Return the values that score, as text.

    The name of house rules does not matter for scoring, and a CSV file does not have it. Nor do
    values that score nothing, which older files may lack.
    """
    unscored = {"name", *UNSCORED}
    return repr({name: value for name, value in rules.values.items() if name not in unscored})


def _comparable(facts: Round) -> Round:
    """Return the facts of a round with its players as they are compared."""
    keys = tuple(
        one._replace(player=one.player and name_key(one.player)) for one in facts.substitutes
    )
    return facts._replace(substitutes=keys)
