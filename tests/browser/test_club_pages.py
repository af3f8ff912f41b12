"""What others see of a club night, on televisions, phones and paper, in every language."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from scorekeeper.clock import now, stamp
from scorekeeper.club.events import ClockSet, Ended, LastRoundCalled
from scorekeeper.i18n import LANGUAGES
from tests.browser.app_server import AppServer
from tests.browser.test_every_page import has_no_violations, is_for_everybody, is_for_everybody_in
from tests.browser.test_paper import UNFIT, pages
from tests.web.club.links import SINGLES, TEAMS, Evening

pytestmark = pytest.mark.browser_context_args(service_workers="block")

OTHERS = [language for language in LANGUAGES if language != "en"]
PEOPLE = [f"Player {n:02}" for n in range(96)]
MANY = tuple(zip(PEOPLE[::2], PEOPLE[1::2], strict=True))
LONG = (
    ("Wilhelmina-Charlotte von Hohenstein", "Konstantinos Papadopoulos-Georgiou"),
    ("Wolfeschlegelsteinhausenbergerdorffvonde", "Al"),
    *TEAMS[2:],
)
# In one step, as the page is replaced once its stream is open.
LAST = """
(() => {
  const box = [...document.querySelectorAll("#live li")].at(-1).getBoundingClientRect();
  return [box.bottom, box.height];
})()
"""
TELEVISIONS = ((1280, 720), (1920, 1080))
Scene = Callable[[Flask], tuple[Evening, str]]


def begun(app: Flask, cast: object = TEAMS, **plan: object) -> Evening:
    """Return an evening whose second match runs."""
    evening = Evening(app, cast, name="Friday at the Anchor", **plan)
    while len(evening.now.night.begun) < 2:
        tables = evening.start().match.seating.tables
        if evening.match.number == 1:
            evening.close(*(tuple(300 - 90 * at for at in range(len(one))) for one in tables))
    ends = stamp(now() + timedelta(minutes=12, seconds=34))
    return evening.do(ClockSet(2, ends), LastRoundCalled(2))


def of_knock_out(app: Flask) -> tuple[Evening, str]:
    evening = Evening(app, TEAMS[:3], format="knock_out").start().close((300, 100))
    return evening, evening.path("poster", "/results")


def ended(app: Flask) -> tuple[Evening, str]:
    evening = Evening(app, prizes=("a ham", "wine", "cheese")).start()
    evening.close((300, 100), (200, 100)).do(Ended())
    return evening, evening.path("poster", "/1")


def alone(app: Flask) -> tuple[Evening, str]:
    evening = begun(app, SINGLES, format="change_partners", alone=True, rules="cutthroat")
    return evening, evening.path("poster", "/0?you=0")


def at(kind: str, more: str = "", cast: object = TEAMS) -> Scene:
    """Return a scene of an address of an evening; without a kind it is the director's."""

    def scene(app: Flask) -> tuple[Evening, str]:
        evening = begun(app, cast)
        known = {"wall": evening.path("wall"), "poster": evening.path("poster")}
        return evening, known.get(kind, f"/club/{evening.id}") + more

    return scene


SCENES: dict[str, Scene] = {
    "seats on the wall": at("wall"),
    "tables on the wall": at("wall", "?screen=1"),
    "standings on the wall": at("wall", "?screen=2", LONG),
    "names": at("poster", cast=LONG),
    "a player": at("poster", "/0?you=0"),
    "a player with a long name": at("poster", "/1?you=0", LONG),
    "a player alone": alone,
    "a player at the end": ended,
    "results": at("poster", "/results", LONG),
    "a bracket": of_knock_out,
    "files": at("", "/results"),
    "links": at("", "/links"),
}


def visit(server: AppServer, page: Page, scene: Scene) -> None:
    """Open the page of a scene, as the director."""
    evening, path = scene(server.app)
    cookie = evening.table.client.get_cookie(server.app.config["SESSION_COOKIE_NAME"])
    assert cookie
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": server.address}])
    page.goto(path)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_a_page_is_for_everybody(server: AppServer, page: Page, scene: Scene) -> None:
    visit(server, page, scene)
    is_for_everybody(page)


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_is_for_everybody_in_every_language(
    server: AppServer, page: Page, language: str
) -> None:
    page.context.add_cookies([{"name": "language", "value": language, "url": server.address}])
    for scene in SCENES.values():
        visit(server, page, scene)
        is_for_everybody_in(language, page)
        if language == "ar":
            has_no_violations(page)


@pytest.mark.parametrize("size", TELEVISIONS)
@pytest.mark.parametrize("screen", range(4))
def test_a_television_shows_a_screen_whole(
    server: AppServer, page: Page, size: tuple[int, int], screen: int
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(begun(server.app, MANY).path("wall", f"?screen={screen}"))
    box = page.evaluate("[document.body.scrollWidth, document.body.scrollHeight]")
    assert box == [*size]
    bottom, height = page.evaluate(LAST)
    assert bottom <= size[1]
    assert height >= size[1] / 25


def test_the_wall_takes_turns_and_follows_the_evening(server: AppServer, page: Page) -> None:
    page.clock.install()
    evening = begun(server.app)
    page.goto(evening.path("wall"))
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Match 2: where do I sit?")
    page.clock.run_for(16_000)
    expect(title).to_have_text("Match 2 of 5")
    evening.play(1, (3, 3, 3, 3), (4, 3, 3, 3))
    page.clock.run_for(32_000)
    expect(page.locator("#live")).to_contain_text("61")


def test_a_players_page_keeps_up_holds_the_focus_and_says_what_is_left(
    server: AppServer, page: Page
) -> None:
    page.clock.install()
    evening = begun(server.app)
    page.goto(evening.path("poster", "/0?you=0"))
    page.locator("#another").focus()
    for number in (1, 2):
        evening.play(number, (3, 3, 3, 3), (4, 3, 3, 3))
    page.clock.run_for(25_000)
    expect(page.locator("#live")).to_contain_text("61")
    expect(page.locator("#another")).to_be_focused()
    expect(page.locator("#told")).to_have_text("")
    page.clock.run_for(135_000)
    expect(page.locator("#told")).to_have_text("10 minutes left")
    expect(page.get_by_role("timer")).to_have_accessible_name(re.compile("^9 minutes .* left$"))


def test_a_page_without_the_server_says_so_and_comes_back(server: AppServer, page: Page) -> None:
    page.clock.install()
    page.goto(begun(server.app).path("wall"))
    notice = page.locator("#connection-status")
    page.context.set_offline(True)
    page.clock.run_for(16_000)
    expect(notice).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for(16_000)
    expect(notice).to_be_hidden()


@pytest.mark.parametrize(("cast", "due"), [(TEAMS, 2), (MANY, 7)])
def test_a_poster_and_four_cards_on_each_page_are_printed(
    server: AppServer, page: Page, cast: object, due: int
) -> None:
    visit(server, page, at("", "/links", cast))
    assert pages(page, "A4") == due
    page.emulate_media(media="print")
    assert page.evaluate(UNFIT) == []


def test_standings_are_printed_black_on_white(server: AppServer, page: Page) -> None:
    visit(server, page, at("", "/results", MANY[:24]))
    assert pages(page, "A4") == 1
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(UNFIT) == []
    assert "CSV" not in page.inner_text("main")


def test_a_name_is_found_by_the_keyboard(server: AppServer, page: Page) -> None:
    page.goto(begun(server.app).path("poster"))
    page.keyboard.press("Tab")
    page.keyboard.type("eve")
    page.keyboard.press("Enter")
    expect(page.locator(".found-names a")).to_have_count(1)
