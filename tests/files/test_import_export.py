"""Exported games are the same after an import."""

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.files.csv_columns import COLUMNS, FileError
from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.files.imports import read_upload
from scorekeeper.rules.presets import CUTTHROAT_LITE, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults
from scorekeeper.store.games import MAX_ROUNDS
from tests.growth import LONG, MARKS, assert_grows_slowly
from tests.properties import examples
from tests.store.many_games import a_store, exported, play, taken_in
from tests.store.play import Keeper

FIRST_VALUES = (
    "key", "name", "players", "partnerships", "target", "tricks", "trick_points", "set_points",
    "nil_points", "blind_nil_points", "blind_nil_deficit", "blind_nil_partners",
    "double_nil_points", "failed_nil_tricks", "overtrick_points", "overtrick_cap", "bag_limit",
    "bag_penalty", "bag_remainder", "minimum_bid", "bids_may_equal_tricks", "board", "ten_for",
    "first_round_bids_itself", "mercy", "first_dealer",
)  # fmt: skip
quick = examples(12)
lucky = given(st.randoms(use_true_random=False))


@pytest.mark.parametrize("key", sorted(PRESETS))
@quick
@lucky
def test_json_brings_everything_again(key: str, luck: random.Random) -> None:
    with a_store() as (store, table_id), a_store() as (other, other_table):
        for day in range(3):
            play(luck, store, table_id, PRESETS[key], day)
        file = exported(store, json_pieces)
        assert taken_in(other, other_table, file) == {"new": 3}
        assert exported(other, json_pieces) == file
        assert list(faults(other)) == []
        assert taken_in(other, other_table, file) == {"same": 3}
        assert exported(other, json_pieces) == file


def test_json_without_rule_values_that_were_added_since_brings_the_same_game() -> None:
    with a_store() as (store, table_id), a_store() as (other, other_table):
        keeper = Keeper(store, table_id=table_id)
        keeper.redo(keeper.undo(keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 3, 1, 3)))))
        old = json.loads(exported(store, json_pieces), object_hook=without_later_values)
        file = json.dumps(old).encode()
        assert taken_in(other, other_table, file) == {"new": 1}
        assert exported(other, json_pieces) == exported(store, json_pieces)
        assert list(faults(other)) == []
        assert taken_in(store, table_id, file) == {"same": 1}


def without_later_values(value: dict[str, object]) -> dict[str, object]:
    """Return an object; rules are reduced to the values that the first JSON files had."""
    if "trick_points" not in value:
        return value
    return {name: value[name] for name in FIRST_VALUES}


@pytest.mark.parametrize("key", sorted(PRESETS))
@quick
@lucky
def test_csv_brings_what_counts_again(key: str, luck: random.Random) -> None:
    with a_store() as (store, table_id), a_store() as (other, other_table):
        for day in range(3):
            play(luck, store, table_id, PRESETS[key], day)
        file = exported(store, csv_pieces)
        if file.count(b"\n") == 1:
            return  # nothing was scored
        added = taken_in(other, other_table, file)
        assert set(added) == {"new"}
        assert exported(other, csv_pieces) == file
        assert list(faults(other)) == []
        assert taken_in(other, other_table, file) == {"same": added["new"]}
        assert taken_in(store, table_id, file) == {"same": added["new"]}


def sheet_of_rounds(count: int) -> bytes:
    """Return a sheet of a game that has not come to its end after so many rounds."""
    rows = [
        f"{number},{name},3,{4 if (number + seat) % 4 == 0 else 2}"
        for number in range(1, count + 1)
        for seat, name in enumerate(("Ana", "Ben", "Cy", "Dan"))
    ]
    return "\n".join(["round,player,bid,tricks", *rows]).encode()


def file_of_rounds(count: int) -> bytes:
    """Return the same game as JSON, without its journal."""
    rounds = [{"bids": [3] * 4, "tricks": [2, 2, 2, 4], "tally": None}] * count
    game = {
        "id": "", "started": "2026-01-03T20:15:00+00:00", "rules": CUTTHROAT_LITE.values,
        "players": ["Ana", "Ben", "Cy", "Dan"], "first_dealer": 4, "stake": None,
        "rounds": rounds, "changes": [],
    }  # fmt: skip
    return json.dumps({"scorekeeper": 1, "games": [game]}).encode()


@pytest.mark.parametrize("of_rounds", [sheet_of_rounds, file_of_rounds])
def test_an_imported_game_has_as_many_rounds_as_one_that_is_played(
    of_rounds: Callable[[int], bytes],
) -> None:
    with a_store() as (store, table_id):
        assert taken_in(store, table_id, of_rounds(MAX_ROUNDS)) == {"new": 1}
        with pytest.raises(FileError, match=f"at most {MAX_ROUNDS}"):
            taken_in(store, table_id, of_rounds(MAX_ROUNDS + 1))


def faults_of(lines: list[str]) -> int:
    """Read a file and return how many errors it has."""
    return len(read_upload("\n".join(lines).encode(), "cutthroat-lite").faults)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("pattern", [MARKS, " ", ";=", "penalty=;"])
def test_a_long_cell_is_refused_unread(column: str, pattern: str) -> None:
    def read(text: str) -> int:
        cells = {"game": "1", "round": "1", "player": "Ana", "bid": "3", "tricks": "3"}
        row = ",".join((cells | {column: text}).get(name, "") for name in COLUMNS)
        return faults_of([",".join(COLUMNS), *[row] * 10])

    for longest in (4000, LONG):
        assert assert_grows_slowly(read, pattern, column, longest)


ROWS = [
    "Total,,,\n",
    ",Ana,3,3\n",
    "1,Ana,3,3\n2,Ana,3,3\n",
    "1,Ana\n",
    "1,Ana,3,3,,\n",
    "hand,name,,\n",
]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(
    "head", ["round,player,bid,tricks\n1,Ana,3,3\n", "Evening\n", '"Evening\n']
)
def test_rows_that_are_skipped_filled_in_or_sorted_take_linear_time(head: str, rows: str) -> None:
    def read(text: str) -> int:
        return faults_of([head + text])

    assert assert_grows_slowly(read, rows, head, 4 * LONG)


def test_a_sheet_of_totals_is_refused_where_no_rows_can_be_theirs() -> None:
    header, total = "round,player,bid,tricks", "Total,,,"
    rows = ["1,Ana,5,5", "1,Ben,3,3", "1,Cy,2,2"]
    assert faults_in(header, *rows, *[total] * 55) == []
    refused = "line {}: “Total” isn’t a round. Number rounds 1, 2, 3 and so on."
    assert faults_in(header, *rows, *[total] * 56) == [refused.format(60)]
    assert faults_in(header, *[total] * 53) == [refused.format(54)]


def test_a_long_cell_is_called_by_its_column() -> None:
    header, row = "round,player,bid,tricks,notes", "1,Ana,3,3,"
    assert faults_in(header, row + "x" * 8001) == [
        "line 2: “notes” can have at most 8000 characters. This one has 8001."
    ]
    assert faults_in(header, row.replace("Ana", "x" * 201)) == [
        "line 2: A name can have at most 40 characters. This one has 201."
    ]
    assert faults_in(header + "," + "x" * 201, row + ",") == [
        f"line 1: “{'x' * 39}…” can have at most 200 characters. This one has 201."
    ]


def test_a_game_that_stands_twice_in_a_sheet_is_told() -> None:
    rounds = ["1,Ana,5,5", "1,Ben,3,3", "1,Cy,2,2"]

    def notices(second: list[str], *started: str) -> list[str]:
        games = zip("abc", started, (rounds, second, rounds), strict=False)
        rows = [f"{game},{at},{row}" for game, at, of_game in games for row in of_game]
        sheet = "\n".join(["game,started,round,player,bid,tricks", *rows])
        return read_upload(sheet.encode(), "cutthroat-lite").notices

    same = (
        "line {}: This game is the same as the one at line {}. If it was played just once, remove "
        "it from the file."
    )
    first, second = "2026-11-24T19:30:00+01:00", "2026-11-24T21:30:00+01:00"
    assert notices(rounds, "", "", "") == [same.format(5, 2), same.format(8, 2)]
    assert notices(rounds, first, second) == []
    assert notices(rounds, first, second, second) == [same.format(8, 5)]
    assert notices(rounds, first, "") == [same.format(5, 2)]
    assert notices(["1,Ana,5,4", "1,Ben,3,4", "1,Cy,2,2"], "", "") == []


def test_the_first_sentences_about_a_file_are_told_and_how_many_more_there_are() -> None:
    rows = [f"g{game},1,{row}" for game in range(14) for row in ("Ana,5,5", "Ben,3,3", "Cy,2,2")]
    sheet = "\n".join(["game,round,player,bid,tricks", *rows])
    *told, last = read_upload(sheet.encode(), "cutthroat-lite").notices
    assert len(told) == 10
    assert last == "And 3 more."


def faults_in(*lines: str) -> list[str]:
    return [str(one) for one in read_upload("\n".join(lines).encode(), "cutthroat-lite").faults]


def test_a_long_or_deep_value_of_a_json_file_is_refused_unread() -> None:
    with a_store() as (store, table_id):
        keeper = Keeper(store, table_id=table_id)
        keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 3, 1, 3)))
        file = json.loads(exported(store, json_pieces))
    places = list(places_of(file["games"][0]))
    for place in places:

        def read(text: str, place: tuple[int | str, ...] = place) -> int:
            return faults_of([json.dumps(with_value(file, place, text))])

        assert_grows_slowly(read, MARKS, str(place))
        for depth in (100, 400, 900):
            deep = json.loads("[" * depth + "]" * depth)
            assert faults_of([json.dumps(with_value(file, place, deep))]) <= 1


def places_of(value: object, *before: int | str) -> Iterator[tuple[int | str, ...]]:
    """Yield where each value stands within lists and objects, of a list only the first."""
    yield before
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places_of(one, *before, name)
    elif isinstance(value, list) and value:
        yield from places_of(value[0], *before, 0)


def with_value(file: Any, place: tuple[int | str, ...], value: object) -> Any:
    """Return a file whose first game has a value in a place."""
    changed = deepcopy(file)
    inner, last = changed["games"], 0
    for step in place:
        inner, last = inner[last], step
    inner[last] = value
    return changed
