"""What a moment of a game needs is on the screen without scrolling."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.measures import cut_off, width
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player, change_cell, ready

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

SMALLEST, USUAL = {"width": 320, "height": 568}, {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
SIDEWAYS = {"width": 844, "height": 390}
# What is seen of an element, between the top of the screen and the keypad stuck to its end.
SHOWN = """
(one) => {
  const box = one.getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const isBeside = dock.left >= box.right || one.closest(".dock");
  return box.top >= 0 && box.bottom <= (isBeside ? innerHeight : dock.top) + 1;
}
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
        parts: list[Locator] = [one for every in selectors for one in page.locator(every).all()]
        assert parts
        found = [one.inner_text() for one in parts if not one.evaluate(SHOWN)]
        if not found:
            break
        page.wait_for_timeout(100)
    return found


ALL = (".strip", ".seat", ".stand", "#undo", ".key")


@pytest.mark.parametrize("size", [SMALLEST, USUAL], ids=["smallest", "usual"])
def test_five_players_see_everything_while_bidding_and_counting(
    table: Table, phone: Page, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    stored_game = five(table)
    phone.goto(stored_game.bid(1, 2).path)
    ready(phone)
    assert hidden(phone, *ALL) == overlapping(phone) == []
    phone.goto(stored_game.bid(2, 2, 2).take(1).path)
    ready(phone)
    assert hidden(phone, *ALL, "#score button") == overlapping(phone) == []


MANY = {  # players with their bids and tricks
    "seven": (7, "cutthroat", {"tricks": "7"}, (1, 1, 1, 1, 1, 2, 1), (1, 1, 1, 1, 1, 1, 1)),
    "three pairs": (6, "spades-six", {}, (3, 4, 2, 2, 3, 2), (3, 4, 3, 3, 3, 1)),
}


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
@pytest.mark.parametrize("many", MANY)
def test_six_and_seven_players_see_everything(
    table: Table, phone: Page, many: str, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    players, rules, house, bids, tricks = MANY[many]
    names = [*CAST, "Sixth", "Seventh"][:players]
    names[0], names[-1] = LONG_NAMES  # the first to bid, and the dealer
    stored_game = table.begin(names, rules, **house).play(bids, tricks)
    phone.goto(stored_game.bid(1, 2).path)
    ready(phone)
    assert hidden(phone, *ALL) == overlapping(phone) == []
    phone.goto(stored_game.bid(*[1] * (players - 2)).path)
    ready(phone)
    assert overlapping(phone) == []
    phone.goto(stored_game.take(1).path)
    ready(phone)
    assert hidden(phone, *ALL, "#score button") == overlapping(phone) == []


@pytest.mark.browser_context_args(locale="de", service_workers="block")
@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
def test_many_cards_leave_room_for_longer_words(
    table: Table, phone: Page, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    stored_game = table.begin((*CAST, "Sixth"), "spades-six").bid(2)
    phone.goto(stored_game.path)
    expect(ready(phone).locator(".counted")).to_have_text("2 von 17 geboten")
    assert overlapping(phone) == []
    phone.goto(stored_game.bid(2, 3, 2, 3, 4).take(2).path)
    ready(phone)
    assert overlapping(phone) == []
    phone.goto(table.begin(rules="oh-hell").bid(2, 3, 1, 2).path)
    expect(ready(phone).locator(".counted")).to_have_text("0 von 10 Stichen Noch 4 Spieler zählen")
    expect(phone.locator("h1")).to_contain_text("2 zu wenig geboten")
    assert overlapping(phone) == []
    assert width(phone) == size["width"]


@pytest.mark.parametrize("size", [SMALL, USUAL, SIDEWAYS], ids=["small", "usual", "sideways"])
def test_a_message_moves_nothing(table: Table, phone: Page, size: dict[str, int]) -> None:
    phone.set_viewport_size(size)
    stored_game = table.begin(CAST, stake=250, bids_may_equal_tricks="no")
    phone.goto(stored_game.play((2, 2, 2, 2, 1), (2, 1, 3, 2, 2)).bid(2, 2, 2, 2).path)
    expect(phone.locator("html")).to_have_attribute("data-kept", "")  # nothing is drawn anew
    struck = ready(phone).locator(".key.disabled").bounding_box()
    assert struck
    before = [part.bounding_box() for part in phone.locator(".seat, .key").all()]
    phone.touchscreen.tap(struck["x"] + 9, struck["y"] + 9)
    expect(phone.locator(".stand")).to_contain_text("Bids can’t total 10. Choose another.")
    assert hidden(phone, *ALL) == []
    assert [part.bounding_box() for part in phone.locator(".seat, .key").all()] == before


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
def test_a_tie_moves_nothing(table: Table, phone: Page, size: dict[str, int]) -> None:
    phone.set_viewport_size(size)
    places = []
    for target in ("300", "20"):
        phone.goto(table.begin(target=target).play((3, 2, 2, 3), (3, 2, 2, 3)).path)
        expect(phone.locator("html")).to_have_attribute("data-kept", "")  # nothing is drawn anew
        parts = ready(phone).locator(".strip, .seat, .key").all()
        places.append([part.bounding_box() for part in parts])
    expect(phone.locator("#tie")).to_be_in_viewport(ratio=1)
    assert places[0] == places[1]


@pytest.mark.browser_context_args(service_workers="allow")
@pytest.mark.parametrize("size", [SMALL, USUAL, SIDEWAYS], ids=["small", "usual", "sideways"])
def test_five_players_see_everything_without_a_connection(
    table: Table, phone: Page, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    offline = OfflinePlayer(phone).load(five(table).bid(1).path)
    before = [part.bounding_box() for part in phone.locator(".strip, .seat, .key").all()]
    offline.cut()
    offline.tap_offline(2)
    expect(offline.line()).to_contain_text("1 round will be sent later")
    assert hidden(phone, *ALL, "#line", "#menu > summary") == []
    assert [part.bounding_box() for part in phone.locator(".strip, .seat, .key").all()] == before


@pytest.mark.parametrize("size", [SMALL, SIDEWAYS], ids=["small", "sideways"])
def test_five_players_see_everything_in_a_tie(
    table: Table, phone: Page, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    names = ["Maximiliana Wolfeschlegelsteinhaus", "Konstantinos Papadopoulos-Georgiou", *CAST[2:]]
    stored_game = table.begin(names, target="30").play((3, 3, 2, 1, 1), (3, 3, 2, 1, 1))
    phone.goto(stored_game.path)
    expect(ready(phone).locator("#tie")).to_be_visible()
    assert hidden(phone, *ALL) == []
    tie, row = (phone.locator(part).first.bounding_box() for part in ("#tie", ".seat"))
    assert tie
    assert row
    assert tie["y"] + tie["height"] <= row["y"]


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
def test_a_deal_that_is_thrown_in_is_all_in_sight(
    table: Table, phone: Page, size: dict[str, int]
) -> None:
    phone.set_viewport_size(size)
    stored_game = table.begin(rules="forty-one").play((3, 3, 3, 4), (3, 3, 3, 4))
    phone.goto(stored_game.bid(2, 2, 3, 3).path)
    ready(phone)
    parts = (".strip", ".seat", "#undo", "#again button")
    assert hidden(phone, *parts) == []
    phone.locator(".seat-who").last.tap()
    expect(phone.locator("#pad")).to_be_visible()
    assert hidden(phone, *ALL) == []


LOW = ["568x320", "667x375", "390x420", "640x360"]
WINDOWED = "() => document.querySelector('#window-style').media === 'all'"


@pytest.mark.parametrize("size", LOW)
@pytest.mark.parametrize("cards", [10, 13])
def test_low_windows_show_who_is_asked_all_keys_and_undo(
    table: Table, phone: Page, size: str, cards: int
) -> None:
    width_, height = map(int, size.split("x"))
    phone.set_viewport_size({"width": width_, "height": height})
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
        assert hidden(phone, ".seat.active", ".key", "#undo", ".stand") == [], phase
        assert overlapping(phone) == cut_off(phone) == [], phase
        assert width(phone) == width_
        dock, rows = (phone.locator(part).bounding_box() for part in (".dock", ".seats"))
        assert dock
        assert rows
        assert dock["x"] >= rows["x"] + rows["width"]


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
    phone.set_viewport_size(SMALL)  # type: ignore[arg-type]  # a TypedDict of these two
    names = ["Maximiliana Wolfeschlegelsteinhaus", "Ben", "Cy", "Dana"]
    stored_game = table.begin(names, rules="forty-one").play((3, 3, 3, 4), (3, 3, 3, 4))
    phone.goto(stored_game.path)
    ready(phone).wait_for_function(ENDS_WHOLE)
