"""The size of the game page, and the requests that it makes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from scorekeeper.store.club_links import link_key
from scorekeeper.web.http.static_files import LATER_STYLES, START_STYLES
from tests.browser.app_server import CAST, Table
from tests.browser.player import Player, ready, settled, wait_until_saved
from tests.browser.scenes_club import running

MAX_PAGE_BYTES = 14_600  # what a server sends before the first acknowledgement: ten packets
# Until a tap is shown at once: 40 kB, the rules of tables beside Spades, ten seats, and notes.
# Random ids make a difference of ten bytes.
MAX_BYTES = 41_950
MAX_REQUESTS = 5
# Of a club night of forty tables: the desk, and what it shares with the phones of players.
MAX_DESK_BYTES = 18_000
MAX_CLUB_BYTES = 15_000
BLOCKING = """
performance.getEntriesByType("resource")
  .filter((one) => one.renderBlockingStatus === "blocking").map((one) => one.name)
"""
STYLE = "document.querySelector('link[href*=\"css/club\"]').getAttribute('href')"
CLUB_FILE = re.compile(r"/css/club|/js/club/|/js/game/(stream|countdown|leaving)")
# What nobody waits for, or needs only once the server does not answer.
LATER = (
    "/js/game/motion.js",
    "/js/game/moments.js",
    "/js/game/sounds.js",
    "/js/table/settings.js",
    "/js/table/shortcuts.js",
    "/js/model/online.js",
    "/js/draw/views.js",
    *(f"/css/{name}.css" for name in (*START_STYLES, *LATER_STYLES, "windows")),
    "/phone",
    "/phone.json",
    "/sw.js",
)


@dataclass
class Line:
    """Network traffic: requested URLs with the bytes received, headers included.

    What a page asks for only once it can be used is left out.
    """

    asked: dict[str, str] = field(default_factory=dict)  # URLs by request
    bytes: dict[str, int] = field(default_factory=dict)  # by URL

    def listen(self, session: CDPSession) -> None:
        """Count from now on."""
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._finish)
        session.send("Network.enable")

    def _ask(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if not url.partition("?")[0].endswith(LATER):
            self.asked[event["requestId"]] = url

    def _finish(self, event: dict[str, Any]) -> None:
        if url := self.asked.get(event["requestId"]):
            self.bytes[url] = int(event["encodedDataLength"])


@pytest.fixture
def line(phone: Page) -> Iterator[Line]:
    """The line of a phone that has loaded nothing yet."""
    session = phone.context.new_cdp_session(phone)
    line = Line()
    line.listen(session)
    yield line
    session.detach()


def test_the_first_load_of_a_game_is_light(
    table: Table, player: Player, line: Line, record_property: Any
) -> None:
    stored_game = table.begin(CAST, target="900")
    for _ in range(6):
        stored_game.play((2, 2, 2, 2, 2), (2, 1, 3, 2, 2))
    ready(player.open(stored_game.path).page)
    page_bytes = line.bytes[player.page.url]
    record_property("page_bytes", page_bytes)
    record_property("bytes", sum(line.bytes.values()))
    assert page_bytes <= MAX_PAGE_BYTES
    assert player.page.evaluate(BLOCKING) == []
    assert sum(line.bytes.values()) <= MAX_BYTES
    assert len(line.asked) <= MAX_REQUESTS


# What the service worker answers is not counted.
@pytest.mark.browser_context_args(service_workers="block")
def test_a_second_load_brings_the_page_alone(table: Table, player: Player, line: Line) -> None:
    stored_game = table.begin()
    ready(player.open(stored_game.path).page)
    line.bytes.clear()
    ready(player.open(stored_game.path).page)
    assert 0 < sum(line.bytes.values()) <= MAX_PAGE_BYTES


@pytest.mark.browser_context_args(service_workers="block")
def test_pages_of_a_club_night_are_light(table: Table, phone: Page, line: Line) -> None:
    club = running(table, 80, minutes=40)
    key = link_key(club, ("poster", 0), str(table.server.app.config["SECRET_KEY"]))
    player = f"/club/{club.id}/players/{key}/1?you=0"
    for path, most in ((player, MAX_PAGE_BYTES), (f"/club/{club.id}", MAX_DESK_BYTES)):
        phone.goto(path)
        settled(phone).locator(".club-clock").wait_for()
        assert line.bytes[phone.url] <= most
        assert phone.evaluate(BLOCKING) == [phone.url.partition("/club")[0] + phone.evaluate(STYLE)]
    assert sum(line.bytes[url] for url in line.bytes if CLUB_FILE.search(url)) <= MAX_CLUB_BYTES


def test_what_comes_later_waits_until_the_page_can_be_used(table: Table, phone: Page) -> None:
    phone.route("**/js/table/settings.js", lambda route: None)  # it never comes
    with phone.expect_request("**/js/table/settings.js"):
        phone.goto(table.begin().path)
    assert phone.evaluate("performance.timing.loadEventEnd") > 0
    phone.locator('#pad .key[value="3"]').tap()
    expect(phone.locator(".seat-bid").first).to_have_text("3")


@pytest.mark.browser_context_args(service_workers="block")
def test_taps_are_sent_once_the_script_that_sends_them_has_come(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    phone.route("**/js/model/online.js", lambda route: route.abort())
    phone.goto(stored_game.path)
    ready(phone).locator('#pad .key[value="3"]').tap()
    expect(phone.locator(".seat-bid").first).to_have_text("3")
    assert stored_game.game.version == 1
    phone.unroute_all()
    wait_until_saved(phone)
    assert stored_game.game.state.open.bids == (3, None, None, None)


@pytest.mark.browser_context_args(service_workers="block")
def test_a_link_is_followed_before_the_script_that_sends_taps_has_come(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin()
    phone.route("**/js/model/online.js", lambda route: None)  # it never comes
    phone.goto(stored_game.path)
    ready(phone).locator('#pad .key[value="3"]').tap()
    expect(phone.locator(".seat-bid").first).to_have_text("3")
    phone.unroute_all()
    with phone.expect_response(lambda answer: answer.url.endswith("/sent")):
        phone.get_by_role("link", name="Home").tap()
    expect(phone).to_have_url("/")
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_a_game_is_shown_without_the_views_beside_it(table: Table, player: Player) -> None:
    player.page.route("**/js/draw/views.js", lambda route: route.abort())
    with player.page.expect_request("**/js/draw/views.js"):
        player.open(table.begin(target="30").bid(3, 3, 1, 1).take(3, 2, 3, 2).path)
    player.score()
    expect(player.page.locator("#winner")).to_be_visible()


def test_the_chart_of_the_page_stays_until_the_views_are_there(
    table: Table, player: Player
) -> None:
    player.page.route("**/js/draw/views.js", lambda route: route.abort())
    player.open(table.begin().play((3, 2, 2, 2), (3, 3, 2, 2)).path)
    expect(ready(player.page).locator("#rounds .race-card svg")).to_be_visible()
    player.bid(3)
    expect(player.page.locator("#rounds .race-card svg")).to_be_visible()


def test_the_menu_is_shown_without_its_style(table: Table, phone: Page) -> None:
    phone.route("**/css/menu.css", lambda route: route.abort())
    phone.goto(table.begin().path)
    ready(phone).locator("#menu > summary").tap()
    expect(phone.get_by_role("link", name="Score sheet")).to_be_visible()


@pytest.mark.browser_context_args(service_workers="block")
def test_the_menu_stays_open_when_names_and_views_come(table: Table, phone: Page) -> None:
    held: list[Route] = []
    for later in ("**/phone.json", "**/js/draw/views.js"):
        phone.route(later, lambda route: held.append(route))
    with phone.expect_request("**/phone.json"):
        phone.goto(table.begin().path)
    table.begin(["Ana", "Ben", "Cy", "Eve"])
    ready(phone).locator("#menu > summary").tap()
    for route in sorted(held, key=lambda route: route.request.url.endswith("views.js")):
        route.continue_()
        expect(phone.locator("html")).to_have_attribute("data-kept", "")
    phone.locator("#seats > summary").tap()
    expect(phone.get_by_role("button", name="Ana")).to_be_visible()
