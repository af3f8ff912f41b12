"""A game in which sides bid once, by touch to its winner, two rounds of it without a server."""

from playwright.sync_api import Page

from tests.browser.app_server import Table
from tests.browser.complaints import Complaints
from tests.browser.offline import OfflinePlayer


def test_a_game_of_sides_is_played_to_its_winner(
    table: Table, phone: Page, complaints: Complaints
) -> None:
    game = table.begin(rules="partnership", target="200", bid_by="side", tricks_by="side")
    player = OfflinePlayer(phone).load(game.path)
    play(player, 7, 6, 8)
    assert player.totals() == [71, -60]
    player.cut()
    for taps in ((6, 6, 7), (5, 7, 5)):  # the sides bid in turn, the first of them is counted
        player.tap_offline(*taps)
        player.confirm_offline()
    assert player.totals() == [181, 72]
    player.mend()
    player.wait_until_saved()
    play(player, 6, 6, 7)
    assert phone.locator("h1").inner_text() == "North and South win"
    assert game.game.state.standing.totals == (241, 133)


def play(player: OfflinePlayer, first: int, second: int, taken: int) -> None:
    """Play a round, given by the sides in turn."""
    player.bid(first, second)
    player.take(taken)
    player.score()
