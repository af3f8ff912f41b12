"""The game of a table: its rules by the plan, who sits where, and what it comes to."""

import pytest

from scorekeeper.club.events import Entered, Format, Plan, SetUp
from scorekeeper.club.games import books_for, dealer_at, names_at, result_of, rules_of
from scorekeeper.club.match import Match, Result, Seating
from scorekeeper.club.night import Night, fold
from scorekeeper.rules import score
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RulesRefused, with_house_rules

TEAMS = (("Ana", "Ben"), ("Cy", "Dana"))
FOUR = (("Ana",), ("Ben",), ("Cy",), ("Dana",))


def evening(plan: Plan, entries: tuple[tuple[str, ...], ...]) -> Night:
    return fold([SetUp(plan), *(Entered(number, names) for number, names in enumerate(entries))])


def test_partners_sit_opposite() -> None:
    night = evening(Plan(format="swiss", seed=1), TEAMS)
    assert names_at(night, Match(1, Seating((((0,), (1,)),))), 1) == ("Ana", "Cy", "Ben", "Dana")


def test_singles_are_partners_for_a_match() -> None:
    night = evening(Plan(format="change_partners", seed=1), FOUR)
    match = Match(1, Seating((((0, 3), (1, 2)),)))
    assert names_at(night, match, 1) == ("Ana", "Ben", "Dana", "Cy")


def test_each_may_play_alone() -> None:
    night = evening(Plan(format="change_partners", seed=1, alone=True), FOUR)
    match = Match(1, Seating((((2,), (0,), (1,), (3,)),)))
    assert names_at(night, match, 1) == ("Cy", "Ana", "Ben", "Dana")


def test_the_same_lot_deals_first_each_time_it_is_asked() -> None:
    night = evening(Plan(format="swiss", seed=1), TEAMS)
    match = Match(1, Seating((((0,), (1,)),)))
    assert dealer_at(night, match, 1) == dealer_at(night, match, 1)
    assert {dealer_at(night, Match(n, match.seating), 1) for n in range(40)} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("format_", "alone", "tie"),
    [
        ("swiss", False, "shared"),
        ("all_play_all", False, "shared"),
        ("knock_out", False, "another_round"),
        ("progressive", False, "another_round"),
        ("progressive", True, "shared"),
    ],
)
def test_a_tie_is_shared_unless_somebody_has_to_go_on(
    format_: Format, alone: bool, tie: str
) -> None:
    rules = rules_of(Plan(format=format_, seed=1, alone=alone))
    assert rules.tie_at_limit == tie


def test_a_match_of_rounds_has_no_target() -> None:
    rules = rules_of(Plan(format="swiss", seed=1, rounds=6))
    assert (rules.rounds, rules.target) == (6, None)


def test_house_rules_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(RulesRefused):
        rules_of(Plan(format="swiss", seed=1, house_rules=(("minimum_rounds", "3"),)))


def test_books_fit_the_number_of_sides() -> None:
    of_sides, alone = books_for(alone=False), books_for(alone=True)
    assert {"partnership", "convention", "forty-one"} <= {book.key for book in of_sides}
    assert {"cutthroat-lite", "oh-hell"} <= {book.key for book in alone}
    assert not any(book.partnerships for book in alone)
    assert "spades-six" not in {book.key for book in of_sides}


def test_a_game_that_goes_on_has_no_result() -> None:
    assert result_of(score("partnership", list("NESW"), [((4, 3, 3, 3), (4, 3, 3, 3))])) is None


def test_a_game_that_is_over_has_the_points_and_bags_of_its_sides() -> None:
    rounds = [((5, 1, 5, 1), (6, 1, 5, 1))] * 2
    rules = with_house_rules(PRESETS["partnership"], {"target": "200"})
    game = score(rules, list("NESW"), rounds)
    assert result_of(game) == Result((202, 40), game.standing.bags)
    assert Result((202, 40)).winners == (0,)


def test_who_lost_by_the_rules_is_behind_whatever_the_points() -> None:
    assert Result((300, 200), lost=(0,)).winners == (1,)
    assert PRESETS["timed"].sets_in_a_row_lose  # a book in which that happens
