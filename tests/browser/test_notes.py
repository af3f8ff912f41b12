"""Notes, and players who change seats, from the menu on a small phone, offline too."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.journal import Who
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready, settled, wait_until_saved

BOTTOM = "one => one.scrollWidth <= one.clientWidth"


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with a small phone, who can go offline."""
    phone.set_viewport_size({"width": 360, "height": 640})
    return OfflinePlayer(phone)


def unfold(page: Page, group: str) -> None:
    """Open the menu, and one of its groups."""
    settled(page).locator("#menu > summary").tap()
    page.locator(f"#{group} > summary").tap()


def write(page: Page, field: str, text: str) -> None:
    """Write a note from the menu."""
    unfold(page, "note")
    form = page.locator(f"#note form:has([name='{field}'])")
    form.locator("textarea").fill(text)
    assert page.locator(".menu-list").evaluate(BOTTOM)
    form.get_by_role("button", name="Save note").tap()


def test_notes_are_written_offline_and_recorded_later(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(rules="partnership", target="30")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    write(page, "remark", "  Kim dealt\ntwice ")
    expect(page.locator(".note")).to_have_text("Note: Kim dealt twice")
    offline.play_offline((3, 3, 3, 3), (3, 4, 3, 3), [0, 1, 2, 3])
    expect(page.locator("#winner")).to_have_text("East and West win")
    write(page, "game_remark", "At the lake <b>")
    expect(page.locator(".winner .remark")).to_have_text("At the lake <b>")
    offline.mend()
    offline.wait_until_saved()
    first = stored_game.game.rounds[0]
    assert (first.notes.remark, first.notes.game_remark) == ("Kim dealt twice", "At the lake <b>")
    page.reload()
    expect(ready(page).locator(".winner .remark")).to_have_text("At the lake <b>")
    unfold(page, "note")
    expect(page.locator("#note [name='remark']")).to_have_value("Kim dealt twice")


def test_a_note_that_is_too_long_is_refused_with_a_sentence(
    table: Table, offline: OfflinePlayer
) -> None:
    page = offline.page
    offline.load(table.begin().path)
    unfold(page, "note")
    area = page.locator("#note [name='remark']")
    area.evaluate("one => { one.removeAttribute('maxlength'); one.value = 'x'.repeat(501); }")
    page.get_by_role("button", name="Save note").first.tap()
    expect(page.locator("#message")).to_have_text("A note can have at most 500 characters.")


def test_what_is_being_typed_stays_when_another_phone_scores_the_round(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin(rules="partnership")
    phone.goto(stored_game.path)
    unfold(ready(phone), "note")
    area = phone.locator("#note [name='remark']")
    area.press_sequentially("Kim dealt")
    stored_game.play((3, 3, 3, 3), (3, 4, 3, 3))
    expect(phone.locator("#rounds")).to_be_visible()
    area.press_sequentially(" twice")
    phone.get_by_role("button", name="Save note").first.tap()
    wait_until_saved(phone)
    assert [one.notes.remark for one in stored_game.game.rounds] == ["Kim dealt twice"]
    unfold(phone, "note")
    expect(area).to_have_value("")  # of the round that is played now


def test_two_players_change_seats_with_three_taps(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(rules="partnership")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    unfold(page, "seats")
    form = page.locator("#seats .swap")
    for name in ("East", "South"):
        form.get_by_role("checkbox", name=name).tap()
    assert page.locator(".menu-list").evaluate(BOTTOM)
    form.get_by_role("button", name="Swap seats").tap()
    expect(page.locator(".note").first).to_have_text("South takes the seat of East")
    expect(page.locator("#side-0")).to_contain_text(re.compile("North.*East", re.DOTALL))
    offline.mend()
    wait_until_saved(page)
    assert stored_game.game.names == ("North", "South", "East", "West")


def test_start_totals_are_corrected_from_the_menu(table: Table, phone: Page) -> None:
    setup = GameSetup(PRESETS["partnership"], CAST[:4], 3, start=(120, -35))
    with table.server.store.write() as db:
        stored_game = StoredGame(
            table, create_game(db, table.id, setup, Who(table.phone.id, now()))
        )
    phone.goto(stored_game.path)
    ready(phone).locator("#menu > summary").tap()
    phone.get_by_role("link", name="Start totals", exact=True).tap()
    phone.locator("[name=start-1]").fill("-20")
    phone.get_by_role("button", name="Save start totals").tap()
    expect(ready(phone).locator(".note")).to_have_text("Start totals: −20 · −35")
    expect(phone.locator(".total").first).to_have_text("−20")
