"""Applying house rules to a rule book, leaving out those that cannot be played."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, with_house_rules
from scorekeeper.rules.values import PAIRED

Refusals = dict[str, RulesRefused]


def apply_house_rules(base: RuleSet, changes: Mapping[str, str]) -> tuple[RuleSet, Refusals]:
    """Return the rules with every valid change, and why the others are refused.

    The refusals are keyed by the names of the changes that were left out.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> rules, refused = apply_house_rules(CUTTHROAT_LITE, {"target": "200", "board": "4"})
    >>> rules.target, list(refused)
    (200, ['board'])
    """
    kept, refused = dict(changes), Refusals()
    while True:
        try:
            return with_house_rules(base, kept), refused
        except RulesRefused as why:
            culprit = why.field if why.field in kept else PAIRED.get(why.field, "")
            culprit = culprit if culprit in kept else next(reversed(kept))
            refused[culprit] = why
            del kept[culprit]


def is_malformed(name: str, text: str) -> bool:
    """Return whether a text is not a value of a house rule, whatever the other values are."""
    kind = HOUSE_RULES.get(name)
    return kind is None or not kind.accepts(kind.read(text.strip()))
