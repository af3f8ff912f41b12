"""Another player takes a seat from the menu, offline too."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.seating import Substitute
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer

HAND = (3, 3, 2, 3), (3, 4, 1, 2)


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


def open_players(page: Page) -> None:
    page.locator("#menu > summary").tap()
    page.locator("#seats > summary").tap()


def test_a_known_player_takes_a_seat_with_a_tap(table: Table, offline: OfflinePlayer) -> None:
    table.begin(names=("Eve", "Fay", "Gus", "Hal"))
    stored_game = table.begin()
    page = offline.page
    offline.load(stored_game.path)
    open_players(page)
    page.locator("#seats select[name='seat']").select_option("4")
    page.locator("#seats .chip", has_text="Eve").tap()
    expect(page.locator(".now")).to_contain_text("Eve takes the seat of West")
    offline.wait_until_saved()
    assert stored_game.game.names == ("North", "East", "South", "Eve")


def test_a_seat_changes_offline_and_is_recorded_later(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin()
    page = offline.page
    offline.load(stored_game.path)
    offline.play_offline(*HAND, [0, 1, 2, 3])
    offline.cut()
    open_players(page)
    page.locator("#seats select[name='seat']").select_option("4")
    page.locator("#seats input[name='name']").fill("Eve")
    page.get_by_role("button", name="Change player").tap()
    expect(page.locator(".now")).to_contain_text("Eve takes the seat of West")
    offline.play_offline(*HAND, [1, 2, 3, 0])
    expect(page.locator(".strip")).to_contain_text("Eve")
    page.locator("#rounds").get_by_role("link", name="1").last.tap()
    expect(page).to_have_url(re.compile("/rounds/1$"))
    expect(page.locator("main")).to_contain_text("West")
    page.go_back()
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds[1].substitutes == (Substitute(3, "Eve"),)
    assert stored_game.game.names_in(1)[3] == "West"
