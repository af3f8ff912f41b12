"""Quick taps, slow connections, old pages: nothing is lost, doubled or for another seat."""

import re
from collections.abc import Sequence
from typing import Literal, NoReturn

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.store.connection import StoreUnavailable
from scorekeeper.store.database import Store
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.player import ready, taken_over, wait_until_saved

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

MIDDLE = """
(key) => {
  const box = document.querySelector(`#pad .key[value="${key}"]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
"""
# Events happen at a time that the test says, in milliseconds.
CLOCK = """
window.now = 1000;
Object.defineProperty(Event.prototype, "timeStamp", { get: () => window.now });
"""
# A finger comes down on a key while the page reads what it will draw, and is lifted a moment later.
TOUCH_WHILE_READING = """
(value) => {
  const { getAll } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.getAll = function (range) {
    if (range.lower === "") {
      IDBObjectStore.prototype.getAll = getAll;
      const key = document.querySelector(`#pad .key[value="${value}"]`);
      key.dispatchEvent(new Event("pointerdown", { bubbles: true }));
      setTimeout(() => key.click(), 100);
    }
    return getAll.call(this, range);
  };
}
"""
COUNT_SHAKES = """
() => {
  const { animate } = Element.prototype;
  window.shaken = 0;
  Element.prototype.animate = function (...given) {
    if (this.matches(".seat.active")) window.shaken += 1;
    return animate.apply(this, given);
  };
}
"""
FIRST = ((3, 2, Nil.NIL, 4), (3, 4, 0, 3))


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin()


@pytest.fixture
def hasty(phone: Page, stored_game: StoredGame) -> Page:
    """The game on a phone, its clock not touched."""
    phone.goto(stored_game.path)
    return ready(phone)


def tap_quickly(page: Page, keys: Sequence[Bid], pause: int = 0) -> None:
    """Touch one key after another, whether or not the page shows the one before."""
    places = [page.evaluate(MIDDLE, str(key)) for key in keys]
    for x, y in places:
        page.touchscreen.tap(x, y)
        page.wait_for_timeout(pause)


def bids_are(page: Page, *bids: str) -> None:
    """The bids on the screen, in bidding order, are these."""
    expect(page.locator(".seat-bid")).to_have_text(list(bids))


@pytest.fixture
def timed(phone: Page, stored_game: StoredGame) -> Page:
    """The game on a phone whose events happen when the test says."""
    phone.add_init_script(CLOCK)
    phone.goto(stored_game.path)
    return ready(phone)


def test_a_double_tap_is_one_bid(timed: Page, stored_game: StoredGame) -> None:
    tap_quickly(timed, (3, 3))
    bids_are(timed, "3", "?", "", "")
    tap_quickly(timed, (4,))
    bids_are(timed, "3", "4", "?", "")
    wait_until_saved(timed)
    assert stored_game.game.version == 3


def test_six_taps_a_second_all_count(timed: Page) -> None:
    for key, bid in enumerate((3, 3, 2, 2)):
        timed.evaluate("(at) => { now = at; }", 1000 + 150 * key)
        tap_quickly(timed, (bid,))
    expect(timed.locator(".seat-contract")).to_have_text(["bid 3", "bid 3", "bid 2", "bid 2"])


def test_a_double_tap_on_the_score_scores_one_round(timed: Page, stored_game: StoredGame) -> None:
    stored_game.bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    timed.clock.install()
    timed.reload()
    place = ready(timed).locator("#score button").bounding_box()
    assert place is not None
    timed.clock.pause_at(timed.evaluate("Date.now()") / 1000 + 1)  # no screen settles meanwhile
    timed.touchscreen.tap(place["x"] + 99, place["y"] + 9)
    expect(timed.locator("h1")).to_contain_text("Round 2")
    timed.evaluate("now += 200")
    timed.touchscreen.tap(place["x"] + 99, place["y"] + 9)  # where a key of the next round is now
    timed.clock.resume()
    bids_are(timed, "?", "", "", "")
    tap_quickly(timed, (4,))
    bids_are(timed, "4", "?", "", "")
    wait_until_saved(timed)
    assert stored_game.game.version == 10


def test_a_finger_that_comes_down_before_a_bid_is_shown_is_not_lost(hasty: Page) -> None:
    expect(hasty.locator("html")).to_have_attribute("data-kept", "")  # nothing else is read
    hasty.evaluate(TOUCH_WHILE_READING, "4")
    tap_quickly(hasty, (3,))
    bids_are(hasty, "3", "4", "?", "")


def test_the_round_is_scored_by_a_tap_before_its_last_count_is_shown(
    hasty: Page, stored_game: StoredGame
) -> None:
    stored_game.bid(3, 2, Nil.NIL, 4).take(3, 4)
    expect(hasty.locator(".seat-count").nth(1)).to_have_text("4")
    hasty.evaluate(
        """() => ['#pad .key[value="0"]', "#score button"]
          .forEach((one) => document.querySelector(one).click())"""
    )
    expect(hasty.locator("h1")).to_contain_text("Round 2")
    wait_until_saved(hasty)
    assert stored_game.game.rounds[0].tricks == (3, 4, 0, 3)


def test_a_key_held_down_is_one_press(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(stored_game.bid(3, 2, Nil.NIL, 4).take(3, 4, 0).path)
    ready(phone).locator("#score button").focus()
    phone.keyboard.down("Enter")
    expect(phone.locator("h1")).to_contain_text("Round 2")
    for _ in range(9):
        phone.keyboard.down("Enter")  # what a keyboard sends while a key is held
        phone.wait_for_timeout(40)
    phone.keyboard.up("Enter")
    bids_are(phone, "?", "", "", "")


@pytest.mark.parametrize("delay", [0.1, 0.4])
def test_quick_taps_on_any_line_arrive_in_order(
    hasty: Page, stored_game: StoredGame, server: AppServer, delay: float
) -> None:
    server.delay = delay
    tap_quickly(hasty, (3, 2, 5, 4))
    expect(hasty.locator(".seat-contract")).to_have_text(["bid 3", "bid 2", "bid 5", "bid 4"])
    wait_until_saved(hasty)
    assert stored_game.game.state.open.bids == (3, 2, 5, 4)


def test_the_same_bid_of_two_players_counts_twice(hasty: Page, server: AppServer) -> None:
    server.delay = 0.4
    tap_quickly(hasty, (3, 3, 3), pause=300)
    bids_are(hasty, "3", "3", "3", "?")


def test_a_bid_tapped_right_after_its_seat_is_for_that_seat(
    timed: Page, stored_game: StoredGame, server: AppServer
) -> None:
    stored_game.bid(3, 2)
    bids_are(timed, "3", "2", "?", "")
    server.delay = 0.3
    timed.locator("#seat-row-0 .seat-who").tap()
    tap_quickly(timed, (5, 4))
    bids_are(timed, "5", "2", "4", "?")
    timed.locator("#seat-row-1 .seat-who").tap()
    tap_quickly(timed, (4, 4))  # the second is a bounce
    bids_are(timed, "5", "4", "4", "?")


def test_tricks_tapped_one_by_one_on_a_slow_line_all_count(
    hasty: Page, stored_game: StoredGame, server: AppServer
) -> None:
    stored_game.bid(3, 2, 2, 3)
    more = hasty.locator(".one-more")
    expect(more).to_have_count(4)
    server.delay = 0.4
    for seat in (0, 1, 0):
        more.nth(seat).tap(force=True)
        hasty.wait_for_timeout(150)
    expect(hasty.locator(".seat-count")).to_have_text(["2", "1", "0", "0"])


@pytest.mark.parametrize("path", ["**/sent", "**/games/**"])
def test_a_line_that_hangs_holds_up_nothing(
    hasty: Page, stored_game: StoredGame, path: str
) -> None:
    hasty.route(path, lambda _route: None)
    tap_quickly(hasty, (3, 2, 5, 4), pause=300)
    tap_quickly(hasty, (2, 4, 0), pause=300)
    hasty.locator("#score button").tap()
    expect(hasty.locator("h1")).to_contain_text("Round 2")
    expect(hasty.locator(".total")).to_have_text(["−30", "22", "−50", "40"])
    expect(hasty.locator("#unsaved")).to_be_visible()
    assert stored_game.game.version == 1
    hasty.unroute(path)
    expect(hasty.locator("#game")).to_have_attribute("data-unsent", "0", timeout=20_000)
    expect(hasty.locator("#unsaved")).to_be_hidden()
    assert stored_game.journal() == [("bid", 1)] * 4 + [("tally", 1)] * 3 + [("scored", 1)]
    assert stored_game.game.rounds[0].bids == (3, 2, 5, 4)


def test_a_tap_is_shown_before_it_is_answered(hasty: Page, stored_game: StoredGame) -> None:
    with hasty.expect_request("**/sent") as sent:
        hasty.route("**/sent", lambda _route: None)
        hasty.locator('#pad .key[value="3"]').tap()
        bids_are(hasty, "3", "?", "", "")
    assert sent.value.existing_response is None
    assert stored_game.game.version == 1


def test_a_server_that_cannot_write_says_so_and_every_tap_counts(
    hasty: Page, stored_game: StoredGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(Store, "write", disk_full)
        hasty.locator('#pad .key[value="3"]').tap()
        expect(hasty.locator("#line")).to_contain_text("can’t save right now")
    hasty.locator('#pad .key[value="2"]').tap()
    bids_are(hasty, "3", "2", "?", "")
    expect(hasty.locator("#line")).to_have_count(0, timeout=20_000)
    wait_until_saved(hasty)
    assert stored_game.journal() == [("bid", 1), ("bid", 1)]


def disk_full(_store: Store, _table_id: str) -> NoReturn:
    """Refuse to write, as a full disk does."""
    raise StoreUnavailable("database or disk is full")


def test_an_old_page_sent_again_changes_nothing(phone: Page, stored_game: StoredGame) -> None:
    old = old_page(phone, stored_game)
    stored_game.play(*FIRST)
    version = stored_game.game.version
    old.locator('#pad .key[value="3"]').tap()
    expect(old.locator("h1")).to_contain_text("Round 2")
    assert stored_game.game.version == version


@pytest.mark.parametrize("score", [False, True], ids=["bid since", "scored since"])
def test_an_old_page_with_another_bid_asks_which_is_right(
    phone: Page, stored_game: StoredGame, score: bool
) -> None:
    old = old_page(phone, stored_game)
    if score:
        stored_game.play(*FIRST)
    else:
        stored_game.bid(3)
    old.locator('#pad .key[value="5"]').tap()
    expect(old.get_by_role("heading", name="Round 1: two entries")).to_be_focused()
    expect(old.locator("tbody tr").first).to_contain_text("bid 3")
    expect(old.locator("tbody tr").first).to_contain_text("bid 5")
    old.get_by_role("button", name="Keep the saved entry").tap()
    expect(old.locator("h1")).to_contain_text("Round 2" if score else "Round 1 ·")
    assert stored_game.game.rounds[0].bids == (FIRST[0] if score else (3, None, None, None))


def test_the_entry_of_an_old_page_can_be_preferred(phone: Page, stored_game: StoredGame) -> None:
    old = old_page(phone, stored_game)
    stored_game.bid(3)
    old.locator('#pad .key[value="5"]').tap()
    old.unroute_all()
    old.get_by_role("button", name="Use this phone’s entry").tap()
    bids_are(old, "5", "?", "", "")
    wait_until_saved(old)
    assert stored_game.game.state.open.bids == (5, None, None, None)


def test_going_back_after_scoring_records_nothing_twice(
    hasty: Page, stored_game: StoredGame
) -> None:
    stored_game.bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    hasty.goto("/rules")
    hasty.goto(stored_game.path)
    hasty.get_by_role("button", name="Score round 1").tap()
    expect(hasty.locator("h1")).to_contain_text("Round 2")
    wait_until_saved(hasty)
    hasty.go_back()
    hasty.go_forward()
    expect(hasty.locator("h1")).to_contain_text("Round 2")
    hasty.reload()
    expect(hasty.locator("h1")).to_contain_text("Round 2")
    assert len(stored_game.game.rounds) == 1


def test_a_lost_connection_is_said_and_every_tap_counts(
    hasty: Page, stored_game: StoredGame
) -> None:
    hasty.context.set_offline(True)
    hasty.locator('#pad .key[value="3"]').tap()
    expect(hasty.locator("#line")).to_contain_text("Offline.")
    bids_are(hasty, "3", "?", "", "")
    hasty.locator('#pad .key[value="2"]').tap()
    bids_are(hasty, "3", "2", "?", "")
    assert stored_game.game.version == 1
    hasty.context.set_offline(False)
    expect(hasty.locator("#line")).to_have_count(0)
    wait_until_saved(hasty)
    assert stored_game.journal() == [("bid", 1), ("bid", 1)]


def test_a_disabled_key_says_why_and_records_nothing(table: Table, phone: Page) -> None:
    stored_game = table.begin(rules="cutthroat").bid(3, 3, 3)
    phone.goto(stored_game.path)
    ready(phone)
    tap_quickly(phone, (4,))
    expect(phone.locator("#message")).to_contain_text("can’t total 13")
    expect(phone.locator(".seat-bid")).to_have_text(["3", "3", "3", "?"])
    tap_quickly(phone, (5,))
    expect(phone.locator("#score")).to_be_visible()
    wait_until_saved(phone)
    assert stored_game.game.state.open.bids == (3, 3, 3, 5)


@pytest.mark.parametrize(
    ("tally", "why", "motion"),
    [
        ((), "Count 4 more players", "reduce"),
        ((3, 4), "South and West to count", "no-preference"),
        ((3, 4, 1, 0), "2 tricks missing", "reduce"),
    ],
)
def test_a_score_button_that_cannot_act_says_why(
    table: Table, phone: Page, tally: tuple[int, ...], why: str, motion: Literal["reduce"]
) -> None:
    stored_game = table.begin().bid(3, 2, Nil.NIL, 4).take(*tally)
    version = stored_game.game.version
    phone.emulate_media(reduced_motion=motion)
    with phone.expect_response("**/js/game/motion.js"):
        phone.goto(stored_game.path)
    button = ready(phone).locator("#score button")
    expect(button).to_contain_text(why)
    phone.evaluate(COUNT_SHAKES)
    for _tap in 1, 2:
        phone.wait_for_timeout(200)
        button.tap(force=True)
        expect(phone.locator("#message[role=alert]")).to_have_text(why)
    expect(phone.locator("html")).not_to_have_attribute("data-busy", "yes")
    assert phone.evaluate("shaken") == (2 if motion == "no-preference" else 0)
    assert stored_game.game.version == version


def old_page(page: Page, stored_game: StoredGame) -> Page:
    """Open the game on a page that receives no changes."""
    page.route(re.compile(r"/(events|phone\.json)\b"), lambda route: route.abort())
    page.goto(stored_game.path)
    return taken_over(page)  # before it finds that the server does not answer
