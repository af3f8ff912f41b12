"""A round that no game can have is refused with the same sentence in JSON and in a sheet."""

import io

import pytest

from scorekeeper.files.csv_columns import FileError, Sheet
from scorekeeper.files.exports import csv_of
from scorekeeper.files.imports import games_of_file
from scorekeeper.files.json import json_of
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PARTNERSHIP, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.journal import GameRecord

NAMES = ("North", "East", "South", "West")
OH_HELL = PRESETS["oh-hell"]
FIRST = Round((3, 3, 3, 3), (3, 4, 3, 3))
DEALT = Round((3, 3, 3, 3), (3, 3, 2, 2))
WRONG = {
    "a trick too few": (
        PARTNERSHIP, [FIRST, FIRST._replace(tricks=(3, 3, 3, 3))],
        6, "Round 2: Tricks total 12, but 13 were played. Count again.",
    ),
    "more tricks than cards": (
        PARTNERSHIP, [FIRST._replace(tricks=(3, 14, 3, 3))],
        3, "Round 1, East: A round has only 13 tricks, so nobody can take 14.",
    ),
    "a bid above the tricks": (
        PARTNERSHIP, [FIRST._replace(bids=(3, 3, 14, 3))],
        4, "Round 1, South: Bid 1 to 13, or Nil for no tricks at all.",
    ),
    "a penalty above the tricks": (
        PARTNERSHIP, [FIRST.noted(penalties=(Penalty(1, "books", 14, "others", "renege"),))],
        3, "Round 1, East: Choose 1 to 13 tricks.",
    ),
    "a start that comes late": (
        PARTNERSHIP, [FIRST, FIRST.noted(start=(50, 60))],
        6, "Round 2: Start totals are entered with round 1.",
    ),
    "cards that a pack does not have": (
        OH_HELL, [DEALT.noted(cards=14)], 2, "Round 1: A round can have 1 to 13 cards.",
    ),
}  # fmt: skip


def read(rules: RuleSet, rounds: list[Round], form: str) -> GameRecord:
    """Return the game that comes back from a file of one of the two forms."""
    if form == "csv":
        file = csv_of([Sheet("g", "", rules, PRESETS[rules.key], NAMES, 3, rounds)])
    else:
        at = "2026-11-28T20:00:00+00:00"
        file = json_of([GameRecord("g", at, rules, NAMES, 3, None, tuple(rounds))])
    (game,) = games_of_file(io.BufferedReader(io.BytesIO(b"".join(file))))
    return game


@pytest.mark.parametrize(("rules", "rounds", "line", "sentence"), WRONG.values(), ids=WRONG)
def test_a_round_that_no_game_can_have_is_refused_in_json_as_in_a_sheet(
    rules: RuleSet, rounds: list[Round], line: int, sentence: str
) -> None:
    for form, place in (("csv", line), ("json", 2)):
        with pytest.raises(FileError) as error:
            read(rules, rounds, form)
        assert (error.value.message, error.value.line) == (sentence, place), form


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_penalty_of_more_books_than_a_short_round_has_comes_back(form: str) -> None:
    rounds = [DEALT, Round((3, 3, 3, 0), (3, 3, 2, 1)).noted(
        penalties=(Penalty(1, "books", 10, "nobody", "renege"),)
    )]  # fmt: skip
    assert read(OH_HELL, rounds, form).rounds == tuple(rounds)
