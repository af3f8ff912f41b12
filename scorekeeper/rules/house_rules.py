"""Which of some changes a rule book can take, so that one that cannot be played spoils no other."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, with_house_rules

# One of two is refused for want of the other.
PARTNERS = {"bag_limit": "bag_penalty", "bag_penalty": "bag_limit"}
Refusals = dict[str, RulesRefused]


def fit(base: RuleSet, changes: Mapping[str, str]) -> tuple[RuleSet, Refusals]:
    """Return the rules with every change that can be played, and why the others cannot.

    The refusals stand under the names of the changes that were left out.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> rules, refused = fit(CUTTHROAT_LITE, {"target": "200", "board": "4"})
    >>> rules.target, str(refused["board"])
    (200, 'The board is for partnerships: for single players use the least bid.')
    """
    kept, refused = dict(changes), Refusals()
    while True:
        try:
            return with_house_rules(base, kept), refused
        except RulesRefused as why:
            culprit = why.field if why.field in kept else PARTNERS.get(why.field, "")
            culprit = culprit if culprit in kept else next(reversed(kept))
            refused[culprit] = why
            del kept[culprit]


def is_malformed(name: str, text: str) -> bool:
    """Return whether a text is no value of a house rule at all, whatever the others are."""
    kind = HOUSE_RULES.get(name)
    return kind is None or not kind.accepts(kind.read(text.strip()))
