"""The journal: every change to a game, only ever appended to; what undo and redo walk.

Each change names the one that `stands` after it and the one that change `follows`. Undo makes the
followed change stand again, redo the newest that follows the standing one; both are changes too,
so nothing is ever lost.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlite_utils import Database

from scorekeeper.clock import stamp
from scorekeeper.rules.game import Round
from scorekeeper.rules.rule_change import check_rule_change
from scorekeeper.rules.ruleset import RuleSet, restore
from scorekeeper.store.changes import (
    cells_that_differ,
    changes_of,
    following,
    line_of,
    read_round,
    standing,
    write_round,
)
from scorekeeper.store.game_cache import remember_game
from scorekeeper.store.games import Game, house_rules_text
from scorekeeper.store.hash_chain import add_line, setup_of
from scorekeeper.store.rounds import store_round
from scorekeeper.store.stats import totals
from scorekeeper.store.stats.result_rows import derive

Setup = dict[str, Any]


class Stale(Exception):
    """A change made on a page that no longer shows what is stored; `game` is what is there now."""

    def __init__(self, game: Game):
        super().__init__("the game has changed meanwhile")
        self.game = game


class Restored(Stale):
    """A change made on a page of a history that is gone, as after a restored backup."""


class Made(NamedTuple):
    """How a change is made: by a phone, or by a program whose key has this `label`.

    `stands` is the change that an undo or redo brings into force.
    """

    kind: str
    phone_id: str | None
    at: datetime
    label: str | None = None
    stands: int | None = None


def begin(
    db: Database, game_id: str, phone_id: str | None, at: datetime, label: str | None = None
) -> None:
    """Write the journal's first line, that the game was begun and how."""
    setup = json.dumps(setup_of(db, game_id))
    made = Made("begin", phone_id, at, label, stands=1)
    _append(db, game_id, 1, made, None, None, setup)
    totals.begin(db, game_id)


def note(db: Database, game: Game, kind: str, phone_id: str | None, at: datetime) -> None:
    """Journal what happens to a game as a whole and leaves its facts as they are."""
    made = Made(kind, phone_id, at, stands=standing(db, game.id))
    _append(db, game.id, game.version + 1, made, None, None, None)
    db.execute("UPDATE games SET version = ? WHERE id = ?", [game.version + 1, game.id])


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
    """Put a round's new facts in place, journal the change, and return the game after it.

    `seen` is the version the change was made on. What is already so changes nothing. Raises
    `Stale` where a cell about to change was changed by somebody else since then.
    """
    before = game.round(number)
    if round_ == before:
        return game
    must_have_seen(db, game, number, round_, seen)
    stored_before = before if number <= len(game.rounds) else None
    return _put(db, game, number, stored_before, round_, Made(kind, phone_id, at))


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
    """Put a whole round in place, or with None take it away; journal it, return the game after it.

    Unlike `record` it looks at no cells: the caller makes sure that the game is fresh.
    """
    before = game.rounds[number - 1] if number <= len(game.rounds) else None
    return _put(db, game, number, before, round_, Made(kind, phone_id, at, label))


def change_rules(
    db: Database, game: Game, rules: RuleSet, seen: int, phone_id: str | None, at: datetime
) -> Game:
    """Score the whole game by other house rules, journal the change, return the game after it.

    Rules that are played already change nothing. Raises `Stale` when the game is not at the
    version seen, and `RulesRefused` for rules that contradict what is recorded.
    """
    if rules == game.rules:
        return game
    must_be_fresh(game, seen)
    check_rule_change(game.rules, rules, len(game.names), game.rounds)
    setup = setup_of(db, game.id)
    before = {name: setup[name] for name in ("house_rules", "rule_values")}
    after = {"house_rules": house_rules_text(rules), "rule_values": rules.values}
    return _put_rules(db, game, before, after, Made("rules", phone_id, at))


def must_have_seen(db: Database, game: Game, number: int, round_: Round, seen: int) -> None:
    """Raise `Stale` where a cell that a round would change was changed since the version seen."""
    if seen >= game.version:
        return
    cells = cells_that_differ(game.round(number), round_)
    nobody = Round((None,) * len(game.names))
    for change in changes_of(db, game.id, number, after_version=seen):
        if cells & cells_that_differ(change.before or nobody, change.after or nobody):
            raise Stale(game)


def must_be_fresh(game: Game, seen: int) -> None:
    """Raise `Stale` where the game is not at the version seen."""
    if game.version != seen:
        raise Stale(game)


def undo(
    db: Database,
    game: Game,
    seen: int,
    phone_id: str | None,
    at: datetime,
    label: str | None = None,
) -> Game:
    """Take the last change that stands back and return the game as it was before it.

    Raises `Stale` when the game is not at the version seen. At the beginning nothing happens.
    """
    must_be_fresh(game, seen)
    line = line_of(db, game.id, standing(db, game.id))
    if line["follows"] is None:
        return game
    made = Made("undo", phone_id, at, label, stands=line["follows"])
    return _step(db, game, line, line["after"], line["before"], made)


def redo(
    db: Database,
    game: Game,
    seen: int,
    phone_id: str | None,
    at: datetime,
    label: str | None = None,
) -> Game:
    """Bring the change that was last taken back into force again.

    Raises `Stale` when the game is not at the version seen. With nothing to redo nothing happens.
    """
    must_be_fresh(game, seen)
    version = following(db, game.id)
    if version is None:
        return game
    line = line_of(db, game.id, version)
    made = Made("redo", phone_id, at, label, stands=version)
    return _step(db, game, line, line["before"], line["after"], made)


def _step(
    db: Database,
    game: Game,
    line: dict[str, Any],
    before: str | None,
    after: str | None,
    made: Made,
) -> Game:
    """Bring what a line of the journal changed from one state into the other."""
    if line["round"] is None:
        return _put_rules(db, game, json.loads(before or ""), json.loads(after or ""), made)
    return _put(db, game, line["round"], read_round(before), read_round(after), made)


def _put(
    db: Database, game: Game, number: int, before: Round | None, after: Round | None, made: Made
) -> Game:
    hash_ = _write(db, game, made, number, write_round(before), write_round(after))
    stored = game.rounds[number - 1] if number <= len(game.rounds) else None
    store_round(db, game.id, number, after, made.at, stored)
    rounds = _with_round(game.rounds, number, after)
    version, at = game.version + 1, stamp(made.at)
    changed = replace(game, version=version, changed=at, rounds=rounds, hash=hash_)
    if (before and before.tricks) or (after and after.tricks):
        derive(db, changed, number, game.board)
    remember_game(changed, hash_)
    return changed


def _put_rules(db: Database, game: Game, before: Setup, after: Setup, made: Made) -> Game:
    """Put rules in place exactly as the journal keeps them, and score every round by them."""
    hash_ = _write(db, game, made, None, json.dumps(before), json.dumps(after))
    values = after["rule_values"]
    db.execute(
        "UPDATE games SET house_rules = ?, rule_values = ? WHERE id = ?",
        [after["house_rules"], json.dumps(values), game.id],
    )
    version, changed = game.version + 1, stamp(made.at)
    rules = restore(values)
    scored = replace(game, version=version, changed=changed, rules=rules, hash=hash_)
    derive(db, scored)
    return scored


def _with_round(rounds: Sequence[Round], number: int, round_: Round | None) -> tuple[Round, ...]:
    return (*rounds[: number - 1], *([round_] if round_ else []), *rounds[number:])


def _write(
    db: Database, game: Game, made: Made, number: int | None, before: str | None, after: str | None
) -> str:
    """Journal a change of the facts, let the game say its version and moment; return the hash."""
    version = game.version + 1
    hash_ = _append(db, game.id, version, made, number, before, after)
    db.execute(
        "UPDATE games SET version = ?, changed = ? WHERE id = ?", [version, stamp(made.at), game.id]
    )
    return hash_


def _append(
    db: Database,
    game_id: str,
    version: int,
    made: Made,
    number: int | None,
    before: str | None,
    after: str | None,
) -> str:
    line = {
        "game_id": game_id,
        "version": version,
        "at": stamp(made.at),
        "phone_id": made.phone_id,
        "label": made.label,
        "kind": made.kind,
        "round": number,
        "before": before,
        "after": after,
        "stands": version if made.stands is None else made.stands,
        "follows": standing(db, game_id) if made.stands is None else None,
    }
    return add_line(db, line)
