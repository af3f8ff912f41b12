"""What the API tells of a whole table: players, statistics, files; deleted and restored games."""

import pytest

from scorekeeper.files.exports import csv_pieces
from tests.web.api.caller import BIDS, TRICKS, Caller, problem_of


def test_players_are_told_with_their_statistics(one_round: Caller) -> None:
    listed = one_round.call("GET", "players").json
    assert [one["name"] for one in listed["players"]] == ["North", "East", "South", "West"]
    assert listed["next"] is None
    south = listed["players"][2]["statistics"]
    assert (south["begun"], south["games"], south["points"], south["nils_made"]) == (1, 0, 50, 1)


def test_statistics_are_those_of_one_rule_book(one_round: Caller) -> None:
    assert len(one_round.call("GET", "players?rules=cutthroat-lite").json["players"]) == 4
    assert one_round.call("GET", "players?rules=partnership").json["players"] == []


def test_many_players_come_page_by_page(nobody: Caller) -> None:
    for n in range(14):
        nobody.start(players=[f"Player {n} {seat}" for seat in range(4)])
    address: str | None = "/api/players?rules=cutthroat-lite"
    names: list[str] = []
    while address:
        page = nobody.call("GET", address).json
        names += [one["name"] for one in page["players"]]
        address = page["next"]
    assert len(names) == len(set(names)) == 56


def test_a_player_is_told_in_full(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30})
    nobody.play((BIDS, TRICKS))
    (url,) = [
        one["url"]
        for one in nobody.call("GET", "players").json["players"]
        if one["name"] == "South"
    ]
    south = nobody.call("GET", url).json
    assert south["records"] == {"run": 1, "comeback": 0}
    assert [one["rules"] for one in south["by_rules"]] == ["cutthroat-lite"]
    assert {pair["other"]["name"] for pair in south["others"]} == {"North", "East", "West"}


@pytest.mark.parametrize("player", ["0", "5", "x", "1.0", "9" * 40, "٣"])
def test_an_unknown_player_is_404(one_round: Caller, player: str) -> None:
    assert one_round.call("GET", f"players/{player}").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["players?rules=poker", "players?after=99", "players?after=x", "players?limit=1",
     "games.csv?since=yesterday", "games.csv?since=2026-02-30", "games.json?until=2026-01-01"],
)  # fmt: skip
def test_a_query_that_is_not_understood_is_400(one_round: Caller, address: str) -> None:
    problem_of(answer := one_round.call("GET", address))
    assert answer.status_code == 400


def test_games_are_files(one_round: Caller) -> None:
    sheet = one_round.call("GET", "games.csv")
    assert sheet.data == b"".join(csv_pieces(one_round.table.store, one_round.table.id))
    whole = one_round.call("GET", "games.json").json
    assert [game["id"] for game in whole["games"]] == [one_round.game_id]


@pytest.mark.parametrize(("since", "rows"), [("2000-01-01", 4), ("2999-12-31", 0),
                                             ("0001-01-01", 4), ("9999-12-31", 0)])  # fmt: skip
def test_a_file_begins_with_a_day(one_round: Caller, since: str, rows: int) -> None:
    sheet = one_round.call("GET", f"games.csv?since={since}")
    assert len(sheet.text.splitlines()) == rows + 1


def test_another_table_is_not_told(one_round: Caller, guest: Caller) -> None:
    assert guest.call("GET", "players").json["players"] == []
    assert guest.call("GET", "players/1").status_code == 404
    assert len(guest.call("GET", "games.csv").text.splitlines()) == 1


def test_a_deleted_game_can_be_restored(one_round: Caller) -> None:
    before = one_round.game
    assert one_round.call("DELETE", one_round.path, version=before["version"]).status_code == 204
    assert one_round.call("GET", one_round.path).status_code == 404
    assert one_round.call("GET", "games").json["games"] == []
    restored = one_round.call("POST", f"{one_round.path}/restore").json
    assert {**restored, "version": 0, "changed": 0} == {**before, "version": 0, "changed": 0}
    assert one_round.call("POST", f"{one_round.path}/restore").json == restored


def test_a_game_that_has_changed_is_not_deleted(one_round: Caller) -> None:
    before = one_round.everything()
    assert one_round.call("DELETE", one_round.path, version=1).status_code == 412
    assert one_round.call("DELETE", one_round.path).status_code == 428
    assert one_round.everything() == before
