"""The menu ends a game with what is scored, offline too."""

import os

from playwright.sync_api import Page, expect

from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import settled

BIDS, TRICKS = (2, 2, 2, 2, 2), (2, 2, 1, 1, 4)


def played(table: Table) -> StoredGame:
    return table.begin(CAST, target="300").play(BIDS, TRICKS)


def end(page: Page) -> None:
    page.locator("#menu > summary").tap()
    button = settled(page).get_by_role("button", name="End now")
    expect(button).to_have_accessible_name("End now Centre wins with 22.")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/end-menu.png")
    button.tap()
    expect(page.locator("#winner")).to_have_text("Centre wins")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/end-result.png")


def test_a_game_ends_with_what_is_scored_and_undo_takes_that_back(
    table: Table, phone: Page
) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table)
    offline.load(stored_game.path)
    end(phone)
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"
    offline.breathe()
    offline.undo_offline()
    expect(phone.locator("h1")).to_contain_text("Round 2")
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "bidding"


def test_it_ends_offline_and_is_sent_later(table: Table, phone: Page) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table)
    offline.load(stored_game.path)
    offline.cut()
    end(phone)
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"


def test_a_bid_of_another_phone_meanwhile_is_kept_and_does_not_count(
    table: Table, phone: Page
) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table)
    offline.load(stored_game.path)
    offline.cut()
    end(phone)
    stored_game.bid(3)
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"
    assert stored_game.game.state.uncounted == 1
    expect(phone.locator("#won")).to_contain_text("1 round after the end doesn’t count.")
