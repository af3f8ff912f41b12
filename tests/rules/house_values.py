"""Values of house rules to try, derived from the fields of `RuleSet`: new fields are tried too."""

from collections.abc import Iterable

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from scorekeeper.rules.value_kinds import Number, Sizes, Steps, Word

# Values that change nothing by themselves, and what they need.
NEEDED = {
    "minimum_rounds": {"sets_lose": "2"},
    "bids_at_least_by_total": {"bids_at_least": "11"},
    "bids_at_least_counts": {"bids_at_least": "11", "call_values": "5-13:2"},
    "bid_by": {"double_nil_points": "off"},
    "tricks_by": {"nil_points": "off", "blind_nil_points": "off", "blind_nil_deficit": "off"},
    "blind_trick_points": {"blind_bid_from": "6"},
    "blind_set_points": {"blind_bid_from": "6"},
    "blind_bid_deficit": {"blind_bid_from": "6"},
    "trump_order": {"trump": "in_order"},
    "hook_from": {"bids_may_equal_tricks": "no"},
    "blind_nil_failed": {"blind_nil_points": "200"},
    "deal": {"players": "2"},
    "partner_least": {"totals_by": "seat", "bag_limit": "off", "win_needs_partner": "yes"},
    "win_needs_partner": {"totals_by": "seat", "bag_limit": "off"},
}


def sample_changes(name: str) -> list[dict[str, str]]:
    """Return changes to a rule book that try a house rule, with the values that it needs."""
    return [{**NEEDED.get(name, {}), name: text} for text in sample_texts(name)]


def sample_texts(name: str, numbers: Iterable[int] = ()) -> tuple[str, ...]:
    """Return values of a house rule as text: every word, or `off` and some numbers.

    Where no numbers are given, they are some of the least and those of the rule books.
    """
    kind = HOUSE_RULES[name]
    if isinstance(kind, Word):
        return kind.words
    if isinstance(kind, Steps):
        return ("off", kind.example)
    if isinstance(kind, Sizes):
        return (kind.example, "2", "4,6")
    if not isinstance(kind, Number):
        return ("yes", "no")
    in_books = {getattr(preset, name) for preset in PRESETS.values()} - {None}
    found = sorted(numbers or {kind.low, kind.low + 1, kind.low + 3, *in_books})
    return (*(["off"] if kind.off else []), *map(str, found))
