"""What a moment of a game needs is on the screen without scrolling."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.measures import cut_off, width
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player, change_cell, ready
from tests.browser.scenes import settle

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

SMALLEST: ViewportSize = {"width": 320, "height": 568}
SMALL: ViewportSize = {"width": 360, "height": 640}
USUAL: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
# What is not seen whole between the top of the screen and the keypad stuck to its end.
HIDDEN = """
(selectors) => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const isShown = (one) => {
    const box = one.getBoundingClientRect();
    const isBeside = dock.left >= box.right || one.closest(".dock");
    return box.top >= 0 && box.bottom <= (isBeside ? innerHeight : dock.top) + 1;
  };
  const parts = selectors.flatMap((each) => [...document.querySelectorAll(each)]);
  return parts.length ? parts.filter((one) => !isShown(one)).map((one) => one.innerText) : ["?"];
}
"""
BOXES = """
(all) => all.map((one) => one.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height])
"""

# Whether the last name of the first side is not cut off, and ends inside its column.
ENDS_WHOLE = """
() => {
  const column = document.querySelector("#side-0");
  const last = column.querySelector(".side-name > bdi:last-of-type");
  const [end, edge] = [last, column].map((one) => one.getBoundingClientRect().right);
  return last.scrollWidth <= last.clientWidth && end < edge;
}
"""

# The parts of a seat, or of where the round stands, that lie over each other.
OVERLAPPING = """
() => [...document.querySelectorAll(".seat, .last")].flatMap((seat) => {
  const parts = [".seat-name", ".seat-verb", ".dealer", ".seat-contract", ".cards i:last-child",
    ".seat-bid", ".seat-count", ".seat-points", ".one-more", ".counted", "#undo"];
  const boxes = parts.map((part) => [part, seat.querySelector(part)])
    .filter(([, one]) => one?.checkVisibility())
    .map(([part, one]) => [part, one.getBoundingClientRect()]);
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap(([part, box], n) => boxes.slice(n + 1)
    .filter(([, other]) => meet(box, other)).map(([other]) => `${part} ${other}`));
})
"""
LONG_NAMES = ("Maximiliana Wolfeschlegelsteinhaus", "Wolfeschlegelsteinhaus Maximiliana")


def five(table: Table) -> StoredGame:
    """Return a game of five after three rounds, one with a name of 34 letters."""
    names = [LONG_NAMES[0], *CAST[1:]]
    stored_game = table.begin(names, stake=250)
    for _ in range(3):
        stored_game.play((2, 2, 2, 2, 1), (2, 1, 3, 2, 2))
    return stored_game


def overlapping(page: Page) -> list[str]:
    """Return the parts of seats that lie over each other."""
    found: list[str] = page.evaluate(OVERLAPPING)
    return found


def hidden(page: Page, *selectors: str) -> list[str]:
    """Return what of these parts cannot be seen, also once late scripts have come."""
    found = ["?"]
    for _ in range(20):
        found = page.evaluate(HIDDEN, selectors)
        if not found:
            break
        page.wait_for_timeout(100)
    return found


def boxes(page: Page, selector: str) -> list[list[float]]:
    """Return the places and sizes of parts of a page."""
    found: list[list[float]] = page.locator(selector).evaluate_all(BOXES)
    assert found
    return found


ALL = (".strip", ".seat", ".stand", "#undo", ".key")


def on_each(page: Page, *sizes: ViewportSize) -> Iterator[ViewportSize]:
    """Yield sizes of the screen, once a page that was loaded has all of its styles and has each."""
    settle(page)
    for size in sizes:
        page.set_viewport_size(size)
        yield size


def test_five_players_see_everything_while_bidding_and_counting(table: Table, phone: Page) -> None:
    stored_game = five(table)
    phone.goto(stored_game.bid(1, 2).path)
    for size in on_each(phone, SMALLEST, USUAL):
        assert hidden(phone, *ALL) == overlapping(phone) == [], size
    phone.goto(stored_game.bid(2, 2, 2).take(1).path)
    for size in on_each(phone, SMALLEST, USUAL):
        assert hidden(phone, *ALL, "#score button") == overlapping(phone) == [], size


MANY = {  # players with their bids and tricks
    "seven": (7, "cutthroat", {"tricks": "7"}, (1, 1, 1, 1, 1, 2, 1), (1, 1, 1, 1, 1, 1, 1)),
    "three pairs": (6, "spades-six", {}, (3, 4, 2, 2, 3, 2), (3, 4, 3, 3, 3, 1)),
}


@pytest.mark.parametrize("many", MANY)
def test_six_and_seven_players_see_everything(table: Table, phone: Page, many: str) -> None:
    players, rules, house, bids, tricks = MANY[many]
    names = [*CAST, "Sixth", "Seventh"][:players]
    names[0], names[-1] = LONG_NAMES  # the first to bid, and the dealer
    stored_game = table.begin(names, rules, **house).play(bids, tricks)
    phone.goto(stored_game.bid(1, 2).path)
    for size in on_each(phone, SMALL, USUAL):
        assert hidden(phone, *ALL) == overlapping(phone) == [], size
    phone.goto(stored_game.bid(*[1] * (players - 2)).path)
    for size in on_each(phone, SMALL, USUAL):
        assert overlapping(phone) == [], size
    phone.goto(stored_game.take(1).path)
    for size in on_each(phone, SMALL, USUAL):
        assert hidden(phone, *ALL, "#score button") == overlapping(phone) == [], size


@pytest.mark.browser_context_args(locale="de", service_workers="block")
def test_many_cards_leave_room_for_longer_words(table: Table, phone: Page) -> None:
    stored_game = table.begin((*CAST, "Sixth"), "spades-six").bid(2)
    phone.goto(stored_game.path)
    expect(phone.locator(".counted")).to_have_text("2 von 17 geboten")
    for size in on_each(phone, SMALL, USUAL):
        assert overlapping(phone) == [], size
    phone.goto(stored_game.bid(2, 3, 2, 3, 4).take(2).path)
    for size in on_each(phone, SMALL, USUAL):
        assert overlapping(phone) == [], size
    phone.goto(table.begin(rules="oh-hell").bid(2, 3, 1, 2).path)
    expect(ready(phone).locator(".counted")).to_have_text("0 von 10 Stichen Noch 4 Spieler zählen")
    expect(phone.locator("h1")).to_contain_text("2 zu wenig geboten")
    for size in on_each(phone, SMALL, USUAL):
        assert overlapping(phone) == [], size
        assert width(phone) == size["width"]


@pytest.mark.parametrize("size", [SMALL, USUAL, SIDEWAYS], ids=["small", "usual", "sideways"])
def test_a_message_moves_nothing(table: Table, phone: Page, size: ViewportSize) -> None:
    phone.set_viewport_size(size)
    stored_game = table.begin(CAST, stake=250, bids_may_equal_tricks="no")
    phone.goto(stored_game.play((2, 2, 2, 2, 1), (2, 1, 3, 2, 2)).bid(2, 2, 2, 2).path)
    expect(phone.locator("html")).to_have_attribute("data-kept", "")  # nothing is drawn anew
    struck = ready(phone).locator(".key.disabled").bounding_box()
    assert struck
    before = boxes(phone, ".seat, .key")
    phone.touchscreen.tap(struck["x"] + 9, struck["y"] + 9)
    expect(phone.locator(".stand")).to_contain_text("Bids can’t total 10. Choose another.")
    assert hidden(phone, *ALL) == []
    assert boxes(phone, ".seat, .key") == before


def test_a_tie_moves_nothing(table: Table, phone: Page) -> None:
    places = []
    for target in ("300", "20"):
        phone.goto(table.begin(target=target).play((3, 2, 2, 3), (3, 2, 2, 3)).path)
        expect(phone.locator("html")).to_have_attribute("data-kept", "")  # nothing is drawn anew
        for _size in on_each(phone, SMALL, USUAL):
            places.append(boxes(phone, ".strip, .seat, .key"))
            if target == "20":
                expect(phone.locator("#tie")).to_be_in_viewport(ratio=1)
    assert places[:2] == places[2:]


@pytest.mark.browser_context_args(service_workers="allow")
def test_five_players_see_everything_without_a_connection(table: Table, phone: Page) -> None:
    sizes = (SMALL, USUAL, SIDEWAYS)
    offline = OfflinePlayer(phone).load(five(table).bid(1).path)
    before = [boxes(phone, ".strip, .seat, .key") for _size in on_each(phone, *sizes)]
    offline.cut()
    offline.tap_offline(2)
    expect(offline.line()).to_contain_text("1 round will be sent later")
    for size, places in zip(on_each(phone, *sizes), before, strict=True):
        assert hidden(phone, *ALL, "#line", "#menu > summary") == [], size
        assert boxes(phone, ".strip, .seat, .key") == places, size


def test_five_players_see_everything_in_a_tie(table: Table, phone: Page) -> None:
    names = ["Maximiliana Wolfeschlegelsteinhaus", "Konstantinos Papadopoulos-Georgiou", *CAST[2:]]
    stored_game = table.begin(names, target="30").play((3, 3, 2, 1, 1), (3, 3, 2, 1, 1))
    phone.goto(stored_game.path)
    expect(ready(phone).locator("#tie")).to_be_visible()
    for size in on_each(phone, SMALL, SIDEWAYS):
        assert hidden(phone, *ALL) == [], size
        tie, row = (phone.locator(part).first.bounding_box() for part in ("#tie", ".seat"))
        assert tie
        assert row
        assert tie["y"] + tie["height"] <= row["y"], size


def test_a_deal_that_is_thrown_in_is_all_in_sight(table: Table, phone: Page) -> None:
    stored_game = table.begin(rules="forty-one").play((3, 3, 3, 4), (3, 3, 3, 4))
    phone.goto(stored_game.bid(2, 2, 3, 3).path)
    for size in on_each(phone, SMALL, USUAL):
        assert hidden(phone, ".strip", ".seat", "#undo", "#again button") == [], size
    phone.locator(".seat-who").last.tap()
    expect(phone.locator("#pad")).to_be_visible()
    for size in on_each(phone, SMALL, USUAL):
        assert hidden(phone, *ALL) == [], size


LOW: list[ViewportSize] = [
    {"width": 568, "height": 320},
    {"width": 667, "height": 375},
    {"width": 390, "height": 420},
    {"width": 640, "height": 360},
]
WINDOWED = "() => document.querySelector('#window-style').media === 'all'"


@pytest.mark.parametrize("cards", [10, 13])
def test_low_windows_show_who_is_asked_all_keys_and_undo(
    table: Table, phone: Page, cards: int
) -> None:
    if cards == 10:
        stored_game = table.begin(CAST).play((2, 2, 2, 2, 1), (2, 1, 3, 2, 2)).bid(1, 2)
        more, taken = (2, 2, 2), (1, 2)
    else:
        stored_game = table.begin(rules="partnership").play((3, 3, 3, 3), (4, 3, 3, 3)).bid(3)
        more, taken = (3, 3, 3), (4,)
    for phase in ("bid", "count", "all counted"):
        if phase == "count":
            stored_game.bid(*more).take(*taken)
        if phase == "all counted":
            stored_game = table.begin(CAST) if cards == 10 else table.begin(rules="partnership")
            stored_game.bid(*((2,) * 5 if cards == 10 else (3,) * 4))
            stored_game.take(*((2,) * 4 if cards == 10 else (3, 3, 3)))
        phone.goto(stored_game.path)
        ready(phone).wait_for_function(WINDOWED)
        for size in on_each(phone, *LOW):
            assert hidden(phone, ".seat.active", ".key", "#undo", ".stand") == [], (phase, size)
            assert overlapping(phone) == cut_off(phone) == [], (phase, size)
            assert width(phone) == size["width"]
            dock, rows = (phone.locator(part).bounding_box() for part in (".dock", ".seats"))
            assert dock
            assert rows
            assert dock["x"] >= rows["x"] + rows["width"], (phase, size)


@pytest.mark.parametrize("rules", ["cutthroat", "partnership"])
def test_thirteen_tricks_fit_a_phone_held_sideways(table: Table, phone: Page, rules: str) -> None:
    phone.set_viewport_size(SIDEWAYS)
    stored_game = table.begin(rules=rules).play((3, 3, 3, 3), (4, 3, 3, 3))
    phone.goto(stored_game.bid(3).path)
    ready(phone)
    assert hidden(phone, ".seat", ".key") == []
    phone.goto(stored_game.bid(3, 3, 3).take(4).path)
    ready(phone)
    assert hidden(phone, ".seat", ".key", "#score button") == []


def test_undo_of_the_end_and_a_correction_show_the_top(table: Table, player: Player) -> None:
    stored_game = table.begin(CAST, target="30").bid(3, 2, 2, 2, 1).take(3, 2, 2, 2)
    player.open(stored_game.path)
    player.score()
    ready(player.page).evaluate("scrollTo(0, 400)")
    player.tap(player.page.locator("#undo"))
    assert player.page.evaluate("scrollY") == 0
    assert hidden(player.page, ".strip", ".seat") == []
    player.page.clock.fast_forward(300)
    player.score()
    player.open(f"{stored_game.path}/rounds/1")
    change_cell(player.page, "bid-1", "2")
    player.button("Save round 1").tap()
    expect(player.page.locator("#game")).to_be_visible()
    assert player.page.evaluate("scrollY") == 0


def test_a_partner_is_seen_beside_a_long_name(table: Table, phone: Page) -> None:
    phone.set_viewport_size(SMALL)
    names = ["Maximiliana Wolfeschlegelsteinhaus", "Ben", "Cy", "Dana"]
    stored_game = table.begin(names, rules="forty-one").play((3, 3, 3, 4), (3, 3, 3, 4))
    phone.goto(stored_game.path)
    ready(phone).wait_for_function(ENDS_WHOLE)
