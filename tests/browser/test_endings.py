"""The end of a game, ties, and undoing the last round."""

from playwright.sync_api import expect

from tests.browser.app_server import Table
from tests.browser.player import Player

LEVEL = ((5, 5, 1, 1), (5, 5, 0, 0))


def test_a_tie_at_the_target_plays_on_and_says_so(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.path)
    player.bid(2, 2, 3, 3)  # South, West, North, East
    player.take(2, 2, 3)
    player.score()
    assert player.totals()[:2] == [130, 130]
    expect(player.page.locator("#tie")).to_have_text(
        "North and East are tied at 130. Play another round."
    )
    expect(player.page.locator("h1")).to_have_text("Round 4 · South deals")
    assert player.active() == "West"
    player.bid(1, 2, 1, 2)
    player.take(3, 3, 2)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")
    expect(player.page.locator("#tie")).to_have_count(0)


def test_undo_of_the_winning_round_opens_the_game_again(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.path)
    player.bid(2, 2, 4, 2)
    player.take(2, 2, 4)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")
    expect(player.page.locator(".winner")).to_contain_text(
        "The game ends at 125. Highest score wins."
    )
    assert player.totals()[0] == 140
    player.button("Undo").last.tap()
    expect(player.page.locator("#winner")).to_have_count(0)
    expect(player.page.locator(".counted")).to_contain_text("All 10 tricks in")
    assert player.totals() == [100, 100, -20, -20]
    player.page.clock.fast_forward(300)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")


def test_the_winner_is_a_heading_that_is_spoken(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.bid(2, 2, 4, 2).take(2, 2).path)
    player.take(4)
    spoken = player.page.get_by_role("status")
    expect(spoken).to_contain_text("Round 3 is ready to score")
    player.score()
    expect(player.page.get_by_role("heading", name="North wins", level=1)).to_be_visible()
    expect(spoken).to_contain_text("North wins with ")
