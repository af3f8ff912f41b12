"""Numbers bid blind with one tap more, with the server and without it."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import blind_bid
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player, ready, settled, wait_until_saved


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


def bid_blind(page: Page, number: int) -> None:
    """Bid a number blind, and wait until the keys are those of the next player."""
    page.get_by_role("link", name="Bid blind").tap()
    page.locator(f'#pad .key[value="blind {number}"]').tap()
    expect(page.locator('#pad .key[value="blind 6"]')).to_have_count(0)


def test_a_blind_bid_takes_two_taps(table: Table, player: Player) -> None:
    stored_game = table.begin(rules="partnership", blind_bid_from="6")
    page = ready(player.open(stored_game.path).page)
    page.get_by_role("link", name="Bid blind").tap()
    expect(page.locator('#pad .key[value="3"]')).to_have_count(0)
    settled(page).get_by_role("link", name="Bid blind").tap()
    expect(page.locator('#pad .key[value="3"]')).to_be_visible()
    bid_blind(settled(page), 7)
    expect(page.locator(".seat-bid").first).to_have_text("blind 7")
    wait_until_saved(page)
    assert stored_game.game.state.open.bids == (blind_bid(7), None, None, None)


def test_a_blind_bid_is_kept_without_the_server(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(rules="partnership", blind_bid_from="6", blind_trick_points="20")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    bid_blind(page, 6)
    expect(page.locator(".seat-bid").first).to_have_text("blind 6")
    assert stored_game.game.rounds == ()
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids[0] == blind_bid(6)
