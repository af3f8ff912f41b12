"""A few random games of every rule book; `many_games` plays thousands on demand."""

import random

import pytest

from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from tests.store.many_games import play_and_take_away


@pytest.mark.parametrize("key", PRESETS)
def test_random_games_with_changing_rules_are_the_same_in_another_store(key: str) -> None:
    made = play_and_take_away(random.Random(key), PRESETS[key], 3)
    assert made["begin"] == 3


def test_the_rules_of_random_games_do_change() -> None:
    made = play_and_take_away(random.Random(DEFAULT.key), DEFAULT, 12)
    assert made["rules"] > 0


@pytest.mark.parametrize("cards", ["10-1,2-10", "3,1-4", "2,2,2", "13,1"])
def test_random_games_of_other_cards_each_round_are_too(cards: str) -> None:
    for book in ("cutthroat-lite", "partnership-250"):
        rules = with_house_rules(PRESETS[book], {"cards": cards})
        made = play_and_take_away(random.Random(cards), rules, 2)
        assert made["begin"] == 2
