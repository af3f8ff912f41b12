"""A game that began on paper: its totals and bags at the start."""

import io

import pytest

from scorekeeper.files.csv_columns import SheetError
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json
from scorekeeper.store.check import faults
from tests.web.play import EAST, Table, page_of

PAPER = {"start-1": "120", "start-2": "−35", "bags-1": "3"}


@pytest.fixture
def partners(table: Table) -> Table:
    """A game of partners that began on paper."""
    assert table.new_game("partnership-sandbags", **PAPER).status_code == 303
    return table


def test_a_game_goes_on_from_its_totals_and_bags(partners: Table) -> None:
    assert partners.state.standing.totals == (120, -35)
    assert partners.state.standing.bags == (3, 0)
    page = partners.page()
    assert "Start totals: 120 · −35" in page.text
    assert "Bags at the start: 3 · 0" in page.text
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    assert partners.state.standing.totals == (172, 25)
    assert partners.state.standing.bags == (5, 0)
    assert not [*faults(partners.store)]


def test_players_alone_have_a_total_each(table: Table) -> None:
    table.new_game("call-break", **{"start-2": "12.3", "start-4": "-0.5"})
    assert table.state.standing.totals == (0, 123, 0, -5)
    assert "Start totals: 0.0 · 12.3 · 0.0 · −0.5" in table.page().text


def test_the_journal_tells_it_and_undo_takes_it_back(partners: Table) -> None:
    changes = page_of(partners.get(f"{partners.path}/changes")).text
    assert "Start totals: 120 · −35; Bags at the start: 3 · 0" in changes
    partners.undo()
    assert partners.state.standing.totals == (0, 0)
    partners.redo()
    assert partners.state.standing.totals == (120, -35)


def test_nothing_on_paper_is_no_start(table: Table) -> None:
    table.new_game(**{"start-1": "0", "start-3": " "})
    assert table.game.rounds == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"start-1": "many"}, "Enter totals and bags as numbers, or leave them empty."),
        ({"start-1": "1.5"}, "Enter totals and bags as numbers, or leave them empty."),
        ({"start-2": "1000001"}, "A start total can be from −1000000 to 1000000."),
        ({"bags-2": "10"}, "A side can start with 0 to 9 bags."),
        ({"bags-1": "-1"}, "A side can start with 0 to 9 bags."),
    ],
)
def test_what_no_game_begins_with_is_refused(
    still: Table, fields: dict[str, str], message: str
) -> None:
    answer = still.new_game("partnership-sandbags", **fields)
    assert answer.status_code == 422
    page = page_of(answer)
    assert message in page.text
    typed = page.form("new-game").fields
    assert {name: typed[name] for name in fields} == fields


def test_statistics_count_what_was_played(partners: Table) -> None:
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    rows = partners.store.db.query("SELECT points FROM player_games")
    assert {row["points"] for row in rows} == {52, 60}


def test_a_file_has_the_totals_in_the_rows_of_the_first_round(partners: Table) -> None:
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    partners.play_round((3, 3, 2, 3), (4, 4, 2, 3))
    text = partners.get(f"{partners.path}.csv").get_data()
    rows = text.decode("utf-8-sig").splitlines()
    assert [row.split(",")[-2:] for row in rows[1:6]] == [
        ["120", "3"],
        ["-35", "0"],
        ["120", "3"],
        ["-35", "0"],
        ["", ""],
    ]
    whole = partners.get(f"{partners.path}.json").get_data()
    for read, sent in ((read_games, text), (games_of_json, whole)):
        found = [one for game in read(io.BytesIO(sent)) for one in game.rounds]
        assert found == [*partners.game.rounds]


def test_partners_have_one_total(partners: Table) -> None:
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    rows = partners.get(f"{partners.path}.csv").get_data().decode("utf-8-sig").splitlines()
    assert EAST in rows[2]
    wrong = "\r\n".join([*rows[:4], rows[4].replace(",-35,0", ",-30,0")]).encode()
    with pytest.raises(SheetError, match="isn’t the partner’s"):
        [one for game in read_games(io.BytesIO(wrong)) for one in game.rounds]
