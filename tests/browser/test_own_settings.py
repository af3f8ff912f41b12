"""Forced colours and the digits of a keypad are as the reader's browser has them."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.scenes import settle, speak, won

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")


def test_digits_stand_as_on_any_keypad(table: Table, phone: Page) -> None:
    speak(phone, table, "ar")
    phone.goto(table.begin().path)
    settle(phone)
    keys = [phone.locator(f'.key[value="{n}"]').bounding_box() for n in (3, 4, 5)]
    places = [key["x"] for key in keys if key]
    assert places == sorted(places)
    assert len({key["y"] for key in keys if key}) == 1


@pytest.fixture
def plain(phone: Page) -> Page:
    """A phone with forced colours."""
    phone.emulate_media(forced_colors="active")
    return phone


def looks(page: Page, what: str, style: str) -> str:
    """Return a computed style; none is of an element that was replaced meanwhile."""
    asked = f"() => getComputedStyle(document.querySelector({what!r})).{style}"
    return str(page.wait_for_function(asked).json_value())


def test_in_colours_of_ones_own_a_game_can_be_read(table: Table, plain: Page) -> None:
    plain.goto(table.begin().play((3, 2, Nil.NIL, 4), (3, 4, 0, 3)).bid(3).path)
    settle(plain)
    expect(plain.locator(".seat.active")).to_be_visible()
    active, other = (
        looks(plain, seat, "borderTopColor") for seat in (".seat.active", ".seat:not(.active)")
    )
    assert active != other
    assert other == looks(plain, "body", "backgroundColor")
    assert looks(plain, ".pips .on", "backgroundColor") == looks(plain, "body", "color")
    # The browser paints a background behind each line of text, which hides the one above.
    assert looks(plain, ".side .total", "lineHeight") == "normal"
    assert looks(plain, ".seat-notes", "lineHeight") == "normal"


def test_in_colours_of_ones_own_the_winner_can_be_read(table: Table, plain: Page) -> None:
    plain.goto(won(table).path)
    settle(plain)
    for line in (".winner h1", ".winner-total"):
        assert looks(plain, line, "lineHeight") == "normal"
    fills = {
        shape.evaluate("one => getComputedStyle(one).fill")
        for shape in plain.locator(".shape").all()
    }
    assert fills == {looks(plain, "body", "color")}
