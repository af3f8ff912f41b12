"""A tap makes the browser restyle only what it changes: a count that no busy computer disturbs."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app_server import CAST, Table
from tests.browser.player import CHANGED, ready, settled, wait_until_saved

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
RESTYLED = ("UpdateLayoutTree", "RecalculateStyle")  # by the version of Chromium
MOST = 15  # of some 450
MOST_OF_A_PHASE = 260  # when bidding turns into counting, or that into bidding
# The style sheets that a game loads last have come.
STYLED = """
() => ["moments", "new-game"].every(
  (name) => document.querySelector(`link[href*="/${name}.css"]`)?.sheet)
"""


def restyled(browser: Browser, page: Page, tap: Callable[[], None]) -> int:
    """Return for how many elements the browser has worked out a style since a tap, until saved."""
    before = page.locator("#game").get_attribute("data-version")
    browser.start_tracing(page=page, categories=TIMELINE)
    tap()
    page.wait_for_function(CHANGED, arg=before)
    wait_until_saved(page)
    trace: dict[str, Any] = json.loads(browser.stop_tracing())
    found = [one for one in trace["traceEvents"] if one["name"] in RESTYLED and "args" in one]
    return sum(one["args"].get("elementCount", 0) for one in found)


def test_a_bid_restyles_few_elements(
    browser: Browser, table: Table, phone: Page, record_property: Any
) -> None:
    phone.goto(table.begin(CAST).path)
    ready(phone).wait_for_function(STYLED)
    bids = phone.locator(".seat-bid")
    counts = []
    for n in range(3):
        key = phone.locator('#pad .key[value="2"]')
        counts.append(restyled(browser, settled(phone), key.tap))
        expect(bids.nth(n)).to_have_text("2")
    record_property("restyled", counts)
    assert max(counts) <= MOST


def test_the_last_bid_and_a_score_restyle_rows_and_keys_alone(
    browser: Browser, table: Table, phone: Page, record_property: Any
) -> None:
    stored_game = table.begin(CAST).bid(2, 2, 2, 2)
    phone.goto(stored_game.path)
    ready(phone).wait_for_function(STYLED)
    last_bid = restyled(browser, settled(phone), phone.locator('#pad .key[value="1"]').tap)
    stored_game.take(2, 2, 2)
    expect(phone.locator(".seat.done")).to_have_count(3)
    count = restyled(browser, settled(phone), phone.locator('#pad .key[value="2"]').tap)
    score = restyled(browser, settled(phone), phone.locator("#score button, button#score").tap)
    record_property("restyled", [last_bid, count, score])
    assert count <= MOST
    assert max(last_bid, score) <= MOST_OF_A_PHASE
