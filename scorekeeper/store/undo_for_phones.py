"""The next steps of undo and redo, which a phone is given so that it can take them offline."""

from typing import Any, NamedTuple

from scorekeeper.rules.game import Round
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.player_ids import with_names
from scorekeeper.store.rounds import read_round
from scorekeeper.store.undo import redo_line

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
