"""Which house rules can be played, and which values each rule book has."""

import pytest

from scorekeeper.rules.presets import PRESETS, restore
from scorekeeper.rules.ruleset import RulesRefused, with_house_rules
from scorekeeper.rules.values import UNSCORED
from tests.rules.tables import Row, examples, numbers, pairs, rules_of


@examples("rulesets")
def test_house_rules_are_accepted_or_refused(row: Row) -> None:
    if row["allowed"] == "yes":
        rules_of(row)
        return
    with pytest.raises(RulesRefused) as refused:
        rules_of(row)
    assert refused.value.field == row["reason"]
    assert str(refused.value.sentence)


@examples("presets")
def test_a_rule_book_has_its_values(row: Row) -> None:
    rules = PRESETS[row["rules"]]
    assert rules.players == numbers(row["players"])
    for name, value in pairs(row["values"]).items():
        assert getattr(with_house_rules(rules, {name: value}), name) == getattr(rules, name), name


def test_switching_the_bag_limit_off_drops_the_penalty() -> None:
    rules = with_house_rules(PRESETS["cutthroat"], {"bag_limit": "off"})
    assert (rules.bag_limit, rules.bag_penalty) == (None, None)


def test_switching_blind_nil_off_drops_the_deficit() -> None:
    rules = with_house_rules(PRESETS["partnership"], {"blind_nil_points": "off"})
    assert (rules.blind_nil_points, rules.blind_nil_deficit) == (None, None)


def test_house_rules_leave_the_rule_book_as_it_was() -> None:
    with_house_rules(PRESETS["cutthroat-lite"], {"target": "200"})
    assert PRESETS["cutthroat-lite"].target == 125


def test_the_settings_of_the_longer_game_make_the_shorter_one() -> None:
    short = {"target": "250", "nil_points": "50", "bag_limit": "5", "bag_penalty": "50"}
    made, preset = with_house_rules(PRESETS["partnership-500"], short), PRESETS["partnership-250"]
    assert made.values | {"key": preset.key, "name": preset.name} == preset.values


@pytest.mark.parametrize("key", PRESETS)
def test_values_that_score_nothing_come_from_the_book_for_older_games(key: str) -> None:
    stored = PRESETS[key].values
    older = {name: value for name, value in stored.items() if name not in UNSCORED}
    assert restore(older) == PRESETS[key]
    assert restore(stored | {"rematch_dealer": "next"}).rematch_dealer == "next"


@pytest.mark.parametrize(
    ("key", "name", "values"),
    [
        ("convention", "ten_for", {"tricks": 9, "ten_for": 20}),
        ("cookout", "ten_made", {"tricks": 9, "ten_made": 0}),
        ("cutthroat", "ten_failed", {"maximum_bid": 9, "ten_failed": 3}),
        ("cutthroat", "boston_made", {"maximum_bid": 8, "boston_made": 200}),
        ("cutthroat", "call_values", {"maximum_bid": 6, "call_values": "1-6:1,7-13:2"}),
    ],
)
def test_values_that_nobody_can_reach_are_read_but_not_chosen(
    key: str, name: str, values: dict[str, int | str]
) -> None:
    off = {"ten_for": None, "ten_made": None, "ten_failed": None, "boston_made": None}
    stored = PRESETS[key].values | off | values
    game = restore(stored)
    assert getattr(game, name) == values[name]
    with pytest.raises(RulesRefused) as refused:
        with_house_rules(game, {"mercy": "off"})
    assert refused.value.field == name
