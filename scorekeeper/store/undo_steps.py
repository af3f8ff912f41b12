"""The steps that undo and redo would take, for a phone that takes them offline."""

from typing import Any, NamedTuple

from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.store.changes import read_round
from scorekeeper.store.games import Game

MAX_STEPS = 60  # six rounds of four players, tap by tap


class Step(NamedTuple):
    """A step to other facts of a round, or None where it removes the round."""

    round: int
    facts: Round | None


def undo_steps(db: Database, game: Game) -> tuple[list[Step], list[Step]]:
    """Return the steps of undo and of redo, the next one last.

    They are found in the newest lines of the journal, and end at a change of the rules, which
    cannot be undone offline.
    """
    rows = db.query(
        "SELECT version, round, before, after, stands, follows FROM changes "
        "WHERE game_id = ? AND version <= ? ORDER BY version DESC LIMIT ?",
        [game.id, game.version, MAX_STEPS],
    )
    lines = {row["version"]: row for row in rows}
    stands = next(iter(lines.values()))["stands"]
    earlier = {version: line["follows"] or 0 for version, line in lines.items()}
    later: dict[int, int] = {}
    for version, follows in earlier.items():
        later.setdefault(follows, version)  # of several that follow one, the newest
    undo = _steps(lines, stands, "before", earlier)
    redo = _steps(lines, later.get(stands, 0), "after", later)
    return undo, redo


def _steps(
    lines: dict[int, dict[str, Any]], version: int, side: str, following: dict[int, int]
) -> list[Step]:
    found = []
    while (line := lines.get(version)) and line["round"] is not None:
        found.append(Step(line["round"], read_round(line[side])))
        version = following.get(version, 0)
    return found[::-1]
