"""Rows of seats: names on one line, hints in short, refusals and totals where they belong."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Bid, Nil
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.player import ready
from tests.browser.scenes import settle

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

LONG = "Bartholomew Featherstonehaugh"
LINES = """
(part) => {
  const name = document.querySelector(part);
  return Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight));
}
"""
STYLED = "() => document.querySelector('#window-style').media === 'all'"
FIGURES = """
() => Object.fromEntries(
  [".total", ".seat-total", ".seat-bid", ".seat-count", ".key span", ".key small"]
    .map((part) => [part, [...document.querySelectorAll(part)]])
    .map(([part, found]) => [part, found.find((one) => one.checkVisibility())])
    .filter(([, found]) => found)
    .map(([part, found]) => [part, parseFloat(getComputedStyle(found).fontSize)]))
"""


def near_the_target(table: Table, first: str = "North") -> StoredGame:
    """Return a game of three in which the first player has 100 of 125 points."""
    stored_game = table.begin((first, *CAST[1:3]))
    return stored_game.play((5, 2, 3), (5, 2, 3)).play((5, 2, 3), (5, 2, 3))


def enlarge(page: Page, percent: int) -> None:
    """Set a size of text as a browser's settings do."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": round(16 * percent / 100)}})


def test_a_hint_is_short_to_see_and_whole_to_hear(table: Table, phone: Page) -> None:
    phone.goto(near_the_target(table).path)
    ready(phone)
    hint = phone.locator("#seat-row-0 .chance")
    expect(hint.locator("[aria-hidden]")).to_have_text("125 with 3 or Nil")
    expect(hint.locator(".visually-hidden")).to_have_text("reaches 125 by making 3, or with Nil")


def test_hints_go_once_every_trick_is_counted(table: Table, phone: Page) -> None:
    stored_game = near_the_target(table).bid(3, 3, 4)
    phone.goto(stored_game.path)
    ready(phone)
    expect(phone.locator("#entry .chance")).not_to_have_count(0)
    phone.goto(stored_game.take(3, 3).path)
    ready(phone)
    expect(phone.locator("#score button")).to_contain_text("Score round 3")
    expect(phone.locator("#entry :is(.chance, .danger)")).to_have_count(0)


def test_a_long_name_takes_one_line(table: Table, phone: Page) -> None:
    phone.goto(near_the_target(table, LONG).bid(3, 2, 4).path)
    settle(phone)
    for height in (844, 640, 568):
        phone.set_viewport_size({"width": 360, "height": height})
        assert phone.evaluate(LINES, "#seat-row-0 .seat-name") == 1, height
        row, dealer = (phone.locator(f"#seat-row-1 {part}") for part in ("", ".dealer"))
        assert (dealer.bounding_box() or {})["height"] < (row.bounding_box() or {})["height"]


def test_two_who_are_not_counted_are_named(table: Table, phone: Page) -> None:
    phone.goto(table.begin(CAST).bid(2, 2, Nil.NIL, 2, 2).take(2, 2).path)
    ready(phone)
    expect(phone.locator("#score small")).to_have_text("Count 3 more players")
    phone.locator('#pad .key[value="0"]').tap()
    expect(phone.locator("#score small")).to_have_text("West and Centre to count")


def test_a_refusal_stands_where_the_round_stands(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3, 2, Nil.NIL, 4).take(7).path)
    ready(phone).locator('#pad .key[value="5"]').tap(force=True)
    why = "That makes 12 tricks; there are only 10."
    expect(phone.locator("#score small")).to_have_text(why)
    expect(phone.locator("#message[role=alert]")).to_have_text(why)
    assert (phone.locator("#message").bounding_box() or {})["height"] <= 1  # over no title
    phone.locator('#pad .key[value="2"]').tap()
    expect(phone.locator("#score small")).not_to_have_text(why)


def test_keys_say_what_they_make(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3, 2, Nil.NIL, 4).path)
    key = ready(phone).locator('#pad .key[value="0"]')
    expect(key).to_have_accessible_name("0 tricks: minus 30")
    expect(phone.locator('#pad .key[value="1"]')).to_have_accessible_name("1 trick: minus 30")
    expect(phone.locator('#pad .key[value="4"]')).to_have_accessible_name("4 tricks: +31")


@pytest.mark.parametrize("players", [4, 5])
def test_totals_stay_and_no_figure_shrinks_in_larger_text(
    table: Table, phone: Page, players: int
) -> None:
    bids, tricks = ((3, 2, Nil.NIL, 4), (3, 3, 0, 4))
    if players == 5:
        bids, tricks = (2, 2, Nil.NIL, 2, 2), (2, 2, 1, 2, 3)
    stored_game = table.begin(CAST[:players]).play(bids, tricks)
    for phase in ("bid", "count"):
        stored_game.bid(*([2] if phase == "bid" else bids[1:]))
        if phase == "count":
            stored_game.take(2)
        phone.goto(stored_game.path)
        ready(phone).wait_for_function(STYLED)
        before: dict[str, float] = {}
        for percent in (100, 115, 130, 150, 200):
            enlarge(phone, percent)
            sizes = phone.evaluate(FIGURES)
            assert ".total" in sizes or ".seat-total" in sizes, (phase, percent)
            where = ".total" if percent == 150 and players == 4 else ".seat-total"
            if percent >= 150:
                assert where in sizes, (phase, percent)
            shrunk = [part for part in before if sizes.get(part, before[part]) < before[part]]
            assert shrunk == [], (phase, percent)
            before |= sizes
        enlarge(phone, 100)


SIZES = """
() => {
  const found = {};
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim()) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.closest(".visually-hidden, script, style, template, svg")) continue;
    if (getComputedStyle(one).fontSize === "0px") continue; // a word beside its icon
    found[parseFloat(getComputedStyle(one).fontSize)] = one.className || one.localName;
  }
  return found;
}
"""
SCALE = {"13", "16", "19", "22", "27", "38", "44", "64"}  # px


SCREENS = ((390, 844), (360, 640), (320, 568), (667, 375), (568, 320), (390, 420))


@pytest.mark.parametrize("players", [4, 5, 7])
def test_a_phone_shows_eight_sizes_of_text_at_most(table: Table, phone: Page, players: int) -> None:
    bids: tuple[Bid, ...] = {4: (3, 2, Nil.NIL, 4), 5: (2, 2, 2, 2, 1)}.get(players, (2, *[1] * 6))
    tricks = {4: (3, 3, 0, 4), 5: (2, 2, 1, 2, 3)}.get(players, (1,) * 7)
    rules = "cutthroat" if players == 7 else "cutthroat-lite"
    stored_game = table.begin([*CAST, "Sixth", "Seventh"][:players], rules=rules)
    stored_game.play(bids, tricks)
    for phase in ("bid", "count", "score"):
        if phase == "bid":
            stored_game.bid(1)
        if phase == "count":
            stored_game.bid(*bids[1:])
        if phase == "score":
            stored_game.take(*tricks[:-1])
        phone.goto(stored_game.path)
        settle(phone)
        phone.wait_for_function(STYLED)
        for width, height in SCREENS:
            phone.set_viewport_size({"width": width, "height": height})
            sizes = phone.evaluate(SIZES)
            others = {size: who for size, who in sizes.items() if size not in SCALE}
            assert others == {}, (phase, width, height)
