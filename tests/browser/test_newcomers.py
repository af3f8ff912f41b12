"""What newcomers look for is a few taps from home, each named by a word that they look for."""

from playwright.sync_api import Page, expect

from scorekeeper.rules.round import Round
from tests.browser.app_server import Table
from tests.browser.player import ready, settled, taken_over

MOST = 4  # taps
WON = Round((10, 1, 1, 1), (10, 0, 0, 0))


class Newcomer:
    """Taps what has a name that begins with a word, and counts the taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, word: str) -> None:
        """Tap the first link, button or fold that is named so."""
        named = [self.page.get_by_role(role, name=word) for role in ("link", "button")]
        named.append(self.page.locator("summary", has_text=word))
        target = named[0].or_(named[1]).or_(named[2]).filter(visible=True).first
        target.tap()
        self.taps += 1
        assert self.taps <= MOST, f"{word} is one tap too far"


def test_to_join(page: Page, table: Table) -> None:
    page.goto(table.link())
    newcomer = Newcomer(page)
    newcomer.tap("Join")
    expect(page.get_by_role("heading", level=1)).to_have_text("Scorekeeper")
    expect(page.get_by_role("link", name="New game")).to_be_visible()


def test_to_the_first_score_it_is_eleven_taps(page: Page, table: Table) -> None:
    page.goto(table.link())
    newcomer = Newcomer(page)
    newcomer.tap("Join")
    newcomer.tap("New game")
    page.locator("html[data-kept]").wait_for()  # Enter moves on from now on
    expect(page.locator("#player-1")).to_be_focused()
    page.keyboard.type("Ana")
    for name in ("Ben", "Cy", "Dana"):
        page.keyboard.press("Enter")
        page.keyboard.type(name)
    newcomer.tap("Start game")
    taken_over(page)
    for phase in ((2, 3, 1, 4), (3, 2, 1)):  # the last count fills itself in
        for figure in phase:
            row = page.locator(".seat.active").get_attribute("id")
            ready(page).locator(f'#pad .key[value="{figure}"]').tap()
            newcomer.taps += 1
            page.wait_for_function(
                "(row) => document.querySelector('.active')?.id !== row", arg=row
            )
    settled(page).locator("#score button").tap()
    newcomer.taps += 1
    expect(page.locator("h1")).to_contain_text("Round 2")
    assert newcomer.taps == 11


def test_to_let_another_phone_join(phone: Page, table: Table) -> None:
    phone.goto("/")
    newcomer = Newcomer(phone)
    newcomer.tap("Settings")
    newcomer.tap("Devices")
    expect(phone.get_by_role("heading", name="Invite a phone")).to_be_visible()


def test_to_rename_a_phone(phone: Page, table: Table) -> None:
    phone.goto("/")
    newcomer = Newcomer(phone)
    newcomer.tap("Settings")
    newcomer.tap("Name")
    phone.get_by_label("Name").fill("Ana’s phone")
    newcomer.tap("Save")
    expect(phone.get_by_text("Ana’s phone")).to_be_visible()


def test_to_find_the_rules_for_six(phone: Page, table: Table) -> None:
    phone.goto("/")
    newcomer = Newcomer(phone)
    newcomer.tap("Rules")
    newcomer.tap("Cutthroat Spades LITE")
    newcomer.tap("6 players")
    expect(phone.get_by_text("48 cards, 8 each.")).to_be_in_viewport()


def test_to_export(phone: Page, table: Table) -> None:
    table.begin().play(WON.bids, WON.tricks or ())
    phone.goto("/")
    newcomer = Newcomer(phone)
    newcomer.tap("Settings")
    newcomer.tap("Export")
    with phone.expect_download() as saved:
        newcomer.tap("Games")
    assert saved.value.suggested_filename.endswith(".csv")


def test_to_send_the_result(phone: Page, table: Table) -> None:
    table.begin().play(WON.bids, WON.tricks or ()).play(WON.bids, WON.tricks or ())
    phone.goto("/")
    newcomer = Newcomer(phone)
    newcomer.tap("Cutthroat")
    newcomer.tap("Share")
    newcomer.tap("Copy text")
    expect(phone.get_by_text("Copied.")).to_be_visible()
