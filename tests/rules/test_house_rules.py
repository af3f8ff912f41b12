"""House rules taken from one rule book to another: what can be played stays."""

import doctest

import pytest

from scorekeeper.rules import house_rules
from scorekeeper.rules.house_rules import apply_house_rules, is_malformed
from scorekeeper.rules.presets import PRESETS
from tests.rules.tables import pairs

# rule book, changes, what is kept, what is left out
FITTING = {
    "all of it": ("cutthroat", "target=200;nil_points=off", "target;nil_points", ""),
    "no board alone": ("cutthroat", "target=200;board=4", "target", "board"),
    "no limit without its penalty": ("partnership", "bag_limit=5;target=9", "target", "bag_limit"),
    "no penalty without its limit": ("partnership", "bag_penalty=50", "", "bag_penalty"),
    "a limit with its penalty": (
        "partnership",
        "bag_limit=5;bag_penalty=50",
        "bag_limit;bag_penalty",
        "",
    ),
    "not more cards than there are": ("cutthroat", "tricks=17;target=9", "target", "tricks"),
    "no bid above the tricks": ("cutthroat-lite", "minimum_bid=11", "", "minimum_bid"),
    "what is malformed": ("cutthroat-lite", "target=x;mercy=5", "", "target;mercy"),
    "what nobody knows": ("cutthroat-lite", "jokers=2;target=9", "target", "jokers"),
}


@pytest.mark.parametrize(("key", "sent", "kept", "out"), FITTING.values(), ids=FITTING.keys())
def test_what_fits_is_played(key: str, sent: str, kept: str, out: str) -> None:
    changes = pairs(sent)
    rules, refused = apply_house_rules(PRESETS[key], changes)
    assert set(refused) == {name for name in out.split(";") if name}
    left = {name: changes[name] for name in kept.split(";") if name}
    assert apply_house_rules(PRESETS[key], left) == (rules, {})


@pytest.mark.parametrize(
    ("name", "text", "malformed"),
    [
        ("target", "x", True),
        ("target", "off", False),
        ("bag_limit", "off", False),
        ("board", "4", False),
        ("jokers", "2", True),
    ],
)
def test_what_is_no_value_at_all(name: str, text: str, malformed: bool) -> None:
    assert is_malformed(name, text) == malformed


def test_the_example_in_the_text_is_true() -> None:
    assert doctest.testmod(house_rules).failed == 0
