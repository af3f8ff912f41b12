"""Taps are shown first and sent behind: in two tabs, and on two phones."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from scorekeeper.clock import now
from scorekeeper.store import journal
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.conftest import WITHOUT_MOMENTS
from tests.browser.player import ready, settled, wait_until_saved
from tests.browser.test_tapping import bids_are

PATIENCE, RETRY = 3_000, 10_000  # ms until a page is left, and until what was not answered is sent


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Requests of scripts go past the service worker, so that a test can hold them."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin()


@pytest.fixture
def ours(phone: Page, stored_game: StoredGame) -> Page:
    """The game on a phone of the table."""
    phone.goto(stored_game.path)
    return ready(phone)


@pytest.fixture
def theirs(
    browser: Browser, browser_context_args: dict[str, Any], stored_game: StoredGame
) -> Iterator[Page]:
    """The same game on another phone of the table."""
    context = browser.new_context(**browser_context_args)
    context.add_cookies([stored_game.table.another_phone().cookie])
    context.add_init_script(WITHOUT_MOMENTS)
    page = context.new_page()
    page.goto(stored_game.path)
    yield ready(page)
    context.close()


def tap(page: Page, key: int) -> None:
    page.locator(f'#pad .key[value="{key}"]').tap()


def choose(page: Page, entry: str) -> None:
    """Tap an entry of the menu, or the way home."""
    if entry == "Home":
        return page.locator(".bar-home").tap()
    page.locator("#menu > summary").tap()
    named = re.compile(rf"^\s*{re.escape(entry)}\b")
    return page.locator("#menu :is(a, button)", has_text=named).first.tap()


def test_the_deck_of_fewer_players_is_told_before_all_scripts_have_come(
    ours: Page, stored_game: StoredGame
) -> None:
    stored_game.play((3, 2, 2, 2), (3, 3, 2, 2)).substitute(1, None)
    ours.route("**/views.js*", lambda _route: None)
    ours.goto(stored_game.path)
    expect(ready(ours).locator(".deck")).to_contain_text("30 cards, 10 each.")
    tap(ours, 3)
    expect(ours.locator(".deck")).to_have_count(0)
    wait_until_saved(ours)
    ours.unroute_all()


def test_two_tabs_of_a_phone_show_the_same_and_send_each_tap_once(
    ours: Page, stored_game: StoredGame
) -> None:
    sent: list[Request] = []
    ours.context.on("request", lambda asked: sent.append(asked) if asked.method == "POST" else None)
    tab = ours.context.new_page()
    tab.goto(stored_game.path)
    ready(tab)
    tap(ours, 3)
    bids_are(tab, "3", "?", "", "")
    tap(tab, 2)
    bids_are(ours, "3", "2", "?", "")
    for page in (ours, tab):
        wait_until_saved(page)
    assert len(sent) == 2
    assert stored_game.journal() == [("bid", 1), ("bid", 1)]


def claim(page: Page, stored_game: StoredGame, name: str) -> None:
    page.goto(f"{stored_game.path}/share")
    page.get_by_role("button", name=name).tap()


def test_a_phone_is_told_that_another_one_took_its_seat_over(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    claim(ours, stored_game, "North")
    expect(ready(ours).locator("#pad")).to_be_visible()
    claim(theirs, stored_game, "North")
    question = "the phone of the table plays North. Take over?"
    expect(theirs.get_by_role("alert")).to_have_text(question)
    expect(ours.locator("#pad")).to_be_visible()
    theirs.get_by_role("button", name="Take over").tap()
    tap(ready(theirs), 3)
    told = "another phone now plays for North."
    expect(ours.locator(".waits")).to_contain_text(told)
    expect(ours.locator("#news")).to_contain_text(told)
    bids_are(ours, "3", "?", "", "")
    stored_game.bid(2, 2, 2)
    expect(ours.locator("h1")).to_contain_text("of 10 bid")
    expect(ours.locator("#pad, .one-more")).to_have_count(0)
    expect(theirs.locator("#pad")).to_be_visible()
    ours.get_by_role("link", name="Change seat").tap()
    ours.get_by_role("button", name="Enter for everyone").tap()
    expect(ready(ours).locator("#pad")).to_be_visible()


def test_a_phone_is_told_of_a_take_over_before_its_stream_is_open(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    claim(ours, stored_game, "North")
    ready(ours)
    streams: list[Route] = []
    ours.route("**/events?*", lambda route: streams.append(route))
    with ours.expect_request("**/events?*"):
        ours.reload()
    ready(ours)
    claim(theirs, stored_game, "North")
    theirs.get_by_role("button", name="Take over").tap()
    ready(theirs)
    streams.pop().continue_()
    expect(ours.locator(".waits")).to_contain_text("another phone now plays for North.")


def test_a_phone_that_was_offline_keeps_its_bid_when_it_is_told(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    claim(ours, stored_game, "North")
    ready(ours).context.set_offline(True)
    tap(ours, 3)
    bids_are(ours, "3", "?", "", "")
    claim(theirs, stored_game, "North")
    theirs.get_by_role("button", name="Take over").tap()
    ready(theirs)
    ours.context.set_offline(False)
    told = "another phone now plays for North."
    expect(ours.locator(".waits")).to_contain_text(told, timeout=RETRY)
    wait_until_saved(ours)
    bids_are(theirs, "3", "?", "", "")
    assert stored_game.journal() == [("bid", 1)]


def test_two_phones_fill_different_seats_at_once(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    for page in (ours, theirs):
        page.context.set_offline(True)
    tap(ours, 3)
    bids_are(ours, "3", "?", "", "")
    theirs.locator("#seat-row-1 .seat-who").tap()
    tap(theirs, 2)
    bids_are(theirs, "?", "2", "", "")
    for page in (ours, theirs):
        page.context.set_offline(False)
    for page in (ours, theirs):
        bids_are(page, "3", "2", "?", "")
        expect(page.locator(".seat.active .seat-name")).to_have_text("South")
        wait_until_saved(page)
    assert stored_game.game.state.open.bids == (3, 2, None, None)


def test_what_one_phone_undoes_the_other_can_redo(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    tap(ours, 3)
    bids_are(theirs, "3", "?", "", "")
    line = stored_game.game.version
    with theirs.expect_request(f"**/lines/{line}/undo"):
        theirs.locator("#undo").tap()
    bids_are(ours, "?", "", "", "")
    with ours.expect_request(f"**/lines/{line}/redo"):
        choose(ours, "Redo")
    bids_are(theirs, "3", "?", "", "")
    for page in (ours, theirs):
        wait_until_saved(page)
    assert stored_game.journal() == [("bid", 1), ("undo", 1), ("redo", 1)]


def test_an_undo_behind_a_correction_of_another_phone_keeps_both(
    ours: Page, stored_game: StoredGame
) -> None:
    stored_game.play((3, 2, 2, 2), (3, 3, 2, 2)).bid(3)
    bids_are(ours, "3", "?", "", "")
    requests: list[str] = []

    def correct_first(route: Route) -> None:
        requests.append(route.request.url)
        if len(requests) == 1:
            stored_game.score(1, (4, 2, 2, 2), (3, 2, 2, 2))
        route.continue_()

    ours.route("**/undo", correct_first)
    ours.locator("#undo").tap()
    bids_are(ours, "?", "", "", "")
    wait_until_saved(ours)
    assert len(requests) == 1
    game = stored_game.game
    assert game.rounds[0].tricks == (4, 2, 2, 2)
    assert game.state.open.bids == (None,) * 4


def test_a_round_reopened_by_one_phone_and_played_on_by_the_other_is_asked_about(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    stored_game.play((3, 2, 1, 4), (3, 2, 1, 4))
    for page in (ours, theirs):
        expect(page.locator("h1")).to_contain_text("Round 2")
        settled(page)
    ours.context.set_offline(True)
    tap(ours, 5)
    theirs.locator("#undo").tap()
    expect(theirs.locator("h1")).to_contain_text("Round 1")
    ours.context.set_offline(False)
    expect(ours.locator("#clash")).to_contain_text("1")
    ours.get_by_role("button", name="Keep the saved entry").tap()
    expect(ours.locator("h1")).to_contain_text("Round 1")
    wait_until_saved(ours)
    assert stored_game.journal()[-1] == ("undo", 1)


@pytest.mark.parametrize("choice", ["Keep the saved entry", "Use this phone’s entry"])
def test_the_other_phone_sees_both_entries_until_the_table_has_chosen(
    ours: Page, theirs: Page, stored_game: StoredGame, choice: str
) -> None:
    ours.context.set_offline(True)
    tap(ours, 5)
    bids_are(ours, "5", "?", "", "")
    tap(theirs, 3)
    wait_until_saved(theirs)
    before = theirs.locator(".strip").bounding_box()
    ours.context.set_offline(False)
    expect(ours.locator("#clash")).to_contain_text("1", timeout=RETRY)
    note = theirs.locator(".clash > *")
    lines = [
        "For round 1, the phone of the table has another entry.",
        "Saved: North bid 3",
        "Not saved: North bid 5",
    ]
    expect(note).to_have_text(lines, timeout=RETRY)
    expect(theirs.locator("#news")).to_have_text(lines[0])
    assert theirs.locator(".strip").bounding_box() == before
    expect(ours.locator(".clash")).to_have_count(0)
    theirs.route("**/views.js*", lambda _route: None)
    theirs.reload()
    expect(ready(theirs).locator(".clash > *")).to_have_text(lines)  # as the server draws it
    theirs.locator("#seat-row-2 .seat-who").tap()
    expect(theirs.locator(".seat.active .seat-name")).to_have_text("South")
    expect(note).to_have_text(lines)
    theirs.unroute_all()
    settled(ours).get_by_role("button", name=choice).tap()
    expect(note).to_have_count(0, timeout=RETRY)
    expect(theirs.locator(".seat-bid").first).to_have_text(
        "3" if choice.startswith("Keep") else "5"
    )
    wait_until_saved(ours)
    theirs.reload()
    expect(ready(theirs).locator(".clash")).to_have_count(0)


def test_a_misdeal_empties_the_round_on_all_phones(
    ours: Page, theirs: Page, stored_game: StoredGame
) -> None:
    stored_game.bid(3, 2)
    bids_are(ours, "3", "2", "?", "")
    choose(ours, "Misdeal")
    said = "Misdeal: West deals again. Undo takes that back."
    for page in (ours, theirs):
        bids_are(page, "?", "", "", "")
        wait_until_saved(page)
        expect(page.locator(".note")).to_have_text(said)
    expect(ours.locator("#news")).to_have_text(said)
    assert stored_game.journal()[2:] == [("misdeal", 1)]
    assert stored_game.game.rounds == ()
    tap(theirs, 4)
    expect(ours.locator(".note")).to_have_count(0)


@pytest.mark.parametrize("entry", ["Edit rules", "Delete game", "Home"])
def test_other_pages_wait_until_every_tap_is_sent(
    ours: Page, stored_game: StoredGame, server: AppServer, entry: str
) -> None:
    server.delay = 0.4
    tap(ours, 3)
    choose(ours, entry)
    ours.wait_for_url(lambda url: not url.endswith(stored_game.path), wait_until="commit")
    assert stored_game.journal() == [("bid", 1)]


@pytest.mark.parametrize(
    ("entry", "mark"), [("Home", "#unsaved"), ("Change log", "#waiting")], ids=["app", "server"]
)
def test_a_page_that_is_left_with_an_unsent_tap_is_followed_by_one_that_sends_it(
    ours: Page, stored_game: StoredGame, entry: str, mark: str
) -> None:
    ours.clock.install()
    ours.goto(stored_game.path)
    ready(ours)
    ours.route("**/sent", lambda _route: None)  # never answered
    tap(ours, 3)
    choose(ours, entry)
    ours.clock.run_for(PATIENCE)
    expect(ours.locator("h1")).not_to_contain_text("Round 1")
    ours.clock.run_for(PATIENCE)
    expect(ours.locator(mark)).to_be_visible()
    assert stored_game.journal() == []
    ours.unroute_all()
    ours.clock.run_for(RETRY)
    ours.clock.run_for(RETRY)
    expect(ours.locator(mark)).to_be_hidden()
    assert stored_game.journal() == [("bid", 1)]


@pytest.mark.parametrize("is_cut", [False, True], ids=["at once", "once the server is reached"])
def test_a_phone_undoes_a_change_of_the_rules(
    ours: Page, stored_game: StoredGame, is_cut: bool
) -> None:
    stored_game.bid(3)
    played = stored_game.game
    changed = replace(played.rules, target=played.rules.target + 50)
    with stored_game.table.server.store.write() as db:
        journal.change_rules(
            db, played, changed, played.version, journal.Who(stored_game.table.phone.id, now())
        )
    expect(ours.locator("#game")).to_have_attribute("data-version", "3")
    if is_cut:
        ours.route(re.compile(r"/(undo|phone\.json)\b"), lambda route: route.abort())
        ours.locator("#undo").tap()
        expect(ours.locator("#line")).to_be_visible()
        ours.unroute_all()
        expect(ours.locator("#line")).to_have_count(0)
        settled(ours)
    ours.locator("#undo").tap()
    expect(ours.locator("#game")).to_have_attribute("data-version", "4")
    assert stored_game.game.rules == played.rules
    bids_are(ours, "3", "?", "", "")
    settled(ours).locator("#undo").tap()
    bids_are(ours, "?", "", "", "")
    wait_until_saved(ours)
    assert stored_game.journal() == [("bid", 1), ("rules", None), ("undo", None), ("undo", 1)]
