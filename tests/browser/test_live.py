"""What one phone records appears on the others."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from scorekeeper.clock import now
from scorekeeper.live import Caps
from scorekeeper.rules.bidding import Nil
from scorekeeper.store.tables import make_watch_link
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.player import Player, change_cell

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

NIL = Nil.NIL
NewPhone = Callable[[str], Page]


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin()


@pytest.fixture
def new_phone(
    browser: Browser, browser_context_args: dict[str, Any], table: Table
) -> Iterator[NewPhone]:
    """More phones: of the table, unless they only look on."""
    contexts: list[BrowserContext] = []

    def open_phone(path: str) -> Page:
        context = browser.new_context(**browser_context_args)
        contexts.append(context)
        if not path.startswith("/watch/"):
            context.add_cookies([table.cookie])
        page = context.new_page()
        page.goto(path)
        return page

    yield open_phone
    for context in contexts:
        context.close()


@pytest.fixture
def watch_path(server: AppServer, stored_game: StoredGame) -> str:
    secret = server.app.config["SECRET_KEY"]
    with server.store.write() as db:
        return f"/watch/{make_watch_link(db, stored_game.game, secret, now())}"


def totals(page: Page) -> list[str]:
    return page.locator(".total").all_inner_texts()


def test_three_phones_follow_every_change_of_the_fourth(
    player: Player, stored_game: StoredGame, new_phone: NewPhone, watch_path: str
) -> None:
    others = [new_phone(stored_game.path), new_phone(watch_path), new_phone(watch_path)]
    player.open(stored_game.path)
    for place, bid in enumerate((3, 2, NIL, 4)):
        player.bid(bid)
        shown = "Nil" if bid is NIL else str(bid)
        for other in others:
            expect(other.locator(".seat").nth(place)).to_contain_text(shown)
    player.take(3, 4, 0)
    player.score()
    for other in others:
        expect(other.locator("h1")).to_contain_text("Round 2")
        assert totals(other) == ["30", "22", "50", "−40"]
    player.button("Undo").first.tap()
    for other in others:
        expect(other.locator("h1")).to_contain_text("Round 1")


def test_all_phones_announce_the_winner(
    player: Player, stored_game: StoredGame, new_phone: NewPhone, watch_path: str
) -> None:
    watcher = new_phone(watch_path)
    player.open(stored_game.path)
    for _ in range(3):
        stored_game.play((3, 2, NIL, 4), (3, 4, 0, 3))
    for page in (player.page, watcher):
        expect(page.locator("#winner")).to_have_text("South wins")
        chart = page.get_by_role("img", name="Scores after round 3").bounding_box()
        assert chart is not None
        assert chart["height"] > 100


def test_a_phone_that_lost_the_network_says_so_and_catches_up(
    stored_game: StoredGame, new_phone: NewPhone, watch_path: str
) -> None:
    watcher = new_phone(watch_path)
    expect(watcher.locator("#connection-status")).to_be_hidden()
    watcher.context.set_offline(True)
    stored_game.play((3, 2, NIL, 4), (3, 4, 0, 3))
    expect(watcher.locator("#connection-status")).to_be_visible(timeout=20_000)
    assert totals(watcher) == ["0", "0", "0", "0"]
    watcher.context.set_offline(False)
    expect(watcher.locator("h1")).to_contain_text("Round 2", timeout=20_000)
    expect(watcher.locator("#connection-status")).to_be_hidden()
    assert totals(watcher) == ["30", "22", "50", "−40"]


def test_without_a_free_stream_a_page_asks_by_itself(
    server: AppServer, stored_game: StoredGame, new_phone: NewPhone, watch_path: str
) -> None:
    live = server.app.extensions["live"]
    room, live.caps = live.caps, Caps(total=0, link=0, address=0)
    try:
        watcher = new_phone(watch_path)
        stored_game.bid(3)
        expect(watcher.locator(".seat-bid").first).to_have_text("3", timeout=10_000)
    finally:
        live.caps = room


def test_a_page_that_gets_no_answer_asks_again_after_a_while(
    stored_game: StoredGame, new_phone: NewPhone, watch_path: str
) -> None:
    screen = new_phone(watch_path)
    requests: list[str] = []

    def fail(route: Route) -> None:
        requests.append(route.request.url)
        route.abort()

    screen.route("**/watch/*part=1*", fail)
    with screen.expect_request("**/watch/*part=1*"):
        stored_game.bid(3)
    screen.wait_for_timeout(500)
    assert len(requests) == 1
    screen.unroute_all()
    expect(screen.locator(".seat").first).to_contain_text("3")


def test_a_seat_that_somebody_looks_at_stays_chosen_through_an_update(
    player: Player, stored_game: StoredGame, new_phone: NewPhone
) -> None:
    player.open(stored_game.path)
    player.page.locator("#seat-row-3 .seat-who").tap()
    expect(player.page.locator("#seat-row-3")).to_have_class(re.compile(r"\bactive\b"))
    stored_game.bid(3)
    expect(player.page.locator("#seat-row-0 .seat-bid")).to_have_text("3")
    expect(player.page.locator("#seat-row-3")).to_have_class(re.compile(r"\bactive\b"))


def test_what_is_unfolded_stays_unfolded_through_an_update(
    player: Player, stored_game: StoredGame
) -> None:
    stored_game.play((3, 2, NIL, 4), (3, 4, 0, 3))
    player.open(stored_game.path)
    player.page.locator("#side-1 summary").tap()
    stored_game.bid(4)
    expect(player.page.locator(".seat-bid").first).to_have_text("4")
    expect(player.page.locator("#side-1 .why")).to_be_visible()
    stored_game.score(2, (4, 3, 2, 1), (4, 3, 2, 2))
    expect(player.page.locator("#side-1 .why")).to_contain_text("Round 2")
    expect(player.page.locator("#side-1 .why")).to_be_visible()


def test_a_half_typed_correction_survives_and_two_versions_are_shown_side_by_side(
    player: Player, stored_game: StoredGame
) -> None:
    stored_game.play((3, 2, NIL, 4), (3, 4, 0, 3))
    player.open(f"{stored_game.path}/rounds/1")
    change_cell(player.page, "tricks-1", "4")
    stored_game.score(1, (2, 5, 0, 3), (3, 2, NIL, 4))
    change_cell(player.page, "tricks-2", "3")
    assert player.page.locator("[name=tricks-1]").input_value() == "4"
    player.button("Save round 1").tap()
    rows = player.page.locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("bid 3, took 2")
    expect(rows.nth(0)).to_contain_text("bid 3, took 4")
    player.page.get_by_role("button", name="Use my entry").tap()
    expect(player.page.locator("#side-0 .total")).to_have_text("31")
    assert stored_game.game.rounds[0].tricks == (4, 3, 0, 3)


def test_a_phone_with_a_seat_shows_the_pad_in_its_turn(
    player: Player, stored_game: StoredGame
) -> None:
    player.open(f"{stored_game.path}/share")
    player.page.locator(".seat-button").nth(1).tap()
    expect(player.page.locator(".dock")).to_contain_text("North is bidding")
    stored_game.bid(3)
    expect(player.key(2)).to_be_visible()
    player.bid(2)
    expect(player.page.locator(".dock")).to_contain_text("South is bidding")
