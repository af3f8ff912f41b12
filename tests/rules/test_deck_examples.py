"""Which cards come out of the pack before the first deal, and how many each round deals."""

from scorekeeper.rules.deck import cards_to_take_out, preparation
from scorekeeper.rules.presets import PRESETS
from tests.rules.tables import Row, examples, numbers, rules_of


@examples("pack")
def test_the_pack_is_prepared(row: Row) -> None:
    out = cards_to_take_out(rules_of(row), int(row["players"]))
    assert sorted(out) == sorted(row["cards_out"].split())


@examples("plans")
def test_the_cards_of_each_round_are_planned(row: Row) -> None:
    rules, players = rules_of(row), int(row["players"])
    assert rules.plan(players) == numbers(row["cards"])
    assert rules.length(players) == (int(row["rounds"]) if row["rounds"] else None)


def told(preset: str, players: int) -> str:
    return " ".join(str(sentence) for sentence in preparation(PRESETS[preset], players))


def test_two_jokers_take_the_place_of_two_low_cards() -> None:
    assert "two jokers: also remove 2♣ 2♦" in told("cutthroat", 4)


def test_jokers_are_no_part_of_a_partnership_game() -> None:
    assert "joker" not in told("partnership-500", 4)
