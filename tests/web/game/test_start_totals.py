"""A game that began on paper: its totals and bags at the start."""

import io
from typing import ClassVar

import pytest

from scorekeeper.files.csv_columns import SheetError
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json
from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
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
    assert [row.split(",")[-3:-1] for row in rows[1:6]] == [
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
    wrong = "\r\n".join([*rows[:4], rows[4].replace(",-35,0,", ",-30,0,")]).encode()
    with pytest.raises(SheetError, match="isn’t the partner’s"):
        [one for game in read_games(io.BytesIO(wrong)) for one in game.rounds]


class TestOtherStart(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"start-1": "20"}

    def address(self, table: Table) -> str:
        return table.round_path("start", 1)


def test_a_typing_error_is_corrected_in_round_1_after_it_was_scored(partners: Table) -> None:
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    form = partners.page(partners.round_path(number=1)).form("/start")
    assert form.fields.items() >= {"start-1": "120", "start-2": "−35", "bags-1": "3"}.items()
    assert partners.send(form, **{"start-1": "-20", "bags-1": "4"}).status_code == 303
    assert partners.state.standing.totals == (32, 25)
    assert partners.state.standing.bags == (6, 0)
    rows = partners.get(f"{partners.path}.csv").get_data().decode("utf-8-sig").splitlines()
    assert rows[1].endswith(",-20,4,")
    facts = partners.get(f"{partners.path}/phone.json").get_json()["game"]
    assert facts["rounds"][0]["start"] == [-20, -35]
    changes = page_of(partners.get(f"{partners.path}/changes")).text
    assert "Start totals: −20 · −35; Bags at the start: 4 · 0" in changes
    assert not [*faults(partners.store)]
    partners.undo()
    assert partners.state.standing.totals == (172, 25)


def test_another_start_can_change_who_has_won(table: Table) -> None:
    table.new_game(target=100, **{"start-1": "90", "start-2": "9"})
    table.play_round((4, 3, 2, 1), (4, 3, 2, 1))
    places = "SELECT place FROM player_games ORDER BY player_id"
    assert [row["place"] for row in table.store.db.query(places)][:2] == [1, 2]
    table.send(table.page(table.round_path(number=1)).form("/start"), **{"start-2": "99"})
    assert table.state.standing.totals[:2] == (130, 129)
    table.send(table.page(table.round_path(number=1)).form("/start"), **{"start-1": "9"})
    assert [row["place"] for row in table.store.db.query(places)][:2] == [2, 1]


def test_players_alone_see_their_totals_as_points_are_shown(table: Table) -> None:
    table.new_game("call-break", **{"start-2": "12.3"})
    form = table.page(table.round_path(number=1)).form("/start")
    assert form.fields["start-2"] == "12.3"
    table.send(form, **{"start-2": "13,2"})
    assert table.state.standing.totals == (0, 132, 0, 0)


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"start-1": "many"}, 422, "Enter totals and bags as numbers, or leave them empty."),
        ({"bags-1": "10"}, 422, "A side can start with 0 to 9 bags."),
        ({"start-1": "1000001"}, 422, "A start total can be from −1000000 to 1000000."),
    ],
)
def test_a_start_that_is_none_changes_nothing(
    partners: Table, fields: dict[str, str], status: int, message: str
) -> None:
    before = partners.everything()
    answer = partners.send(partners.page(partners.round_path(number=1)).form("/start"), **fields)
    assert (answer.status_code, page_of(answer).alerts) == (status, message)
    assert partners.everything() == before


def test_the_menu_of_a_game_from_paper_leads_there(partners: Table) -> None:
    (link,) = partners.page().all("a[.='Start totals']")
    assert link.get("href") == f"{partners.path}/rounds/1#start-totals"
    partners.play_round((3, 3, 2, 3), (5, 3, 2, 3))
    assert "Start totals" not in partners.page(partners.round_path(number=2)).text
    partners.new_game()
    assert "Start totals" not in partners.page().text
    assert "Start totals" not in partners.page(partners.round_path(number=1)).text


def test_zeros_stay_so_that_they_can_be_changed_again(partners: Table) -> None:
    zeros = {"start-1": "0", "start-2": "0", "bags-1": "", "bags-2": ""}
    answer = partners.post(partners.round_path("start", number=1), partners.fresh(**zeros))
    assert answer.status_code == 303
    assert partners.state.standing.totals == (0, 0)
    form = partners.page(partners.round_path("", number=1)).form("/start")
    assert partners.send(form, **PAPER).status_code == 303
    assert partners.state.standing.totals == (120, -35)
    assert not [*faults(partners.store)]
