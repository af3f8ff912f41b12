"""Keyboard shortcuts: a game by digits, letters and Enter, and where they must not act."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import wait_until_saved
from tests.browser.scenes import speak

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

SHORTCUTS = "**/js/table/shortcuts.js"


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin(target="60")


@pytest.fixture
def desk(phone: Page, stored_game: StoredGame) -> Page:
    """The game on a laptop that waits for a key; its clock is the test's."""
    phone.clock.install()
    return sit_down(phone, stored_game.path)


def sit_down(page: Page, path: str) -> Page:
    """Open a game and wait until its keys are listened to."""
    with page.expect_response(SHORTCUTS) as answer:
        page.goto(path)
    page.evaluate("(url) => import(url).then(() => true)", answer.value.url)
    return page


def bids_are(page: Page, *bids: str) -> None:
    """The bids on the screen, in bidding order, are these."""
    expect(page.locator(".seat-bid")).to_have_text(list(bids))


def test_a_game_from_start_to_winner_by_keyboard_alone_in_arabic(phone: Page, table: Table) -> None:
    speak(phone, table, "ar")
    phone.clock.install()
    phone.goto("/")
    tab_to(phone, 'a[href="/games/new"]', "Enter")
    phone.wait_for_url("**/games/new")  # loaded, and with it what Enter does between the names
    tab_to(phone, "#player-1")
    for name in ("North", "East", "South", "West"):
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    with phone.expect_response(SHORTCUTS) as answer:
        tab_to(phone, ".sticky", "Enter")
    phone.evaluate("(url) => import(url).then(() => true)", answer.value.url)
    rounds = 0
    while not phone.locator("#winner").count():
        phone.keyboard.type("52n1")
        expect(phone.locator("#entry")).to_have_attribute("data-phase", "tally")
        phone.keyboard.type("520")
        expect(phone.locator("#score button")).not_to_have_attribute("aria-disabled", "true")
        phone.keyboard.press("Enter")
        rounds += 1
        expect(phone.locator(f'#rounds a[href$="/rounds/{rounds}"]')).to_be_visible()
    expect(phone.locator("#winner")).to_contain_text("South")
    phone.keyboard.press("u")
    expect(phone.locator("#score")).to_be_visible()
    phone.keyboard.press("Enter")
    expect(phone.locator("#winner")).to_contain_text("South")
    tab_to(phone, "#rematch button", "Enter")
    expect(phone.locator("#game")).to_have_attribute("data-version", "1")
    expect(phone.locator("html")).to_have_attribute("lang", "ar")


def tab_to(page: Page, target: str, press: str = "") -> None:
    """Press Tab until something has the focus, and then a key."""
    for _ in range(60):
        if page.locator(f"{target}:focus").count():
            break
        page.keyboard.press("Tab")
    expect(page.locator(target).first).to_be_focused()
    if press:
        page.keyboard.press(press)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("3 n 4", ("3", "Nil", "4", "?")),
        ("1 0", ("10", "?", "", "")),
        ("1 2", ("1", "2", "?", "")),
        ("1 1 Enter", ("1", "1", "?", "")),
        ("3 u r", ("3", "?", "", "")),
        ("3 ArrowUp 5", ("5", "?", "", "")),
        ("ArrowDown 5", ("?", "5", "", "")),
    ],
)
def test_keys_bid_one_after_another(desk: Page, typed: str, shown: tuple[str, ...]) -> None:
    for key in typed.split():
        desk.keyboard.press(key)
    bids_are(desk, *shown)


# Lets nothing else write into the storage until it is released.
HOLD_STORAGE = """
() => new Promise((held) => {
  indexedDB.open("scorekeeper").onsuccess = ({ target }) => {
    const store = target.result.transaction("kept", "readwrite").objectStore("kept");
    const wait = () => (window.released ? target.result.close() : (store.count().onsuccess = wait));
    wait();
    held();
  };
})
"""


def test_the_menu_opened_at_once_shows_and_keeps_what_was_tapped(
    desk: Page, stored_game: StoredGame
) -> None:
    desk.evaluate(HOLD_STORAGE)
    desk.keyboard.press("3")
    bids_are(desk, "3", "?", "", "")
    desk.locator("#menu > summary").click()
    expect(desk.locator("#menu form[action$='/undo']")).to_contain_text("North bid 3")
    bids_are(desk, "3", "?", "", "")
    generation = desk.locator("#game").get_attribute("data-generation")
    desk.evaluate("window.released = true")
    wait_until_saved(desk)
    expect(desk.locator("#menu")).to_have_attribute("open", "")
    expect(desk.locator("#game")).to_have_attribute("data-generation", generation or "")
    assert stored_game.game.state.open.bids[0] == 3


def test_a_one_waits_for_its_zero(desk: Page, stored_game: StoredGame) -> None:
    desk.keyboard.press("1")
    expect(desk.locator(".key.tapped")).to_have_text("1")
    desk.keyboard.press("Escape")
    expect(desk.locator(".key.tapped")).to_have_count(0)
    desk.clock.fast_forward(900)
    bids_are(desk, "?", "", "", "")
    desk.keyboard.press("1")
    desk.clock.fast_forward(900)
    bids_are(desk, "1", "?", "", "")


def test_keys_typed_faster_than_the_line_arrive_in_order(desk: Page, server: AppServer) -> None:
    server.delay = 0.4
    desk.keyboard.type("3354")
    expect(desk.locator(".seat-contract")).to_have_text(["bid 3", "bid 3", "bid 5", "bid 4"])
    desk.keyboard.type("334")
    expect(desk.locator(".seat-count")).to_have_text(["3", "3", "4", "0"])


def test_a_key_held_down_bids_once(desk: Page, stored_game: StoredGame) -> None:
    for _ in range(5):
        desk.keyboard.down("3")
    desk.keyboard.up("3")
    bids_are(desk, "3", "?", "", "")
    wait_until_saved(desk)
    assert stored_game.game.version == 2


def test_plus_gives_a_seat_one_more_trick(desk: Page, stored_game: StoredGame) -> None:
    stored_game.bid(3, 2, 1, 3)
    expect(desk.locator("#score")).to_be_visible()
    for key in ("ArrowDown", "+", "ArrowUp", "+"):
        desk.keyboard.press(key)
    expect(desk.locator(".seat-count")).to_have_text(["1", "1", "0", "0"])


def test_blind_nil_has_a_key_where_it_may_be_called(phone: Page, table: Table) -> None:
    sit_down(phone, table.begin(rules="partnership-sandbags").bid(Nil.NIL).path)
    phone.keyboard.press("b")
    bids_are(phone, "Nil", "blind Nil", "?", "")


def test_digits_bid_blind_while_those_keys_are_shown(phone: Page, table: Table) -> None:
    sit_down(phone, table.begin(rules="partnership", blind_bid_from="6").path)
    phone.get_by_role("link", name="Bid blind").tap()
    expect(phone.locator('#pad .key[value="blind 6"]')).to_be_visible()
    for key in "127":
        phone.keyboard.press(key)
    bids_are(phone, "blind 12", "7", "?", "")


def test_letters_of_another_keyboard_are_told_by_their_place(desk: Page) -> None:
    for key, code in (("\N{ARABIC LETTER ALEF MAKSURA}", "KeyN"), ("\u0663", "Digit3")):
        desk.locator("body").dispatch_event("keydown", {"key": key, "code": code, "bubbles": True})
    bids_are(desk, "Nil", "3", "?", "")


def test_a_disabled_key_says_why(phone: Page, table: Table) -> None:
    sit_down(phone, table.begin(rules="cutthroat").bid(3, 3, 3).path)
    phone.keyboard.press("4")
    expect(phone.locator("#message")).to_contain_text("can’t total 13")


def test_the_list_of_keys_opens_and_closes_and_switches_them_off(
    desk: Page, stored_game: StoredGame
) -> None:
    desk.keyboard.press("?")
    dialog = desk.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Sound & display")
    desk.keyboard.press("3")
    tab_to(desk, '[data-setting="keys"]', "Space")
    shortcuts = dialog.get_by_role("switch", name="Keyboard shortcuts")
    expect(shortcuts).to_have_attribute("aria-checked", "false")
    desk.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    desk.keyboard.press("3")
    desk.keyboard.press("?")
    expect(dialog).to_be_hidden()
    assert stored_game.game.version == 1
    sit_down(desk, stored_game.path)
    desk.keyboard.press("3")
    desk.locator('.key[value="5"]').click()
    bids_are(desk, "5", "?", "", "")


def test_keys_go_on_while_nothing_is_sent(desk: Page, stored_game: StoredGame) -> None:
    desk.route("**/sent", lambda route: route.abort())
    desk.keyboard.type("34")
    expect(desk.locator("#line")).to_contain_text("Offline.")
    desk.unroute("**/sent")
    desk.keyboard.press("2")
    bids_are(desk, "3", "4", "2", "?")
    wait_until_saved(desk)
    assert stored_game.game.state.open.bids == (3, 4, 2, None)


def test_keys_leave_the_browsers_own_shortcuts_alone(desk: Page, stored_game: StoredGame) -> None:
    for chord in ("Control+3", "Alt+3", "Meta+3"):
        desk.keyboard.press(chord)
    desk.keyboard.press("4")
    bids_are(desk, "4", "?", "", "")


@pytest.mark.browser_context_args(service_workers="allow")
def test_keys_play_on_without_the_server(phone: Page, stored_game: StoredGame) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.keyboard.press("3")
    expect(offline.main).to_be_visible()
    phone.keyboard.type("2n1")
    expect(phone.locator("#score")).to_be_visible()
    phone.keyboard.type("430u3")
    bids = ["bid 3", "bid 2", "bid Nil", "bid 1"]
    expect(phone.locator(".seat-contract")).to_have_text(bids)
    expect(phone.locator(".seat-count")).to_have_text(["4", "3", "3", "0"])
