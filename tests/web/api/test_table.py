"""The API of a whole table: players, statistics, house rules, files; deleted and restored games."""

import pytest
from flask import Flask

from scorekeeper.files.exports import csv_pieces
from scorekeeper.store import tables
from scorekeeper.web.http.rate_limits import HOUR, Limit, Limits
from tests.web.api.caller import BIDS, NEW_RULES, SHEET, TRICKS, Caller, details, problem_of


def test_players_are_told_with_their_statistics(one_round: Caller) -> None:
    listed = one_round.call("GET", "players").json
    assert [one["name"] for one in listed["players"]] == ["North", "East", "South", "West"]
    assert listed["next"] is None
    south = listed["players"][2]
    assert south["place"] is None
    assert south["statistics"] == {
        "begun": 1, "games": 0, "wins": 0, "luck": 0, "ahead": 0, "beaten": None,
    }  # fmt: skip
    (lite,) = south["by_rules"]
    counts = lite["statistics"]
    assert (lite["rules"], lite["sides"]) == ("cutthroat-lite", 4)
    assert (counts["begun"], counts["games"], counts["points"]) == (1, 0, 50)
    assert counts["nils_made"] == 1


def test_statistics_are_those_of_one_rule_book(one_round: Caller) -> None:
    assert len(one_round.call("GET", "players?rules=cutthroat-lite").json["players"]) == 4
    assert len(one_round.call("GET", "players?rules=alone&sides=4").json["players"]) == 4
    for query in ("rules=partnership", "rules=partners", "sides=3"):
        assert one_round.call("GET", f"players?{query}").json["players"] == []


@pytest.mark.parametrize("query", ["rules=poker", "sides=x", "sides=0", "since=x"])
def test_a_choice_that_is_none_is_400(one_round: Caller, query: str) -> None:
    for path in ("players", "players/1"):
        assert one_round.call("GET", f"{path}?{query}").status_code == 400


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
     "games.csv?since=yesterday", "games.csv?since=2026-02-30", "games.json?rows=games",
     "games.csv?until=2026", "games.csv?rows=days", "games.csv?rules=poker",
     "players?until=x", "games?since=x"],
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


# House rules


def test_house_rules_are_made_listed_changed_and_deleted(nobody: Caller) -> None:
    made = nobody.call("POST", "rules", json=NEW_RULES)
    address = made.json["url"]
    assert (made.status_code, made.headers["Location"]) == (201, address)
    assert (made.json["name"], made.json["house_rules"]) == ("Friday night", {"target": 200})
    assert nobody.call("GET", "rules").json == {"rules": [made.json]}
    assert nobody.call("GET", address).headers["ETag"] == '"1"'
    sent = {"name": "Sunday", "rules": "partnership", "house_rules": {"target": 300}}
    changed = nobody.call("PUT", address, version=1, json=sent)
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    assert nobody.call("GET", address).json == changed.json
    assert changed.json["house_rules"] == {"target": 300}
    assert nobody.call("DELETE", address, version=2).status_code == 204
    assert nobody.call("GET", address).status_code == 404


def test_a_game_is_played_by_saved_rules(nobody: Caller) -> None:
    saved = nobody.call("POST", "rules", json=NEW_RULES).json
    nobody.start(rules=saved["rules"], house_rules=saved["house_rules"])
    assert nobody.game["house_rules"] == {"target": 200}


def test_the_same_rules_are_saved_once_and_the_same_change_is_none(nobody: Caller) -> None:
    first = nobody.call("POST", "rules", json=NEW_RULES).json
    assert nobody.call("POST", "rules", json=NEW_RULES).json == first
    assert nobody.call("PUT", first["url"], version=7, json=NEW_RULES).json == first
    assert len(nobody.call("GET", "rules").json["rules"]) == 1


def test_rules_that_changed_meanwhile_are_told(nobody: Caller) -> None:
    saved = nobody.call("POST", "rules", json=NEW_RULES).json
    for method, options in (("PUT", {"json": {**NEW_RULES, "name": "Sunday"}}), ("DELETE", {})):
        answer = nobody.call(method, saved["url"], version=2, **options)
        assert answer.status_code == 412
        assert problem_of(answer)["rules"] == saved


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"rules": "poker"}, "rules"),
        ({"house_rules": {"target": 99999999}}, "target"),
        ({"name": "\u202e"}, "name"),
    ],
    ids=str,
)
def test_rules_that_cannot_be_played_are_422(
    nobody: Caller, changes: dict[str, object], code: str
) -> None:
    sent = {"name": "Ours", "rules": "partnership", **changes}
    answer = nobody.call("POST", "rules", json=sent)
    assert (answer.status_code, details(answer)) == (422, [(None, code)])
    assert nobody.call("GET", "rules").json == {"rules": []}


def test_a_name_is_given_once_and_a_table_has_so_many(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MAX_SAVED_RULES", 2)
    for n in range(2):
        saved = nobody.call("POST", "rules", json={**NEW_RULES, "name": f"Rules {n}"}).json
    taken = {**NEW_RULES, "name": "RULES 0"}
    answers = [
        nobody.call("POST", "rules", json={**taken, "house_rules": {"target": 99}}),
        nobody.call("PUT", saved["url"], version=1, json=taken),
        nobody.call("POST", "rules", json=NEW_RULES),
    ]
    assert [details(one) for one in answers] == [
        [(None, "name")],
        [(None, "name")],
        [(None, "too_many")],
    ]


def test_rules_of_another_table_are_404(nobody: Caller, guest: Caller) -> None:
    saved = nobody.call("POST", "rules", json=NEW_RULES).json
    assert guest.call("GET", saved["url"]).status_code == 404
    assert guest.call("PUT", saved["url"], version=1, json=NEW_RULES).status_code == 404
    assert guest.call("DELETE", saved["url"], version=1).status_code == 404


# Import


def send_file(
    program: Caller, content: str | bytes, kind: str = "text/csv", query: str = ""
) -> object:
    answer = program.call("POST", f"import{query}", data=content, content_type=kind)
    assert answer.status_code == 200, answer.text
    return {name: count for name, count in answer.json.items() if count}


def test_a_sheet_is_imported_once(nobody: Caller) -> None:
    assert send_file(nobody, SHEET) == {"imported": 1}
    assert send_file(nobody, SHEET) == {"present": 1}
    (game,) = nobody.call("GET", "games").json["games"]
    assert (game["players"], game["rules"]["key"]) == (["Ana", "Ben", "Cy"], "cutthroat-lite")
    longer = SHEET.replace("Ben,3,3", "Ben,3,6")
    assert send_file(nobody, longer, query="?rules=cutthroat") == {"imported": 1}


@pytest.mark.parametrize(
    ("kind", "mime"),
    [("csv", "text/csv"), ("json", "application/json"), ("csv", "application/octet-stream")],
)
def test_what_is_exported_can_be_imported_elsewhere(
    one_round: Caller, guest: Caller, kind: str, mime: str
) -> None:
    exported = one_round.call("GET", f"games.{kind}").data
    assert send_file(guest, exported, mime) == {"imported": 1}
    assert send_file(one_round, exported, mime) == {"present": 1}
    assert guest.call("GET", "games").json["games"][0]["totals"] == [30, 22, 50, -40]


def test_a_faulty_file_is_refused_whole_with_every_fault(nobody: Caller) -> None:
    sheet = SHEET + "2,Ana,x,4\n2,Ben,3,y\n2,Cy,3,3\n"
    answer = nobody.call("POST", "import", data=sheet, content_type="text/csv")
    assert answer.status_code == 422
    told = [one["detail"] for one in problem_of(answer)["errors"]]
    assert [one.partition("”")[0] for one in told] == ["line 5: “x", "line 6: “y"]
    assert nobody.call("GET", "games").json["games"] == []


@pytest.mark.parametrize(
    ("options", "status"),
    [({"data": "x" * ((1 << 20) + 1), "content_type": "text/csv"}, 413),
     ({"data": SHEET, "content_type": "text/plain"}, 415),
     ({"data": SHEET, "content_type": "text/csv", "headers": {"Content-Encoding": "gzip"}}, 415),
     ({"data": "{}", "content_type": "application/json"}, 422),
     ({"data": "[]", "content_type": "application/json"}, 422),
     ({"data": "", "content_type": "text/csv"}, 422),
     ({"data": b"\xff\xfe\0", "content_type": "text/csv"}, 422)],
    ids=["large", "plain", "gzip", "object", "list", "empty", "binary"],
)  # fmt: skip
def test_what_is_no_file_of_games_is_refused(
    nobody: Caller, options: dict[str, object], status: int
) -> None:
    assert nobody.call("POST", "import", **options).status_code == status
    assert nobody.call("GET", "games").json["games"] == []


def test_an_unknown_rule_book_for_a_sheet_is_400(nobody: Caller) -> None:
    for query in ("rules=poker", "rule=cutthroat", "rules=cutthroat&rules=cutthroat"):
        answer = nobody.call("POST", f"import?{query}", data=SHEET, content_type="text/csv")
        assert answer.status_code == 400


def test_files_are_limited_before_they_are_read(app: Flask, nobody: Caller) -> None:
    app.config["OPEN"] = True
    app.extensions["limits"] = Limits(imports=Limit(1, HOUR))
    assert send_file(nobody, SHEET) == {"imported": 1}
    answer = nobody.call("POST", "import", data="x" * 200_000, content_type="text/plain")
    assert answer.status_code == 429
