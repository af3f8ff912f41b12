"""The journal of changes to a game, to which lines are only ever appended.

Each line names the change in force after it (`stands`) and the change that it was made on
(`follows`). Undo returns to the change that the current one follows; redo returns to the newest
one that follows the current one. Both append a line, so nothing is ever lost.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import restore
from scorekeeper.rules.rounds import is_given_up
from scorekeeper.rules.rule_change import check_rule_change
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database.connection import Database, Statement
from scorekeeper.store.game_cache import cache_game
from scorekeeper.store.games import Game, house_rules_text
from scorekeeper.store.hash_chain import add_line, setup_of
from scorekeeper.store.player_ids import with_ids, with_names
from scorekeeper.store.round_json import read_round, write_round
from scorekeeper.store.rounds import cells_that_differ, round_rows, store_substitutes
from scorekeeper.store.stats import player_games
from scorekeeper.store.stats.result_rows import derive
from scorekeeper.store.undo import Step, Way, is_in_force, next_step, step_of_line, was_taken

State = str | None  # of a round or of the rules, in the form of the journal


class EditConflict(Exception):
    """A change made on an outdated view of the game; `game` is the game as it is now."""

    def __init__(self, game: Game):
        super().__init__("the game has changed meanwhile")
        self.game = game


class UnknownRevision(EditConflict):
    """A change made on a revision that the journal does not have, as after a restored backup."""


class Action(NamedTuple):
    """What a phone, or a program with a key of this `label`, does to a game, and when.

    `stands` is the change in force afterwards, None for this one.
    """

    kind: str
    phone_id: str | None
    at: datetime
    label: str | None = None
    stands: int | None = None


def begin(
    db: Database,
    table_id: str,
    game_id: str,
    phone_id: str | None,
    at: datetime,
    label: str | None = None,
) -> None:
    """Write the first line of a new game's journal, and count the game for its players."""
    action = Action("begin", phone_id, at, label)
    setup = json.dumps(setup_of(db, table_id, game_id))
    _append(db, table_id, game_id, None, action, after=setup)
    player_games.begin(db, table_id, game_id)


def record_event(db: Database, game: Game, kind: str, phone_id: str | None, at: datetime) -> None:
    """Journal an event that leaves rounds and rules as they are, such as a removal."""
    action = Action(kind, phone_id, at, stands=game.stands)
    _append(db, game.table_id, game.id, game, action, changed=game.changed)


def record(
    db: Database,
    game: Game,
    number: int,
    round_: Round,
    kind: str,
    seen: int,
    phone_id: str | None,
    at: datetime,
) -> Game:
    """Store the new facts of a round, journal the change, and return the game after it.

    `seen` is the version on which the change was made. A round that is stored already changes
    nothing. Raises `EditConflict` where a cell that would change has changed since then.
    """
    if round_ == game.round(number):
        return game
    check_cells(db, game, number, round_, seen)
    return replace_round(db, game, number, round_, kind, phone_id, at)


def replace_round(
    db: Database,
    game: Game,
    number: int,
    round_: Round | None,
    kind: str,
    phone_id: str | None,
    at: datetime,
    label: str | None = None,
) -> Game:
    """Store a whole round, or remove it where it is None; return the game after the change.

    The newest round is removed too where nothing of it is left, as after a misdeal: phones keep no
    empty round either. The caller has checked that the change was made on the present state.
    """
    if number >= len(game.rounds) and round_ == Round((None,) * len(game.starters)):
        round_ = None
    return _put_round(db, game, number, round_, Action(kind, phone_id, at, label))


def change_rules(
    db: Database, game: Game, rules: RuleSet, seen: int, phone_id: str | None, at: datetime
) -> Game:
    """Score the whole game by other house rules, journal the change, return the game after it.

    The rules that the game has already change nothing. Raises `EditConflict` unless the game is at
    the version seen, and `RulesRefused` for rules that contradict its rounds.
    """
    if rules == game.rules:
        return game
    check_version(game, seen)
    check_rule_change(game.rules, rules, len(game.starters), game.rounds)
    setup = setup_of(db, game.table_id, game.id)
    before = {name: setup[name] for name in ("house_rules", "rule_values")}
    after = {"house_rules": house_rules_text(rules), "rule_values": rules.values}
    return _put_rules(db, game, before, after, Action("rules", phone_id, at))


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


def undo_or_redo(
    db: Database,
    game: Game,
    way: Way,
    seen: int,
    phone_id: str | None,
    at: datetime,
    label: str | None = None,
) -> Game:
    """Undo the current change, or redo the one that was undone last; return the game after that.

    Without such a change nothing happens. Raises `EditConflict` unless the game is at the version
    seen.
    """
    check_version(game, seen)
    return _take(db, game, next_step(db, game, way), Action(way, phone_id, at, label))


def undo_or_redo_line(
    db: Database,
    game: Game,
    way: Way,
    line: int,
    seen: int,
    phone_id: str,
    at: datetime,
) -> Game:
    """Undo or redo the change that a line of the journal made; return the game after that.

    `line` is the version of that line. Nothing happens where the game has changed since the version
    seen and the line is undone, or redone, or the phone has done so: it then repeats a request
    whose answer it has not got. Raises `EditConflict` where undo or redo would act on another line.
    """
    step = step_of_line(db, game, way, line)
    if step is None:
        raise EditConflict(game)
    is_done = is_in_force(db, game, line) == (way == "redo")
    if seen < game.version and (is_done or was_taken(db, game, way, step, seen, phone_id)):
        return game
    if step != next_step(db, game, way):
        raise EditConflict(game)
    return _take(db, game, step, Action(way, phone_id, at))


def _take(db: Database, game: Game, step: Step | None, action: Action) -> Game:
    if step is None:
        return game
    action = action._replace(stands=step.stands)
    if step.round is None:
        return _put_rules(db, game, json.loads(step.before), json.loads(step.after), action)
    return _put_round(
        db, game, step.round, read_round(with_names(db, game.table_id, step.after)), action
    )


def _put_round(db: Database, game: Game, number: int, round_: Round | None, action: Action) -> Game:
    stored = game.rounds[number - 1] if number <= len(game.rounds) else None
    before, after = (with_ids(db, game.table_id, write_round(one)) for one in (stored, round_))
    rows = round_rows(game.table_id, game.id, number, round_, action.at, stored)
    changed = _write(db, game, action, number, before, after, *rows)
    if round_:
        store_substitutes(db, game.table_id, game.id, number, round_, stored)
    rounds = (*game.rounds[: number - 1], *([round_] if round_ else []), *game.rounds[number:])
    changed = replace(changed, rounds=rounds)
    if any(one and (one.tricks or one.substitutes or is_given_up(one)) for one in (stored, round_)):
        derive(db, changed, number, game.state)
    cache_game(changed)
    return changed


def _put_rules(
    db: Database, game: Game, before: dict[str, Any], after: dict[str, Any], action: Action
) -> Game:
    """Store rules exactly as the journal keeps them, and score every round by them."""
    changed = _write(db, game, action, None, json.dumps(before), json.dumps(after))
    db.execute(
        "UPDATE games SET house_rules = ?, rule_values = ? WHERE table_id = ? AND id = ?",
        [after["house_rules"], json.dumps(after["rule_values"]), game.table_id, game.id],
    )
    changed = replace(changed, rules=restore(after["rule_values"]))
    derive(db, changed)
    return changed


def _write(
    db: Database,
    game: Game,
    action: Action,
    number: int | None,
    before: State,
    after: State,
    *also: Statement,
) -> Game:
    """Journal a change and return the game with its new version, hash and moment.

    `also` is written with the line, as by `add_line`.
    """
    version, at = game.version + 1, stamp(action.at)
    hash_ = _append(db, game.table_id, game.id, game, action, number, before, after, at, *also)
    stands = action.stands or version
    return replace(game, version=version, changed=at, hash=hash_, stands=stands)


def _append(
    db: Database,
    table_id: str,
    game_id: str,
    game: Game | None,
    action: Action,
    number: int | None = None,
    before: State = None,
    after: State = None,
    changed: str = "",
    *also: Statement,
) -> str:
    """Append a line to the journal of a game, None where it is the first, and return its hash.

    `changed` is when the game was changed last, which is stored with its version.
    """
    is_new = action.stands is None  # neither undo nor redo
    version = game.version + 1 if game else 1
    line = {
        "table_id": table_id,
        "game_id": game_id,
        "version": version,
        "at": stamp(action.at),
        "phone_id": action.phone_id,
        "label": action.label,
        "kind": action.kind,
        "round": number,
        "before": before,
        "after": after,
        "stands": version if is_new else action.stands,
        "follows": game.stands if game and is_new else None,
    }
    db.changes.versions[table_id, game_id] = version
    if game is None:
        return add_line(db, line)
    update = "UPDATE games SET version = ?, changed = ? WHERE table_id = ? AND id = ?"
    return add_line(db, line, game.hash, (update, [version, changed, table_id, game_id]), *also)
