"""A whole evening with keys alone, told by nothing but the texts of the accessibility tree."""

import pytest
from playwright.sync_api import Page

from tests.browser.app_server import Table
from tests.browser.keyboard import Listener
from tests.browser.player import ready, wait_until_saved

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

NAMES = ("North", "East", "South", "West")
BIDS = {"North": 7, "East": 1, "South": 1, "West": 1}
TRICKS = {
    "North": "7 tricks: +70",
    "East": "1 trick: +10",
    "South": "1 trick: +10",
    "West": "1 trick: +10",
}


def test_from_an_empty_phone_to_the_winner(page: Page, table: Table) -> None:
    page.clock.install()
    page.goto(table.link())
    you = Listener(page)
    you.hears("heading Join this table?")
    you.press("button Join")
    you.hears("heading No games yet")
    you.press("link New game")
    you.hears("heading New game", "button Name seat 1 to start")
    chooses_the_number_of_players(you)
    for n, name in enumerate(NAMES, 1):
        you.reach(f"combobox Seat {n}")
        page.keyboard.type(name)
    you.press("button Start game")
    for number in (1, 2):
        plays_a_round(you, number)
    you.hears("heading North wins", "140")
    assert you.focused.startswith("region Game over")
    you.press("button Undo", "Space")
    you.hears("button Score round 2")
    you.breathe()
    you.press("button Score round 2")
    you.hears("heading North wins")
    you.breathe()
    you.press("button Rematch")
    you.hears("heading Round 1")


def chooses_the_number_of_players(you: Listener) -> None:
    """Open the line of what is played, and change the number of players back and forth."""
    you.press("DisclosureTriangle Cutthroat Spades LITE 4 players", "Space")
    you.reach("radio 4")
    you.page.keyboard.press("ArrowRight")
    you.hears("DisclosureTriangle Cutthroat Spades LITE 5 players")
    you.page.keyboard.press("ArrowLeft")
    you.hears("DisclosureTriangle Cutthroat Spades LITE 4 players")


def plays_a_round(you: Listener, number: int) -> None:
    """Bid and count for whoever is asked, and score the round."""
    you.hears(f"heading Round {number}")
    ready(you.page)
    order = NAMES if number == 1 else (*NAMES[1:], NAMES[0])
    for at, name in enumerate(order):
        you.hears(f"link {name} to bid")
        you.press(f"button {BIDS[name]}", "Enter" if at % 2 else "Space")
        wait_until_saved(you.page)
        you.breathe()
    for name in order[:-1]:
        you.hears(f"group {name}’s tricks")
        you.press(f"button {TRICKS[name]}", "Space")
        wait_until_saved(you.page)
        you.breathe()
    you.hears(f"button Score round {number}")
    you.press(f"button Score round {number}")
    wait_until_saved(you.page)
    you.breathe()
