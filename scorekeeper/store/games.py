"""Loading and saving games, each one row: rules, seats, first dealer, and its rounds as JSON.

The row has players by the ids that they had when they sat down; see `store/players.py`.
"""

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import Any, Generic, NamedTuple, TypeVar
from zlib import crc32

from scorekeeper.clock import now, stamp
from scorekeeper.free_text import search_key
from scorekeeper.rules.faces import Face, faces_by_seat
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS, restore
from scorekeeper.rules.round import Round, changed_notes
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.rules.seating import Seats, seats_after
from scorekeeper.store.connection import Database, scalar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """A thread-safe cache of at most `maxsize` values."""

    def __init__(self, maxsize: int):
        self._maxsize = maxsize
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
        return found

    def __setitem__(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._maxsize:
                self._values.popitem(last=False)


MAX_ROUNDS = 200  # of a game, whether played or imported
MEMBER = "substitutes"  # of a round in which players take or leave seats
Cell = tuple[str, int]  # "bid", "tricks" or "tally", and the seat; or a note and 0


def write_round(round_: Round | None) -> str | None:
    """Return a round as text, but with names for ids of players; None for no round."""
    return None if round_ is None else json.dumps(round_.to_json())


def read_round(text: str | None) -> Round | None:
    """Return a round that is as `write_round` returns it."""
    return None if text is None else Round.from_json(json.loads(text))


def join_rounds(texts: Sequence[str]) -> str:
    """Return the rounds of a game as its row has them: a JSON list with a line for each."""
    return "[\n{}\n]".format(",\n".join(texts)) if texts else "[]"


def searchable(rounds: Iterable[Round]) -> str:
    """Return all notes of a game as its row has them for the search, a line for each."""
    texts = [text for one in rounds for text in (one.notes.game_remark, one.notes.remark) if text]
    return "\n".join(map(search_key, texts))


def split_rounds(text: str) -> tuple[str, ...]:
    """Return each of the rounds in the row of a game. Raises `ValueError` for text of no list."""
    if text.count("\n") == text.count("\n{") + 1 and text.startswith("["):
        return tuple(text[2:-2].split(",\n"))
    return tuple([json.dumps(one) for one in json.loads(text)])  # none, or laid out by others


def cells_that_differ(one: Round, other: Round) -> set[Cell]:
    """Return the cells in which two states of a round differ."""
    seats = range(len(one.bids))
    nothing = (None,) * len(one.bids)
    notes = {(name, 0) for name in changed_notes(one.notes, other.notes)}
    return notes | {
        (what, seat)
        for what, here, there in (
            ("bid", one.bids, other.bids),
            ("tricks", one.tricks or nothing, other.tricks or nothing),
            ("tally", one.tally or nothing, other.tally or nothing),
        )
        for seat in seats
        if here[seat] != there[seat]
    }


GAME_ID_LENGTH = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i l o u: it can be read out and typed
OWN_ID = re.compile(f"[{ALPHABET}]{{{GAME_ID_LENGTH}}}")
SKEW = timedelta(minutes=1)  # between the clocks of servers that share a database
HASH_SHOWN = 12  # characters of a journal's hash that a revision has
# Each game with the newest line of its journal.
HEADS = """
SELECT games.*, hash, head FROM games LEFT JOIN changes
ON changes.table_id = games.table_id AND changes.game_id = games.id
    AND changes.version = games.version
"""
# Who sits in some games, by id; players who were merged, and those of removed games, are missing.
PLAYERS = """
SELECT players.id, players.id, name, shape, color FROM player_games
JOIN players ON players.table_id = player_games.table_id AND players.id = player_id
WHERE player_games.table_id = ?
"""
PLAYERS_BY_ID = """
SELECT players.id, coalesce(other.id, players.id), coalesce(other.name, players.name),
    coalesce(other.shape, players.shape), coalesce(other.color, players.color)
FROM players LEFT JOIN players AS other
    ON other.table_id = players.table_id AND other.id = players.merged_into
WHERE players.table_id = ?
"""
# What reading a row that was damaged may raise; RuntimeError is a StopIteration within a generator.
UNREADABLE = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError,
    RuntimeError,
)  # fmt: skip
LARGEST_ID = 1 << 63
MAX_CACHED = 2048  # games; each takes about a kilobyte a round
PlayerRow = tuple[int, int, str, int, int]  # the id in a row, then that, name and face of now
Players = dict[int, tuple[int, str, Face]]  # by the id in a row; they differ once merged
NOTHING = Round(())


class DamagedGame(Exception):
    """A game whose row in the database makes no sense; `started` is what it says of its begin."""

    def __init__(self, game_id: str, started: str):
        super().__init__(f"game {game_id} cannot be read")
        self.game_id, self.started = game_id, started


@dataclass(frozen=True)
class Game:
    """The facts of a game at a version, which grows by one with every change."""

    id: str
    table_id: str
    rules: RuleSet
    starters: tuple[str, ...]
    first_dealer: int
    stake: int | None
    started: str
    version: int
    changed: str
    rounds: tuple[Round, ...]
    hash: str = ""  # of the newest line of its journal
    head: int = 1  # the version of the change in force, which undo would take back
    player_ids: tuple[int, ...] = ()
    texts: tuple[str, ...] = field(default=(), compare=False, repr=False)  # of the rounds, stored
    faces: Mapping[str, Face] = field(default_factory=dict, compare=False, repr=False)  # by name

    @cached_property
    def state(self) -> GameState:
        """The state that follows from the facts; rounds scored before are reused."""
        earlier, players = _scored.get(self.id), len(self.starters)
        if earlier and _facts(earlier) == _facts(self):
            return earlier.state
        reusable = earlier.state if earlier else None
        state = fold(self.rules, players, self.first_dealer, self.rounds, reusable, self.starters)
        _scored[self.id] = self
        return state

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The player of each seat in the current or last round, or the last one who sat there."""
        return self.names_in(self.state.number)

    def names_in(self, number: int) -> tuple[str, ...]:
        """Return who sits where in a round, or sat there last."""
        return self.seats_in(number).names

    def seats_in(self, number: int) -> Seats:
        """Return the seats of a round."""
        return seats_after(self.starters, (one.notes.substitutes for one in self.rounds[:number]))

    @cached_property
    def people(self) -> tuple[str, ...]:
        """All who have sat at the table, in the order in which they came."""
        return people_of(self.starters, self.rounds)

    @cached_property
    def shown_faces(self) -> tuple[Face, ...]:
        """The face of each seat, which is that of its player in the current or last round."""
        return self.faces_in(self.state.number)

    def faces_in(self, number: int) -> tuple[Face, ...]:
        """Return the face of each seat in a round."""
        return faces_by_seat([self.faces.get(name) for name in self.names_in(number)])

    def faces_of(self, seats: Iterable[int]) -> tuple[Face, ...]:
        """Return the faces of some seats in the current or last round."""
        return tuple(self.shown_faces[seat] for seat in seats)

    @property
    def remark(self) -> str:
        """What somebody wrote about the game."""
        return self.rounds[0].notes.game_remark if self.rounds else ""

    @property
    def revision(self) -> str:
        """The version with the start of the journal's hash, such as `40-9f86d081884c`.

        After a backup was restored, another state of the game can have the same version.
        """
        return revision_of(self.version, self.hash)

    @property
    def tag(self) -> str:
        """An ETag of all that is shown of the game: the revision and a checksum of its players."""
        players = [(name, self.faces.get(name)) for name in self.people]
        return f"{self.revision}-{crc32(repr(players).encode()):x}"

    def round(self, number: int) -> Round:
        """Return the facts of a round, which are empty for one that has not begun."""
        if number <= len(self.rounds):
            return self.rounds[number - 1]
        return self.empty_round

    @property
    def empty_round(self) -> Round:
        """A round of which nothing is entered yet."""
        return Round((None,) * len(self.starters))

    def side_names(self, side: int, number: int | None = None) -> list[str]:
        """Return the names of a side, those of a round if it is given."""
        names = self.names if number is None else self.names_in(number)
        return [names[seat] for seat in self.state.sides[side]]


# The games that were scored last, by id. A round of an equal text is not read again, nor scored
# where rules, seats and rounds before are equal. A game of 30 rounds takes 2 ms without it, on a
# small computer ten: that is half a second for a page that lists fifty games.
_scored: LRUCache[str, Game] = LRUCache(MAX_CACHED)


def _facts(game: Game) -> tuple[object, ...]:
    """Return all that the state of a game follows from."""
    return game.rounds, game.starters, game.first_dealer, game.rules


def people_of(starters: Iterable[str], rounds: Iterable[Round]) -> tuple[str, ...]:
    """Return all players of some rounds, in the order in which they came."""
    later = (one.player for round_ in rounds for one in round_.notes.substitutes)
    return tuple(dict.fromkeys([*starters, *filter(None, later)]))


def revision_of(version: int, hash_: str) -> str:
    """Return the revision of a game with a version and the hash of its line of the journal."""
    return f"{version}-{hash_[:HASH_SHOWN]}"


def house_rules_text(rules: RuleSet) -> str:
    """Return the values in which rules differ from their preset, as the column stores them."""
    base = PRESETS.get(rules.key, rules)
    return ";".join(f"{name}={value}" for name, value in house_rules(base, rules).items())


def load_game(db: Database, table_id: str, game_id: str, *, removed: bool = False) -> Game | None:
    """Return a game of a table, or None where the table has no such game.

    Removed games are found only with `removed`, others only without. Raises `DamagedGame`.
    """
    games = load_games(db, table_id, [game_id], removed=removed)
    if not games:
        gone = "NOT NULL" if removed else "NULL"
        query = f"SELECT started FROM games WHERE table_id = ? AND id = ? AND removed IS {gone}"
        started = scalar(db, query, [table_id, game_id])
        if started is not None:
            # Another connection may have added it in between.
            games = load_games(db, table_id, [game_id], removed=removed)
            if not games:
                raise DamagedGame(game_id, started)
    return next(iter(games), None)


def load_games(
    db: Database, table_id: str, game_ids: Sequence[str], *, removed: bool = False
) -> list[Game]:
    """Return those games of a table that `load_game` finds, in the order of their ids.

    Damaged ones are left out, here and in every other list of games.
    """
    if not game_ids:
        return []
    places, key = ", ".join("?" * len(game_ids)), [table_id, *game_ids]
    # Asked for first: PostgreSQL is then waited for once.
    players = db.execute(f"{PLAYERS} AND game_id IN ({places})", key)
    # Conditions on more columns could make a planner read the index of those of a whole table.
    rows = db.query(f"{HEADS} WHERE games.table_id = ? AND games.id IN ({places})", key)
    wanted = [row for row in rows if (row["removed"] is not None) == removed]
    found = {game.id: game for game in _games(db, table_id, wanted, players)}
    return [found[game_id] for game_id in game_ids if game_id in found]


def is_unknown(db: Database, game_id: str) -> bool:
    """Return whether an id has the form of a game's id, and no table has such a game."""
    return bool(OWN_ID.fullmatch(game_id)) and _is_free(db, game_id)


def is_unknown_at(db: Database, table_id: str, game_id: str) -> bool:
    """Return whether an id has the form of a game's id, and a table has and had no such game.

    A phone of the table that knows such a game has it from before a backup was restored. Whether
    another table has it must not show.
    """
    query = "SELECT 1 FROM games WHERE table_id = ? AND id = ?"
    return bool(OWN_ID.fullmatch(game_id)) and scalar(db, query, [table_id, game_id]) is None


def _is_free(db: Database, game_id: str) -> bool:
    return scalar(db, "SELECT 1 FROM games WHERE id = ?", [game_id]) is None


def recent_games(db: Database, table_id: str, limit: int) -> list[Game]:
    """Return the games of a table that were changed last, newest first.

    Games of the future come after all others: they were changed while a clock was wrong, or it is
    now, and would keep the one being played from the first place.
    """
    end, games = stamp(now() + SKEW), f"{HEADS} WHERE games.table_id = ? AND removed IS NULL"
    order = "ORDER BY changed DESC, started DESC LIMIT ?"
    rows = list(db.query(f"{games} AND changed <= ? {order}", [table_id, end, limit]))
    if len(rows) < limit:
        later = [table_id, end, limit - len(rows)]
        rows += db.query(f"{games} AND changed > ? {order}", later)
    return _games(db, table_id, rows)


TONIGHT = """
SELECT game_id, number FROM club_nights JOIN club_matches AS played
ON played.table_id = club_nights.table_id AND night_id = club_nights.id
WHERE club_nights.table_id = ? AND started > ? AND game_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM club_matches AS other WHERE other.table_id = played.table_id
        AND other.night_id = played.night_id AND other.state <> 'closed')
"""
A_NIGHT = timedelta(days=1)


def games_tonight(db: Database, table_id: str) -> dict[str, int]:
    """Return the games of the club nights of a table that go on, each with its table number."""
    rows = db.execute(TONIGHT, [table_id, stamp(now() - A_NIGHT)])
    return dict(rows.fetchall())


def recent_rules(db: Database, table_id: str, limit: int) -> list[RuleSet]:
    """Return the rules of the games of a table that were changed last, each once, newest first."""
    query = (
        "SELECT rule_values FROM games WHERE table_id = ? AND removed IS NULL "
        "ORDER BY changed DESC, started DESC LIMIT ?"
    )
    found: dict[RuleSet, None] = {}
    for row in db.query(query, [table_id, limit]):
        with suppress(*UNREADABLE):
            found[_rules(row["rule_values"])] = None
    return [*found]


def count_listed_games(db: Database, table_id: str, most: int) -> int:
    """Return how many games of a table were not removed, counted no further than `most`."""
    query = "SELECT 1 FROM games WHERE table_id = ? AND removed IS NULL LIMIT ?"
    return len(db.execute(query, [table_id, most]).fetchall())


class KnownPlayer(NamedTuple):
    """A player who has played at a table before."""

    name: str
    shape: int
    color: int


def known_players(db: Database, table_id: str, limit: int = 50) -> list[KnownPlayer]:
    """Return a table's players, most recent first."""
    rows = db.execute(
        """
        SELECT players.name, shape, color FROM players
        JOIN player_games AS last ON last.table_id = players.table_id
            AND last.player_id = players.id
            AND (last.started, last.game_id) = (
                SELECT started, game_id FROM player_games
                WHERE table_id = players.table_id AND player_id = players.id
                ORDER BY started DESC, game_id DESC LIMIT 1
            )
        WHERE players.table_id = ? AND merged_into IS NULL
        ORDER BY last.started DESC, last.game_id, (
            SELECT seat FROM seats WHERE seats.table_id = players.table_id
            AND seats.game_id = last.game_id AND seats.player_id = players.id
        ) NULLS LAST LIMIT ?
        """,
        [table_id, limit],
    )
    return [KnownPlayer(*row) for row in rows.fetchall()]


def known_names(db: Database, table_id: str, limit: int = 50) -> list[str]:
    """Return the names of a table's players, most recent first."""
    return [one.name for one in known_players(db, table_id, limit)]


def game_of_row(row: Mapping[str, Any], players: Players) -> Game:
    """Return a game from its row, which may have the columns of `HEADS` about its newest line.

    Raises one of `UNREADABLE` for a row that is no game.
    """
    seated = [players[player_id] for player_id in json.loads(row["seats"])]
    texts = split_rounds(row["rounds"])
    rounds = tuple(_rounds(row["id"], texts, players))
    if any(len(round_.bids) != len(seated) for round_ in rounds):
        raise ValueError(f"a round of game {row['id']} has not {len(seated)} bids")
    return Game(
        id=row["id"],
        table_id=row["table_id"],
        rules=_rules(row["rule_values"]),
        starters=tuple([name for _id, name, _face in seated]),
        first_dealer=row["first_dealer"],
        stake=row["stake"],
        started=row["started"],
        version=row["version"],
        changed=row["changed"],
        rounds=rounds,
        hash=row.get("hash") or "",
        head=row.get("head") or 1,
        player_ids=tuple([player_id for player_id, _name, _face in seated]),
        texts=texts,
        faces={name: face for _id, name, face in players.values()},
    )


def players_of_rows(
    db: Database,
    table_id: str,
    rows: Iterable[Mapping[str, Any]],
    known: Iterable[PlayerRow] = (),
) -> Players:
    """Return the players of some games of a table; those who are `known` are not asked for."""
    players = _by_stored_id(known)
    missing = [*{one for row in rows for one in _ids_in(row)}.difference(players)]
    if missing:
        found = db.execute(
            f"{PLAYERS_BY_ID} AND players.id IN ({', '.join('?' * len(missing))})",
            [table_id, *missing],
        )
        players |= _by_stored_id(found.fetchall())
    return players


def _by_stored_id(rows: Iterable[PlayerRow]) -> Players:
    return {stored: (now, name, Face(shape, color)) for stored, now, name, shape, color in rows}


def _ids_in(row: Mapping[str, Any]) -> list[int]:
    """Return the ids of the players in the row of a game; none in a damaged one."""
    try:
        ids = [*json.loads(row["seats"])]
        for text in split_rounds(row["rounds"]) if MEMBER in row["rounds"] else ():
            ids += [one["player"] for one in json.loads(text).get(MEMBER, ()) if one["player"]]
    except UNREADABLE:
        return []
    return [one for one in ids if type(one) is int and abs(one) < LARGEST_ID]


def _rounds(game_id: str, texts: Sequence[str], players: Players) -> Iterator[Round]:
    """Yield the rounds of a game; those that were read before are not read again.

    One with players is, as they may have been renamed.
    """
    earlier = _scored.get(game_id)
    known = zip(earlier.texts, earlier.rounds, strict=False) if earlier else ()
    names = {stored: name for stored, (_id, name, _face) in players.items()}
    for text, (before, round_) in zip(texts, chain(known, repeat(("", NOTHING))), strict=False):
        if text == before and MEMBER not in text:
            yield round_
        else:
            yield Round.from_json(json.loads(text), names)


def _games(
    db: Database,
    table_id: str,
    rows: Sequence[dict[str, Any]],
    known: Iterable[PlayerRow] = (),
) -> list[Game]:
    """Return the games of some rows of a table, without those that are damaged."""
    players, games = players_of_rows(db, table_id, rows, known), []
    for row in rows:
        with suppress(*UNREADABLE):
            game = game_of_row(row, players)
            assert game.state  # its rounds can be scored
            games.append(game)
    return games


@lru_cache(maxsize=256)  # 0.2 ms, and the same few in the fifty games of a page
def _rules(values: str) -> RuleSet:
    return restore(json.loads(values))
