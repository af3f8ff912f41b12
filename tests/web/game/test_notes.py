"""Notes on a round and on a game: written, shown, found, undone, exported and limited."""

import csv
import io
import json
from typing import Any, ClassVar

import pytest

from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json
from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of

LINES = " Kim’s\tbirthday\u202e\r\nat the LÄKE "
FILES = {"csv": read_games, "json": games_of_json}
LINE = "Kim’s birthday at the LÄKE"


class TestNote(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"remark": "Misdealt twice"}

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)

    def address(self, table: Table) -> str:
        return table.round_path("note", 1)


def write(table: Table, number: int = 1, **fields: str) -> Any:
    return table.post(table.round_path("note", number), table.fresh(**fields))


def test_a_note_is_one_line_of_what_people_can_see(game: Table) -> None:
    write(game, remark=LINES)
    assert game.game.round(1).notes.remark == LINE


def test_bids_and_tricks_leave_the_notes(game: Table) -> None:
    write(game, remark="On the round")
    write(game, game_remark="On the game")
    game.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    game.correct(1, bid_1=2)
    notes = game.game.rounds[0].notes
    assert (notes.remark, notes.game_remark) == ("On the round", "On the game")
    assert not [*faults(game.store)]


@pytest.mark.parametrize(
    ("number", "fields", "status", "sentence"),
    [
        (1, {"remark": "x" * 501}, 422, "A note can have at most 500 characters."),
        (1, {"game_remark": "x" * 501}, 422, "A note can have at most 500 characters."),
        (1, {"remark": "x" * 2001}, 400, "can have at most 2000 characters"),
        (2, {"game_remark": "Not here"}, 422, "The note on the game is entered with round 1."),
        (3, {"remark": "Too early"}, 404, ""),
    ],
)
def test_what_cannot_be_a_note_is_refused_with_a_sentence(
    game: Table, number: int, fields: dict[str, str], status: int, sentence: str
) -> None:
    game.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    before = game.everything()
    answer = write(game, number, **fields)
    assert answer.status_code == status
    assert sentence in (page_of(answer).alerts if status != 404 else "")
    assert game.everything() == before


def test_the_longest_note_is_stored_and_an_empty_one_removes_it(game: Table) -> None:
    write(game, remark="ß" * 500)
    assert len(game.game.round(1).notes.remark) == 500
    write(game, remark="  ")
    assert not game.game.rounds


def test_undo_and_redo_walk_over_notes(game: Table) -> None:
    game.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    write(game, remark="First")
    write(game, game_remark="Second")
    found = []
    for step in (game.undo, game.undo, game.redo, game.redo):
        step()
        notes = game.game.rounds[0].notes
        found.append((notes.remark, notes.game_remark))
    assert found == [("First", ""), ("", ""), ("First", ""), ("First", "Second")]
    kinds = [row["kind"] for row in game.store.db.query("SELECT kind FROM changes")]
    assert kinds.count("note") == 2


def test_a_note_is_written_after_the_end_and_shown_on_the_result(table: Table) -> None:
    table.new_game(target=10)
    table.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    write(table, game_remark=LINE)
    write(table, remark="A long round")
    for path, text in (
        (table.path, LINE),
        (f"{table.path}/result", LINE),
        (f"{table.path}/sheet", LINE),
        (f"{table.path}/sheet", "A long round"),
        (f"{table.path}/rounds/1", "A long round"),
        (f"{table.path}/changes", "note on the game"),
    ):
        assert text in table.get(path).text


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"note": "läke"}, True),
        ({"note": "ＢＩＲＴＨDAY"}, True),
        ({"note": "long"}, True),
        ({"note": "long", "player": "Ana"}, True),
        ({"note": "birthday at", "rules": "cutthroat-lite"}, True),
        ({"note": "wedding"}, False),
        ({"note": "wedding", "player": "Ana"}, False),
        ({"note": "%"}, False),
    ],
    ids=str,
)
def test_the_history_finds_a_game_by_its_notes(
    table: Table, asked: dict[str, str], found: bool
) -> None:
    table.new_game(players=("Ana", "Ben", "Cy", "Di"))
    write(table, game_remark=LINE)
    write(table, remark="A long round")
    path = table.path
    table.new_game(players=("Ana", "Ben", "Cy", "Di"))
    listed = table.get("/history", query_string=asked).text
    assert (f'href="{path}"' in listed, f'href="{table.path}"' in listed) == (found, False)


def test_a_name_that_nobody_has_may_be_in_a_note(game: Table) -> None:
    assert "note=lake" in game.get("/history", query_string={"player": "lake"}).text


def test_files_hold_the_notes_and_bring_them_back(game: Table) -> None:
    game.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    game.play_round((3, 2, 2, 3), (3, 2, 2, 3))
    write(game, game_remark="=1+1")
    write(game, 1, remark="First")
    write(game, 2, remark="Second; with “quotes”")
    sheet = game.get(f"{game.path}.csv").text
    rows = [*csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff")))]
    written = [row["remark"] for row in rows]
    assert written == ["'=1+1", "First", "", "", "Second; with “quotes”", "", "", ""]
    whole = json.loads(game.get(f"{game.path}.json").text)["games"][0]["rounds"]
    assert [one.get("game_remark") for one in whole] == ["=1+1", None]
    data = {name: io.BytesIO(game.get(f"{game.path}.{name}").get_data()) for name in FILES}
    for name, read in FILES.items():
        found = next(read(data[name]))
        remarks = [(one.notes.game_remark, one.notes.remark) for one in found.rounds]
        assert (name, remarks) == (name, [("=1+1", "First"), ("", "Second; with “quotes”")])


def test_the_check_finds_notes_that_the_search_would_not(game: Table) -> None:
    write(game, remark="Found")
    with game.store.write() as db:
        db.execute("UPDATE games SET remarks = 'lost'")
    assert [fault.derived for fault in faults(game.store)] == [True]
