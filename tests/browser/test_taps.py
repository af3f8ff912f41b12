"""How many taps and keystrokes the first round takes, and each one after it."""

from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import CAST, Table
from tests.browser.player import Player

FOUR = CAST[:4]
# The browser itself counts the taps and keystrokes.
REPORT = """
addEventListener("touchend", (event) => event.isTrusted && fingers("tap"), true);
addEventListener("keydown", (event) => event.isTrusted && fingers("key"), true);
"""


@pytest.fixture
def fingers(phone: Page) -> Counter[str]:
    """Counts of taps and keystrokes on that phone."""
    counted: Counter[str] = Counter()
    phone.context.expose_binding("fingers", lambda _source, what: counted.update([what]))
    phone.context.add_init_script(REPORT)
    return counted


def test_a_round_of_four_takes_eight_taps_and_no_key(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    player.open(table.begin().path)
    player.bid(3, 2, Nil.NIL, 4)
    player.take(3, 4, 0)
    player.score()
    assert player.totals() == [30, 22, 50, -40]
    assert fingers["tap"] <= 8
    assert fingers["key"] == 0


def test_the_first_score_from_an_empty_phone_takes_twelve_taps_and_the_names(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    player.page.context.clear_cookies()
    player.open(table.link())
    player.button("Keep score on this phone").tap()
    player.page.get_by_role("link", name="New game").tap()
    type_names(player.page)
    player.button("Start game").tap()
    player.bid(3, 2, Nil.NIL, 4)
    player.take(3, 4, 0)
    player.score()
    assert player.totals() == [30, 22, 50, -40]
    assert fingers["tap"] <= 12
    assert fingers["key"] == len("".join(FOUR)) + len(FOUR)  # Enter after each name


def test_play_again_takes_one_tap(table: Table, player: Player, fingers: Counter[str]) -> None:
    stored_game = table.begin(target="30").play((3, 2, 2, 2), (4, 2, 2, 2))
    player.open(stored_game.path)
    player.button("Rematch").tap()
    expect(player.page.locator("h1")).to_have_text("Round 1 · West deals")
    assert player.seats() == list(FOUR)
    assert fingers == {"tap": 1}


def type_names(page: Page) -> None:
    """Type four names, with Enter after each, as the keyboard of a phone offers."""
    expect(page.locator("#player-1")).to_be_focused()
    for name in FOUR:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
