"""A tap where something lay that has left by itself presses nothing for 400 ms."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.player import change_cell, live_link, ready

pytestmark = pytest.mark.browser_context_args(
    service_workers="block", reduced_motion="no-preference"
)

HELD = 400  # ms
SLOWER = 6  # times
FADING = 'document.getAnimations().find((one) => one.animationName === "fade-away")'
# Taps again and again what lies `under`, or nearest to it where `over` lay, from the frame in which
# that is gone, and returns when a tap has reached the page, with the times of those that have not.
TAPS = """
({over, under}) => {
  const frame = () => new Promise(requestAnimationFrame);
  const isShown = (one) => one?.checkVisibility({visibilityProperty: true});
  const tap = (clientX, clientY) => {
    const target = document.elementFromPoint(clientX, clientY);
    const finger = {clientX, clientY, bubbles: true, cancelable: true, detail: 1};
    let isReached = false;
    const reach = () => (isReached = true);
    document.addEventListener("click", reach, {capture: true});
    target.dispatchEvent(new PointerEvent("pointerdown", finger));
    target.dispatchEvent(new PointerEvent("pointerup", finger));
    target.dispatchEvent(new MouseEvent("click", finger));
    document.removeEventListener("click", reach, {capture: true});
    return isReached && {on: Boolean(target.closest(under))};
  };
  const within = (at, from, to) => Math.min(Math.max(at, from + 1), to - 1);
  window.tapped = (async () => {
    let layer, place;
    while (!isShown((layer = document.querySelector(over)))) await frame();
    while (isShown(layer)) {
      place = layer.getBoundingClientRect();
      await frame();
    }
    const [gone, ignored] = [performance.now(), []];
    while (performance.now() < gone + 5000) {
      const {left, top, width, height} = document.querySelector(under).getBoundingClientRect();
      const x = within(left + width / 2, place.left, place.right);
      const y = within(top + height / 2, place.top, place.bottom);
      const at = performance.now() - gone;
      const reached = tap(x, y);
      if (reached) return {...reached, ignored, at};
      ignored.push(at);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return {ignored, at: null};
  })();
  return null;
}
"""


def opened(page: Page, stored_game: StoredGame) -> StoredGame:
    """Open a game, and wait until its moments can be shown."""
    with page.expect_response("**/css/moments.css"):
        page.goto(stored_game.path)
    expect(page.locator("html[data-kept][data-keys][data-stage]")).to_have_count(1)
    ready(page)
    return stored_game


def key(value: object) -> str:
    return f'#pad .key[value="{value}"]'


def tap_key(page: Page, value: object) -> None:
    page.locator(key(value)).tap()


def bids(table: Table, page: Page) -> Callable[[], Any]:
    opened(page, table.begin().bid(3, 2, 2))
    return lambda: tap_key(page, 1)


def tickets(table: Table, page: Page) -> Callable[[], Any]:
    opened(page, table.begin(target="300").bid(3, 2, Nil.NIL, 4).take(3, 4, 0))
    return page.get_by_role("button", name="Score round 1").tap


def winner(table: Table, page: Page) -> Callable[[], Any]:
    opened(page, table.begin(target="30").bid(3, 3, 1, 1).take(3, 2, 3))
    return page.get_by_role("button", name="Score round 1").tap


def toast(table: Table, page: Page) -> Callable[[], Any]:
    page.goto(f"{table.begin().play((3, 2, 2, 2), (3, 2, 2, 3)).path}/rounds/1")
    change_cell(page, "bid-1", "2")
    page.get_by_role("button", name="Save").click()
    page.locator(".toast").wait_for()
    page.evaluate(f"{FADING}.pause()")
    ready(page).locator("html[data-keys]").wait_for()
    return lambda: page.evaluate(f"{FADING}.finish()")


def connection(table: Table, page: Page) -> Callable[[], Any]:
    opened(page, table.begin().bid(3))
    page.context.set_offline(True)
    tap_key(page, 2)
    page.locator("#line").wait_for()
    return lambda: page.context.set_offline(False)


def menu(table: Table, page: Page) -> Callable[[], Any]:
    stored_game = opened(page, table.begin())
    page.locator("#menu > summary").tap()
    page.locator(".menu-list").wait_for()
    return lambda: stored_game.bid(3)


def time_up(table: Table, page: Page) -> Callable[[], Any]:
    opened(page, table.begin(minutes="40"))
    ends = "(minutes) => document.querySelector('.clock').dataset.end = Date.now() + minutes * 6e4"
    page.evaluate(ends, -1)
    page.locator(".time-up").wait_for()
    return lambda: page.evaluate(ends, -61)


def watched(table: Table, page: Page) -> Callable[[], Any]:
    stored_game = table.begin()
    page.goto(f"{stored_game.path}/share")
    page.get_by_role("button", name="Create live link").click()
    page.goto(live_link(page))
    page.locator("html[data-keys]").wait_for()
    page.context.set_offline(True)
    stored_game.bid(3)
    page.locator("#connection-status").wait_for()
    return lambda: page.context.set_offline(False)


# What leaves, what is tapped there, and how it comes; what is returned lets it leave.
LEAVING = {
    "the felt with the bids": (".moment-felt", key(7), bids),
    "large bids in their rows": (".moment-rows", ".seat > a", bids),
    "tickets": (".ticket", ".seat > a", tickets),
    "the felt of a round": (".moment-felt", key(9), tickets),
    "the winner": (".moment-win", ".winner-band", winner),
    "a message of the server": (".toast", "#menu > summary", toast),
    "the line of the connection": ("#line", ".bar-title", connection),
    "the menu, when another phone enters": (".menu-list", key(1), menu),
    "the clock's proposal": (".time-up", ".bar-title", time_up),
    "a watcher's banner": ("#connection-status", ".bar > a", watched),
}


@pytest.mark.parametrize("rate", [1, SLOWER], ids=["full speed", "a sixth of it"])
@pytest.mark.parametrize(("over", "under", "show"), LEAVING.values(), ids=LEAVING)
def test_a_tap_there_is_not_meant_for_what_lies_below(
    table: Table, phone: Page, over: str, under: str, show: Any, rate: int, record_property: Any
) -> None:
    leave = show(table, phone)
    session = phone.context.new_cdp_session(phone)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    phone.evaluate(TAPS, {"over": over, "under": under})
    leave()
    found = phone.evaluate("tapped")
    record_property("ignored", [round(at) for at in found["ignored"]])
    record_property("reached", found["at"])
    assert found["ignored"][0] < HELD <= found["at"]
    assert found["on"]
