"""Names, values and choices of rule book settings for display."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, value_text
from scorekeeper.rules.sentence import Sentence
from scorekeeper.rules.value_kinds import Number, Switch, Word
from scorekeeper.rules.values import DECLARED, GROUPS
from scorekeeper.web.text.numbers import minus


def value_shown(value: int | str | bool | None) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return minus(value)
    text = value_text(value)
    return value_words().get(text, text)


def value_words() -> dict[str, str]:
    """Return the label of each value that is not a number, by its text in files."""
    return {
        "off": _("off"),
        "yes": _("yes"),
        "no": _("no"),
        "last": _("last seat"),
        "random": _("random"),
        "as_first": _("as in a first game"),
        "next": _("next player"),
        "broken": _("once broken"),
        "opening": _("to the first trick, or once broken"),
        "anytime": _("any time"),
        "dropped": _("reset"),
        "kept": _("carried over"),
        "overtricks": _("overtricks"),
        "contract": _("count toward the contract"),
        "ignored": _("ignored"),
        "one": _("one"),
        "both": _("both"),
        "another_round": _("another round"),
        "fewer_bags": _("fewer overtricks win"),
        "per_trick": _("per trick bid"),
        "zero": _("nothing"),
        "shortfall": _("per missing trick"),
        "lowest": _("the lowest score"),
        "bids": _("the bids"),
        "values": _("what they’re worth"),
        "side": _("side"),
        "seat": _("player"),
        "spades": _("spades"),
        "hearts": _("hearts"),
        "points": _("whole points"),
        "tenths": _("one decimal"),
    }


def values_shown(values: Mapping[str, str]) -> str:
    """Return house rules, given as text by name, in one line and in the order of the form."""
    labels = value_names()
    in_order = (name for _title, names in value_groups() for name in names if name in values)
    return " · ".join(
        f"{labels[name]}: {value_shown(HOUSE_RULES[name].read(values[name]))}" for name in in_order
    )


def value_names() -> dict[str, str]:
    return {name: translate(declared.label) for name, declared in DECLARED.items()}


def value_groups(preset: RuleSet | None = None) -> list[tuple[str, list[str]]]:
    """Return titles of groups with the names of their rule values.

    With a preset only the values that it can use are listed.
    """
    return [
        (
            translate(group),
            [name for name in _names_of(group) if not preset or can_use(preset, name)],
        )
        for group in GROUPS
    ]


def _names_of(group: Sentence) -> list[str]:
    names = [name for name, declared in DECLARED.items() if declared.group == group]
    for name in [name for name in names if DECLARED[name].after]:
        names.remove(name)
        names.insert(names.index(DECLARED[name].after) + 1, name)
    return names


def can_use(rules: RuleSet, name: str) -> bool:
    """Return whether a value means something where partners play, or where everybody is alone."""
    declared = DECLARED[name]
    bound_to = [limit.relation for limit in declared.limits if "partnerships" in limit.others]
    if rules.partnerships:
        return "excludes" not in bound_to
    return "needs" not in bound_to and not declared.is_for_partners


def is_plain_number(name: str) -> bool:
    """Return whether a rule value is typed in digits only, with the numeric keyboard of phones."""
    kind = HOUSE_RULES[name]
    return isinstance(kind, Number) and not kind.off


def is_switch(name: str) -> bool:
    """Return whether a rule value is yes or no."""
    return isinstance(HOUSE_RULES[name], Switch)


def refusal_shown(refused: RulesRefused) -> str:
    """Return why a house rule is refused, with the label of the value."""
    sentence = refused.sentence
    if "name" in sentence.values and refused.field in HOUSE_RULES:
        values = {**sentence.values, "name": f"“{value_names()[refused.field]}”"}
        sentence = sentence._replace(values=values)
    return translate(sentence)


def value_choices(name: str) -> list[tuple[str, str]]:
    """Return the choices of a rule value as (value, label), empty for a number."""
    kind = HOUSE_RULES[name]
    if isinstance(kind, Word):
        return [(word, value_shown(word)) for word in kind.words]
    if isinstance(kind, Switch):
        return [(value_text(choice), value_shown(choice)) for choice in (True, False)]
    return []


VALUE_WORDS: dict[str, Any] = {
    "value_shown": value_shown,
    "values_shown": values_shown,
    "value_names": value_names,
    "value_choices": value_choices,
    "value_groups": value_groups,
    "is_plain_number": is_plain_number,
    "is_switch": is_switch,
}
