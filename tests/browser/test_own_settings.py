"""Forced colours and a large default font size of the browser are respected."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.measures import cut_off, width
from tests.browser.scenes import SCENES, settle, speak, won

LARGE = 32  # px, twice what a browser begins with
CROWDED = (
    "a new game",
    "a later bid",
    "all tricks are in",
    "the winner",
    "the winners of a partnership",
    "a past round",
    "looking on",
    "sound screen and keys",
)


@pytest.fixture(scope="module")
def farsighted(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> Iterator[Browser]:
    """A browser with twice the default font size."""
    large = f"--blink-settings=defaultFontSize={LARGE}"
    asked = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], large]}
    browser = browser_type.launch(**asked)
    yield browser
    browser.close()


@pytest.mark.parametrize("name", CROWDED)
def test_letters_twice_the_size_cut_nothing_off(
    farsighted: Browser, browser_context_args: dict[str, Any], table: Table, name: str
) -> None:
    with farsighted.new_context(**browser_context_args) as context:
        context.add_cookies([table.cookie])
        page = context.new_page()
        SCENES[name](table, page)
        assert looks(page, "html", "fontSize") == f"{LARGE}px"
        assert width(page) <= browser_context_args["viewport"]["width"]
        assert cut_off(page) == []


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


def test_in_colours_of_ones_own_the_seat_on_turn_is_outlined(table: Table, plain: Page) -> None:
    plain.goto(table.begin().bid(3).path)
    settle(plain)
    expect(plain.locator(".seat.active")).to_be_visible()
    active, other = (
        looks(plain, seat, "borderTopColor") for seat in (".seat.active", ".seat:not(.active)")
    )
    assert active != other
    assert other == looks(plain, "body", "backgroundColor")


def test_in_colours_of_ones_own_full_bags_are_told_from_empty_ones(
    table: Table, plain: Page
) -> None:
    plain.goto(table.begin().play((3, 2, Nil.NIL, 4), (3, 4, 0, 3)).path)
    settle(plain)
    assert looks(plain, ".pips .on", "backgroundColor") == looks(plain, "body", "color")


def test_in_colours_of_ones_own_no_line_hides_the_one_above(table: Table, plain: Page) -> None:
    # With forced colours the browser paints a background behind each line of text.
    plain.goto(table.begin().play((3, 2, Nil.NIL, 4), (3, 4, 0, 3)).path)
    settle(plain)
    assert looks(plain, ".side .total", "lineHeight") == "normal"
    assert looks(plain, ".seat-notes", "lineHeight") == "normal"


def test_in_colours_of_ones_own_the_winner_can_be_read(table: Table, plain: Page) -> None:
    plain.goto(won(table).path)
    settle(plain)
    for line in (".winner h1", ".winner-total"):
        assert looks(plain, line, "lineHeight") == "normal"


def test_in_colours_of_ones_own_no_seat_has_a_colour_of_ours(table: Table, plain: Page) -> None:
    plain.goto(won(table).path)
    settle(plain)
    fills = {
        shape.evaluate("one => getComputedStyle(one).fill")
        for shape in plain.locator(".shape").all()
    }
    assert fills == {looks(plain, "body", "color")}
