"""House rules taken from one rule book to another: what can be played stays."""

import pytest

from scorekeeper.rules.presets import PRESETS, apply_house_rules, is_malformed
from scorekeeper.rules.value_kinds import Limit, Number
from scorekeeper.rules.values import DECLARED
from tests.rules.house_values import sample_texts
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
    "not more cards than there are": ("cutthroat", "tricks=27;target=9", "target", "tricks"),
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


LIMITS = [
    pytest.param(name, limit, id=f"{name} {limit.relation} {'/'.join(limit.others)}")
    for name, declared in DECLARED.items()
    for limit in declared.limits
]


def texts_of(name: str) -> tuple[str, ...]:
    """Return some values of a rule, with the highest number."""
    kind = DECLARED[name].kind
    return (*sample_texts(name), *([str(kind.high)] if isinstance(kind, Number) else []))


@pytest.mark.parametrize(("name", "limit"), LIMITS)
def test_a_declared_limit_refuses_what_breaks_it(name: str, limit: Limit) -> None:
    (other, *_) = [other for other in limit.others if other in DECLARED] or [name]
    changes = [{other: one, name: text} for one in texts_of(other) for text in texts_of(name)]
    assert any(
        refused.sentence.text == limit.sentence.text
        for book in PRESETS.values()
        for each in [{name: text} for text in texts_of(name)] + changes
        for refused in apply_house_rules(book, each)[1].values()
    )
