"""A server that hangs in the middle of a round: phones go on, and nothing is lost or doubled."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app_server import AppServer, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready

HANG = 20_000  # ms


@pytest.fixture
def second(
    browser: Browser, browser_context_args: dict[str, Any], table: Table
) -> Iterator[OfflinePlayer]:
    """Another phone of the table."""
    context = browser.new_context(**browser_context_args)
    context.add_cookies([table.another_phone().cookie])
    yield OfflinePlayer(context.new_page())
    context.close()


def test_two_phones_tap_on_while_the_server_hangs(
    server: AppServer, table: Table, phone: Page, second: OfflinePlayer
) -> None:
    stored_game = table.begin().bid(3)
    first = OfflinePlayer(phone)
    for player in (first, second):
        player.load(stored_game.path)
    with server.hang():
        first.tap_offline(2, 4)
        second.page.locator("#seat-row-3 a").tap()
        second.tap_offline(1)
        for player in (first, second):
            player.page.clock.run_for(HANG)
            expect(player.page.locator("#unsaved")).to_be_visible()
            expect(player.line()).to_contain_text("1 round will be sent later.")
        first.tap_offline(1)  # the same as on the other phone
        first.tap_offline(3)
        assert stored_game.game.version == 2
    for player in (first, second):
        player.wait_until_saved()
        expect(player.page.locator(".seat-contract")).to_have_text(
            ["bid 3", "bid 2", "bid 4", "bid 1"]
        )
        expect(player.page.locator("#unsaved.on, #line")).to_have_count(0)
    assert stored_game.game.state.open.bids == (3, 2, 4, 1)
    assert stored_game.game.state.open.tally == (3, None, None, None)
    assert sorted(stored_game.journal()) == [*[("bid", 1)] * 4, ("tally", 1)]


@pytest.mark.parametrize("is_corrected", [False, True], ids=["a bid since", "a correction since"])
def test_a_page_can_be_used_while_what_changed_since_is_not_answered(
    table: Table, phone: Page, is_corrected: bool
) -> None:
    stored_game = table.begin().play((3, 2, 2, 2), (3, 3, 2, 2))
    ready(OfflinePlayer(phone).load(stored_game.path).page)
    phone.goto("/rules")
    if is_corrected:
        stored_game.score(1, (2, 4, 2, 2), (3, 2, 2, 2))
    else:
        stored_game.bid(3)
    phone.route("**/phone.json*", lambda _route: None)
    phone.goto(stored_game.path)
    ready(phone).locator('#pad .key[value="5"]').tap()
    expect(phone.locator(".seat-bid", has_text="5")).to_be_visible()


def test_an_open_menu_stays_open_as_the_line_comes(
    server: AppServer, table: Table, phone: Page
) -> None:
    player = OfflinePlayer(phone).load(table.begin().bid(3).path)
    menu = phone.locator("#menu")
    with server.hang():
        player.tap_offline(2)
        menu.locator("summary").first.tap()
        expect(menu).to_have_attribute("open", "")
        phone.clock.run_for(HANG)
        expect(player.line()).to_contain_text("1 round will be sent later.")
        expect(menu).to_have_attribute("open", "")
