"""Where the focus goes: into what opens, around in it where that is alone, and back again."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import Table
from tests.browser.player import ready, settled

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

BOUNCE = 150  # ms; a second press within 100 is not meant
SHORTCUTS = "**/js/table/shortcuts.js"
ROUND = (3, 2, 2, 3)


@pytest.fixture
def desk(phone: Page, table: Table) -> Page:
    """A game in its second round, on a page that hears keys."""
    sit_down(phone, table.begin().play(ROUND, ROUND).path)
    return phone


def sit_down(page: Page, path: str) -> None:
    """Open a game, and wait until all its scripts are there."""
    with page.expect_response(SHORTCUTS) as answer:
        page.goto(path)
    page.evaluate("(url) => import(url).then(() => true)", answer.value.url)
    ready(page)


def press(page: Page, target: Locator) -> None:
    """Press Enter on something, once keys count everywhere and another press can be meant."""
    target.wait_for()
    page.wait_for_timeout(BOUNCE)
    settled(page)
    target.press("Enter")


def open_menu(page: Page) -> Locator:
    """Open the menu by a key, and return what opens it."""
    more = page.locator("#menu > summary")
    more.press("Enter")
    expect(page.locator("#menu")).to_have_attribute("open", "")
    expect(more).to_be_focused()
    settled(page)
    return more


def stays_within(page: Page, within: Locator) -> None:
    """Tab never leads to what lies below; between its ends the browser has its own place."""
    for _ in range(2 * within.locator("a, button, input, select").count() + 4):
        page.keyboard.press("Tab")
        is_in = within.evaluate("(one) => one.contains(document.activeElement)")
        assert is_in or page.evaluate("document.activeElement === document.body")


def test_the_menu_is_left_by_escape(desk: Page) -> None:
    more = open_menu(desk)
    desk.keyboard.press("Tab")
    expect(desk.locator(".menu-list :focus")).to_have_count(1)
    desk.keyboard.press("Escape")
    expect(desk.locator("#menu[open]")).to_have_count(0)
    expect(more).to_be_focused()


def test_settings_lie_over_the_menu_until_they_are_closed(desk: Page) -> None:
    open_menu(desk)
    link = desk.get_by_role("link", name="Sound & display")
    press(desk, link)
    dialog = desk.get_by_role("dialog")
    expect(dialog.locator(":focus")).to_have_count(1)
    stays_within(desk, dialog)
    desk.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(link).to_be_focused()


@pytest.mark.parametrize("way", ["Escape", "Keep playing"])
def test_what_is_asked_before_the_end_of_a_game_is_left(desk: Page, way: str) -> None:
    more = open_menu(desk)
    end = desk.locator("[data-action='ask-end']")
    press(desk, end)
    dialog = desk.get_by_role("dialog")
    expect(dialog.locator(":focus")).to_have_count(1)
    stays_within(desk, dialog)
    if way == "Escape":
        desk.keyboard.press("Escape")
        expect(end).to_be_focused()
    else:
        dialog.get_by_role("link", name=way).press("Enter")
        expect(more).to_be_focused()
    expect(dialog).to_be_hidden()


def test_a_row_is_opened_and_left(desk: Page) -> None:
    row = desk.locator("#seat-row-2 .seat-who")
    press(desk, row)
    press(desk, desk.locator("#seat-row-2 .one-more"))
    chosen = desk.locator(".open-row .chip[aria-pressed]").first
    expect(chosen).to_be_focused()
    note = desk.locator(".chip[value=note]")
    press(desk, note)
    expect(note).to_have_attribute("aria-pressed", "true")
    expect(note).to_be_focused()
    desk.keyboard.press("Escape")
    expect(row).to_be_focused()


@pytest.mark.browser_context_args(service_workers="block", reduced_motion="no-preference")
def test_a_moment_leaves_the_focus_at_the_keys(desk: Page) -> None:
    expect(desk.locator("html")).to_have_attribute("data-stage", "ready")
    for bid in ROUND:
        press(desk, desk.locator(f'#pad .key[value="{bid}"]'))
    expect(desk.locator(".stage")).to_have_count(1)
    expect(desk.locator("#pad :focus")).to_have_count(1)
    desk.keyboard.press("Escape")
    expect(desk.locator(".stage")).to_have_count(0)
    expect(desk.locator("#pad :focus")).to_have_count(1)


@pytest.mark.browser_context_args(service_workers="block", reduced_motion="no-preference")
def test_the_round_once_more_is_alone_until_it_is_left(phone: Page, table: Table) -> None:
    stored_game = table.begin().bid(*ROUND).take(*ROUND[:3])
    sit_down(phone, stored_game.path)
    expect(phone.locator("html")).to_have_attribute("data-stage", "ready")
    press(phone, phone.locator("#score button"))
    offer = phone.get_by_role("button", name="Round 1 again")
    press(phone, offer)
    controls = phone.get_by_role("group", name="Round 1, once more")
    expect(controls.locator(":focus")).to_have_count(1)
    stays_within(phone, controls)
    phone.keyboard.press("Escape")
    expect(controls).to_have_count(0)
    expect(offer).to_be_focused()
