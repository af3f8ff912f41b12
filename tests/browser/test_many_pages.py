"""Many open pages of one browser, which opens six connections to a server over plain http."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.store.tables import make_watch_link
from tests.browser.app_server import StoredGame, Table
from tests.browser.player import Player, ready, wait_until_saved

# Not the service worker's requests, which fetch some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

# The paths of the pages that follow a game, the first one its own, and of those beside them.
Paths = Callable[[Table, StoredGame], tuple[list[str], list[str]]]


def watch_path(table: Table, stored_game: StoredGame) -> str:
    secret = table.server.app.config["SECRET_KEY"]
    with table.server.store.write() as db:
        return f"/watch/{make_watch_link(db, stored_game.game, secret, now())}"


def of_the_game(n: int) -> Paths:
    return lambda table, stored_game: ([stored_game.path] * n, [])


def scenes_of_a_stream(table: Table, stored_game: StoredGame) -> tuple[list[str], list[str]]:
    overlay = f"{watch_path(table, stored_game)}/overlay"
    return [stored_game.path, *[overlay] * 6], [f"{stored_game.path}/share"]


def an_evening_on_a_television(
    table: Table, stored_game: StoredGame
) -> tuple[list[str], list[str]]:
    others = [watch_path(table, table.begin()) for _ in range(6)]
    return [stored_game.path, watch_path(table, stored_game)], others


EVENINGS: dict[str, Paths] = {
    "six pages of a game": of_the_game(6),
    "eight pages of a game": of_the_game(8),
    "six scenes of a stream": scenes_of_a_stream,
    "an evening on a television": an_evening_on_a_television,
}
BIDS = ".seat-bid:visible, .overlay-bid"


@pytest.mark.parametrize("evening", EVENINGS)
def test_a_bid_is_saved_and_shown_however_many_pages_are_open(
    table: Table, phone: Page, evening: str
) -> None:
    stored_game = table.begin()
    following, beside = EVENINGS[evening](table, stored_game)
    pages = [phone]
    phone.goto(following[0])
    for path in [*beside, *following[1:]]:
        pages.append(phone.context.new_page())
        pages[-1].goto(path)
    followers = [phone, *pages[1 + len(beside) :]]
    ready(phone).locator('#pad .key[value="3"]').tap()
    expect(phone.locator(BIDS).first).to_have_text("3")
    wait_until_saved(phone)
    assert stored_game.game.state.open.bids == (3, None, None, None)
    for page in followers:
        expect(page.locator(BIDS).first).to_have_text("3")
    stored_game.bid(4)  # another phone
    for page in followers:
        expect(page.locator(BIDS).nth(1)).to_have_text("4")


def test_a_page_that_nobody_sees_gives_its_stream_up(table: Table, player: Player) -> None:
    stored_game = table.begin()
    page = player.open(stored_game.path).page
    streams = table.server.app.extensions["live"].stream_counts

    def see(state: str) -> None:
        page.evaluate(
            """
            (state) => {
              const seen = { value: state, configurable: true };
              Object.defineProperty(document, "visibilityState", seen);
              document.dispatchEvent(new Event("visibilitychange"));
            }
            """,
            state,
        )

    def until(condition: Callable[[], Any]) -> None:
        while not condition():
            page.wait_for_timeout(50)

    link = ("link", f"{stored_game.path}/events")
    until(lambda: streams[link])
    see("hidden")
    page.clock.fast_forward(11_000)
    until(lambda: not streams[link])
    stored_game.bid(3)
    see("visible")
    expect(page.locator(BIDS).first).to_have_text("3")
