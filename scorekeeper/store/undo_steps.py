"""The steps that undo and redo would walk, for a phone that walks them offline."""

from typing import Any, NamedTuple

from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.store.changes import read_round
from scorekeeper.store.games import Game

MOST_STEPS = 60  # six rounds of four players, tap by tap


class Step(NamedTuple):
    """What a step leads to: the facts of a round, or None where the round goes."""

    round: int
    facts: Round | None


def undo_steps(db: Database, game: Game) -> tuple[list[Step], list[Step]]:
    """Return the steps that undo and redo would make of a game; the next one stands last.

    They are found in the newest lines of the journal, and end at a change of the rules, which
    a phone cannot make.
    """
    rows = db.query(
        "SELECT version, round, before, after, stands, follows FROM changes "
        "WHERE game_id = ? AND version <= ? ORDER BY version DESC LIMIT ?",
        [game.id, game.version, MOST_STEPS],
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
