"""A game by touch whose rounds have different numbers of cards, to its winner."""

from playwright.sync_api import expect

from tests.browser.app_server import Table
from tests.browser.player import Player, ready, wait_until_saved

EXACT = {
    "cards": "2,1,2",
    "target": "off",
    "nil_points": "off",
    "bag_limit": "off",
    "minimum_bid": "0",
    "made": "exactly",
    "made_bonus": "10",
    "trick_points": "1",
    "failed_bid": "zero",
    "failed_trick_points": "1",
}


def test_each_round_shows_its_cards(table: Table, player: Player) -> None:
    stored_game = table.begin(rules="cutthroat", **EXACT)
    page = ready(player.open(stored_game.path).page)
    title = page.locator(".bar-title:visible")
    expect(title).to_contain_text("Round 1 of 3 · 2 cards")
    expect(page.locator("#pad .key")).to_have_text(["0", "1", "2"])
    player.bid(1, 1, 0)
    hooked = page.locator('#pad .key[value="0"]')
    expect(hooked).to_have_attribute("aria-disabled", "true")
    player.bid(1)
    player.take(1, 0, 0)
    player.score()
    expect(title).to_contain_text("Round 2 of 3 · 1 card")
    expect(page.locator("#pad .key")).to_have_count(2)
    player.bid(0, 0, 0, 0)
    player.take(0, 0, 0)
    player.score()
    expect(title).to_contain_text("Round 3 of 3 · 2 cards")
    player.bid(2, 0, 0, 1)
    player.take(2, 0, 0)
    player.score()
    wait_until_saved(page)
    assert stored_game.game.state.phase == "over"
