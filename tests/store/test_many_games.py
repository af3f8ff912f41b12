"""A few random games of every rule book; `many_games` plays thousands on demand."""

import random

import pytest

from scorekeeper.rules.presets import DEFAULT, PRESETS
from tests.store.many_games import play_and_take_away


@pytest.mark.parametrize("key", PRESETS)
def test_random_games_with_changing_rules_are_the_same_in_another_store(key: str) -> None:
    made = play_and_take_away(random.Random(key), PRESETS[key], 5)
    assert made["begin"] == 5


def test_the_rules_of_random_games_do_change() -> None:
    made = play_and_take_away(random.Random(DEFAULT.key), DEFAULT, 5)
    assert made["rules"] > 0
