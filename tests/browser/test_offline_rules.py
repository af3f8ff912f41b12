"""The rules offline: the deck before the first bid, and the rules page of a game."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import CAST, Table
from tests.browser.offline import OfflinePlayer

GAMES = {
    "a book as it is": {"rules": "partnership"},
    "house rules": {"rules": "cutthroat", "target": "170", "bag_limit": "off", "tricks": "12"},
    "five players": {"names": CAST, "mercy": "-100", "stake": 250},
}
EVERY_TEXT = ".prose li, .why p, .values td, .values th, .page > .hint, .page > .lead, h1, h2"


def texts(page: Page, what: str) -> list[str]:
    """Return the texts of a page without blanks, as room between lines may come from styles."""
    return ["".join(text.split()) for text in page.locator(what).all_text_contents()]


@pytest.fixture(params=["en", "ar"])
def browser_context_args(
    browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, object]:
    """A phone of each way of writing."""
    return {**browser_context_args, "locale": request.param}


@pytest.mark.parametrize("begun", GAMES.values(), ids=GAMES)
def test_deck_and_rules_are_told_as_on_the_server(
    table: Table, phone: Page, begun: dict[str, object]
) -> None:
    stored_game = table.begin(**begun)
    phone.goto(f"{stored_game.path}/rules")
    with_server = texts(phone, EVERY_TEXT)
    offline = OfflinePlayer(phone).load(stored_game.path)
    deck = texts(phone, ".deck")
    offline.cut()
    phone.reload()
    expect(offline.line()).to_be_visible()
    assert texts(phone, ".deck") == deck
    offline.rules_offline()
    assert texts(phone, EVERY_TEXT) == with_server
    phone.goto(f"{stored_game.path}/rules")  # the way that the server's own page leads
    expect(phone.locator("#game table.values")).to_be_visible()
    assert texts(phone, EVERY_TEXT) == with_server
    phone.locator("[data-action=back]").tap()
    expect(phone.locator("#pad")).to_be_visible()


def test_the_deck_is_told_until_the_first_bid(table: Table, phone: Page) -> None:
    offline = OfflinePlayer(phone).load(table.begin().path)
    offline.cut()
    phone.reload()
    expect(phone.locator(".deck")).to_be_visible()
    offline.tap_offline(3)
    expect(phone.locator(".deck")).to_have_count(0)
    offline.undo_offline()
    expect(phone.locator(".deck")).to_be_visible()
