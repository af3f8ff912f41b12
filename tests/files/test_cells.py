"""What a person can read in a cell is read, and what is not understood is said with its line."""

import io
import time

import pytest

from scorekeeper.files.csv_columns import Sheet, SheetError
from scorekeeper.files.csv_reader import read_games

HEADER = "round,player,bid,tricks,points,total\n"
ROWS = "1,Ana,3,3,30,30\n1,Ben,2,4,22,22\n1,Cy,nil,0,50,50\n1,Dana,4,3,-40,-40\n"
LRM, RLM, ZWSP, BOM, WJ = "\u200e", "\u200f", "\u200b", "\ufeff", "\u2060"
READ = {
    "full width": ("\uff11,Ana,\uff13,\uff13,\uff13\uff10,30", "Ana"),
    "digits of arabic": ("\u0661,Ana,\u0663,\u0663,\u0663\u0660,30", "Ana"),
    "a mark before": (f"{RLM}1,Ana,{LRM}3,{RLM}3,{RLM}30,30", "Ana"),
    "a mark behind": (f"1{RLM},Ana,3{LRM},3{RLM},30{RLM},30", "Ana"),
    "zero width": (f"1{ZWSP},Ana,{ZWSP}3,3{WJ},3{ZWSP}0,{BOM}30", "Ana"),
    "marks around a name": (f"1,{RLM}Ana{RLM},3,3,30,30", "Ana"),
    "blanks of all kinds": ("1\u3000,\u2003Ana\u2003,\u20073,3\u202f,30\u2009,30", "Ana"),
    "a blank before quotes": ('1, "Ana", "3",3,30,30', "Ana"),
    "a tab before quotes": ('1,\t"Ana",\t"3",3,30,30', "Ana"),
    "a blank behind quotes": ('1,"Ana" ,"3" ,"3"\t,30,30', "Ana"),
    "a blank at the end": ('1,Ana,3,3,30,"30" ', "Ana"),
    "a separator in quotes": ('1, "Ana, Jr" ,3,3,30,30', "Ana, Jr"),
    "quotes in a name": ('1, "Ana ""Ace""" ,3,3,30,30', 'Ana "Ace"'),
    "a number in a ring": ("1,Ana,\u2462,3,30,30", "Ana"),
    "points with a plus": ("1,Ana,3,3,+30,30.0", "Ana"),
}
REFUSED = {
    "a footnote": "1,Ana,3\u00b2,3,30,30",
    "half": "1,Ana,3,\u00bd,30,30",
    "words": "1,Ana,three,3,30,30",
    "a quotation mark too many": '1,"Ana" x,3,3,30,30',
}
UNREAD = ("99 pts", "1e2", "—", "(61)", "3.5", "30\u00b2", "1,000.5", "x", "--30")


def read(text: str) -> tuple[list[Sheet], list[str]]:
    """Return the games of a file, each read to its end, and what is told of it."""
    told: list[str] = []
    games = []
    for game in read_games(io.BytesIO(text.encode()), tell=told.append):
        list(game.rounds)
        games.append(game)
    return games, told


def sheet(row: str) -> str:
    """Return a sheet with a row in the place of Ana's."""
    return HEADER + row + "\n" + ROWS.split("\n", 1)[1]


@pytest.mark.parametrize(("row", "name"), READ.values(), ids=READ)
def test_what_a_person_can_read_is_read(row: str, name: str) -> None:
    (game,), told = read(sheet(row))
    assert game.names == (name, "Ben", "Cy", "Dana")
    assert told == []


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_what_nobody_can_read_is_refused_with_its_line(row: str) -> None:
    with pytest.raises(SheetError) as error:
        read(sheet(row))
    assert error.value.line == 2


@pytest.mark.parametrize("column", ["points", "total"])
@pytest.mark.parametrize("cell", UNREAD)
def test_points_that_are_no_number_are_told_with_their_line(column: str, cell: str) -> None:
    row = {"points": f'1,Ben,2,4,"{cell}",22', "total": f'1,Ben,2,4,22,"{cell}"'}[column]
    (_game,), told = read(HEADER + ROWS.replace("1,Ben,2,4,22,22", row))
    (sentence,) = told
    assert sentence.startswith(
        f"line 3: \u201c{cell}\u201d in \u201c{column}\u201d isn\u2019t a whole number"
    )


def test_other_points_are_still_told_after_some_that_are_no_number() -> None:
    rows = ROWS.replace("22,22", "22 pts,22").replace("50,50", "51,50")
    _games, told = read(HEADER + rows)
    assert [one.partition(":")[0] for one in told] == ["line 3", "line 4"]
    assert "\u201cpoints\u201d is 51 here" in told[1]


def test_full_width_points_are_compared() -> None:
    _games, told = read(HEADER + ROWS.replace("22,22", "\uff19\uff19,22"))
    assert told == [
        "line 3: \u201cpoints\u201d is 99 here, but by the bids, tricks and rules it\u2019s 22."
    ]


def test_a_name_keeps_its_spelling() -> None:
    (game,), _told = read(sheet("1,\u3000\uff21na\u200c\u00b2,3,3,30,30"))
    assert game.names[0] == "\uff21na\u200c\u00b2"


def test_a_long_cell_is_refused_before_it_is_looked_at() -> None:
    begun = time.process_time()
    for cell in ("\u0301" * 60_000, "\uff13" * 60_000, RLM * 60_000):
        with pytest.raises(SheetError, match="characters"):
            read(sheet(f"1,Ana,3,3,{cell},30"))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("unit", ['"",', ',"', ', "a" ', '""', ',"a""'])
def test_quotation_marks_take_linear_time(unit: str) -> None:
    def seconds(count: int) -> float:
        begun = time.process_time()
        with pytest.raises(SheetError):
            read(f"{HEADER}{unit * (count // len(unit))}\n")
        return time.process_time() - begun

    seconds(1000)
    assert seconds(32_000) < 20 * max(min(seconds(4000) for _ in range(3)), 0.001)
