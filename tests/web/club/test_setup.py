"""Setting a club night up: how it is played, and who plays."""

from dataclasses import replace

import pytest
from flask import Flask

from scorekeeper.clock import now
from scorekeeper.club.events import FORMATS, SINGLES, Plan, SetUp
from scorekeeper.club.standings import Scoring
from scorekeeper.store.club import record
from scorekeeper.store.journal import Who
from scorekeeper.web.club.setup import read_entries
from tests.web.club.evening import TEAMS, Director
from tests.web.play import Table, page_of

TEAMS_ALONE = "\n".join(TEAMS).replace(" & ", "\n")


@pytest.fixture
def new(app: Flask) -> Director:
    """A director who has not set anything up."""
    director = Director(app)
    director.sit_down()
    return director


def plan_of(director: Director) -> Plan:
    return director.club.night.plan


def names_of(director: Director) -> list[tuple[str, ...]]:
    night = director.club.night
    return [night.entries[one].names for one in night.present]


def test_home_leads_to_a_new_club_night_and_to_those_going_on(new: Director) -> None:
    home = new.page("/")
    assert "Club night" in home.text
    assert new.get("/club").location == "/club/new"
    new.set_up(name="Friday at the Anchor")
    assert "Friday at the Anchor" in new.page("/").text
    assert "Friday at the Anchor" in new.page("/club").text
    new.send(new.page(f"{new.path}/removal").form("/removal"))
    assert "Friday at the Anchor" not in new.page("/").text


@pytest.mark.parametrize("chosen", FORMATS)
def test_every_format_is_set_up_and_its_first_match_paired(new: Director, chosen: str) -> None:
    teams = "\n".join(TEAMS)
    typed = teams.replace(" & ", "\n") if chosen in SINGLES else teams
    assert new.set_up(typed, format=chosen).status_code == 303
    assert plan_of(new).format == chosen
    assert new.match.state == "paired"
    assert len(new.desk.all("ol[@class='club-tables']/li")) == 2


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"length": "target"}, (None, None)),
        ({"length": "rounds", "rounds": "6"}, (6, None)),
        ({"length": "minutes", "minutes": "٢٥"}, (None, 25)),  # Arabic digits
        ({"length": "minutes", "minutes": "40", "rounds": "zz"}, (None, 40)),  # not asked for
        ({"length": "target", "how-many": " "}, (None, None)),
    ],
)
def test_a_match_is_a_game_or_so_many_rounds_or_minutes(
    new: Director, fields: dict[str, str], expected: tuple[int | None, int | None]
) -> None:
    new.set_up(**fields)
    assert (plan_of(new).rounds, plan_of(new).minutes) == expected


def test_when_the_clock_warns_can_be_chosen(new: Director) -> None:
    new.set_up(length="minutes", minutes="40", warns="10")
    assert plan_of(new).warns == 10
    new.act("start")
    assert new.desk.one("*[@role='timer']").get("data-warns") == "600"


def test_what_decides_ties_can_be_chosen(new: Director) -> None:
    new.set_up(ties="head_to_head", lot="yes")
    chosen = ("head_to_head", "difference", "points", "play_off", "lot")
    assert plan_of(new).scoring.criteria == chosen
    new.send(new.page(f"{new.path}/plan").form("/plan"), name="Friday")
    assert plan_of(new).scoring.criteria == chosen
    new.send(new.page(f"{new.path}/plan").form("/plan"), ties="points", lot="")
    assert plan_of(new).scoring.criteria == ("wins", "points", "play_off")


def test_what_a_match_and_a_bye_score_can_be_chosen(new: Director) -> None:
    assert new.set_up().status_code == 303
    usual = Scoring(criteria=("wins", "points", "play_off"))
    assert plan_of(new).scoring == usual
    scored = {"match_points": "6-2-0", "bye": "draw", "bye_score": "−40"}
    chosen = replace(usual, win=6, draw=2, bye=2, bye_score=-40)
    for fields in (scored, {"name": "Friday"}):  # kept by a form that changes something else
        new.send(new.page(f"{new.path}/plan").form("/plan"), **fields)
        assert plan_of(new).scoring == chosen
    alone = {"format": "progressive", "book": "cutthroat", "bye_score": ""}
    new.set_up(TEAMS_ALONE, **alone, match_points="6-2-0")
    assert plan_of(new).scoring == usual  # points by place, three for the first of four


def test_what_the_form_cannot_show_of_an_imported_evening_stays(new: Director) -> None:
    new.set_up()
    own = Scoring(win=10, draw=4, loss=1, bye=7, criteria=("bags", "wins"))
    with new.store.write(new.id) as db:
        record(db, new.club, SetUp(replace(plan_of(new), scoring=own)), Who(None, now()))
    new.store.release()
    new.send(new.page(f"{new.path}/plan").form("/plan"), name="Friday")
    assert plan_of(new).scoring == own
    new.send(new.page(f"{new.path}/plan").form("/plan"), match_points="4-2-0")
    assert plan_of(new).scoring.win == 4


def test_prizes_are_written_a_line_for_each_place(new: Director) -> None:
    new.set_up(prize_list="a ham\r\n\n wine  and cheese \n")
    assert plan_of(new).prizes == ("a ham", "wine and cheese")
    assert new.page(f"{new.path}/plan").texts("textarea[@id='prize_list']") == [
        "a ham wine and cheese"
    ]


def test_own_rules_of_the_table_can_be_chosen(new: Director) -> None:
    form = new.page("/rules/new?rules=partnership").form("house-rules")
    own = new.send(form, name="Anchor rules", target=150).location.rpartition("/")[2]
    new.set_up(book=own)
    assert plan_of(new).rules == "partnership"
    assert plan_of(new).house_rules == (("target", "150"),)
    new.send(new.page(f"{new.path}/plan").form("/plan"), name="Friday")
    assert plan_of(new).house_rules == (("target", "150"),)
    assert plan_of(new).name == "Friday"


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("rounds", "0"),
        ("rounds", "51"),
        ("rounds", "six"),
        ("how-many", "99"),
        ("book", "cutthroat"),
        ("book", "nothing"),
        ("name", "\u202e"),
        ("bye_score", "12x"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_lost(
    new: Director, field: str, typed: str
) -> None:
    sent = {"length": "rounds", "rounds": "7", "minutes": "33", "name": "Friday", field: typed}
    answer = new.send(new.page("/club/new").form("/club/new"), **sent)
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.error_of(field)
    assert {**page.form("/club/new").fields, "book": ""} == {
        **page.form("/club/new").fields,
        **{name: text for name, text in sent.items() if name != "book"},
        "book": "",
    }


def test_a_second_tap_sets_up_nothing_twice(new: Director) -> None:
    form = new.page("/club/new").form("/club/new")
    assert new.send(form).location == new.send(form).location


def test_the_plan_changes_until_it_is_begun_but_for_its_format(running: Director) -> None:
    form = running.page(f"{running.path}/plan").form("/plan")
    assert running.send(form, length="rounds", rounds="2").status_code == 303
    assert plan_of(running).rounds == 2
    answer = running.send(running.page(f"{running.path}/plan").form("/plan"), format="halves")
    assert answer.status_code == 422
    assert "the format stays" in page_of(answer).alerts


# Entries


@pytest.mark.parametrize(
    ("text", "are_single", "names"),
    [
        ("Ana & Ben\n\n Cy+Dee \nEve/Finn/Gil", False, ["Ana Ben", "Cy Dee", "Eve Finn Gil"]),
        ("Ana, Ben\nCy\tDee", False, ["Ana Ben", "Cy Dee"]),
        ("Kim + ?\nAna & Ben\nLou & ?", False, ["Ana Ben", "Kim Lou"]),
        ("Ana\nBen, Cy;Dee", True, ["Ana", "Ben", "Cy", "Dee"]),
    ],
)
def test_entries_are_typed_or_pasted_a_line_each(
    text: str, are_single: bool, names: list[str]
) -> None:
    typed = read_entries(text, are_single=are_single, in_pairs=False)
    assert ([" ".join(one) for one in typed.names], typed.errors) == (names, {})


@pytest.mark.parametrize(
    ("text", "are_single", "wrong"),
    [
        ("Ana & Ben\nKim", False, {2: "one name only"}),
        ("A & B & C & D", False, {1: "more than three names"}),
        ("Ana & Ben\nCy & ben", False, {2: "ben is in line 1"}),
        ("Ana & Ana", False, {1: "Ana is in line 1"}),
        ("Kim + ?", False, {1: "no partner yet"}),
        ("Ana & Ben", True, {1: "one name a line"}),
        ("Ana & " + "x" * 41, False, {1: "at most 40 characters"}),
    ],
)
def test_a_line_says_what_is_wrong_with_it(
    text: str, are_single: bool, wrong: dict[int, str]
) -> None:
    errors = read_entries(text, are_single=are_single, in_pairs=False).errors
    assert errors.keys() == wrong.keys()
    assert all(wrong[n] in errors[n] for n in wrong)


def test_a_wrong_line_keeps_what_was_typed_and_singles_are_paired_on_request(
    new: Director,
) -> None:
    typed = "Ana & Ben\nKim\nLou\nCy & Dee"
    page = page_of(new.set_up(typed))
    assert "Line 2: one name only Kim" in page.alerts
    assert page.one("textarea").text == typed
    assert {"pairs": "yes"} in page.form("/entries").buttons
    assert new.enter(typed, pairs="yes").status_code == 303
    assert names_of(new) == [("Ana", "Ben"), ("Cy", "Dee"), ("Kim", "Lou")]


def test_who_sits_out_is_told_at_once(new: Director) -> None:
    new.set_up("\n".join([*TEAMS, "Jo & Kim"]))
    now = new.desk.texts("section[@class='club-now']")[0]
    assert "2 tables" in now
    assert "Sitting out" in now


def test_too_few_are_told_and_nothing_typed_is_lost(new: Director) -> None:
    answer = new.set_up("Ana & Ben")
    assert answer.status_code == 422
    assert "At least 2" in page_of(answer).alerts
    assert page_of(answer).one("textarea").text == "Ana & Ben"


def test_entries_are_changed_until_the_first_match_starts(director: Director) -> None:
    director.enter("Ana & Cy\nBen & Dee\nEve & Finn")
    assert names_of(director) == [("Ana", "Cy"), ("Ben", "Dee"), ("Eve", "Finn")]
    assert len(director.match.seating.byes) == 1
    director.enter("\n".join(TEAMS))
    assert sorted(names_of(director)) == sorted(tuple(one.split(" & ")) for one in TEAMS)
    assert sorted(director.match.seating.entries) == sorted(director.club.night.present)


def test_a_second_tap_enters_nobody_twice(director: Director) -> None:
    form = director.page(f"{director.path}/entries").form("/entries")
    typed = "\n".join([*TEAMS, "Jo & Kim", "Lou & Mia"])
    assert [director.send(form, typed=typed).status_code for _tap in range(2)] == [303, 303]
    assert len(names_of(director)) == 6


def test_two_directors_at_once_lose_nothing(director: Director) -> None:
    form = director.page(f"{director.path}/entries").form("/entries")
    director.act("start")
    answer = director.send(form, typed="Jo & Kim")
    assert answer.status_code == 409
    assert "Another phone has changed this evening" in page_of(answer).alerts
    assert page_of(answer).one("textarea").text == "Jo & Kim"
    assert director.send(page_of(answer).form("/entries"), typed="Jo & Kim").status_code == 303


def test_who_comes_late_leaves_returns_and_is_replaced(running: Director) -> None:
    running.enter("Jo & Kim")
    assert ("Jo", "Kim") in names_of(running)
    form = running.page(f"{running.path}/entries").form("/entries")
    running.send(form, typed=None, leaves=1)
    assert ("Ana", "Ben") not in names_of(running)
    assert "gone home" in running.page(f"{running.path}/entries").text
    running.enter("", returns=1)
    running.enter("Ana & Zoe", replaced=1)
    assert ("Ana", "Zoe") in names_of(running)
    running.act("undo")
    assert ("Ana", "Ben") in names_of(running)


def test_names_that_are_wrong_for_one_team_stay_beside_it(running: Director) -> None:
    page = page_of(running.enter("Zoe", replaced=1))
    assert page.alerts == "one name only"
    assert not page.one("textarea").text
    assert page.one("input[@id='names-1']").get("value") == "Zoe"
    assert running.enter("Zoe", leaves=1).status_code == 303
    answer = running.enter("Cy & Zoe", replaced=1)
    assert answer.status_code == 422
    assert "Entered twice: Cy" in page_of(answer).alerts


def test_an_evening_of_another_table_is_not_found(director: Director, app: Flask) -> None:
    guest = Table(app)
    guest.sit_down()
    for path in ("", "/plan", "/entries", "/removal", "/matches/1/tables/1"):
        assert guest.client.get(director.path + path).status_code == 404
