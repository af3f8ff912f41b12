"""Values of house rules to try, derived from the fields of `RuleSet`: new fields are tried too."""

from collections.abc import Iterable

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from scorekeeper.rules.value_kinds import Number, Word


def sample_texts(name: str, numbers: Iterable[int] = ()) -> tuple[str, ...]:
    """Return values of a house rule as text: every word, or `off` and some numbers.

    Where no numbers are given, they are some of the least and those of the rule books.
    """
    kind = HOUSE_RULES[name]
    if isinstance(kind, Word):
        return kind.words
    if not isinstance(kind, Number):
        return ("yes", "no")
    in_books = {getattr(preset, name) for preset in PRESETS.values()} - {None}
    found = sorted(numbers or {kind.low, kind.low + 1, kind.low + 3, *in_books})
    return (*(["off"] if kind.off else []), *map(str, found))
