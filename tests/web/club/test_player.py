"""What a player sees by the poster's code: name, seat, table, results and place."""

from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.clock import now, stamp
from scorekeeper.club.events import ClockSet, Ended, LastRoundCalled, Left
from scorekeeper.club.match import Match
from scorekeeper.club.standings import Scoring
from scorekeeper.store.club_links import join_as_keeper
from tests.web.club.links import SINGLES, Evening

ROUND = (3, 3, 3, 3), (4, 3, 3, 3)
FELT = "section[@class='felt where']"
ROWS = "ol[@class='rows played-rows']/li"


@pytest.fixture
def evening(app: Flask) -> Evening:
    return Evening(app, name="Friday at the Anchor")


def felt(evening: Evening, entry: int = 0, you: str = "?you=0") -> str:
    """Return what the page of an entry says first."""
    return evening.seen("poster", f"/{entry}{you}").texts(FELT)[0]


def table_of(match: Match, entry: int) -> int:
    return next(n for n in match.numbers if (entry,) in match.seating.tables[n - 1])


def test_everybody_finds_a_name(evening: Evening) -> None:
    page = evening.seen("poster")
    assert page.texts("h1") == ["Find your name Friday at the Anchor"]
    names = page.all("ul/li/a")
    assert len(names) == 8
    assert page.texts("ul/li/a")[0] == "Ana with Ben"
    assert names[1].get("href") == evening.path("poster", "/0?you=1")


def test_a_search_narrows_the_names(evening: Evening) -> None:
    assert evening.seen("poster", "?name=EV").texts("ul/li/a") == ["Eve with Finn"]
    page = evening.seen("poster", "?name=Zoe")
    assert "No “Zoe” plays tonight. Ask the director." in page.text
    assert page.one("input[@name='name']").get("value") == "Zoe"


def test_before_the_first_match(evening: Evening) -> None:
    assert "Match 1 starts soon" in felt(evening)


def test_a_paired_match_says_where_to_sit(evening: Evening) -> None:
    evening.pair()
    number = table_of(evening.match, 0)
    told = felt(evening)
    assert f"You sit at table {number}, " in told
    assert "Ben" in told
    assert "your partner" in told
    assert "The match has not started yet." in told
    assert f"Scan the card at table {number} to keep score." in told
    other = "Cy and Dee" if (1,) in evening.match.seating.tables[number - 1] else ""
    assert f"With Ben, against {other}" in told or not other


def test_without_a_name_it_is_the_page_of_the_team(evening: Evening) -> None:
    told = felt(evening.pair(), you="")
    assert f"You sit at table {table_of(evening.match, 0)} " in told
    assert "your partner" not in told


def test_the_game_is_followed_live(evening: Evening) -> None:
    evening.start()
    number = table_of(evening.match, 0)
    assert "Round 1 · 0 : 0" in felt(evening)
    evening.play(number, *ROUND)
    own = evening.match.seating.tables[number - 1].index((0,))
    assert f"Round 2 · {'61 : 60' if own == 0 else '60 : 61'}" in felt(evening)
    evening.do(ClockSet(1, stamp(now() + timedelta(minutes=5))), LastRoundCalled(1))
    assert "Last round" in felt(evening)
    assert evening.seen("poster", "/0").one("time").get("data-ends")


def test_a_match_of_so_many_rounds_says_how_many(app: Flask) -> None:
    assert "Round 1 of 6" in felt(Evening(app, rounds=6).start())


def test_a_phone_that_has_scanned_the_card_keeps_score(evening: Evening) -> None:
    evening.pair()
    number = table_of(evening.match, 0)
    with evening.table.store.write(evening.table.id) as db:
        keeper = join_as_keeper(db, evening.now, number, f"Table {number}", now())
    with evening.stranger.client.session_transaction() as session:
        session["keepers"] = [keeper.id]
    assert f"This phone keeps score at table {number}." in felt(evening)
    evening.start()
    game = evening.match.games[number]
    page = evening.seen("poster", "/0?you=0")
    assert page.one("a[@id='keep']").get("href") == f"/games/{game}"
    other = next(entry for entry in range(4) if table_of(evening.match, entry) != number)
    assert "Scan the card" in felt(evening, other)


def test_a_finished_table_waits_for_the_others(app: Flask) -> None:
    evening = Evening(app, house_rules=(("target", "60"),)).start()
    evening.play(table_of(evening.match, 0), *ROUND)
    told = felt(evening)
    assert "Finished" in told
    assert "The next match comes when all tables have finished." in told
    assert "Scan" not in told


def test_results_and_the_places_around(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150))
    won = evening.match.seating.tables[0][0][0]
    page = evening.seen("poster", f"/{won}")
    assert "1 of 1 won" in page.text
    rows = page.texts(ROWS)
    assert rows[0].startswith("1 Won against ")
    assert rows[0].endswith("300 : 100")
    assert len(rows) == 1 + 4
    assert page.texts("li[@class='is-you']")[0].endswith("300")
    lost = evening.match.seating.tables[0][1][0]
    assert "Lost against" in evening.seen("poster", f"/{lost}").texts(ROWS)[0]


def test_a_draw_is_told(evening: Evening) -> None:
    evening.start().close((200, 200), (300, 100))
    entry = evening.match.seating.tables[0][0][0]
    page = evening.seen("poster", f"/{entry}")
    assert "Draw against" in page.texts(ROWS)[0]
    assert "0 of 1 won" in page.text
    assert "½ match point" in page.text


@pytest.mark.parametrize(
    ("bye", "told"),
    [
        (2, "It counts as a win."),
        (1, "It counts as a draw."),
        (0, "Nobody was left to meet you."),
    ],
)
def test_who_sits_out_knows_what_it_counts(app: Flask, bye: int, told: str) -> None:
    evening = Evening(app, scoring=Scoring(bye=bye))
    evening.do(Left(3)).start()
    (entry,) = evening.match.seating.byes
    assert "You sit out match 1" in felt(evening, entry)
    assert told in felt(evening, entry)
    evening.close((300, 100))
    assert evening.seen("poster", f"/{entry}").texts(ROWS)[0] == "1 Sat out"


def test_who_has_gone_home_may_come_back(evening: Evening) -> None:
    assert "You have gone home" in felt(evening.do(Left(3)), 3)


def test_who_is_out_of_a_knock_out_does_not_play(app: Flask) -> None:
    evening = Evening(app, format="knock_out").start().close((300, 100), (300, 100)).pair()
    out = next(e for e in range(4) if e not in evening.match.seating.entries)
    assert "You don’t play in this match" in felt(evening, out)


def test_at_the_end_the_place_is_told(evening: Evening) -> None:
    evening.start().close((300, 100), (200, 150)).do(Ended())
    first = evening.match.seating.tables[0][0][0]
    told = felt(evening, first)
    assert "Place 1 of 4" in told
    assert "The evening is over." in told


def test_singles_see_their_partner_of_this_match(app: Flask) -> None:
    evening = Evening(app, SINGLES, format="change_partners").start()
    assert "your partner" in felt(evening)
    evening.close((300, 100), (200, 150))
    assert "with" in evening.seen("poster", "/0").texts(ROWS)[0]


def test_who_plays_alone_is_told_a_place(app: Flask) -> None:
    evening = Evening(app, SINGLES, format="change_partners", alone=True, rules="cutthroat")
    evening.start().close((10, 20, 30, 40), (40, 30, 20, 10))
    page = evening.seen("poster", "/0?you=0")
    assert "Place " in page.texts(ROWS)[0]
    assert " of 4" in page.texts(ROWS)[0]


def test_of_a_team_of_three_one_is_told_to_wait(app: Flask) -> None:
    evening = Evening(app, (("Ana", "Ben", "Zoe"), ("Cy", "Dee"))).pair()
    assert "You wait this match. Your team plays at table 1." in felt(evening)
    assert "You sit at table 1" in felt(evening, you="?you=2")


@pytest.mark.parametrize("more", ["/9", "/0?you=9", "/0?you=-1", "/0?you=x", f"/{'9' * 30}"])
def test_nobody_else_is_there(evening: Evening, more: str) -> None:
    status = 200 if more.startswith("/0") else 404
    assert evening.stranger.get(evening.path("poster", more)).status_code == status


def test_a_page_is_fetched_again_without_what_is_around_it(evening: Evening) -> None:
    page = evening.seen("poster", "/0?you=1").one("main[@id='live']")
    assert page.get("data-following") == evening.path("poster", "/0?you=1")
    part = evening.stranger.get(evening.path("poster", "/0?you=1&part=1")).text
    assert part.startswith("<main")


def test_nothing_private_is_shown(evening: Evening) -> None:
    evening.start()
    for more in ("", "/0?you=0", "/results"):
        text = evening.stranger.get(evening.path("poster", more)).text
        for private in ("the director", evening.table.id, evening.table.session["phone"]):
            assert private not in text
        assert "/games/" not in text
        assert "csrf" not in text
