"""Names, values and choices of rule book settings for display."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, value_text
from scorekeeper.rules.value_kinds import Number, Switch, Word
from scorekeeper.web.text.numbers import minus

PARTNERS_ALONE = {
    *("blind_nil_partners", "double_nil_points", "board", "totals_by", "win_needs_partner"),
    *("bid_by", "tricks_by"),
}

ALONE = {"joins_at"}


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
    return {
        "target": _("Winning score"),
        "rounds": _("Rounds per game"),
        "tie_at_limit": _("Tie after the last round"),
        "minutes": _("Minutes on the clock"),
        "sets_lose": _("Sets that lose the game"),
        "sets_in_a_row_lose": _("Sets in a row that lose the game"),
        "minimum_rounds": _("Losing by sets starts after round"),
        "first_round_minimum": _("Tricks needed in round 1"),
        "tricks": _("Cards per player"),
        "trick_points": _("Points per trick bid"),
        "set_points": _("Points lost per trick bid when set"),
        "failed_bid": _("Lost when set"),
        "call_values": _("Bids that count more than once"),
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
        "bid_by": _("One bid per"),
        "tricks_by": _("Tricks counted per"),
        "minimum_bid": _("Minimum bid"),
        "minimum_by_total": _("Minimum bid by score"),
        "maximum_bid": _("Maximum bid"),
        "bids_may_equal_tricks": _("Bids can total the tricks"),
        "bids_at_least": _("Minimum total of all bids"),
        "bids_at_least_by_total": _("Minimum total by score"),
        "bids_at_least_counts": _("Counted in that total"),
        "board": _("Minimum partnership bid"),
        "ten_for": _("Points per trick, contract of 10 or more"),
        "ten_made": _("Contract of 10 or more made"),
        "ten_failed": _("Contract of 10 or more set"),
        "boston_made": _("All tricks bid and taken"),
        "blind_bid_from": _("Lowest blind bid of a number"),
        "blind_trick_points": _("Points per trick bid blind"),
        "blind_set_points": _("Points lost per trick bid blind when set"),
        "blind_bid_deficit": _("Blind bids require trailing by"),
        "first_round_bids_itself": _("No bidding in round 1"),
        "mercy": _("Losing score"),
        "totals_by": _("Totals kept per"),
        "win_needs_partner": _("Winner’s partner can’t be below zero"),
        "joins_at": _("A player who joins starts with"),
        "first_dealer": _("First dealer"),
        "rematch_dealer": _("Dealer of a rematch"),
        "clockwise": _("Clockwise"),
        "trump": _("Trump"),
        "trump_lead": _("Leading trumps"),
        "must_trump": _("Must trump if unable to follow"),
        "shown_as": _("Scores shown in"),
        "negative_doubles": _("Below zero pays double"),
    }


def value_groups(preset: RuleSet | None = None) -> list[tuple[str, list[str]]]:
    """Return titles of groups with the names of their rule values.

    With a preset only the values that it can use are listed.
    """
    groups = [
        (
            _("Contract"),
            [
                *("trick_points", "set_points", "failed_bid", "call_values", "ten_for"),
                *("ten_made", "ten_failed", "boston_made", "board", "blind_bid_from"),
                *("blind_trick_points", "blind_set_points", "blind_bid_deficit"),
            ],
        ),
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
                *("tricks", "bid_by", "tricks_by", "minimum_bid", "minimum_by_total"),
                "maximum_bid",
                *("bids_may_equal_tricks", "bids_at_least", "bids_at_least_by_total"),
                *("bids_at_least_counts", "first_round_bids_itself", "first_dealer"),
                *("rematch_dealer", "clockwise", "trump", "trump_lead", "must_trump"),
            ],
        ),
        (
            _("End of game"),
            [
                *("target", "rounds", "tie_at_limit", "minutes", "mercy", "sets_lose"),
                *("sets_in_a_row_lose", "minimum_rounds", "first_round_minimum", "totals_by"),
                *("win_needs_partner", "joins_at", "shown_as", "negative_doubles"),
            ],
        ),
    ]
    unused = set()
    if preset is not None:
        unused = ALONE if preset.partnerships else PARTNERS_ALONE
    return [(title, [name for name in names if name not in unused]) for title, names in groups]


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
