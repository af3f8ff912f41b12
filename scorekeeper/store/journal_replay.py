"""Whether undo and redo can walk the whole of a journal that came from elsewhere."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from scorekeeper.store.hash_chain import REMOVALS, Row

RULES = {"house_rules", "rule_values"}  # what a change of the rules changes
FIXED = ("key", "players", "partnerships")  # in the values of a rule book
State = dict[str, Any]


class Change(NamedTuple):
    """A change that can be taken back: of a round, or without one of the rules."""

    round: int | None
    before: State | None
    after: State | None
    follows: int | None


def can_be_walked(lines: Iterable[Row]) -> bool:
    """Return whether every line takes up the game where the line before it left it.

    Then whatever undo and redo lead to is something that the game was before.
    """
    walk = _Walk()
    return all(walk.takes(version, line) for version, line in enumerate(lines, 1))


class _Walk:
    """A game as the lines of its journal have left it so far."""

    def __init__(self) -> None:
        self._setup: State = {}
        self._rounds: list[State] = []
        self._changes: dict[int, Change] = {}
        self._newest: dict[int | None, int] = {}  # the newest change that follows another
        self._stands = 0

    def takes(self, version: int, line: Row) -> bool:
        """Take the next line in; return whether it fits."""
        before, after = (json.loads(line[side] or "null") for side in ("before", "after"))
        change = Change(line["round"], before, after, line["follows"])
        kind = line["kind"]
        if version == 1:
            self._setup = after or {}
            fits = kind == "begin" and change[:2] == (None, None) and change.follows is None
        elif kind in REMOVALS:
            return change == (None, None, None, None) and line["stands"] == self._stands
        elif kind == "undo":
            undone = self._changes[self._stands]
            back = Change(undone.round, undone.after, undone.before, None)
            fits, version = change == back and self._puts(back), undone.follows or 0
        elif kind == "redo":
            version = self._newest.get(self._stands, 0)
            again = self._changes.get(version, change)._replace(follows=None)
            fits = version > 0 and change == again and self._puts(again)
        else:
            fits = change.follows == self._stands and self._puts(change)
        if line["kind"] not in ("undo", "redo"):
            self._changes[version], self._newest[change.follows] = change, version
        self._stands = version
        return fits and line["stands"] == version

    def _puts(self, change: Change) -> bool:
        """Put what is after a change in place of what was before it; return whether both fit."""
        number, before, after, _follows = change
        if number is None:
            return self._puts_rules(before or {}, after or {})
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

    def _puts_rules(self, before: State, after: State) -> bool:
        if not set(before) == set(after) == RULES or not isinstance(after["house_rules"], str):
            return False
        old, new = before["rule_values"], after["rule_values"]
        fits = all(before[name] == self._setup.get(name) for name in RULES)
        fits = fits and all(old[name] == new[name] for name in FIXED)
        self._setup |= after
        is_scored = any("tricks" in round_ for round_ in self._rounds[:1])
        return fits and (old["tricks"] == new["tricks"] or not is_scored)
