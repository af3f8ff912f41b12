"""The screen on the wall of a club night: what it shows when, without changing anything."""

import logging
from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.clock import now, stamp
from scorekeeper.club.events import ClockSet, Ended, LastRoundCalled, Left, LinkEnded
from scorekeeper.store.club_links import Kind
from tests.web.club.links import SINGLES, Evening

ROUND = (3, 3, 3, 3), (4, 3, 3, 3)
GAINED = "span[@class='gained gain']"


@pytest.fixture
def evening(app: Flask) -> Evening:
    return Evening(app, name="Friday at the Anchor")


def heading(evening: Evening, more: str = "") -> str:
    return evening.seen("wall", more).texts("h1")[0]


def test_before_the_first_match_it_welcomes_everyone_by_name(evening: Evening) -> None:
    page = evening.seen("wall")
    assert page.texts("h1") == ["Friday at the Anchor"]
    assert page.texts("ol/li") == ["Ana", "Ben", "Cy", "Dee", "Eve", "Finn", "Gil", "Ida"]


def test_nobody_has_entered_yet(app: Flask) -> None:
    page = Evening(app, ()).seen("wall")
    assert "The names of all players will appear here." in page.text


def test_it_says_who_sits_where(evening: Evening) -> None:
    page = evening.pair().seen("wall")
    assert page.texts("h1") == ["Match 1: where do I sit?"]
    rows = page.texts("ol/li")
    assert len(rows) == 8
    assert {row.split()[-1] for row in rows} == {"1", "2"}
    assert {row.split()[1] for row in rows} == {"North", "East", "South", "West"}


def test_who_sits_out_finds_the_name_too(evening: Evening) -> None:
    rows = evening.do(Left(3)).pair().seen("wall").texts("ol/li")
    assert len(rows) == 6
    assert sum("sits out" in row for row in rows) == 2


def test_of_a_team_of_three_one_waits(app: Flask) -> None:
    three = (("Ana", "Ben", "Zoe"), ("Cy", "Dee"))
    rows = Evening(app, three).pair().seen("wall").texts("ol/li")
    assert rows[0] == "Ana waits 1"


def test_names_with_accents_stand_among_the_others(app: Flask) -> None:
    rows = Evening(app, (("Zoe", "Émile"), ("Eve", "Finn"))).seen("wall").texts("ol/li")
    assert rows == ["Émile", "Eve", "Finn", "Zoe"]


def test_seats_are_shown_until_a_round_is_scored(evening: Evening) -> None:
    evening.start()
    assert heading(evening) == "Match 1: where do I sit?"
    assert heading(evening, "?screen=1") == "Match 1 of 5"
    evening.play(1, *ROUND)
    assert heading(evening) == heading(evening, "?screen=1") == "Match 1 of 5"


def test_every_table_is_shown_as_it_stands(evening: Evening) -> None:
    evening.start().play(1, *ROUND)
    rows = evening.seen("wall").texts("ol/li")
    assert "61" in rows[0]
    assert "Round 2" in rows[0]
    assert "Round 1" in rows[1]


def test_the_clock_counts_and_the_last_round_is_called(evening: Evening) -> None:
    ends = stamp(now() + timedelta(minutes=2))
    evening.start().do(ClockSet(1, ends), LastRoundCalled(1))
    page = evening.seen("wall")
    clock = page.one("time")
    assert clock.get("data-ends") == ends
    assert clock.text in ("2:00", "1:59")
    assert "Last round" in page.text
    evening.do(ClockSet(1, None, 65))
    assert evening.seen("wall").texts("time") == ["1:05"]
    assert evening.seen("wall").one("time").get("data-ends") is None


def test_before_a_match_the_clock_counts_to_its_start(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).pair()
    assert "Match 2 starts soon" in evening.seen("wall", "?screen=1").text
    evening.do(ClockSet(2, None, 270))
    for page in (evening.seen("wall", "?screen=1"), evening.seen("poster", "/0?you=0")):
        assert "Starts in 4:30" in page.text
        assert "starts soon" not in page.text
        assert "not started yet" not in page.text


def test_standings_take_turns_with_seats_and_tell_who_has_gained(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    assert heading(evening) == "Standings after match 1"
    evening.start().close((100, 300), (100, 400))
    page = evening.seen("wall")
    assert page.texts("h1") == ["Standings after match 2"]
    assert page.texts("ol/li")[0].startswith("1")
    assert page.all(GAINED)
    evening.pair()
    assert [heading(evening, f"?screen={n}") for n in range(3)] == [
        "Match 3: where do I sit?",
        "Standings after match 2",
        "Match 3: where do I sit?",
    ]


def test_the_end_is_shown_for_good(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).do(Ended())
    assert heading(evening) == "Final standings"


def test_many_names_are_shown_in_turn(app: Flask) -> None:
    many = [(f"Player {n:02}",) for n in range(60)]
    evening = Evening(app, many, format="change_partners")
    page = evening.seen("wall", "?screen=1")
    assert len(page.all("ol/li")) == 12
    assert evening.seen("wall", "?screen=2").texts("ol/li")[0] == "Player 00"
    assert len(page.all("i")) == 2


@pytest.mark.parametrize("screen", ["-1", "x", "9" * 5000, "1e9"])
def test_any_screen_is_one_of_them(evening: Evening, screen: str) -> None:
    assert evening.stranger.get(evening.path("wall", f"?screen={screen}")).status_code in (200, 400)


def test_players_alone_are_shown_with_four_totals(app: Flask) -> None:
    evening = Evening(app, SINGLES, format="change_partners", alone=True, rules="cutthroat")
    evening.start().play(1, (3, 3, 3, 3), (4, 3, 3, 3))
    assert len(evening.seen("wall").all("ol/li[1]/div/p")) == 4


def test_without_scripts_the_next_screen_comes_by_itself(evening: Evening) -> None:
    content = evening.start().seen("wall").one("noscript/meta").get("content", "")
    assert content == f"12;url={evening.path('wall', '?screen=1')}"


def test_a_part_has_nothing_around_it(evening: Evening) -> None:
    text = evening.stranger.get(evening.path("wall", "?part=1")).text
    assert text.startswith("<main")


# What the key of each kind of link opens, and nothing else.
OPENED: dict[Kind, tuple[str, ...]] = {
    "wall": ("wall/{key}",),
    "poster": ("players/{key}", "players/{key}/results", "players/{key}/0"),
    "slip": (),
}


@pytest.mark.parametrize("kind", OPENED)
def test_a_key_opens_its_own_pages_alone(evening: Evening, kind: Kind) -> None:
    key = evening.path(kind).rpartition("/")[2]
    for owner, pages in OPENED.items():
        for page in pages:
            path = f"/club/{evening.id}/{page.format(key=key)}"
            assert evening.stranger.get(path).status_code == (200 if owner == kind else 404)


@pytest.mark.parametrize("path", [page for pages in OPENED.values() for page in pages])
def test_a_link_changes_nothing(evening: Evening, path: str) -> None:
    keys = {"wall": evening.path("wall"), "players": evening.path("poster")}
    key = keys[path.partition("/")[0]].rpartition("/")[2]
    before = evening.table.everything()
    address = f"/club/{evening.id}/{path.format(key=key)}"
    answer = evening.stranger.get(address)
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        sent = evening.stranger.client.open(address, method=method)
        assert sent.status_code in (400, 405)
    assert evening.table.everything() == before


@pytest.mark.parametrize("kind", OPENED)
def test_a_log_names_no_key(evening: Evening, kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    path = evening.path(kind)
    logging.getLogger("gunicorn.access").error("GET %s/0?you=1 200", path)
    assert caplog.messages == [f"GET {path[:-26]}[secret]/0?you=1 200"]


@pytest.mark.parametrize("kind", ["wall", "poster"])
def test_an_ended_link_says_whom_to_ask(evening: Evening, kind: Kind) -> None:
    old = evening.path(kind)
    evening.do(LinkEnded(kind))
    answer = evening.stranger.get(old)
    assert answer.status_code == 404
    assert "Ask the director for a new one." in answer.text
    assert evening.stranger.get(evening.path(kind)).status_code == 200


def test_many_wrong_keys_are_refused(evening: Evening) -> None:
    evening.table.app.config["OPEN"] = True
    path = evening.path("wall")[:-26] + "0" * 26
    answers = {evening.stranger.get(path).status_code for _ in range(25)}
    assert answers == {404, 429}
