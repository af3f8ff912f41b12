"""An outdated page: what is tapped there for one player is never recorded for another."""

from collections.abc import Sequence
from datetime import timedelta

from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.store import journal
from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready
from tests.browser.test_tapping import bids_are, old_page

MOVED = "The game has changed. Check it, then tap again."
FIRST = ((3, 2, Nil.NIL, 4), (3, 4, 0, 3))


def two_tabs(table: Table, page: Page) -> tuple[StoredGame, OfflinePlayer, OfflinePlayer]:
    """Return a game, and two pages of one phone without the server that do not hear each other."""
    stored_game = table.begin()
    page.context.add_init_script("BroadcastChannel.prototype.postMessage = () => {}")
    stale = OfflinePlayer(page).load(stored_game.path)
    stale.cut()
    page.reload()
    expect(stale.line()).to_be_visible()
    stand_still(page)
    other = OfflinePlayer(page.context.new_page()).open(stored_game.path)
    expect(other.line()).to_be_visible()
    return stored_game, stale, other


def stand_still(page: Page) -> None:
    """Stop the clock of a page, so that it does not try the server."""
    page.clock.pause_at(now() + timedelta(minutes=5))


def test_a_bid_on_a_stale_tab_is_for_nobody_else(table: Table, phone: Page) -> None:
    stored_game, stale, other = two_tabs(table, phone)
    other.tap_offline(3, 2)
    stale.key(4).tap()  # for North, who bid 3 on the other tab
    expect(phone.locator("#message")).to_have_text(MOVED)
    bids_are(phone, "3", "2", "?", "")
    phone.clock.fast_forward(300)
    stale.key("nil").tap()
    bids_are(phone, "3", "2", "Nil", "?")
    stale.mend()
    stale.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, Nil.NIL, None)


def test_a_stale_tab_takes_back_only_what_it_shows(table: Table, phone: Page) -> None:
    _evening, stale, other = two_tabs(table, phone)
    stale.tap_offline(3)
    other.page.reload()
    other.tap_offline(2)
    phone.locator("form[action$='/undo'] button:visible").first.tap()
    expect(phone.locator("#message")).to_have_text(MOVED)
    bids_are(phone, "3", "2", "?", "")


def test_a_correction_on_a_stale_tab_overwrites_no_other(table: Table, phone: Page) -> None:
    _evening, stale, other = two_tabs(table, phone)
    other.play_offline(*FIRST, (0, 1, 2, 3))
    phone.reload()
    ready(phone)
    stand_still(phone)
    phone.locator("#rounds a[href$='/rounds/1']").tap()
    other.correct_offline(1, {"tricks-1": 4, "tricks-2": 3})
    phone.locator("[name=tricks-1]").select_option("2")
    phone.locator("[name=tricks-4]").select_option("4")
    stale.button("Save").tap()
    expect(phone.get_by_role("alert")).to_have_text(MOVED)
    expect(phone.locator("[name=tricks-4]")).to_have_value("4")
    phone.locator("[data-action=back]").tap()
    expect(phone.locator("#rounds tbody tr").first).to_contain_text("3 / 4")


def test_a_bid_tapped_ahead_on_an_old_page_is_for_nobody_else(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    old = old_page(phone, stored_game)
    stored_game.bid(3, 2)
    tap_at_once(old, (3, 4))  # 4 for East, who has bid 2 by now
    expect(old.get_by_role("heading", name="Round 1: two entries")).to_be_visible()
    assert stored_game.game.state.open.bids == (3, 2, None, None)


def test_a_bid_tapped_ahead_of_one_that_is_refused_is_for_nobody_else(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin(rules="cutthroat").bid(3, 3, 3)
    phone.goto(stored_game.path)
    ready(phone)
    tap_at_once(phone, (4, 6))  # 4 is refused: all would add up to 13
    expect(phone.locator("#message")).to_contain_text("can’t total 13")
    bids_are(phone, "3", "3", "3", "?")
    assert stored_game.game.state.open.bids == (3, 3, 3, None)


def tap_at_once(page: Page, keys: Sequence[Bid]) -> None:
    """Tap keys before any of them can be shown."""
    script = (
        "(keys) => keys.forEach((key) => document.querySelector(`#pad [value='${key}']`).click())"
    )
    page.evaluate(script, [str(key) for key in keys])


def test_half_a_number_is_not_finished_for_somebody_else(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    phone.clock.install()
    phone.goto(stored_game.path)
    with phone.expect_response("**/js/table/shortcuts.js") as script:
        ready(phone)
    phone.evaluate("(url) => import(url).then(() => true)", script.value.url)
    phone.keyboard.press("1")  # of 10, for North
    expect(phone.locator(".key.tapped")).to_have_count(1)
    stored_game.bid(3)
    bids_are(phone, "3", "?", "", "")
    phone.clock.fast_forward(1000)
    expect(phone.locator("#message")).to_have_text(MOVED)
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_a_tap_after_a_round_that_was_reopened_is_asked_about(table: Table, phone: Page) -> None:
    stored_game = table.begin().play(*FIRST)
    old = old_page(phone, stored_game)
    for _ in range(2):  # the score, and the last bid before it
        with table.server.store.write() as db:
            journal.undo_or_redo(
                db,
                stored_game.game,
                "undo",
                stored_game.game.version,
                journal.Who(table.phone.id, now()),
            )
    bids = stored_game.game.state.open.bids
    old.locator('#pad .key[value="3"]').tap()
    expect(old.get_by_role("region", name="Round 1: two entries")).to_be_visible()
    assert stored_game.game.state.open.bids == bids
