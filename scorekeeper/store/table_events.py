"""What happens at a whole table, as server-sent events: games started, rounds scored, corrections.

Each event is one line of a journal. At a table lines are written one after the other, so their
numbers are in the order of the commits, and an event is the same whenever it is read.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from scorekeeper.rules.game import GameState, Outcome, fold
from scorekeeper.rules.presets import restore
from scorekeeper.rules.round import NOTES, Round
from scorekeeper.store.changes import REMOVALS
from scorekeeper.store.connection import Database
from scorekeeper.store.games import UNREADABLE, revision_of
from scorekeeper.store.players import name_of

MOST_LINES = 2000  # of journals; a program that has missed more gets the games again
# What can change in a round and scores nothing.
UNSCORED = {name for name, note in NOTES.items() if note.word == "note"} | {"tally"}
Facts = dict[str, Any]  # of a round, as the journal has them


class TableEvent(NamedTuple):
    """An event as text; `sequence` is the number of its line."""

    sequence: int
    text: str


# Games of which nothing is new are passed over without a look at their lines.
NEW_LINES = """
SELECT line.sequence, line.game_id, line.version
FROM games CROSS JOIN changes AS newest CROSS JOIN changes AS line
WHERE games.table_id = ? AND newest.table_id = games.table_id AND newest.game_id = games.id
    AND newest.version = games.version AND newest.sequence > ?
    AND line.table_id = games.table_id AND line.game_id = games.id AND line.sequence > ?
ORDER BY line.sequence LIMIT ?
"""
NEWEST_LINE = """
SELECT sequence, game_id, changes.version, hash FROM games CROSS JOIN changes
WHERE games.table_id = ? AND changes.table_id = games.table_id AND game_id = games.id
    AND changes.version = games.version
ORDER BY sequence DESC LIMIT 1
"""
JOURNAL = """
SELECT version, hash, at, kind, round, before, after FROM changes
WHERE table_id = ? AND game_id = ? AND version <= ? ORDER BY version
"""
EVENT_ID = re.compile("([0-9a-z]{1,40})-([0-9]{1,9})-([0-9a-f]{12})", re.ASCII)
START = "0"  # in place of the id of an event: before the first one of a table


def newest_sequence(db: Database, table_id: str) -> int:
    """Return the number of the newest line of a table, 0 where it has none."""
    return int((db.execute(NEWEST_LINE, [table_id]).fetchone() or [0])[0])


def place_of(db: Database, table_id: str, event_id: str) -> TableEvent:
    """Return where a stream goes on that has told an event, and what it has to tell of that first.

    Without an event it begins now, and tells only the id to resume from. Where the table has no
    such event, as after a restored backup, it tells that the games must be read again.
    """
    if event_id == START:
        return TableEvent(0, "")
    if found := EVENT_ID.fullmatch(event_id):
        game_id, version, hash_ = found.groups()
        row = db.execute(
            "SELECT sequence, hash FROM changes WHERE table_id = ? AND game_id = ? AND version = ?",
            [table_id, game_id, int(version)],
        ).fetchone()
        if row and row[1].startswith(hash_):
            return TableEvent(row[0], "")
    return _newest_place(db, table_id, "event: reset\ndata: {}\n" if event_id else "")


def table_events(db: Database, table_id: str, seen: int) -> list[TableEvent]:
    """Return the events of a table after the line of a number, in their order."""
    lines = db.execute(NEW_LINES, [table_id, seen, seen, MOST_LINES + 1]).fetchall()
    if len(lines) > MOST_LINES:
        return [_newest_place(db, table_id, "event: reset\ndata: {}\n")]
    wanted: dict[str, dict[int, int]] = {}
    for sequence, game_id, version in lines:
        wanted.setdefault(game_id, {})[version] = sequence
    found: list[TableEvent] = []
    for game_id, versions in wanted.items():
        with suppress(*UNREADABLE):  # of a game that is damaged
            found.extend(_events_of_game(db, (table_id, game_id), versions))
    return sorted(found)


def _newest_place(db: Database, table_id: str, text: str) -> TableEvent:
    sequence, *line = db.execute(NEWEST_LINE, [table_id]).fetchone() or [0]
    event_id = f"{line[0]}-{revision_of(*line[1:])}" if line else START
    return TableEvent(sequence, f"id: {event_id}\n{text}\n")


def _events_of_game(
    db: Database, key: tuple[str, str], wanted: dict[int, int]
) -> Iterator[TableEvent]:
    """Yield the events of a game among the lines of some versions, which have these numbers."""
    table_id, game_id = key
    game = _PastGame(db, table_id)
    lines = db.execute(JOURNAL, [*key, max(wanted)]).fetchall()
    for version, hash_, at, kind, number, *sides in lines:
        before, after = (json.loads(side or "null") for side in sides)
        is_told = version in wanted and (number is None or _scores(before, after))
        was_over = is_told and game.is_over
        game.put(number, after, kind)
        if is_told:
            facts = {
                "event": _name(kind, number, before, is_new_end=game.is_over and not was_over),
                "game": game_id,
                "version": version,
                "at": at,
                "round": number,
                **game.told,
            }
            content = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
            yield TableEvent(
                wanted[version],
                f"id: {game_id}-{revision_of(version, hash_)}\nevent: {facts['event']}\n"
                f"data: {content}\n\n",
            )


def _scores(before: Facts | None, after: Facts | None) -> bool:
    """Return whether a change of a round changes what is scored."""
    if not (_counts(before) or _counts(after)):
        return False
    one, other = (
        {name: value for name, value in (side or {}).items() if name not in UNSCORED}
        for side in (before, after)
    )
    return one != other


def _counts(facts: Facts | None) -> bool:
    """Return whether a round has tricks, or a penalty in it has lost the game."""
    fines = (facts or {}).get("penalties", ())
    return "tricks" in (facts or {}) or any(one["kind"] == "lost" for one in fines)


def _name(kind: str, number: int | None, before: Facts | None, *, is_new_end: bool) -> str:
    if kind == "begin":
        return "started"
    if kind in REMOVALS:
        return kind
    if is_new_end:
        return "over"
    return "corrected" if number is None or _counts(before) else "scored"


class _PastGame:
    """A game as it was after some lines of its journal."""

    def __init__(self, db: Database, table_id: str) -> None:
        self._setup: dict[str, Any] = {}
        self._rounds: dict[int, Facts] = {}
        self._names = _Names(db, table_id)
        self._state: GameState | None = None
        self._is_scored = False

    def put(self, number: int | None, after: Facts | None, kind: str) -> None:
        """Make the change of a line."""
        self._is_scored = False
        if number is None:
            self._setup |= {} if kind in REMOVALS else after or {}
        elif after is None:
            self._rounds.pop(number, None)
        else:
            self._rounds[number] = after

    @property
    def is_over(self) -> bool:
        return bool(self._setup) and self._scored.phase == "over"

    @property
    def told(self) -> dict[str, Any]:
        """What an event has of the game, as the schema TableEvent describes it."""
        state = self._scored
        return {
            "rules": {"key": state.rules.key, "name": state.rules.name},
            "players": list(state.seats.names),
            "sides": [from_one(seats) for seats in state.sides],
            "totals": list(state.standing.totals),
            "seat_totals": list(state.standing.seat_totals),
            "outcome": outcome_json(state.outcome),
        }

    @property
    def _scored(self) -> GameState:
        if self._state is None or not self._is_scored:
            starters = tuple(self._names[one] for one in self._setup["players"])
            rules, dealer = restore(self._setup["rule_values"]), self._setup["first_dealer"]
            rounds = [Round.from_json(one, self._names) for _n, one in sorted(self._rounds.items())]
            self._state = fold(rules, len(starters), dealer, rounds, self._state, starters)
            self._is_scored = True
        return self._state


class _Names(dict[Any, str]):
    """The names of a table's players by id, each read once."""

    def __init__(self, db: Database, table_id: str) -> None:
        super().__init__()
        self._db, self._table_id = db, table_id

    def __missing__(self, player_id: Any) -> str:
        name = self[player_id] = name_of(self._db, self._table_id, player_id)
        return name


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return how a game ended as the schema Outcome describes it, None while it goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner + 1
    return {
        "reason": outcome.reason,
        "winner": winner,
        "winners": from_one(outcome.winners),
        "tied": from_one(outcome.tied),
    }


def from_one(numbers: tuple[int, ...]) -> list[int]:
    """Return seats or sides as programs count them."""
    return [number + 1 for number in numbers]
