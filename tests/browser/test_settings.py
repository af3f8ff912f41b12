"""Announcements, speech, vibration and the wake lock of a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.app_server import StoredGame, Table
from tests.browser.player import BREATH, live_link, settled
from tests.browser.player import ready as wait_for_app

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

HELD = 450  # ms in which a tap is ignored where something has left by itself, and two frames
SURPRISE = 250  # ms in which a button that has just come under the finger takes no tap

# What a screen reader hears: every text that a live region shows anew, in the order of the pages.
LISTEN = """
window.heard = [];
addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  const regions = changes.flatMap(({ target, addedNodes }) => [target, ...addedNodes])
    .map((node) => (node.nodeType === 1 ? node : node.parentElement))
    .flatMap((element) => [
      element?.closest("[role=status], [role=alert]"),
      ...(element?.querySelectorAll("[role=alert]") ?? []),
    ]);
  for (const region of new Set(regions)) {
    if (region?.checkVisibility() && region.textContent.trim()) {
      heard.push(region.textContent.trim());
    }
  }
}).observe(document.body, { subtree: true, childList: true, characterData: true }));
"""
SPEAKERS = """
window.spoken = [];
window.silenced = 0;
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
const voices = [
  { lang: "en-GB", localService: false, name: "from a server" },
  { lang: "de-DE", localService: true, name: "Hedda" },
  { lang: "en_US", localService: true, name: "Kim" },
];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices.slice(%d),
  speak: ({ text, voice, lang }) => text && spoken.push([text, voice.name, lang]),
  cancel: () => silenced++,
  addEventListener() {},
} });
"""
VOICES, NO_VOICE = SPEAKERS % 0, SPEAKERS % 3
BUZZES = "window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern);"
LOCKS = """
window.locks = [];
const request = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (type) => {
  const lock = await request(type);
  locks.push(lock);
  return lock;
};
"""
NO_LOCKS = "delete Navigator.prototype.wakeLock;"
SAFARI = NO_LOCKS + "HTMLVideoElement.prototype.webkitSetPresentationMode = () => {};"


@pytest.fixture(scope="module")
def browser(launch_browser: Callable[..., Browser], chromium: str) -> Iterator[Browser]:
    """A Chromium with windows: the headless shell knows no wake lock."""
    with launch_browser(executable_path=chromium) as launched:
        yield launched


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    """A game that North wins with the first round."""
    return table.begin(target="30")


@pytest.fixture
def opened(phone: Page, stored_game: StoredGame) -> Callable[..., Page]:
    """Opens the game once the phone can do what some scripts say."""

    def open_(*scripts: str) -> Page:
        for script in scripts:
            phone.add_init_script(script)
        ready(phone, stored_game.path)
        return phone

    return open_


def ready(page: Page, path: str, script: str = "table/settings") -> None:
    """Open a page and wait until what nobody waits for is there."""
    with page.expect_response(f"**/js/{script}.js") as answer:
        page.goto(path)
    page.evaluate("(url) => import(url).then(() => true)", answer.value.url)


def until(page: Page, script: str, expected: Any) -> None:
    """Wait until a script gives what is expected."""
    for _ in range(500):
        if (found := page.evaluate(script)) == expected:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{script} gives {found}, not {expected}")


def switch(page: Page, name: str) -> None:
    """Turn a switch in the menu of the game."""
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    page.get_by_role("switch", name=name).click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    settled(page)
    page.wait_for_timeout(SURPRISE)


def play(page: Page) -> None:
    """Play a round in which a seat pays for its bags, and North wins."""
    expect(page.locator("#news")).to_have_attribute("data-news", "")  # what is heard next is new
    for bid in (3, 1, 1, 1):
        tap(page, bid)
    for count in (3, 7, 0):
        tap(page, count)
    page.locator("#score button").tap()
    expect(page.locator("#winner")).to_have_text("North wins")


def tap(page: Page, value: int) -> None:
    game = page.locator("#game")
    before = game.get_attribute("data-version") or ""
    key = page.locator(f'.key[value="{value}"]')
    key.tap(trial=True)  # once no moment lies over it,
    page.clock.run_for(HELD)  # and the taps that were meant for one have come
    key.tap()
    expect(game).not_to_have_attribute("data-version", before)
    page.clock.fast_forward(BREATH)
    settled(page)


SENTENCES = [
    "North bid 3. East bids.",
    "East bid 1. South bids.",
    "South bid 1. West bids.",
    ("West bid 1 · North wins with 3 to 8 · Bids total 6 of 10. How many tricks did North take?"),
    "North took 3 · 3 of 10 tricks. How many tricks did East take?",
    "East took 7 · 10 of 10 tricks. How many tricks did South take?",
    "Round 1 is ready to score: South took 0 · All 10 counted · none for West.",
    (
        "North wins with 30. Round 1 is scored: North 30, East 5, South −10, "
        "West −10. Bags cost East 10 points."
    ),
]


def test_a_screen_reader_hears_each_change_once(phone: Page, opened: Callable[..., Page]) -> None:
    phone.clock.install()
    page = opened(LISTEN)
    play(page)
    assert page.evaluate("heard") == SENTENCES
    page.reload()
    expect(page.locator("#winner")).to_be_visible()
    assert page.evaluate("heard") == []


def test_whoever_looks_on_hears_the_same(
    phone: Page, context: BrowserContext, stored_game: StoredGame
) -> None:
    phone.goto(f"{stored_game.path}/share")
    phone.get_by_role("button", name="Create live link").click()
    other = context.new_page()
    other.add_init_script(LISTEN)
    ready(other, live_link(phone))
    stored_game.bid(3)
    until(other, "heard", SENTENCES[:1])
    stored_game.bid(1)
    until(other, "heard", SENTENCES[:2])


def test_a_refusal_is_heard_at_once(phone: Page, table: Table) -> None:
    phone.add_init_script(LISTEN)
    ready(phone, table.begin(rules="cutthroat").bid(3, 3, 3).path)
    settled(phone)
    phone.locator('.key[value="4"]').tap(force=True)
    expect(phone.locator("#message")).to_be_visible()
    assert [("can’t total 13" in text) for text in phone.evaluate("heard")] == [True]


def test_the_winner_is_reached_by_the_focus_and_not_said_a_second_time(
    phone: Page, stored_game: StoredGame
) -> None:
    phone.goto(stored_game.bid(3, 1, 1, 1).take(3, 7, 0).path)
    wait_for_app(phone)
    phone.locator("#score button").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#won")).to_be_focused()
    expect(phone.locator("#won")).to_have_accessible_name("Game over")


def test_the_voice_says_the_same_once_it_is_switched_on(
    phone: Page, opened: Callable[..., Page]
) -> None:
    phone.clock.install()
    page = opened(VOICES)
    tap(page, 3)
    assert page.evaluate("spoken") == []
    switch(page, "Announce turns and winners aloud")
    tap(page, 1)
    assert page.evaluate("spoken") == [
        ["Announce turns and winners aloud", "Kim", "en_US"],
        [SENTENCES[1], "Kim", "en_US"],
    ]
    assert page.evaluate("silenced") >= 2
    with page.expect_response("**/js/table/settings.js"):
        page.reload()
    tap(page, 1)
    until(page, "spoken", [[SENTENCES[2], "Kim", "en_US"]])


def test_no_voice_is_offered_where_none_is_the_phones_own(opened: Callable[..., Page]) -> None:
    page = opened(NO_VOICE)
    page.goto("/settings/sound")
    expect(page.get_by_role("switch", name="Keep screen on")).to_be_visible()
    voice = page.get_by_role("switch", name="Announce turns and winners aloud")
    expect(voice).to_be_disabled()
    expect(voice).to_have_attribute("aria-checked", "false")
    expect(page.get_by_text("No voice for this language")).to_be_visible()


def test_a_tap_a_refusal_a_penalty_and_the_winner_are_felt(
    phone: Page, table: Table, opened: Callable[..., Page]
) -> None:
    phone.emulate_media(reduced_motion="no-preference")
    phone.clock.install()
    page = opened(BUZZES)
    play(page)
    until(page, "felt", [*[10] * 7, [60, 40, 60, 40, 200]])
    stored_game = table.begin().bid(3, 1, 1, 1).take(3, 7, 0)
    ready(page, stored_game.path)
    page.locator("#score button").tap()
    until(page, "felt", [200])
    ready(page, table.begin(rules="cutthroat").bid(3, 3, 3).path)
    settled(page)
    page.locator('.key[value="4"]').tap(force=True)
    until(page, "felt", [[40, 60, 40]])


def test_what_others_enter_is_not_felt_and_nothing_where_motion_is_unwelcome(
    phone: Page, stored_game: StoredGame, opened: Callable[..., Page]
) -> None:
    phone.clock.install()
    page = opened(BUZZES)
    tap(page, 3)
    switch(page, "Vibrate")
    stored_game.bid(1)
    expect(page.locator(".seat-bid").nth(1)).to_have_text("1")
    page.clock.fast_forward(300)
    tap(page, 1)
    assert page.evaluate("felt") == [10, 10]  # the switch itself, and the last tap


def test_the_screen_stays_on_and_is_kept_on_again(opened: Callable[..., Page]) -> None:
    page = opened(LOCKS)
    until(page, "locks.map((lock) => lock.released)", [False])
    page.evaluate("locks[0].release()")
    until(page, "locks.map((lock) => lock.released)", [True, False])
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    expect(page.get_by_text("The screen stays on")).to_be_visible()
    page.get_by_role("switch", name="Keep screen on").click()
    until(page, "locks.map((lock) => lock.released)", [True, True])
    expect(page.get_by_text("The screen stays on")).to_be_hidden()


def test_the_screen_may_sleep_once_the_game_is_over(
    phone: Page, stored_game: StoredGame, opened: Callable[..., Page]
) -> None:
    page = opened(LOCKS)
    until(page, "locks.map((lock) => lock.released)", [False])
    stored_game.play((3, 1, 1, 1), (3, 7, 0, 0))
    expect(page.locator("#winner")).to_be_visible()
    until(page, "locks.map((lock) => lock.released)", [True])


def test_over_plain_http_a_film_of_one_dot_keeps_the_screen_on(
    opened: Callable[..., Page],
) -> None:
    page = opened(NO_LOCKS)
    film = "[...document.querySelectorAll('video')].map((one) => [one.paused, one.muted])"
    until(page, film, [[False, True]])
    until(page, "document.querySelector('video').readyState", 4)
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    expect(page.get_by_text("The screen stays on")).to_be_visible()
    page.get_by_role("switch", name="Keep screen on").click()
    until(page, film, [[True, True]])


def test_where_neither_works_the_page_says_so(opened: Callable[..., Page]) -> None:
    page = opened(SAFARI)
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    expect(page.get_by_text("This phone’s screen may turn off")).to_be_visible()
    expect(page.get_by_role("switch", name="Keep screen on")).to_be_hidden()
    expect(page.locator("video")).to_have_count(0)


def test_a_phone_that_refuses_the_lock_is_told_the_truth(opened: Callable[..., Page]) -> None:
    page = opened("navigator.wakeLock.request = () => Promise.reject(new Error('battery'));")
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    expect(page.get_by_text("This phone’s screen may turn off")).to_be_visible()
