"""The rules a game is scored by: those asked for, or those that its file names."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.files.csv.columns import SheetError, excerpt
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet, RulesRefused, house_rules, with_house_rules


class ChosenRules(NamedTuple):
    """The rules of a game, the rule book they differ from, and whether a file named them."""

    rules: RuleSet
    base: RuleSet
    from_file: bool

    def with_change(self, name: str, value: str) -> str:
        """Return in words how to score by these rules with one value changed."""
        if not self.from_file:
            return f"--set {name}={value}"
        changes = house_rules(self.base, self.rules) | {name: value}
        values = ";".join(f"{changed}={to}" for changed, to in changes.items())
        return _("“{values}” in a “house_rules” column").format(values=values)


def rules_of_options(key: str | None, changes: Mapping[str, str]) -> ChosenRules | None:
    """Return the rules given by options, or None where none are given.

    Raises `SheetError` without a line for an unknown rule book or a refused house rule.
    """
    if key is None and not changes:
        return None
    base = DEFAULT if key is None else rule_book(key)
    return ChosenRules(_changed(base, changes), base, from_file=False)


@lru_cache(maxsize=64)  # the same few in all games of a file, and checking them takes longest
def rules_of_file(key_cell: str, house_rules_cell: str, default: RuleSet) -> ChosenRules:
    """Return the rules that a file names for a game; those of `default` where it names no book.

    Raises `SheetError` without a line, as `rules_of_options` does.
    """
    changes: dict[str, str] = {}
    for part in filter(None, map(str.strip, house_rules_cell.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or name in changes:
            sentence = _(
                "“{part}” isn’t a house rule. Write each once as name=value, separated by ;."
            )
            raise SheetError(None, sentence.format(part=excerpt(part)))
        changes[name.strip()] = value
    key = key_cell.strip()
    base = rule_book(key) if key else default
    return ChosenRules(_changed(base, changes), base, from_file=True)


def rule_book(key: str) -> RuleSet:
    """Return the rule book of a key; raises `SheetError` without a line for an unknown one."""
    base = PRESETS.get(key)
    if base is None:
        sentence = _("Unknown rules “{key}”. Choose one of: {keys}.")
        raise SheetError(None, sentence.format(key=excerpt(key), keys=", ".join(PRESETS)))
    return base


def _changed(base: RuleSet, changes: Mapping[str, str]) -> RuleSet:
    try:
        return with_house_rules(base, changes)
    except RulesRefused as refused:
        raise SheetError(None, excerpt(translate(refused.sentence), 400)) from refused
