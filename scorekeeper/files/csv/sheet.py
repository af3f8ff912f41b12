"""A game as a CSV file holds it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.clock import day_in
from scorekeeper.files.csv.formulas import escape_formula
from scorekeeper.rules.game import Round, sides_of
from scorekeeper.rules.ruleset import RuleSet, house_rules

LEFT = "left=yes"  # the note in the last row of a player who leaves a seat


@dataclass(frozen=True)
class Sheet:
    """The facts of a game.

    `started` is ISO 8601 with an offset, or empty; `rules` differ from the rule book `base` by
    house rules; `names` are those of the players who start, in the order of the seats;
    `first_dealer` is a seat, counted from 0. `rounds` is iterated once, so it may be read from a
    file or a database on the way. `line` is where the game begins in a file, if it is from one.
    `zone` names the time zone of its table; None is that of this computer.
    """

    game: str
    started: str
    rules: RuleSet
    base: RuleSet
    names: tuple[str, ...]
    first_dealer: int
    rounds: Iterable[Round]
    line: int = 0
    zone: str | None = None

    @cached_property
    def cells(self) -> tuple[str, str, str, str]:
        """The cells with which each row begins; house rules are `name=value;name=value`."""
        changes = house_rules(self.base, self.rules)
        changed = ";".join(f"{name}={value}" for name, value in changes.items())
        return escape_formula(self.game), self.started, self.base.key, changed

    @cached_property
    def day(self) -> str:
        """The day on which the game began in its time zone, empty where that is not known."""
        with suppress(ValueError, OverflowError):
            return day_in(self.zone, self.started)
        return ""

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.rules, len(self.names))
