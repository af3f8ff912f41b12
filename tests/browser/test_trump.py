"""The suit that was turned as trump: one tap in the line of the deck, offline and on two phones."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.round import Round
from scorekeeper.store.entry import Entry, enter
from scorekeeper.store.journal import Who
from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready, settled, wait_until_saved


@pytest.fixture
def oh_hell(table: Table) -> StoredGame:
    return table.begin(rules="oh-hell")


def chip(page: Page, suit: str) -> Locator:
    return page.locator(f".deck .suits button[value={suit}]")


def chosen(page: Page) -> Locator:
    return page.locator(".suits [aria-pressed=true]")


def note_elsewhere(stored_game: StoredGame, **notes: Any) -> None:
    """Note something on another phone of the table."""
    other = stored_game.table.another_phone().phone
    game = stored_game.game
    with stored_game.table.server.store.write(game.table_id) as db:
        entry = Entry(1, game.round(1).noted(**notes))
        enter(db, game, entry, game.version, Who(other.id, now()))


def test_a_tap_notes_the_suit_and_another_one_corrects_it(oh_hell: StoredGame, phone: Page) -> None:
    phone.goto(oh_hell.path)
    ready(phone)
    expect(phone.locator(".deck .suits button")).to_have_text(["♠", "♥", "♦", "♣", "–"])
    expect(chosen(phone)).to_have_count(0)
    for suit in "hn":
        settled(phone)
        chip(phone, suit).tap()
        expect(chosen(phone)).to_have_attribute("value", suit)
        expect(phone.locator(".note")).to_have_count(0)
    wait_until_saved(phone)
    assert oh_hell.game.round(1).notes.trump == "n"
    phone.reload()
    expect(chosen(ready(phone))).to_have_accessible_name("No trump.")
    settled(phone).locator('#pad .key[value="1"]').tap()
    expect(phone.locator(".suits")).to_have_count(0)
    expect(phone.locator(".note")).to_have_text("No trump.")


def test_undo_takes_the_suit_back(oh_hell: StoredGame, phone: Page) -> None:
    phone.goto(oh_hell.path)
    ready(phone)
    settled(phone)
    chip(phone, "d").tap()
    expect(chosen(phone)).to_have_count(1)
    settled(phone).locator("#undo").tap()
    expect(chosen(phone)).to_have_count(0)
    expect(phone.locator(".note")).to_have_count(0)


def test_rules_that_turn_no_card_have_no_suits(table: Table, phone: Page) -> None:
    for rules in ("kachufool", "cutthroat"):
        phone.goto(table.begin(rules=rules).path)
        expect(ready(phone).locator("#pad .key").first).to_be_visible()
        expect(phone.locator(".suits")).to_have_count(0)


def test_it_is_noted_offline_and_merges_with_a_penalty_of_another_phone(
    oh_hell: StoredGame, phone: Page
) -> None:
    offline = OfflinePlayer(phone).load(oh_hell.path)
    offline.cut()
    chip(settled(phone), "s").tap()
    expect(chosen(phone)).to_have_attribute("value", "s")
    fine = Penalty(0, "points", 10, "nobody", "renege")
    note_elsewhere(oh_hell, penalties=(fine,))
    offline.mend()
    offline.wait_until_saved()
    notes = oh_hell.game.round(1).notes
    assert (notes.trump, notes.penalties) == ("s", (fine,))


@pytest.mark.parametrize(
    ("choice", "suit"), [("Keep the saved entry", "h"), ("Use this phone’s entry", "s")]
)
def test_two_phones_that_name_two_suits_choose_one(
    oh_hell: StoredGame, phone: Page, choice: str, suit: str
) -> None:
    offline = OfflinePlayer(phone).load(oh_hell.path)
    offline.cut()
    chip(settled(phone), "s").tap()
    expect(chosen(phone)).to_have_attribute("value", "s")
    note_elsewhere(oh_hell, trump="h")
    offline.mend()
    offline.ask_until(phone.get_by_role("heading", name="Round 1: two entries"))
    told = phone.locator(".choose")
    expect(told).to_contain_text("Trump: ♥")
    expect(told).to_contain_text("Trump: ♠")
    phone.get_by_role("button", name=choice).tap()
    offline.wait_until_saved()
    assert oh_hell.game.round(1).notes == Round(()).noted(trump=suit).notes
    expect(chosen(phone)).to_have_attribute("value", suit)


def test_pages_without_scripts_note_it_too(
    oh_hell: StoredGame, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    context.add_cookies([oh_hell.table.cookie])
    page = context.new_page()
    page.goto(oh_hell.path)
    chip(page, "c").tap()
    expect(chosen(page)).to_have_text("♣")
    page.get_by_role("link", name="Enter round 1").tap()
    expect(page.locator("#trump [aria-pressed=true]")).to_have_text("♣")
    page.locator("#trump button[value=h]").tap()
    expect(chosen(page)).to_have_text("♥")
    assert oh_hell.game.round(1).notes.trump == "h"
    context.close()
