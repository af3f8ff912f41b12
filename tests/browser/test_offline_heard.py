"""Announcements, speech and settings of an offline phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.test_settings import BUZZES, LISTEN, SENTENCES, VOICES, until

ALONE = "Offline. Keep playing; this phone keeps everything."


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    """A game that North wins with the first round."""
    return table.begin(target="30")


def play(offline: OfflinePlayer) -> None:
    """Play a round in which East pays for bags, and North wins."""
    offline.play_offline((3, 1, 1, 1), (3, 7, 0, 0), (0, 1, 2, 3))


def test_each_change_is_heard_once(phone: Page, stored_game: StoredGame) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.add_init_script(LISTEN)
    phone.reload()
    until(phone, "heard", [ALONE])
    play(offline)
    expect(phone.locator("#winner")).to_be_visible()
    assert phone.evaluate("heard") == [ALONE, *SENTENCES]
    offline.undo_offline()
    until(phone, "heard.slice(9)", [SENTENCES[6]])
    phone.locator(".bar-home").tap()
    expect(phone.get_by_role("heading", name="Saved on this phone")).to_be_focused()
    assert phone.evaluate("heard.length") == 10


def test_a_page_that_is_taken_over_goes_on_saying_what_is_new(
    phone: Page, stored_game: StoredGame
) -> None:
    phone.add_init_script(LISTEN)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.bid(3)
    offline.cut()
    offline.key(1).tap()
    # A line that is down is noticed before or after the tap is drawn.
    until(phone, "heard.join(' ')", " ".join([*SENTENCES[:2], ALONE]))


def test_the_voice_and_the_finger_learn_of_it_too(phone: Page, stored_game: StoredGame) -> None:
    phone.emulate_media(reduced_motion="no-preference")
    offline = OfflinePlayer(phone).load(stored_game.path)
    phone.evaluate("localStorage.setItem('sense.voice', 'on')")
    offline.cut()
    for script in (VOICES, BUZZES):
        phone.add_init_script(script)
    phone.reload()
    until(phone, "spoken.map(([text]) => text)", [ALONE])
    play(offline)
    aloud = [text.replace("·", ",") for text in SENTENCES]
    until(phone, "spoken.map(([text]) => text)", [ALONE, *aloud])
    until(phone, "felt", [*[10] * 7, [60, 40, 60, 40, 200]])


def test_the_switches_and_the_list_of_keys_are_there(phone: Page, stored_game: StoredGame) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    expect(phone.locator("#pad")).to_be_visible()
    phone.keyboard.press("?")
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Sound & display")
    expect(dialog.get_by_role("row", name="add a trick")).to_be_visible()
    phone.keyboard.press("Escape")
    phone.get_by_label("More").click()
    phone.get_by_role("link", name="Sound & display").click()
    expect(dialog.get_by_role("switch", name="Keyboard shortcuts")).to_be_visible()
    phone.goto("/settings/sound")
    expect(phone.get_by_role("switch", name="Keep screen on")).to_be_visible()
    keys = phone.get_by_role("switch", name="Keyboard shortcuts")
    expect(keys).to_be_hidden()  # on a phone that has used none here
