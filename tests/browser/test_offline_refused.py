"""A server that refuses everything: the phone says why, waits, and loses nothing."""

import json
import re
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import RETRY_INTERVAL, OfflinePlayer
from tests.web.taps import older_fields

REFUSAL = "<!doctype html><title>Not done</title><main><p role='alert'>{}</p></main>"


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin()


def answer(page: Page, path: str, status: int, sentence: str, **beside: str) -> None:
    """Make the server answer a path with an error page."""
    headers = {"Scorekeeper": "1", "Content-Type": "text/html", **beside}

    def refuse(route: Route) -> None:
        route.fulfill(status=status, headers=headers, body=REFUSAL.format(sentence))

    page.context.route(path, refuse)


def test_a_server_that_is_asked_too_often_is_left_alone_as_long_as_it_says(
    phone: Page, stored_game: StoredGame
) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.tap_offline(3)
    sent: list[str] = []
    phone.context.on("request", lambda asked: sent.append(asked.url))
    answer(phone, "**/sent", 429, "Too many changes at once.", **{"Retry-After": "300"})
    offline.mend()
    expect(offline.line()).to_contain_text("Too many changes at once. 1 round will be sent later.")
    sent.clear()
    phone.clock.fast_forward(60_000)
    offline.tap_offline(1)
    assert not [url for url in sent if url.endswith("/sent")]
    phone.context.unroute("**/sent")
    phone.clock.fast_forward(300_000)
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 1, None, None)


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_in_trouble_says_so_and_the_phone_goes_on(
    phone: Page, stored_game: StoredGame, status: int
) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    answer(phone, "**/phone.json*", status, "The server cannot write its data just now.")
    offline.mend()
    offline.ask_until(offline.line().get_by_text("The server cannot write its data just now."))
    offline.tap_offline(3)
    phone.context.unroute("**/phone.json*")
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_a_phone_that_shall_poll_later_counts_as_connected(
    phone: Page, stored_game: StoredGame
) -> None:
    poll = re.compile(r"/phone\.json\?seen=")
    phone.route(re.compile(r"/events\b"), lambda route: route.fulfill(status=503))
    phone.route(poll, lambda route: route.fulfill(status=204, headers={"Scorekeeper": "1"}))
    offline = OfflinePlayer(phone).load(stored_game.path)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    for _ in range(2):
        with phone.expect_response(poll):
            pass
    # A phone that is not connected fetches its table once the server answers again.
    assert not [url for url in asked if url.endswith("/phone.json")]
    offline.tap_offline(3)
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, None, None, None)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(413, "That is more than 64 kB."), (422, "A table has at most 5000 games.")],
)
def test_what_is_not_taken_says_why_and_is_sent_again_when_somebody_asks(
    phone: Page, stored_game: StoredGame, status: int, sentence: str
) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.tap_offline(3)
    answer(phone, "**/sent", status, sentence)
    offline.mend()
    offline.ask_until(offline.line().get_by_text(f"Round 1 wasn’t saved: {sentence}"))
    expect(offline.line().get_by_role("button", name="Export CSV")).to_be_visible()
    phone.context.unroute("**/sent")
    offline.line().get_by_role("button", name="Try again").tap()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_what_scripts_of_an_earlier_version_have_kept_is_sent_after_a_reload(
    phone: Page, stored_game: StoredGame
) -> None:
    def send_as_before(route: Route) -> None:
        sent = parse_qs(route.request.post_data or "", keep_blank_values=True)
        bids = [bid for bid in json.loads(sent["rounds"][0])[0]["bids"] if bid is not None]
        fields = {"csrf_token": sent["csrf_token"][0], "version": sent["seen"][0]}
        route.continue_(post_data=urlencode(fields | older_fields(*bids)))

    offline = OfflinePlayer(phone).load(stored_game.path)
    phone.context.route("**/sent", send_as_before)
    offline.tap_offline(3, 2)
    line = "Reload this page to save what you entered. 1 round will be sent later."
    expect(offline.line()).to_contain_text(line)
    assert stored_game.game.rounds == ()
    phone.context.unroute("**/sent")
    phone.reload()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, None, None)
    assert stored_game.journal() == [("bid", 1)] * 2


def test_a_page_of_the_server_says_why_something_still_waits(
    phone: Page, stored_game: StoredGame
) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.tap_offline(3)
    answer(phone, "**/sent", 429, "Too many changes at once.")
    offline.mend()
    offline.open("/")
    # A send that the new page interrupted is tried again after a while.
    refused = expect(phone.locator("#waiting"))
    refused.to_contain_text("Too many changes at once.", timeout=2 * RETRY_INTERVAL)
    phone.get_by_role("link", name="Saved on this phone").tap()
    expect(offline.line()).to_contain_text("1 round will be sent later.")


def test_taps_that_meet_a_busy_server_count_and_are_each_sent_once(
    phone: Page, stored_game: StoredGame
) -> None:
    offline = OfflinePlayer(phone).load(stored_game.path)
    for status, sentence, keys in (
        (429, "Too many changes at once.", (3, 2)),
        (503, "The server cannot write its data just now.", (4, 1)),
    ):
        answer(phone, "**/sent", status, sentence, **{"Retry-After": "20"})
        offline.tap_offline(*keys)
        expect(offline.line()).to_contain_text(f"{sentence} 1 round will be sent later.")
        phone.context.unroute("**/sent")
        offline.wait_until_saved()
        expect(offline.line()).to_have_count(0)
    assert stored_game.game.state.open.bids == (3, 2, 4, 1)
    assert stored_game.journal() == [("bid", 1)] * 4
