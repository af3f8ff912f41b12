"""The clock of a timed game: it warns, and proposes the last round, with a server or without."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.journal import Who, change_rules
from scorekeeper.store.tables import make_watch_link
from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player, ready, settled, wait_until_saved
from tests.browser.scenes import won
from tests.browser.test_settings import VOICES, until
from tests.browser.test_settings import ready as scripts_ready

MINUTE = 60_000  # ms
PLACES = """() => [...document.querySelectorAll(".strip, .seat, .key")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height];
})"""


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


def watch_path(stored_game: StoredGame) -> str:
    server = stored_game.table.server
    with server.store.write() as db:
        secret = str(server.app.config["SECRET_KEY"])
        return f"/watch/{make_watch_link(db, stored_game.game, secret, now())}"


@pytest.mark.parametrize("is_served", [True, False])
def test_it_warns_and_proposes_the_last_round(
    table: Table, offline: OfflinePlayer, is_served: bool
) -> None:
    stored_game = table.begin(rules="partnership", minutes="40")
    page = offline.page
    offline.load(stored_game.path)
    if not is_served:
        offline.cut()
    clock, proposal = page.locator(".bar .clock"), page.locator(".time-up")
    expect(clock).to_have_text("40 min")
    page.clock.fast_forward(30 * MINUTE)
    expect(clock).to_have_text("10 min")
    expect(clock).to_have_class("clock")
    page.clock.fast_forward(5 * MINUTE)
    expect(clock).to_have_text("5 min")
    expect(clock).to_have_class("clock short")
    expect(page.locator("#news")).to_have_text("5 minutes left.")
    offline.tap_offline(3)
    expect(clock).to_have_text("5 min")
    expect(proposal).to_be_hidden()
    if is_served:
        wait_until_saved(page)
    else:
        offline.wait_until_stored()
    page.clock.fast_forward(5 * MINUTE)
    expect(clock).to_have_text("Time’s up")
    expect(page.locator("#news")).to_have_text("Time’s up. Make this the last round?")
    proposal.get_by_role("button", name="Last round").tap()
    expect(page.locator(".now")).to_contain_text("Last round")
    expect(proposal).to_have_count(0)
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds[0].notes.last_round


def test_the_proposal_can_be_left_alone_and_comes_again_with_the_next_round(
    table: Table, player: Player
) -> None:
    stored_game = table.begin(rules="partnership", minutes="1")
    page = ready(player.open(stored_game.path).page)
    before = page.evaluate(PLACES)
    page.clock.fast_forward(2 * MINUTE)
    expect(page.locator(".time-up")).to_be_visible()
    assert page.evaluate(PLACES) == before
    player.bid(3, 3, 3, 3)
    player.take(3, 4, 3)
    player.score()
    expect(page.locator(".time-up")).to_be_visible()
    assert not stored_game.game.rounds[0].notes.last_round
    page.clock.fast_forward(60 * MINUTE)
    expect(page.locator(".time-up")).to_be_hidden()
    expect(page.locator(".clock")).to_have_text("")


@pytest.mark.parametrize("ahead", [-30, 30])
def test_a_phone_whose_clock_is_wrong_shows_the_time_of_the_server(
    table: Table, phone: Page, ahead: int
) -> None:
    stored_game = table.begin(rules="partnership", minutes="40")
    phone.add_init_script(f"const now = Date.now; Date.now = () => now() + {ahead * MINUTE}")
    phone.goto(stored_game.path)
    expect(phone.locator("html")).to_have_attribute("data-kept", "")
    phone.locator('#pad .key[value="3"]').tap()
    expect(phone.locator(".seat-bid").first).to_have_text("3")
    expect(phone.locator(".clock")).to_have_text("40 min")


def test_the_clock_of_a_game_begun_offline_goes_on_once_it_is_saved(
    table: Table, phone: Page, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    won(table)
    page = phone
    offline = OfflinePlayer(phone).load("/")
    offline.cut()
    offline.open("/games/new")
    page.locator("#options > summary").tap()
    page.locator("#minutes").fill("601")
    offline.button("Start game").tap()
    expect(page.get_by_role("alert")).to_contain_text("must be a whole number from 1 to 600")
    expect(page.locator("#minutes")).to_have_value("601")
    page.locator("#minutes").fill("40")
    settled(page)
    offline.button("Start game").tap()
    expect(page.locator(".clock")).to_have_text("40 min")
    page.clock.fast_forward(12 * MINUTE)
    expect(page.locator(".clock")).to_have_text("28 min")
    offline.mend()
    offline.wait_until_saved()
    # Another phone reads the time of the server; each try to save has put this one's clock forward.
    with browser.new_context(**browser_context_args) as context:
        context.add_cookies([table.another_phone().cookie])
        other = context.new_page()
        other.goto(page.url)
        expect(other.locator(".clock")).to_have_text(re.compile("^2[4-8] min$"))


def test_watchers_see_the_time(table: Table, page: Page) -> None:
    page.clock.install()
    watched = watch_path(table.begin(rules="partnership", minutes="40"))
    scripts_ready(page, watched, "game/countdown")
    expect(page.locator(".bar .clock")).to_have_text("40 min")
    page.clock.fast_forward(36 * MINUTE)
    expect(page.locator(".bar .clock")).to_have_text("4 min")
    expect(page.locator("#news")).to_have_text("5 minutes left.")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".board .clock")).to_be_visible()
    page.clock.fast_forward(5 * MINUTE)
    expect(page.locator(".board .clock")).to_have_text("Time’s up")
    expect(page.locator("#news")).to_have_text("Time’s up")


def test_a_clock_set_during_the_game_runs_for_watchers_too(table: Table, page: Page) -> None:
    stored_game = table.begin(rules="partnership")
    page.clock.install()
    page.goto(watch_path(stored_game))
    expect(page.locator(".clock")).to_have_count(0)
    played = stored_game.game
    timed = with_house_rules(played.rules, {"minutes": "40"})
    write = table.server.store.write
    with page.expect_response("**/js/game/countdown.js") as loaded, write() as db:
        change_rules(db, played, timed, played.version, Who(table.phone.id, now()))
    page.evaluate("(url) => import(url).then(() => true)", loaded.value.url)
    expect(page.locator(".bar .clock")).to_have_text("40 min")
    page.clock.fast_forward(10 * MINUTE)
    expect(page.locator(".bar .clock")).to_have_text("30 min")


def test_the_voice_warns_and_says_that_time_is_up(table: Table, phone: Page) -> None:
    phone.clock.install()
    phone.add_init_script("localStorage.setItem('sense.voice', 'on')")
    phone.add_init_script(VOICES)
    with phone.expect_response("**/js/table/settings.js"):
        phone.goto(table.begin(rules="partnership", minutes="40").path)
    expect(phone.locator("html")).to_have_attribute("data-kept", "")
    warning, up = "5 minutes left.", "Time’s up. Make this the last round?"
    heard = f"spoken.map(([text]) => text).filter((text) => {[warning, up]}.includes(text))"
    phone.locator('#pad .key[value="3"]').tap()
    until(phone, "spoken.map(([text]) => text).slice(-1)", ["North bid 3. East bids."])
    wait_until_saved(phone)
    phone.clock.fast_forward(36 * MINUTE)
    until(phone, heard, [warning])
    phone.clock.fast_forward(5 * MINUTE)
    until(phone, heard, [warning, up])
    phone.clock.fast_forward(5 * MINUTE)
    assert phone.evaluate(heard) == [warning, up]
