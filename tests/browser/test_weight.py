"""The size of the game page, and the requests that it makes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.app_server import CAST, Table

MAX_BYTES = 30_000
MAX_REQUESTS = 10
MAX_BLOCKING = 2  # the page itself is one
BLOCKING = """
performance.getEntriesByType("resource")
  .filter((one) => one.renderBlockingStatus === "blocking").map((one) => one.name)
"""


LATER = ("/js/table/settings.js", "/js/table/shortcuts.js")  # nobody waits for what they do


@dataclass
class Line:
    """Network traffic: requested URLs, and bytes received, headers included.

    What a page asks for only once it can be used is kept apart, in `later`.
    """

    asked: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    bytes: int = 0
    first: set[str] = field(default_factory=set)

    def listen(self, session: CDPSession) -> None:
        """Count from now on."""
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._finish)
        session.send("Network.enable")

    def _ask(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if url.endswith(LATER):
            self.later.append(url)
        else:
            self.asked.append(url)
            self.first.add(event["requestId"])

    def _finish(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.first:
            self.bytes += int(event["encodedDataLength"])


@pytest.fixture
def line(phone: Page) -> Iterator[Line]:
    """The line of a phone that has loaded nothing yet."""
    session = phone.context.new_cdp_session(phone)
    line = Line()
    line.listen(session)
    yield line
    session.detach()


@pytest.mark.parametrize("rounds", [0, 6])
def test_the_first_load_of_a_game_is_light(
    table: Table, phone: Page, line: Line, record_property: Any, rounds: int
) -> None:
    stored_game = table.begin(CAST, target="900")
    for _ in range(rounds):
        stored_game.play((2, 2, 2, 2, 2), (2, 1, 3, 2, 2))
    with phone.expect_request("**/events"):  # the last thing that the page asks for
        phone.goto(stored_game.path)
    expect(phone.locator("#pad")).to_be_visible()
    record_property("bytes", line.bytes)
    record_property("requests", len(line.asked))
    assert line.bytes <= MAX_BYTES
    assert len(line.asked) <= MAX_REQUESTS
    assert 1 + len(phone.evaluate(BLOCKING)) <= MAX_BLOCKING


def test_a_second_load_brings_the_page_alone(table: Table, phone: Page, line: Line) -> None:
    stored_game = table.begin()
    phone.goto(stored_game.path)
    line.bytes = 0
    with phone.expect_request("**/events"):
        phone.goto(stored_game.path)
    assert 0 < line.bytes < MAX_BYTES / 3


def test_what_comes_later_waits_until_the_page_can_be_used(table: Table, phone: Page) -> None:
    phone.route("**/js/table/settings.js", lambda route: None)  # it never comes
    with phone.expect_request("**/js/table/settings.js"):
        phone.goto(table.begin().path)
    assert phone.evaluate("performance.timing.loadEventEnd") > 0
    phone.locator('#pad .key[value="3"]').tap()
    expect(phone.locator(".seat-bid").first).to_have_text("3")
