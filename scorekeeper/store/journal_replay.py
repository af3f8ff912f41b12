"""Check that undo and redo can go through the whole of an imported journal."""

import json
from collections.abc import Iterable
from typing import Any

from scorekeeper.store.hash_chain import REMOVALS, Row
from scorekeeper.store.undo import Step, redo_of, undo_of

RULES = {"house_rules", "rule_values"}  # what a change of the rules changes
FIXED = ("key", "players", "partnerships")  # values that it leaves as they are
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
        self._rounds: list[State] = []
        self._changes: dict[int | None, Row] = {}  # by version, without undo and redo
        self._newest: dict[int | None, int] = {}  # the newest change that follows another
        self._current: int | None = None  # the change in force

    def accepts(self, line: Row) -> bool:
        """Apply the next line; return whether the program could have written it."""
        before, after = (json.loads(line[side] or "null") for side in ("before", "after"))
        line = {**line, "before": before, "after": after}
        step = Step(line["round"], before, after, line["stands"])
        kind, follows = line["kind"], line["follows"]
        if kind in REMOVALS:
            return follows is None and step == (None, None, None, self._current)
        if kind in ("undo", "redo"):
            due = undo_of if kind == "undo" else redo_of
            version = self._current if kind == "undo" else self._newest.get(self._current)
            is_valid = follows is None and step == due(self._changes.get(version))
        else:
            is_valid = follows == self._current and step.stands == line["version"]
            self._changes[line["version"]], self._newest[follows] = line, line["version"]
        is_first, self._current = self._current is None, step.stands
        if is_first:
            self._setup = after or {}
            return is_valid and kind == "begin" and step[:2] == (None, None)
        return is_valid and self._apply(step)

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
        dealt = self._setup.get("rule_values", {}).get("tricks")
        return after is None or sum(after.get("tricks", [dealt])) == dealt

    def _apply_rules(self, before: State, after: State) -> bool:
        if not set(before) == set(after) == RULES or not isinstance(after["house_rules"], str):
            return False
        old, new = before["rule_values"], after["rule_values"]
        is_valid = all(before[name] == self._setup.get(name) for name in RULES)
        is_valid = is_valid and all(old[name] == new[name] for name in FIXED)
        self._setup |= after
        is_scored = any("tricks" in round_ for round_ in self._rounds[:1])
        return is_valid and (old["tricks"] == new["tricks"] or not is_scored)
