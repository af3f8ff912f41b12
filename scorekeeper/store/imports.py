"""Importing games: what a table has already, and writing the rest."""

import hashlib
import json
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from scorekeeper.clock import now, stamp
from scorekeeper.free_text import key_for, name_key, spelling_key
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, seated
from scorekeeper.rules.values import UNSCORED
from scorekeeper.store.changes import Replayed, add_line, changed_since, newest_line, replay
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store, in_steps
from scorekeeper.store.entry import GameSetup, StartRequest, insert_game, remember
from scorekeeper.store.games import (
    GAME_ID_LENGTH,
    OWN_ID,
    Game,
    house_rules_text,
    is_unknown,
    join_rounds,
    load_game,
    searchable,
    write_round,
)
from scorekeeper.store.journal import GameRecord, Line, Setup, Who, is_replayable
from scorekeeper.store.locks import in_slices
from scorekeeper.store.player_games import derive
from scorekeeper.store.players import player_of_name, with_ids
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
    rounds = [_comparable(one.round) for one in state.rounds]
    names: Names = tuple(map(name_key, game.starters))
    if rounds:  # a sheet does not know of players who were replaced before they played a round
        names = seated(names, [rounds[0].notes.substitutes])
        rounds[0] = rounds[0].noted(substitutes=())
    return _scoring(game.rules), names, game.first_dealer, rounds


def _scoring(rules: RuleSet) -> str:
    """Return the values that score, as text.

    The name of house rules does not matter for scoring, and a CSV file does not have it. Nor do
    values that score nothing, which older files may lack.
    """
    unscored = {"name", *UNSCORED}
    return repr({name: value for name, value in rules.values.items() if name not in unscored})


def _comparable(facts: Round) -> Round:
    """Return the facts of a round with its players as they are compared, and without remarks."""
    keys = tuple(
        one._replace(player=one.player and name_key(one.player)) for one in facts.notes.substitutes
    )
    return facts.noted(substitutes=keys, remark="", game_remark="")


# The key of a request that names the file of an unfinished import. No client's has a blank.
UNFINISHED = "import "


class InvalidJournal(ValueError):
    """An imported journal that contradicts itself or the rounds of its game."""


class PreparedGame(NamedTuple):
    """A game with the rows of its journal, both without the ids of its players."""

    game: Game
    lines: list[dict[str, Any]]


class Unfinished(NamedTuple):
    """An import that was interrupted, or is running: the name of its file, and when it began."""

    label: str
    began: str

    def __str__(self) -> str:
        sentence = _(
            "The import of {file}, started {time}, isn’t finished. If it’s no longer running, "
            "import the file again: nothing is added twice."
        )
        return sentence.format(file=self.label, time=self.began)


def add_new(
    store: Store,
    table_id: str,
    games: Iterable[GameRecord],
    who: Who,
    *,
    allow: Callable[[Database, int], None] = lambda _db, _new: None,
) -> Counter[Match]:
    """Import the games that the table does not have in one transaction; count all by match.

    `allow` may raise where the table cannot have so many more games. Raises `InvalidJournal`.
    """
    phone_id, at, _label = who
    with store.write(table_id) as db:  # without writers whose lines would be missed below
        line = newest_line(db)
    adding = Importing(store, table_id, phone_id, at)
    prepared = [*filter(None, adding.prepare(in_slices(games)))]
    with store.write(table_id) as db:
        if changed_since(db, table_id, line):  # maybe one of the games is there by now
            adding = Importing(store, table_id, phone_id, at)
            prepared = [*filter(None, adding.prepare(games))]
        allow(db, adding.counts["new"])
        for one in prepared:
            write_game(db, one)
    return adding.counts


def add_in_steps(
    store: Store, table_id: str, games: Iterable[GameRecord], at: datetime, label: str
) -> Counter[Match]:
    """Import as `add_new` does, but in many transactions, so that others can write in between.

    The journals of the games have been checked. Until all games of the file `label` are stored,
    `unfinished` names it; importing it again adds those that are missing.
    """
    adding = Importing(store, table_id, None, at)
    key = UNFINISHED + label

    def steps() -> Iterator[None]:
        for prepared in adding.prepare(games):
            if prepared:
                write_game(store.db, prepared)
            if prepared and adding.counts["new"] == 1:
                remember(store.db, table_id, StartRequest(key, stamp(at)), prepared.game.id)
            yield
        store.db.execute(
            "DELETE FROM requests WHERE table_id = ? AND request_key = ?", [table_id, key]
        )

    in_steps(store, steps(), table_id)
    if adding.counts["new"]:
        store.backups.ask()
    return adding.counts


def unfinished(db: Database) -> list[Unfinished]:
    """Return the imports that are not finished, the oldest first."""
    rows = db.execute(
        "SELECT request_key, content FROM tables JOIN requests ON table_id = tables.id "
        "AND request_key >= ? AND request_key < ? ORDER BY content",
        [UNFINISHED, UNFINISHED.replace(" ", "!")],
    )
    return [Unfinished(key.removeprefix(UNFINISHED), began) for key, began in rows.fetchall()]


def check_journal(game: GameRecord) -> None:
    """Raise `InvalidJournal` where the journal of a game does not lead to its rounds."""
    _prepare(game, "", "", None, now())


class Importing:
    """Finds and prepares the games that a table does not have, and counts all by match."""

    def __init__(self, store: Store, table_id: str, phone_id: str | None, at: datetime):
        self.counts: Counter[Match] = Counter()
        self._db, self._table_id, self._phone_id, self._at = store.db, table_id, phone_id, at
        self._duplicates = Duplicates(store.db, table_id)

    def prepare(self, games: Iterable[GameRecord]) -> Iterator[PreparedGame | None]:
        """Yield each game that is new, and None for others.

        What others write in between is taken into account.
        """
        line = None
        for game in games:
            if line is not None:
                self._duplicates.add(changed_since(self._db, self._table_id, line))
            line = newest_line(self._db)
            found = self._duplicates.sort(game)
            self.counts[found.known] += 1
            if found.known == "new":
                yield _prepare(game, found.id, self._table_id, self._phone_id, self._at)
            else:
                yield None


def write_game(db: Database, prepared: PreparedGame) -> None:
    """Store a game that was prepared, with its journal and its players who are new."""
    game, lines = prepared.game, prepared.lines
    table_id = game.table_id
    exact = key_for(game.people) is spelling_key

    def player_id(name: str) -> int:
        return player_of_name(db, table_id, name, game.faces.get(name), exact=exact)

    players = [*map(player_id, game.starters)]
    setup = GameSetup(game.rules, game.starters, game.first_dealer, game.stake)
    insert_game(db, (table_id, game.id), setup, players, datetime.fromisoformat(game.started))
    begun = json.dumps(json.loads(lines[0]["after"]) | {"players": players})
    hash_ = ""
    for line in [lines[0] | {"after": begun}, *lines[1:]]:
        if line["round"] is not None:
            sides = ("before", "after")
            line |= {side: with_ids(line[side], player_id) for side in sides}
        hash_ = add_line(db, line, hash_)
    texts = [with_ids(write_round(one), player_id) or "" for one in game.rounds]
    db.execute(
        "UPDATE games SET version = ?, changed = ?, rounds = ?, remarks = ? "
        "WHERE table_id = ? AND id = ?",
        [
            game.version,
            game.changed,
            join_rounds(texts),
            searchable(game.rounds),
            table_id,
            game.id,
        ],
    )
    derive(db, replace(game, player_ids=tuple(players)))


def _prepare(
    game: GameRecord, game_id: str, table_id: str, phone_id: str | None, at: datetime
) -> PreparedGame:
    """Return all rows of a game. Raises `InvalidJournal`."""
    began = stamp(datetime.fromisoformat(game.started) if game.started else at)
    setup: Setup = {
        "table_id": table_id,
        "rules": game.rules.key,
        "house_rules": house_rules_text(game.rules),
        "rule_values": json.loads(json.dumps(game.rules.values)),
        "first_dealer": game.first_dealer,
        "stake": game.stake,
        "started": began,
        "players": [],
    }
    rows = _rows(game.lines or _lines_of_sheet(game, at), game_id, setup)
    due = replay(rows)
    if not game.lines:
        rows = [row | {"phone_id": phone_id} for row in rows]
    elif due.setup != setup or not _is_valid(game, rows, due):
        raise InvalidJournal
    new_game = Game(
        game_id, table_id, game.rules, game.starters, game.first_dealer, game.stake, began,
        due.version, due.changed, game.rounds, faces=dict(game.faces),
    )  # fmt: skip
    return PreparedGame(new_game, rows)


def _is_valid(game: GameRecord, rows: list[Setup], due: Replayed) -> bool:
    """Return whether the program could have written a journal, and it leads to the rounds."""
    stored = {n: json.loads(str(write_round(round_))) for n, round_ in enumerate(game.rounds, 1)}
    return due.rounds == stored and due.removed is None and is_replayable(rows)


def _lines_of_sheet(game: GameRecord, at: datetime) -> list[Line]:
    lines = [Line(stamp(at), None, "begin", None, None, None, 1, None)]
    for number, round_ in enumerate(game.rounds, 1):
        version = number + 1
        lines.append(Line(stamp(at), None, "scored", number, None, round_, version, version - 1))
    return lines


def _rows(lines: Sequence[Line], game_id: str, setup: Setup) -> list[Setup]:
    """Return the lines as rows of the journal, with the members that are not exported."""
    rows = []
    for version, line in enumerate(lines, 1):
        before, after = line.before, line.after
        if version == 1:
            given = after if isinstance(after, dict) else {}
            after = {name: given.get(name, setup[name]) for name in setup}
        row = {
            "table_id": setup["table_id"],
            "game_id": game_id,
            "version": version,
            **line._asdict(),
        }
        row |= {"label": row.pop("phone"), "before": _text(before), "after": _text(after)}
        rows.append(row)
    return rows


def _text(state: Round | Setup | None) -> str | None:
    return json.dumps(state) if isinstance(state, dict) else write_round(state)
