"""The journal: each change of a game as a line, and whole games with theirs for files.

Each line names the change in force after it (`head`) and the change that it was made on
(`parent`). Undo returns to the change that the current one follows; redo returns to the newest
one that follows the current one. Both append a line, so nothing is ever lost. Where one act has
several lines, they do so for each of them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import is_given_up
from scorekeeper.rules.presets import restore
from scorekeeper.rules.round import Round
from scorekeeper.rules.rule_change import check_rule_change
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import player_games
from scorekeeper.store.changes import (
    REMOVALS,
    Row,
    Step,
    Taken,
    Way,
    add_line,
    changes_of,
    is_in_force,
    next_steps,
    redo_of,
    setup_of,
    step_of_line,
    undo_of,
    was_taken,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.games import (
    Game,
    cells_that_differ,
    house_rules_text,
    join_rounds,
    people_of,
    read_round,
    searchable,
    write_round,
)
from scorekeeper.store.player_games import derive
from scorekeeper.store.players import faces_of, player_of_name, with_ids, with_names
from scorekeeper.store.tables import move_claims


class EditConflict(Exception):
    """A change made on an outdated view of the game; `game` is the game as it is now."""

    def __init__(self, game: Game):
        super().__init__("the game has changed meanwhile")
        self.game = game


class UnknownRevision(EditConflict):
    """A change made on a revision that the journal does not have, as after a restored backup."""


class Who(NamedTuple):
    """The phone, or the program with a key of a `label`, that changes a game, and when."""

    phone_id: str | None
    at: datetime
    label: str | None = None


class Action(NamedTuple):
    """What is done to a game. `head` is the change in force afterwards, None for this one."""

    kind: str
    who: Who
    head: int | None = None


def begin(db: Database, table_id: str, game_id: str, action: Action) -> None:
    """Write the first line of a new game's journal, and count the game for its players."""
    step = Step(None, None, json.dumps(setup_of(db, table_id, game_id)), None)
    add_line(db, _line((table_id, game_id), 1, step, action, None))
    db.changes.versions[table_id, game_id] = 1
    player_games.begin(db, table_id, game_id)


def record_event(db: Database, game: Game, kind: str, phone_id: str | None, at: datetime) -> None:
    """Journal an event that leaves rounds and rules as they are, such as a removal."""
    _append(db, game, Step(None, None, None, game.head), Action(kind, Who(phone_id, at)), {})


def replace_round(
    db: Database, game: Game, number: int, round_: Round | None, action: Action
) -> Game:
    """Store a whole round, or remove it where it is None; return the game after the change.

    The newest round is removed too where nothing of it is left, as after a misdeal: phones keep no
    empty round either. The caller has checked that the change was made on the present state.
    """
    if number >= len(game.rounds) and round_ == game.empty_round:
        round_ = None
    return _put_round(db, game, number, round_, action)


def change_rules(db: Database, game: Game, rules: RuleSet, seen: int, who: Who) -> Game:
    """Score the whole game by other house rules, journal the change, return the game after it.

    The rules that the game has already change nothing. Raises `EditConflict` unless the game is at
    the version seen, and `RulesRefused` for rules that contradict its rounds.
    """
    if rules == game.rules:
        return game
    check_version(game, seen)
    check_rule_change(game.rules, rules, len(game.starters), game.rounds)
    return score_by(db, game, rules, Action("rules", who))


def score_by(db: Database, game: Game, rules: RuleSet, action: Action) -> Game:
    """Score the whole game by other rules, journal that, and return the game after it."""
    setup = setup_of(db, game.table_id, game.id)
    before = {name: setup[name] for name in ("house_rules", "rule_values")}
    after = {"house_rules": house_rules_text(rules), "rule_values": rules.values}
    step = Step(None, json.dumps(before), json.dumps(after), None)
    return _put_rules(db, game, step, action)


def check_cells(db: Database, game: Game, number: int, round_: Round, seen: int) -> None:
    """Raise `EditConflict` where a cell that a round would change has changed since a version."""
    if seen >= game.version:
        return
    cells = cells_that_differ(game.round(number), round_)
    if any(cells & change.cells for change in changes_of(db, game, number, after_version=seen)):
        raise EditConflict(game)


def check_version(game: Game, seen: int) -> None:
    """Raise `EditConflict` unless the game is at the version seen."""
    if game.version != seen:
        raise EditConflict(game)


def undo_or_redo(db: Database, game: Game, way: Way, seen: int, who: Who) -> Game:
    """Undo the current change, or redo the one that was undone last; return the game after that.

    All lines of one act are undone or redone together. Without a change nothing happens. Raises
    `EditConflict` unless the game is at the version seen.
    """
    check_version(game, seen)
    return _take(db, game, next_steps(db, game, way), Action(way, who))


def undo_or_redo_line(
    db: Database, game: Game, taken: tuple[Way, int], seen: int, who: Who
) -> Game:
    """Undo or redo the change that a line of the journal made; return the game after that.

    `taken` has the version of that line. Nothing happens where the game has changed since the
    version seen and the line is undone, or redone, or the phone has done so: it then repeats a
    request whose answer it has not got. Raises `EditConflict` where undo or redo would act on
    another line.
    """
    way, line = taken
    step = step_of_line(db, game, way, line)
    if step is None:
        raise EditConflict(game)
    is_done = is_in_force(db, game, line) == (way == "redo")
    if seen < game.version and (
        is_done or was_taken(db, game, Taken(way, step, who.phone_id), seen)
    ):
        return game
    steps = next_steps(db, game, way)
    if step not in steps:
        raise EditConflict(game)
    return _take(db, game, steps, Action(way, who))


def _take(db: Database, game: Game, steps: Iterable[Step], action: Action) -> Game:
    for step in steps:
        if step.round is None:
            game = _put_rules(db, game, step, action)
        else:
            round_ = read_round(with_names(db, game.table_id, step.after))
            own = action._replace(head=step.head)
            game = _put_round(db, game, step.round, round_, own)
    return game


def _put_round(db: Database, game: Game, number: int, round_: Round | None, action: Action) -> Game:
    stored = game.rounds[number - 1] if number <= len(game.rounds) else None
    player_id = partial(player_of_name, db, game.table_id)
    before, after = (with_ids(write_round(one), player_id) for one in (stored, round_))
    texts = _with_round(game.texts, number, after)
    rounds: tuple[Round, ...] = _with_round(game.rounds, number, round_)
    step = Step(number, before, after, action.head)
    row = {"rounds": join_rounds(texts), "remarks": searchable(rounds)}
    changed = replace(_write(db, game, step, action, row), rounds=rounds, texts=texts)
    if (stored and stored.notes.substitutes) != (round_ and round_.notes.substitutes):
        move_claims(db, game, changed)
    states = [one for one in (stored, round_) if one]
    if any(one.tricks or one.notes.substitutes or is_given_up(one) for one in states):
        derive(db, changed, number, game.state)
    return changed


def _with_round(rounds: tuple[Any, ...], number: int, round_: Any) -> tuple[Any, ...]:
    """Return the rounds with one of them replaced, added, or removed where it is None."""
    return (*rounds[: number - 1], *([] if round_ is None else [round_]), *rounds[number:])


def _put_rules(db: Database, game: Game, step: Step, action: Action) -> Game:
    """Store rules exactly as the journal keeps them, and score every round by them."""
    after = json.loads(step.after)
    stored = after | {"rule_values": json.dumps(after["rule_values"])}
    changed = replace(_write(db, game, step, action, stored), rules=restore(after["rule_values"]))
    derive(db, changed)
    return changed


def _write(db: Database, game: Game, step: Step, action: Action, row: Mapping[str, str]) -> Game:
    """Journal a change, store some columns of the game's row, and return the game after it.

    That has the new version, hash and moment, but not yet the new facts.
    """
    version, at = game.version + 1, stamp(action.who.at)
    hash_ = _append(db, game, step, action, {"changed": at, **row})
    return replace(game, version=version, changed=at, hash=hash_, head=step.head or version)


def _append(db: Database, game: Game, step: Step, action: Action, row: Mapping[str, str]) -> str:
    """Append a line to the journal of a game, store its row's new columns, and return the hash."""
    version = game.version + 1
    parent = None if step.head else game.head  # neither undo nor redo follows a change
    line = _line((game.table_id, game.id), version, step, action, parent)
    columns = ", ".join(f"{name} = ?" for name in ("version", *row))
    db.execute(
        f"UPDATE games SET {columns} WHERE table_id = ? AND id = ?",
        [version, *row.values(), game.table_id, game.id],
    )
    db.changes.versions[game.table_id, game.id] = version
    return add_line(db, line, game.hash)


def _line(
    key: tuple[str, str], version: int, step: Step, action: Action, parent: int | None
) -> dict[str, Any]:
    """Return a line of the journal of a game, which is given by its table and id."""
    table_id, game_id = key
    return {
        "table_id": table_id,
        "game_id": game_id,
        "version": version,
        "at": stamp(action.who.at),
        "phone_id": action.who.phone_id,
        "label": action.who.label,
        "kind": action.kind,
        "round": step.round,
        "before": step.before,
        "after": step.after,
        "head": step.head or version,
        "parent": parent,
    }


RULES = {"house_rules", "rule_values"}  # what a change of the rules changes
FIXED = ("key", "partnerships")  # values that it leaves as they are
State = dict[str, Any]


def is_replayable(lines: Iterable[Row]) -> bool:
    """Return whether each line of a journal changes the state in which those before it end.

    Undo and redo then lead only to states that the game has had.
    """
    game = _ReplayedGame()
    return all(game.accepts(line) for line in lines)


class _ReplayedGame:
    """The state of a game after the lines of its journal so far."""

    def __init__(self) -> None:
        self._setup: State = {}
        self._rules: RuleSet
        self._rounds: list[State] = []
        self._changes: dict[int | None, Row] = {}  # by version, without undo and redo
        self._newest: dict[int | None, int] = {}  # the newest change that follows another
        self._current: int | None = None  # the change in force

    def accepts(self, line: Row) -> bool:
        """Apply the next line; return whether the program could have written it."""
        before, after = (json.loads(line[side] or "null") for side in ("before", "after"))
        line = {**line, "before": before, "after": after}
        step = Step(line["round"], before, after, line["head"])
        kind, parent = line["kind"], line["parent"]
        if kind in REMOVALS:
            return parent is None and step == (None, None, None, self._current)
        if kind in ("undo", "redo"):
            due = undo_of if kind == "undo" else redo_of
            version = self._current if kind == "undo" else self._newest.get(self._current)
            is_valid = parent is None and step == due(self._changes.get(version))
        else:
            is_valid = parent == self._current and step.head == line["version"]
            self._changes[line["version"]], self._newest[parent] = line, line["version"]
        is_first, self._current = self._current is None, step.head
        if not is_first:
            return is_valid and self._apply(step)
        if not is_valid or kind != "begin" or step[:2] != (None, None):
            return False
        self._setup, self._rules = after, restore(after["rule_values"])
        return True

    def _apply(self, step: Step) -> bool:
        """Change a round or the rules; return whether it fits the present state."""
        number, before, after, _stands = step
        if number is None:
            return self._apply_rules(before or {}, after or {})
        count = len(self._rounds)
        if number > count + 1 or before != (self._rounds[number - 1] if number <= count else None):
            return False
        if number > count and self._rounds and "tricks" not in self._rounds[-1]:
            return False
        if number < count and "tricks" not in (after or {}):
            return False
        self._rounds[number - 1 : number] = [after] if after else []
        return after is None or self._has_its_cards(number, after)

    def _apply_rules(self, before: State, after: State) -> bool:
        if not set(before) == set(after) == RULES or not isinstance(after["house_rules"], str):
            return False
        old, new = before["rule_values"], after["rule_values"]
        is_valid = all(before[name] == self._setup.get(name) for name in RULES)
        is_valid = is_valid and all(old[name] == new[name] for name in FIXED)
        self._setup |= after
        self._rules = restore(new)
        rounds = enumerate(self._rounds, 1)
        return is_valid and all(self._has_its_cards(number, one) for number, one in rounds)

    def _has_its_cards(self, number: int, round_: State) -> bool:
        """Return whether the tricks of a round, if it has any yet, are the cards that it dealt."""
        rules = self._rules.in_round(number, len(round_["bids"]), round_.get("cards"))
        return rules.may_total(sum(round_.get("tricks", [rules.tricks])))


LOCAL = ("table_id", "players")  # ids in a setup that mean nothing in another database
Setup = dict[str, Any]


class Line(NamedTuple):
    """A line of a journal; `before` and `after` are a round or a setup, see `hash_chain`."""

    at: str
    phone: str | None
    kind: str
    round: int | None
    before: Round | Setup | None
    after: Round | Setup | None
    head: int
    parent: int | None


class GameRecord(NamedTuple):
    """Everything about a game, independent of a database.

    A game from a CSV file has no `lines`; its `id` and `started` may be empty too.
    """

    id: str
    started: str
    rules: RuleSet
    starters: tuple[str, ...]
    first_dealer: int
    stake: int | None
    rounds: tuple[Round, ...]
    lines: tuple[Line, ...] = ()
    faces: tuple[tuple[str, Face], ...] = ()  # by name; players may lack theirs

    @property
    def people(self) -> tuple[str, ...]:
        """All who sat at the table, in the order in which they came."""
        return people_of(self.starters, self.rounds)


def game_record(db: Database, game: Game) -> GameRecord:
    """Return a game with its journal."""
    rows = db.query(
        "SELECT at, coalesce(changes.label, phones.label) AS phone, kind, round, before, after,"
        " head, parent FROM changes LEFT JOIN phones"
        " ON phones.table_id = changes.table_id AND phones.id = phone_id"
        " WHERE changes.table_id = ? AND game_id = ? ORDER BY version",
        [game.table_id, game.id],
    )
    lines = tuple(_line_of_record(db, game, row) for row in list(rows))
    undone = (side for line in lines for side in line[4:6] if isinstance(side, Round))
    return GameRecord(
        id=game.id,
        started=game.started,
        rules=game.rules,
        starters=game.starters,
        first_dealer=game.first_dealer,
        stake=game.stake,
        rounds=game.rounds,
        lines=lines,
        faces=tuple(faces_of(db, game.table_id, people_of(game.people, undone)).items()),
    )


def _line_of_record(db: Database, game: Game, row: dict[str, Any]) -> Line:
    sides: dict[str, Round | Setup | None] = {}
    for side in ("before", "after"):
        if row["round"] is not None:
            sides[side] = read_round(with_names(db, game.table_id, row[side]))
        else:
            setup = json.loads(row[side]) if row[side] else None
            sides[side] = setup and {k: v for k, v in setup.items() if k not in LOCAL}
    return Line(**{**row, **sides})
