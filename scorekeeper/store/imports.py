"""Importing games into a table that does not have them yet."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from scorekeeper.clock import stamp
from scorekeeper.rules.game import Round
from scorekeeper.store.changes import changed_since, newest_line
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store
from scorekeeper.store.duplicates import Duplicates, Match, digest, key_of_stored
from scorekeeper.store.game_record import GameRecord, Line, Setup
from scorekeeper.store.games import GAME_ID_LENGTH, Game, house_rules_text
from scorekeeper.store.hash_chain import replay
from scorekeeper.store.journal_replay import is_replayable
from scorekeeper.store.rounds import write_round
from scorekeeper.store.staging import PreparedGame, staged
from scorekeeper.store.tables import random_word

LINES_AT_ONCE = 60  # of journals, in one batch


class InvalidJournal(ValueError):
    """An imported journal that contradicts itself or the rounds of its game."""


def add_new(
    store: Store,
    table_id: str,
    games: Iterable[GameRecord],
    phone_id: str | None,
    at: datetime,
    *,
    allow: Callable[[Database, int], None] = lambda _db, _new: None,
    patience: float = math.inf,
) -> Counter[Match]:
    """Import the games that the table does not have, all or none; count all games by match.

    Others can write meanwhile. `allow` may raise where the table cannot have so many more games.
    Raises `InvalidJournal` for an invalid journal, `ImportRunning` where another import has not
    ended after `patience` seconds, and `ChangedMeanwhile`.
    """
    counts: Counter[Match] = Counter()
    with staged(store, table_id, patience) as staging:
        with store.write(table_id) as db:  # without writers whose lines would be missed below
            line_id = newest_line(db)
        preparation = _Preparation(store.db, table_id, phone_id, at)
        for batch in _batches(preparation.new_of(games, counts)):
            allow(store.db, counts["new"])
            staging.write(batch)
        if counts["new"]:
            with store.write(table_id) as db:
                twins = preparation.twins(changed_since(db, table_id, line_id))
                counts.update(twins.values())
                counts["new"] -= len(twins)
                allow(db, counts["new"])
                staging.show(db, twins)
            store.backups.ask()
    return counts


class _Preparation:
    """Prepares the games of a file for a table, and finds those added to it meanwhile."""

    def __init__(self, db: Database, table_id: str, phone_id: str | None, at: datetime):
        self._duplicates = Duplicates(db, table_id)
        self._table_id, self._phone_id, self._at = table_id, phone_id, at
        self._ids: dict[bytes, str] = {}  # by digest

    def new_of(self, games: Iterable[GameRecord], counts: Counter[Match]) -> Iterator[PreparedGame]:
        """Yield the new games, ready to be stored; count all of them by match."""
        for game in games:
            found = self._duplicates.sort(game)
            counts[found.known] += 1
            if found.known == "new":
                game_id = game.id if found.keeps_id else random_word(GAME_ID_LENGTH)
                self._ids[found.key] = game_id
                yield _prepare(game, game_id, self._table_id, self._phone_id, self._at)

    def twins(self, game_ids: Iterable[str]) -> dict[str, Match]:
        """Return the new games that equal one of these stored games, by their ids."""
        found = {}
        for stored, known in filter(None, map(self._duplicates.load, game_ids)):
            for began in ("", stored.started):
                if game_id := self._ids.get(digest(key_of_stored(stored), began)):
                    found[game_id] = known
        return found


def _batches(prepared_games: Iterable[PreparedGame]) -> Iterator[list[PreparedGame]]:
    """Yield the games in batches, each stored in a transaction or two."""
    batch: list[PreparedGame] = []
    for prepared in prepared_games:
        batch.append(prepared)
        if sum(len(one.lines) for one in batch) > LINES_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


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
    stored = {n: json.loads(str(write_round(round_))) for n, round_ in enumerate(game.rounds, 1)}
    if (
        due.rounds != stored
        or due.setup != setup
        or due.removed is not None
        or not is_replayable(rows)
    ):
        raise InvalidJournal
    new_game = Game(
        game_id, table_id, game.rules, game.starters, game.first_dealer, game.stake, began,
        due.version, due.changed, game.rounds,
    )  # fmt: skip
    if not game.lines:
        rows = [row | {"phone_id": phone_id} for row in rows]
    return PreparedGame(new_game, rows)


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
