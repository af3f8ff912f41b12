"""What moves on the page of a game after a tap, and that nothing does where it is not welcome."""

import pytest
from playwright.sync_api import Page

from tests.browser.app_server import CAST, Table
from tests.browser.player import Player

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

LISTEN = """
window.moved = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (...how) {
  window.moved.push(this.classList[0] ?? this.localName);
  return animate.apply(this, how);
};
"""


def moved(page: Page) -> list[str]:
    """Return the classes of what has moved since the last call."""
    found: list[str] = page.evaluate("window.moved.splice(0)")
    return found


def open_game(player: Player, path: str) -> Page:
    player.page.add_init_script(LISTEN)
    player.page.add_init_script("localStorage.setItem('sense.moments', 'off')")
    with player.page.expect_response("**/js/game/motion.js"):
        player.open(path)
    return player.page


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_bids_land_and_totals_move(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(CAST, target="30").path)
    player.bid(3, 2)
    assert moved(page) == ["seat-bid", "seat-bid"]
    player.bid(1, 1, 1)
    player.take(2, 2, 2, 1)
    moved(page)
    player.score()
    figures = moved(page)
    assert figures.count("total") == len(CAST)
    player.tap(page.locator("#undo"))
    assert moved(page).count("total") == len(CAST)


def test_nothing_moves_where_it_is_not_welcome(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(target="30").bid(3, 2, 2).path)
    player.bid(1)
    player.take(3, 2, 2)
    player.score()
    assert moved(page) == []


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_the_winner_moves_to_the_front(table: Table, player: Player) -> None:
    stored_game = table.begin(CAST, target="30", first_dealer=0)
    page = open_game(player, stored_game.bid(1, 1, 3, 1, 1).take(1, 1, 4, 3).path)
    player.score()
    assert moved(page).count("side") > 1
