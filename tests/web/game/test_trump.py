"""The suit that was turned as trump: noted, shown, refused, undone, in files and programs."""

import csv
import io
from typing import Any, ClassVar

import pytest

from scorekeeper.files.csv_columns import SheetError
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.exports import csv_of
from scorekeeper.files.json import games_of_json
from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
from tests.web.game.test_rule_change import asked, confirmed
from tests.web.play import Table, page_of


class TestTrump(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"trump": "h"}

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.new_game("oh-hell")

    def address(self, table: Table) -> str:
        return table.round_path("note", 1)


@pytest.fixture
def oh_hell(table: Table) -> Table:
    """A game in which a card is turned for trump."""
    table.new_game("oh-hell")
    return table


def turn(table: Table, suit: str, number: int = 1) -> Any:
    return table.post(table.round_path("note", number), table.fresh(trump=suit))


def test_the_suit_is_noted_before_or_after_the_bids_and_when_the_round_is_scored(
    oh_hell: Table,
) -> None:
    for suit, line in {"h": "Trump: ♥", "n": "No trump."}.items():
        assert turn(oh_hell, suit).status_code == 303
        assert oh_hell.game.round(1).notes.trump == suit
        oh_hell.bid(3)
        assert line in page_of(oh_hell.get(oh_hell.path)).text
        oh_hell.undo()
    oh_hell.play_round((3, 3, 3, 0), (3, 3, 3, 1))
    assert turn(oh_hell, "s").status_code == 303
    assert oh_hell.game.rounds[0].notes.trump == "s"
    assert oh_hell.game.rounds[0].tricks == (3, 3, 3, 1)
    assert not [*faults(oh_hell.store)]


def test_the_change_log_says_which_suit_and_undo_takes_it_back(oh_hell: Table) -> None:
    turn(oh_hell, "d")
    oh_hell.undo()
    assert oh_hell.game.round(1) == oh_hell.game.empty_round
    text = page_of(oh_hell.get(f"{oh_hell.path}/changes")).text
    assert "Trump: ♦" in text
    assert "trump removed" in text


def test_an_empty_field_removes_it(oh_hell: Table) -> None:
    turn(oh_hell, "c")
    turn(oh_hell, "")
    assert oh_hell.game.round(1).notes.trump is None


@pytest.mark.parametrize(
    ("rules", "suit", "sentence"),
    [
        ("oh-hell", "x", "The turned suit is s, h, d or c, or n for no trump."),
        ("cutthroat", "h", "No card is turned for trump here."),
        ("kachufool", "s", "No card is turned for trump here."),
    ],
)
def test_what_is_not_turned_is_refused(table: Table, rules: str, suit: str, sentence: str) -> None:
    table.new_game(rules)
    before = table.everything()
    answer = turn(table, suit)
    assert answer.status_code == 422
    assert sentence in page_of(answer).alerts
    assert table.everything() == before


def test_it_stays_where_the_rules_turn_no_card_any_more(oh_hell: Table) -> None:
    turn(oh_hell, "h")
    confirmed(oh_hell, asked(oh_hell, trump="spades"))
    assert oh_hell.game.rules.trump == "spades"
    write = oh_hell.round_path("note", 1)
    assert oh_hell.post(write, oh_hell.fresh(remark="Kim dealt")).status_code == 303
    notes = oh_hell.game.round(1).notes
    assert (notes.trump, notes.remark) == ("h", "Kim dealt")


def test_files_bring_it_again(oh_hell: Table) -> None:
    turn(oh_hell, "h")
    oh_hell.play_round((3, 3, 3, 0), (3, 3, 3, 1))
    text = oh_hell.get(f"{oh_hell.path}.csv").get_data()
    rows = [*csv.DictReader(io.StringIO(text.decode("utf-8-sig")))]
    assert [row["trump"] for row in rows] == ["h"] * 4
    assert [*rows[0]][-1] == "trump"
    sheets = [one.notes.trump for sheet in read_games(io.BytesIO(text)) for one in sheet.rounds]
    [record] = games_of_json(io.BytesIO(oh_hell.get(f"{oh_hell.path}.json").get_data()))
    assert sheets == [one.notes.trump for one in record.rounds] == ["h"]


SHEET = """rules,round,player,bid,tricks,trump
oh-hell,1,Ana,3,3,{}
oh-hell,1,Ben,3,3,
oh-hell,1,Cy,3,4,{}
"""


@pytest.mark.parametrize("suit", ["s", " S ", "♠", "♠\ufe0f"])
def test_a_sheet_by_hand_has_letters_or_signs_in_a_row_or_more(suit: str) -> None:
    games = read_games(io.BytesIO(SHEET.format(suit, "").encode()))
    assert b"".join(csv_of(games)).count(b",s\r\n") == 3


@pytest.mark.parametrize(
    ("first", "last", "line", "sentence"),
    [
        ("s", "h", 4, "Round 1 has s and h in “trump”. Keep one."),
        ("x", "", 2, "Round 1: The turned suit is s, h, d or c, or n for no trump."),
    ],
)
def test_a_sheet_with_other_words_names_the_line(
    first: str, last: str, line: int, sentence: str
) -> None:
    with pytest.raises(SheetError) as caught:
        b"".join(csv_of(read_games(io.BytesIO(SHEET.format(first, last).encode()))))
    assert (caught.value.line, caught.value.message) == (line, sentence)
