"""Tables of five players fit a phone; those that are wider scroll in a box that can be seen to."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import StoredGame, Table
from tests.browser.test_paper import LONG

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

PHONES = (390, 360, 320)
TOO_WIDE = """
() => [...document.querySelectorAll(".scroll")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.ariaLabel)
"""


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    """A game of five long names, with totals of four digits."""
    house = {"target": "3000", "mercy": "-2900", "set_points": "50"}
    stored_game = table.begin(LONG, **house)
    for _ in range(9):
        stored_game.play((3, 3, 2, 1, 1), (5, 0, 3, 1, 1))
    return stored_game


def test_the_score_sheet_fits_a_phone(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(f"{stored_game.path}/sheet")
    for width in PHONES:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate(TOO_WIDE) == [], f"at {width}"


def test_a_name_that_is_cut_off_on_the_score_sheet_is_shown_by_a_tap(
    phone: Page, stored_game: StoredGame
) -> None:
    phone.goto(f"{stored_game.path}/sheet")
    name = phone.locator(".sheet-name bdi", has_text=LONG[0]).first
    is_cut_off = "(one) => one.scrollWidth > one.clientWidth"
    assert name.evaluate(is_cut_off)
    name.tap()
    expect(phone.locator("details[open]")).to_have_count(1)
    assert not name.evaluate(is_cut_off)


@pytest.mark.parametrize("path", ["/players", "/players?by=nil", "player"])
def test_tables_of_players_fit_a_phone(
    phone: Page, table: Table, stored_game: StoredGame, path: str
) -> None:
    table.begin(LONG, target="20").play((3, 1, 2, 2, 1), (3, 2, 2, 2, 1))
    phone.goto("/players" if path == "player" else path)
    if path == "player":
        phone.get_by_role("link", name=LONG[0]).tap()
        expect(phone.locator("#pairs")).to_be_visible()
    for width in PHONES:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate(TOO_WIDE) == [], f"at {width}"


def test_every_column_of_players_can_be_sorted_by_on_a_phone(
    phone: Page, stored_game: StoredGame
) -> None:
    phone.goto("/players")
    phone.get_by_text("All statistics").tap()
    expect(phone.get_by_role("columnheader", name="Nil made")).to_be_hidden()
    phone.get_by_text("Sort by").tap()
    phone.get_by_role("navigation").get_by_role("link", name="Nil made").tap()
    expect(phone.get_by_role("columnheader", name="Nil made")).to_be_visible()


def test_a_word_of_22_letters_stays_on_one_line_of_a_tablet(table: Table, phone: Page) -> None:
    names = ("Donaudampfschifffahrts", "East", "South", "West")
    table.begin(names, target="30").play((3, 3, 3, 2), (3, 3, 2, 2)).play(
        (3, 3, 3, 2), (5, 3, 2, 0)
    )
    phone.set_viewport_size({"width": 820, "height": 1180})
    phone.goto("/players?by=games")
    links = [phone.locator("#players tbody a", has_text=name) for name in names[:2]]
    long, short = (link.locator("bdi").evaluate("(one) => one.offsetHeight") for link in links)
    assert long == short > 0
