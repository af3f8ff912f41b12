"""Another player takes a seat from the menu, offline too."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.faces import Face
from scorekeeper.rules.seating import Substitute
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer

HAND = (3, 3, 2, 3), (3, 4, 1, 2)


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


def open_players(page: Page) -> None:
    page.locator("#menu > summary").tap()
    page.locator("#seats > summary").tap()


def seat_eve(page: Page) -> None:
    """Let Eve take the seat of West."""
    open_players(page)
    page.locator("#seats select[name='seat']").select_option("4")
    page.locator("#seats input[name='name']").fill("Eve")
    page.get_by_role("button", name="Swap in").tap()
    expect(page.locator(".now")).to_contain_text("Eve takes the seat of West")


def test_a_known_player_takes_a_seat_with_a_tap(table: Table, offline: OfflinePlayer) -> None:
    table.begin(names=("Eve", "Fay", "Gus", "Hal"))
    stored_game = table.begin()
    page = offline.page
    offline.load(stored_game.path)
    open_players(page)
    page.locator("#seats select[name='seat']").select_option("4")
    page.locator("#seats .chip", has_text="Eve").tap()
    expect(page.locator(".now")).to_contain_text("Eve takes the seat of West")
    offline.wait_until_saved()
    assert stored_game.game.names == ("North", "East", "South", "Eve")


def faces(page: Page, of: str) -> list[tuple[int, int]]:
    """Return the shapes and colors in elements, in the order of the page."""
    numbers = """shapes => shapes.map((one) =>
      [one.firstElementChild.getAttribute("href"), one.getAttribute("class")]
        .map((text) => Number(text.match(/seat-([0-9]+)/)[1])))"""
    return [(shape, color) for shape, color in page.locator(f"{of} .shape").evaluate_all(numbers)]


def test_everyone_keeps_the_own_face_at_any_seat(table: Table, offline: OfflinePlayer) -> None:
    table.begin(names=("Eve", "Fay", "Gus", "Hal"))
    stored_game = table.begin().play(*HAND)
    table.give_face("Eve", Face(8, 7))
    table.give_face("North", Face(6, 4))
    own = [(6, 4), (2, 2), (3, 3), (9, 1)]  # East and South have those of their seats
    for name, face in zip(("East", "South", "West"), own[1:], strict=True):
        table.give_face(name, Face(*face))
    page = offline.page
    offline.load(stored_game.path)
    assert faces(page, ".strip") == own
    assert faces(page, ".sheet thead") == own
    assert faces(page, "#entry") == [*own[1:], own[0]]
    open_players(page)
    page.locator("#seats select[name='seat']").select_option("4")
    page.locator("#seats .chip", has_text="Eve").tap()
    offline.wait_until_saved()
    shown = [*own[:3], (8, 7)]
    expect(page.locator(".strip .shape.seat-7")).to_have_count(1)
    assert faces(page, ".strip") == shown
    page.locator("#rounds").get_by_role("link", name="1").last.tap()
    expect(page).to_have_url(re.compile("/rounds/1$"))
    assert faces(page, ".correct") == own


def test_the_seats_of_a_new_game_have_the_faces_of_who_sits_there(
    table: Table, phone: Page
) -> None:
    table.begin().play(*HAND)
    own = [(6, 4), (2, 2), (3, 3), (9, 1)]
    for name, face in zip(("North", "East", "South", "West"), own, strict=True):
        table.give_face(name, Face(*face))
    phone.goto("/games/new")
    seats, last = ".place:nth-child(-n + 4)", phone.locator(".place:nth-child(4) use")
    expect(last).to_have_attribute("href", "#seat-9")
    assert faces(phone, seats) == own
    phone.locator("#player-2").fill("west")  # nobody new, and of two the first one keeps it
    phone.locator("#player-4").fill("Somebody")
    expect(last).to_have_attribute("href", "#seat-1")  # the first face that nobody of the table has
    shown = faces(phone, seats)
    assert shown == [(6, 4), (9, 1), (3, 3), (1, 2)]
    phone.locator("#start").click()
    phone.wait_for_url("**/games/*")
    assert faces(phone, ".strip") == shown


def test_a_seat_changes_offline_and_is_recorded_later(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin()
    page = offline.page
    offline.load(stored_game.path)
    offline.play_offline(*HAND, [0, 1, 2, 3])
    offline.cut()
    seat_eve(page)
    offline.play_offline(*HAND, [1, 2, 3, 0])
    expect(page.locator(".strip")).to_contain_text("Eve")
    page.locator("#rounds").get_by_role("link", name="1").last.tap()
    expect(page).to_have_url(re.compile("/rounds/1$"))
    expect(page.locator("main")).to_contain_text("West")
    page.go_back()
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds[1].notes.substitutes == (Substitute(3, "Eve"),)
    assert stored_game.game.names_in(1)[3] == "West"


def test_of_two_players_for_one_seat_the_table_chooses(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin().play(*HAND)
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    seat_eve(page)
    stored_game.substitute(3, "Fay")
    offline.mend()
    offline.ask_until(page.get_by_role("heading", name="Round 2: two entries"))
    west = page.locator(".conflict tr", has_text="West").locator("td")
    expect(west.first).to_contain_text("Fay takes the seat of West")
    expect(west.last).to_contain_text("Eve takes the seat of West")
    offline.page.get_by_role("button", name="Keep the saved entry").tap()
    offline.wait_until_saved()
    note = page.get_by_role("region", name="Replaced entries from this phone")
    expect(note).to_contain_text("Eve takes the seat of West")
    assert stored_game.game.names == ("North", "East", "South", "Fay")
