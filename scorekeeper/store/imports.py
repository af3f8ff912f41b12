"""Importing games into a table that does not have them yet."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from scorekeeper.clock import now, stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import Round
from scorekeeper.store.changes import changed_since, newest_line
from scorekeeper.store.database.batches import in_steps
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store
from scorekeeper.store.database.threads import in_slices
from scorekeeper.store.duplicates import Duplicates, Match
from scorekeeper.store.game_record import GameRecord, Line, Setup
from scorekeeper.store.games import Game, house_rules_text
from scorekeeper.store.hash_chain import Replayed, add_line, replay
from scorekeeper.store.idempotency import StartRequest, remember
from scorekeeper.store.journal_replay import is_replayable
from scorekeeper.store.new_games import GameSetup, insert_game
from scorekeeper.store.player_ids import player_of_name, with_ids
from scorekeeper.store.rounds import join_rounds, write_round
from scorekeeper.store.stats.result_rows import derive

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
            "The import of {file}, begun {time}, isn’t finished. If it isn’t running any more, "
            "import the file again: nothing is added twice."
        )
        return sentence.format(file=self.label, time=self.began)


def add_new(
    store: Store,
    table_id: str,
    games: Iterable[GameRecord],
    phone_id: str | None,
    at: datetime,
    *,
    allow: Callable[[Database, int], None] = lambda _db, _new: None,
) -> Counter[Match]:
    """Import the games that the table does not have in one transaction; count all by match.

    `allow` may raise where the table cannot have so many more games. Raises `InvalidJournal`.
    """
    with store.write(table_id) as db:  # without writers whose lines would be missed below
        line = newest_line(db)
    adding = _Import(store, table_id, phone_id, at)
    prepared = [*filter(None, adding.prepare(in_slices(games)))]
    with store.write(table_id) as db:
        if changed_since(db, table_id, line):  # maybe one of the games is there by now
            adding = _Import(store, table_id, phone_id, at)
            prepared = [*filter(None, adding.prepare(games))]
        allow(db, adding.counts["new"])
        for one in prepared:
            _write(db, one)
    return adding.counts


def add_in_steps(
    store: Store, table_id: str, games: Iterable[GameRecord], at: datetime, label: str
) -> Counter[Match]:
    """Import as `add_new` does, but in many transactions, so that others can write in between.

    The journals of the games have been checked. Until all games of the file `label` are stored,
    `unfinished` names it; importing it again adds those that are missing.
    """
    adding = _Import(store, table_id, None, at)
    key = UNFINISHED + label

    def steps() -> Iterator[None]:
        for prepared in adding.prepare(games):
            if prepared:
                _write(store.db, prepared)
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


class _Import:
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


def _write(db: Database, prepared: PreparedGame) -> None:
    game, lines = prepared.game, prepared.lines
    table_id = game.table_id
    players = [player_of_name(db, table_id, name) for name in game.starters]
    setup = GameSetup(game.rules, game.starters, game.first_dealer, game.stake)
    insert_game(db, game.id, table_id, setup, players, datetime.fromisoformat(game.started))
    begun = json.dumps(json.loads(lines[0]["after"]) | {"players": players})
    hash_ = ""
    for line in [lines[0] | {"after": begun}, *lines[1:]]:
        if line["round"] is not None:
            sides = ("before", "after")
            line |= {side: with_ids(db, table_id, line[side]) for side in sides}
        hash_ = add_line(db, line, hash_)
    rounds = join_rounds([with_ids(db, table_id, write_round(one)) or "" for one in game.rounds])
    db.execute(
        "UPDATE games SET version = ?, changed = ?, rounds = ? WHERE table_id = ? AND id = ?",
        [game.version, game.changed, rounds, table_id, game.id],
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
        due.version, due.changed, game.rounds,
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
