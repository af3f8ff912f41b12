"""Names, values and choices of rule book settings for display."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, value_text
from scorekeeper.rules.value_kinds import Number, Switch, Word
from scorekeeper.web.text.numbers import minus

PARTNERS_ALONE = {"blind_nil_partners", "double_nil_points", "board"}


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
        "dropped": _("reset"),
        "kept": _("carried over"),
        "overtricks": _("overtricks"),
        "contract": _("count toward the contract"),
        "ignored": _("ignored"),
        "one": _("one"),
        "both": _("both"),
    }


def values_shown(values: Mapping[str, str]) -> str:
    """Return house rules, given as text by name, in one line and in the order of the form."""
    labels = value_names()
    in_order = (name for _title, names in value_groups() for name in names if name in values)
    return " · ".join(
        f"{labels[name]}: {value_shown(HOUSE_RULES[name].read(values[name]))}" for name in in_order
    )


def value_names() -> dict[str, str]:
    return {
        "target": _("Winning score"),
        "tricks": _("Cards per player"),
        "trick_points": _("Points per trick bid"),
        "set_points": _("Points lost per trick bid when set"),
        "nil_points": _("Nil"),
        "blind_nil_points": _("Blind Nil"),
        "blind_nil_deficit": _("Blind Nil requires trailing by"),
        "blind_nil_partners": _("Partners allowed to bid blind Nil"),
        "double_nil_points": _("Double Nil (both partners)"),
        "failed_nil_tricks": _("Tricks from a failed Nil"),
        "overtrick_points": _("Points per overtrick"),
        "overtrick_cap": _("Max overtrick points per round"),
        "bag_limit": _("Bags per penalty"),
        "bag_penalty": _("Bag penalty"),
        "bag_remainder": _("After penalty"),
        "minimum_bid": _("Minimum bid"),
        "bids_may_equal_tricks": _("Bids can total the tricks"),
        "board": _("Minimum partnership bid"),
        "ten_for": _("Points per trick, contract of 10 or more"),
        "first_round_bids_itself": _("No bidding in round 1"),
        "mercy": _("Losing score"),
        "first_dealer": _("First dealer"),
    }


def value_groups(preset: RuleSet | None = None) -> list[tuple[str, list[str]]]:
    """Return titles of groups with the names of their rule values.

    With a preset only the values that it can use are listed.
    """
    groups = [
        (_("Contract"), ["trick_points", "set_points", "ten_for", "board"]),
        (
            _("Nil"),
            [
                *("nil_points", "blind_nil_points", "blind_nil_deficit", "blind_nil_partners"),
                *("double_nil_points", "failed_nil_tricks"),
            ],
        ),
        (
            _("Overtricks and bags"),
            ["overtrick_points", "overtrick_cap", "bag_limit", "bag_penalty", "bag_remainder"],
        ),
        (
            _("Deal and bidding"),
            [
                *("tricks", "minimum_bid", "bids_may_equal_tricks", "first_round_bids_itself"),
                "first_dealer",
            ],
        ),
        (_("End of game"), ["target", "mercy"]),
    ]
    unused = set() if preset is None or preset.partnerships else PARTNERS_ALONE
    return [(title, [name for name in names if name not in unused]) for title, names in groups]


def is_plain_number(name: str) -> bool:
    """Return whether a rule value is typed in digits only, with the numeric keyboard of phones."""
    kind = HOUSE_RULES[name]
    return isinstance(kind, Number) and not kind.off


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
}
