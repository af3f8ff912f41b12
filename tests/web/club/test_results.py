"""Standings with their reasons, the bracket, files, links and what is printed."""

import csv
import io
import json
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from scorekeeper.club.events import (
    ClockSet,
    Ended,
    Entered,
    KnockOutFollows,
    Left,
    Penalised,
    Replaced,
    Reported,
)
from scorekeeper.club.match import Result
from scorekeeper.club.standings import Penalty, Scoring
from scorekeeper.store.check import faults
from scorekeeper.store.club import load_night, night_ids
from scorekeeper.store.club_links import Kind
from tests.web.club.links import SINGLES, TEAMS, Evening
from tests.web.page import Page, text_of
from tests.web.play import page_of


@pytest.fixture
def evening(app: Flask) -> Evening:
    return Evening(app, name="Friday at the Anchor")


def results(evening: Evening) -> Page:
    answer = evening.table.get(f"/club/{evening.id}/results")
    assert answer.status_code == 200
    return page_of(answer)


def rows(page: Page) -> list[str]:
    return [" ".join(filter(None, map(text_of, row))) for row in page.all("tbody/tr")]


def test_before_the_first_match_has_ended(evening: Evening) -> None:
    page = results(evening.start())
    assert "The standings will appear here after the first match." in page.text


def test_standings_say_why_one_is_ahead(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    page = results(evening)
    assert page.texts("h1") == ["Standings after match 1"]
    shown = rows(page)
    assert len(shown) == 4
    assert shown[0].endswith("300 : 100 1 300")
    assert "points 300 to 200" in shown[1]
    assert "match points" not in shown[2]  # of two with fewer wins, wins say so
    assert "points 150 to 100" in shown[3]


def test_everyone_sees_the_same_by_the_poster(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    page = evening.seen("poster", "/results")
    assert rows(page) == rows(results(evening))
    assert "CSV" not in page.text
    assert page.one("a[@class='bar-home unprinted']").get("href") == evening.path("poster")


def test_draws_show_match_points(evening: Evening) -> None:
    page = results(evening.start().close((200, 200), (300, 100)))
    assert "Match points" in page.texts("thead/tr/th")
    assert "½" in rows(page)[1]


def test_prizes_stand_beside_their_places_once_all_is_over(app: Flask) -> None:
    evening = Evening(app, prizes=("a ham", "wine", "cheese")).start()
    evening.close((300, 100), (200, 100))
    assert not evening.seen("poster", "/results").all("b[@class='club-prize']")
    evening.do(Ended())
    prizes = evening.seen("poster", "/results").texts("b[@class='club-prize']")
    assert prizes == ["a ham", "wine", "cheese shared", "cheese shared"]
    assert evening.seen("wall").texts("b[@class='club-prize']") == prizes
    first = evening.now.night.matches[0].seating.tables[0][0][0]
    assert "a ham" in evening.seen("poster", f"/{first}").text


def test_penalties_are_told(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    fines = [Penalty(0, 1, "match", reason="late"), Penalty(1, 1, "points", 50)]
    text = results(evening.do(*map(Penalised, fines))).text
    assert "Ana & Ben: match 1 lost late" in text
    assert "Cy & Dee, match 1: −50 points" in text


def test_a_bye_is_told(evening: Evening) -> None:
    page = results(evening.do(Left(3)).start().close((300, 100)))
    assert [row for row in rows(page) if " bye " in row]
    assert ": bye" in page.text


def test_match_by_match(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).start().close((1, 2), (3, 4))
    assert results(evening).texts("details/summary") == ["Match 2", "Match 1"]


def test_a_knock_out_has_a_bracket(app: Flask) -> None:
    evening = Evening(app, TEAMS[:3], format="knock_out").start()
    one, other, *_final = results(evening).texts("li[@class='bracket-pair']")
    assert sorted([one.endswith("bye"), other.endswith("bye")]) == [False, True]
    page = results(evening.close((300, 100)))
    assert page.texts("h3") == ["Match 1", "Final"]
    *first, final = page.texts("li[@class='bracket-pair']")
    assert [pair for pair in first if "300" in pair and "100" in pair]
    assert final.count("&") == 2
    assert results(evening.start()).texts("li[@class='bracket-pair']")[-1] == "…"
    page = results(evening.close((50, 60)))
    assert page.texts("li[@class='bracket-pair']")[-1] in final


def test_a_knock_out_follows_the_first_phase(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).do(KnockOutFollows(2)).start().close((10, 20))
    page = results(evening)
    assert "by the standings before the knock-out" in page.text
    assert page.texts("h3") == ["Final", "Winner"]


def test_singles_alone_have_their_own_points(app: Flask) -> None:
    evening = Evening(app, SINGLES, format="change_partners", alone=True, rules="cutthroat")
    evening.start().close((10, 20, 30, 40), (40, 30, 20, 10))
    page = results(evening)
    assert page.texts("thead/tr/th")[0] == "Player"
    assert "Match points" in page.texts("thead/tr/th")
    assert " : " not in "".join(rows(page))


def read_csv(evening: Evening, what: str, language: str = "en") -> list[dict[str, str]]:
    headers = {"Accept-Language": language}
    answer = evening.table.get(f"/club/{evening.id}/{what}.csv", headers=headers)
    assert answer.mimetype == "text/csv"
    assert f'filename="club-night-{what}-' in answer.headers["Content-Disposition"]
    text = answer.data.decode("utf-8-sig")
    return [*csv.DictReader(io.StringIO(text), delimiter=";" if language == "de" else ",")]


def test_standings_as_csv(evening: Evening) -> None:
    evening.start().close((200, 200), (300, 100))
    first, second, third, _last = read_csv(evening, "standings")
    assert (first["place"], first["match_points"], first["wins"]) == ("1", "1", "1")
    assert (second["match_points"], second["draws"], second["decided_by"]) == (
        "0.5",
        "1",
        "match_points",
    )
    assert third["decided_by"] == ""
    assert read_csv(evening, "standings", "de")[1]["match_points"] == "0,5"


def test_results_as_csv(evening: Evening) -> None:
    evening.do(Replaced(0, ("=1+1", "Ben")), Left(3)).start().close((300, 100))
    found = read_csv(evening, "results")
    assert [(one["match"], one["table"], one["rank"]) for one in found] == [
        ("1", "1", "1"),
        ("1", "1", "2"),
        ("1", "", ""),
    ]
    assert [one["source"] for one in found] == ["hand", "hand", "bye"]
    assert found[0]["game"] == evening.match.games[1]
    assert "'=1+1 & Ben" in [one["entry"] for one in found]


def exported(evening: Evening) -> bytes:
    answer = evening.table.get(f"/club/{evening.id}.json")
    assert answer.mimetype == "application/json"
    return answer.data


def send_file(evening: Evening, fields: dict[str, Any]) -> TestResponse:
    boundary, body = encode_multipart(fields)
    kind = f"multipart/form-data; boundary={boundary}"
    return evening.stranger.client.post("/club/import", data=body, content_type=kind)


def add(evening: Evening, data: bytes) -> Page | str:
    """Import a file at the stranger's table; return the address of the evening, or the page."""
    if not evening.stranger.session.get("phone"):
        evening.stranger.sit_down("another")
    form = evening.stranger.page("/club/import").form("choose")
    answer = send_file(evening, {**form.fields, "file": FileStorage(io.BytesIO(data), "a.json")})
    if answer.status_code == 303:
        return answer.location
    assert answer.status_code == 422
    return page_of(answer)


def test_an_evening_moves_to_another_table_whole(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).do(Penalised(Penalty(0, 1, "points", 5, "late")))
    path = add(evening, exported(evening))
    assert isinstance(path, str)
    assert rows(page_of(evening.stranger.get(path))) == rows(results(evening))
    assert add(evening, exported(evening)) == path  # once more adds nothing
    assert len(night_ids(evening.table.store.db, evening.stranger.id)) == 1


def test_its_games_are_those_of_its_own_table(evening: Evening) -> None:
    path = add(evening, exported(evening.start().close((300, 100), (200, 150))))
    assert isinstance(path, str)
    night_id = path.split("/")[2]
    found = load_night(evening.table.store.db, evening.stranger.id, night_id)
    assert found
    assert found.night.matches[0].games == {}


def play_out(evening: Evening) -> Evening:
    """Play a match whose results are those of its games."""
    for number in evening.start().match.numbers:
        for _round in range(9):
            evening.play(number, (6, 3, 3, 1), (6, 3, 3, 1))
    return evening.close()


def import_games(evening: Evening) -> None:
    """Let the stranger import all games of the evening's table."""
    games = evening.table.get("/history.json").get_data()
    form = evening.stranger.page("/import").form("choose")
    fields = {**form.fields, "file": FileStorage(io.BytesIO(games), "games.json")}
    boundary, body = encode_multipart(fields)
    kind = f"multipart/form-data; boundary={boundary}"
    seen = evening.stranger.client.post("/import", data=body, content_type=kind)
    assert evening.stranger.send(page_of(seen).form("import")).status_code == 303


def test_an_evening_without_its_games_says_so_until_they_have_come(evening: Evening) -> None:
    file = exported(play_out(evening))
    path = add(evening, file)
    assert isinstance(path, str)
    page = page_of(evening.stranger.get(path))
    assert rows(page) == rows(results(evening))
    assert "2 games of this evening aren’t here" in page.text
    assert "aren’t here" not in results(evening).text
    import_games(evening)
    again = add(evening, file)
    assert again == path
    page = page_of(evening.stranger.get(path))
    assert rows(page) == rows(results(evening))
    assert "aren’t here" not in page.text
    found = load_night(evening.table.store.db, evening.stranger.id, path.split("/")[2])
    assert found
    for number, game in found.night.matches[0].games.items():
        sheets = [
            phone.get(f"/games/{one}.csv").get_data()
            for phone, one in (
                (evening.stranger, game),
                (evening.table, evening.match.games[number]),
            )
        ]
        assert sheets[0].splitlines()[0] == sheets[1].splitlines()[0]
    assert add(evening, file) == path
    assert [*faults(evening.table.store)] == []


def changed(evening: Evening, number: int, members: dict[str, object]) -> bytes:
    """Return the file of an evening of which one event is changed."""
    document = json.loads(exported(evening))
    document["events"][number] |= members
    return json.dumps(document).encode()


def refused(evening: Evening, data: bytes) -> str:
    page = add(evening, data)
    assert isinstance(page, Page)
    assert night_ids(evening.table.store.db, evening.stranger.id) == []
    return page.error_of("file")


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (b"", "Invalid JSON at line 1, column 1."),
        (b"match,table", "Invalid JSON"),
        (b"[]", "Expected the club night here"),
        (b"{}", "Member “club_night” is missing"),
        (b'{"club_night": "../etc", "events": []}', "“club_night” can’t be"),
        (b'{"club_night": "0123456789", "events": []}', "This club night has no events."),
        (b'{"club_night": "0123456789", "events": [1]}', "Event 1"),
        (b'{"club_night": "0123456789", "events": [{"event": "Ended", "at": "x"}]}', "Event 1"),
        (b'{"scorekeeper": 1, "games": []}', "Unknown member"),
        (b"\xff\xfe", "UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_none_is_refused(evening: Evening, file: bytes, told: str) -> None:
    assert told in refused(evening, file)


def plan_with(evening: Evening, **values: object) -> bytes:
    document = json.loads(exported(evening))
    document["events"][0]["plan"] |= values
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "values",
    [
        {"rules": "poker"},
        {"rules": "cutthroat"},
        {"matches": 10**8},
        {"matches": 0},
        {"minutes": -1},
        {"rounds": 100_000},
        {"alone": True},
        {"name": "x" * 500},
        {"name": "\0"},
        {"seed": "x"},
        {"format": "chess"},
        {"house_rules": [["target", "x"]]},
        {"house_rules": [["target", "1"], ["nothing", "1"]]},
        {"more": 1},
    ],
)
def test_a_plan_that_nobody_can_play_is_refused(
    evening: Evening, values: dict[str, object]
) -> None:
    assert refused(evening, plan_with(evening, **values)).startswith("Event 1")


@pytest.mark.parametrize(
    ("at", "members"),
    [
        (1, {"entry": -1}),
        (1, {"entry": 10**6}),
        (1, {"names": ["Ana", "\u202e"]}),
        (1, {"names": ["Ana", " Ben "]}),
        (1, {"names": ["Ana", "Ana"]}),
        (1, {"at": "yesterday"}),
        (1, {"at": None}),
        (1, {"event": "Vanished"}),
        (1, {"event": ["Entered"]}),
        (5, {"seating": {"tables": [[[0], [1], [2], [3]]], "byes": []}}),
        (5, {"seating": {"tables": [[[0, 1], [2, 3]]], "byes": []}}),
        (5, {"seating": {"tables": [[[0], [1]]], "byes": [2]}}),
        (7, {"game": "0' OR '1"}),
        (9, {"ends": "soon"}),
        (9, {"left": -5}),
    ],
)
def test_an_event_that_no_page_lets_happen_is_refused(
    evening: Evening, at: int, members: dict[str, object]
) -> None:
    evening.start().do(ClockSet(1, None, 60))
    assert refused(evening, changed(evening, at, members)).startswith(f"Event {at + 1}")


def test_a_file_that_is_too_large_is_refused(evening: Evening) -> None:
    evening.stranger.sit_down("another")
    form = evening.stranger.page("/club/import").form("choose")
    sent = {**form.fields, "file": FileStorage(io.BytesIO(b" " * (2 << 20)), "a.json")}
    assert send_file(evening, sent).status_code == 413


def test_without_a_file_nothing_happens(evening: Evening) -> None:
    evening.stranger.sit_down("another")
    answer = evening.stranger.send(evening.stranger.page("/club/import").form("choose"))
    assert answer.status_code == 422
    assert page_of(answer).error_of("file") == "Choose a file first."


def test_links_for_the_wall_players_and_each_table(evening: Evening) -> None:
    evening.table.app.config["BASE_URL"] = "https://club.example"
    page = page_of(evening.table.get(f"/club/{evening.id}/links"))
    text = page.text
    assert f"https://club.example{evening.path('wall')}" in text
    assert f"https://club.example{evening.path('poster')}" in text
    assert f"https://club.example{evening.path('slip')}" in text
    assert page.texts("section[@class='table-card']/h2") == ["Table 1", "Table 2"]
    assert len(page.all("div[@role='img']")) == 4


@pytest.mark.parametrize("kind", ["wall", "poster"])
def test_a_link_is_replaced(evening: Evening, kind: Kind) -> None:
    old, other = evening.path(kind), evening.path("poster" if kind == "wall" else "wall")
    page = page_of(evening.table.get(f"/club/{evening.id}/links"))
    form = next(form for form in page.forms() if {"kind": kind} in form.buttons)
    assert evening.table.send(form, kind=kind).status_code == 303
    assert [evening.stranger.get(path).status_code for path in (old, other)] == [404, 200]
    assert evening.stranger.get(evening.path(kind)).status_code == 200
    again = evening.table.send(form, kind=kind)
    assert again.status_code in (303, 409)  # a second tap replaces nothing
    assert evening.stranger.get(evening.path(kind)).status_code == 200


def test_a_card_is_replaced(evening: Evening) -> None:
    old = evening.path("slip")
    page = page_of(evening.table.get(f"/club/{evening.id}/links"))
    form = next(form for form in page.forms() if {"number": "1"} in form.buttons)
    evening.table.send(form, number=1)
    assert evening.stranger.get(old).status_code == 404
    assert evening.stranger.get(evening.path("slip")).status_code == 200


def test_who_comes_late_finds_a_card_too(evening: Evening) -> None:
    evening.do(Entered(4, ("Jo", "Kim")))
    page = page_of(evening.table.get(f"/club/{evening.id}/links"))
    assert len(page.all("section[@class='table-card']")) == 3


def test_statistics_count_the_games_as_any(evening: Evening) -> None:
    evening.start()
    for number in (1, 2):
        for _round in range(9):
            evening.play(number, (6, 3, 3, 1), (6, 3, 3, 1))
    evening.close()
    page = evening.table.page("/players")
    for name in ("Ana", "Ben", "Cy", "Dee"):
        assert name in page.text


def test_a_corrected_result_is_shown_at_once(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    evening.do(Reported(1, 1, Result((100, 310)), True))
    assert rows(results(evening))[0].endswith("310 : 100 1 310")


def test_a_lot_decides_where_nothing_else_does(app: Flask) -> None:
    evening = Evening(app, scoring=Scoring(criteria=("head_to_head", "lot")))
    evening.start().close((300, 100), (200, 150))
    assert "drawn by lot" in results(evening).text
