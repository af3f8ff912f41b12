"""What undo and redo would change, as the journal has it."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from scorekeeper.rules.game import Round
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, read_round
from scorekeeper.store.players import with_names

Way = Literal["undo", "redo"]


class Step(NamedTuple):
    """What a change, undo or redo changes: a round or, where `round` is None, the rules.

    `before` and `after` are in the form of the journal, `stands` is the change in force afterwards,
    None for this one.
    """

    round: int | None
    before: Any
    after: Any
    stands: int | None


def redo_line(db: Database, game: Game, current: int) -> int | None:
    """Return the version of the change that redo would repeat, or None where nothing was undone."""
    # Only a later line can follow, which spares most games the search of a long journal.
    newest = db.execute(
        "SELECT max(version) FROM changes "
        "WHERE table_id = ? AND game_id = ? AND version > ? AND follows = ?",
        [game.table_id, game.id, current, current],
    )
    version: int | None = newest.fetchone()[0]
    return version


def next_step(db: Database, game: Game, way: Way) -> Step | None:
    """Return what undo or redo would change, or None where there is nothing to undo or redo."""
    if way == "undo":
        return undo_of(_line(db, game, game.stands))
    return redo_of(_line(db, game, redo_line(db, game, game.stands)))


def step_of_line(db: Database, game: Game, way: Way, version: int) -> Step | None:
    """Return what undoing or redoing a line would change, or None for one that is no change."""
    line = _line(db, game, version)
    is_change = line is not None and line["follows"] is not None
    return (undo_of if way == "undo" else redo_of)(line) if is_change else None


def is_in_force(db: Database, game: Game, version: int) -> bool:
    """Return whether a change is in force, or others were made on it that are."""
    # Changes made on it have later versions, so a state without it is one of an earlier change.
    newest = db.execute(
        "SELECT stands FROM changes WHERE table_id = ? AND game_id = ? AND version >= ? "
        "AND stands <= ? ORDER BY version DESC LIMIT 1",
        [game.table_id, game.id, version, version],
    ).fetchone()
    return newest is not None and newest[0] == version


def was_taken(
    db: Database, game: Game, way: Way, step: Step, seen: int, phone_id: str | None
) -> bool:
    """Return whether a phone has taken a step of undo or redo after a version."""
    rows = db.execute(
        "SELECT 1 FROM changes WHERE table_id = ? AND game_id = ? AND version > ? AND kind = ? "
        "AND stands = ? AND phone_id = ? LIMIT 1",
        [game.table_id, game.id, seen, way, step.stands, phone_id],
    )
    return rows.fetchone() is not None


def undo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that undoes a line of the journal; the first line cannot be undone."""
    if line is None or line["follows"] is None:
        return None
    return Step(line["round"], line["after"], line["before"], line["follows"])


def redo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that repeats a line of the journal, which was undone."""
    if line is None:
        return None
    return Step(line["round"], line["before"], line["after"], line["version"])


def _line(db: Database, game: Game, version: int | None) -> dict[str, Any] | None:
    """Return a line of a game's journal as it is stored."""
    query = "SELECT * FROM changes WHERE table_id = ? AND game_id = ? AND version = ?"
    rows = db.query(query, [game.table_id, game.id, version])
    return next(rows, None)


MAX_STEPS = 60  # six rounds of four players, tap by tap


class PhoneStep(NamedTuple):
    """A step to other facts of a round, or None where it removes the round.

    `line` is the version of the journal's line that it undoes or redoes.
    """

    round: int
    facts: Round | None
    line: int


class PhoneSteps(NamedTuple):
    """The steps of undo and of redo, the next one last, and whether more follow these."""

    undo: list[PhoneStep]
    redo: list[PhoneStep]
    can_undo: bool
    can_redo: bool


def undo_steps(db: Database, game: Game) -> PhoneSteps:
    """Return the steps that undo and redo would take.

    They are found in the newest lines of the journal, and end at a change of the rules, which a
    phone leaves to the server.
    """
    rows = db.query(
        "SELECT version, round, before, after, stands, follows FROM changes "
        "WHERE table_id = ? AND game_id = ? AND version <= ? ORDER BY version DESC LIMIT ?",
        [game.table_id, game.id, game.version, MAX_STEPS],
    )
    sides = ("before", "after")
    lines = {
        row["version"]: row | {side: with_names(db, game.table_id, row[side]) for side in sides}
        for row in list(rows)
    }
    stands = next(iter(lines.values()))["stands"]
    earlier = {version: line["follows"] or 0 for version, line in lines.items()}
    later: dict[int, int] = {}
    for version, follows in earlier.items():
        later.setdefault(follows, version)  # of several that follow one, the newest
    undo, before = _steps(lines, stands, "before", earlier)
    redo, after = _steps(lines, later.get(stands, 0), "after", later)
    newest = redo[0].line if redo else stands
    return PhoneSteps(undo, redo, before > 1, bool(after or redo_line(db, game, newest)))


def _steps(
    lines: dict[int, dict[str, Any]], version: int, side: str, following: dict[int, int]
) -> tuple[list[PhoneStep], int]:
    """Return the steps from a version on, and the version at which they end, or 0."""
    found = []
    while (line := lines.get(version)) and line["round"] is not None:
        found.append(PhoneStep(line["round"], read_round(line[side]), version))
        version = following.get(version, 0)
    return found[::-1], version
