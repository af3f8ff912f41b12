"""A rule book: values that fit one another, and house rules as what differs from it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from scorekeeper.rules.contradictions import contradictions
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.rules.value_kinds import Kind
from scorekeeper.rules.values import DECLARED, RuleValues
from scorekeeper.rules.values import PACK as PACK


class RulesRefused(ValueError):
    """A house rule that cannot be played: `field` names the value, `sentence` says what to do."""

    def __init__(self, name: str, sentence: Sentence):
        super().__init__(str(sentence))
        self.field = name
        self.sentence = sentence


@dataclass(frozen=True, kw_only=True)
class RuleSet(RuleValues):
    """A rule book; values that contradict one another raise `RulesRefused`."""

    def __post_init__(self) -> None:
        if type(self.mercy) is int and self.mercy >= 0:
            sentence = N_("The losing score must be below zero, or off.")
            raise RulesRefused("mercy", sentence)
        for name, kind in HOUSE_RULES.items():
            if not kind.accepts(getattr(self, name)):
                raise RulesRefused(name, kind.expects(name))
        for name, sentence in contradictions(self):
            raise RulesRefused(name, sentence)

    def __hash__(self) -> int:
        return self._hash

    @cached_property  # every cached score is looked up by it
    def _hash(self) -> int:
        return super().__hash__()

    @property
    def values(self) -> dict[str, Any]:
        """Every value as plain data, complete, for keeping beside a game."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """The numbers of players that one pack can deal for."""
        return tuple(n for n in self.players if n * self.tricks <= PACK)


HOUSE_RULES: Mapping[str, Kind] = {name: declared.kind for name, declared in DECLARED.items()}


def with_house_rules(rules: RuleSet, changes: Mapping[str, str]) -> RuleSet:
    """Return the rules with some values changed, given as text.

    Numbers are ASCII digits, `off` where a value can be absent, `yes` or `no` for a switch.
    Switching a value off takes along what means nothing without it: the bag limit its penalty,
    Nil blind Nil and the double Nil, blind Nil its deficit, the least sum of bids its steps, blind
    bids their points and deficit.
    Raises `RulesRefused` for an unknown name, a malformed value or a contradiction.
    """
    values: dict[str, Any] = {name: _read(name, text) for name, text in changes.items()}
    for name, declared in DECLARED.items():
        whole = next((limit.others[0] for limit in declared.limits if limit.part), "")
        if whole in values and values[whole] is None:
            values.setdefault(name, None)
    return replace(rules, **values)


def house_rules(base: RuleSet, rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from a rule book, as text for `with_house_rules`."""
    return {
        name: value_text(getattr(rules, name))
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(base, name)
    }


def value_text(value: int | str | bool | None) -> str:
    """Return a rule value as it is written in files and on the command line."""
    if value is None:
        return "off"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read(name: str, text: str) -> int | str | bool | None:
    kind = HOUSE_RULES.get(name)
    if kind is None:
        raise RulesRefused(name, N_("Unknown house rule: {name}.", name=name[:40]))
    return kind.read(text.strip())
