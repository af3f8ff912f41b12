"""Long, bidirectional and hostile names break no page and move nothing."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.measures import cut_off, width
from tests.browser.player import ready

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

FAMILY = "👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀🧑‍🤝‍🧑"
NAMES = {
    "forty letters": "Wolfeschlegelsteinhausenbergerdorffvonde",
    "forty wide letters": "W" * 40,
    "emoji": FAMILY,
    "arabic": "عبد الرحمن بن محمد الهاشمي",
    "devanagari": "पुरुषोत्तम ब्रह्मभट्ट श्रीवास्तव",
    "hebrew": "בנימין זאב הרצל (1) 3:2",
    "combining marks": "Ni\u0300ko\u0323\u0301 Ho\u0302\u0300ng A\u030a\u0301",
    "chinese": "王小明與他的四十張黑桃牌和朋友們",
    "a tag": "<script>alert(1)</script><b>x</b>",
    "quotes": '"O\'Neill" & {{ 7*7 }} %s',
}
MIXED = list(NAMES.values())
FIVES = {  # the widest at every seat, and each of the others at one
    "wide": [NAMES["forty wide letters"], *(f"{'W' * 39}{digit}" for digit in "2345")],
    "latin": [*MIXED[:3], *MIXED[8:]],
    "other scripts": MIXED[3:8],
}
BIDS = (2, Nil.NIL, 2, 2, 2)
TRICKS = (2, 1, 3, 2, 2)
MADE = (3, 2, 2, 2, 1)
SIZES = ((390, 844), (320, 568), (1280, 800))


@pytest.fixture(params=FIVES.values(), ids=FIVES)
def stored_game(request: pytest.FixtureRequest, table: Table) -> StoredGame:
    """A game of five people with such names, after one round."""
    return table.begin(request.param).play(BIDS, TRICKS)


def test_a_game_keeps_its_shape(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(stored_game.bid(2, 3).path)
    ready(phone)
    fits(phone)
    in_place(phone, ["2", "3", "?", "", ""])
    phone.goto(stored_game.bid(1, 1, 1).take(2, 1, 3, 2).path)
    fits(phone)
    expect(phone.locator(".seat-count")).to_have_text(["2", "1", "3", "2", "2"])


@pytest.mark.parametrize("page_of", ["", "/rounds/1", "/changes", "/share", "/sheet", "/rules"])
def test_every_page_of_a_game_fits(phone: Page, table: Table, page_of: str) -> None:
    mixed = [NAMES[kind] for kind in ("forty wide letters", "emoji", "arabic", "chinese", "a tag")]
    phone.goto(table.begin(mixed).play(BIDS, TRICKS).path + page_of)
    fits(phone)


def test_home_and_a_new_game_fit(phone: Page, stored_game: StoredGame) -> None:
    for path in ("/", "/games/new"):
        phone.goto(path)
        fits(phone)


def test_home_after_a_game_fits(phone: Page, table: Table) -> None:
    table.begin(FIVES["wide"], target="30").play(MADE, MADE)
    phone.goto("/")
    fits(phone)


def test_a_winner_of_any_name_is_announced(phone: Page, table: Table) -> None:
    for kind in ("forty letters", "forty wide letters", "arabic", "a tag"):
        names = [NAMES[kind], "East", "South", "West", "Centre"]
        stored_game = table.begin(names, target="30").play(MADE, MADE)
        phone.goto(stored_game.path)
        expect(phone.locator("#winner")).to_contain_text(stored_game.game.names[0])
        fits(phone)


def fits(page: Page) -> None:
    """The page is no wider than the screen, and every word of it can be read."""
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert width(page) <= size[0], f"at {size}"
        assert cut_off(page) == [], f"at {size}"
    page.set_viewport_size({"width": 390, "height": 844})


def in_place(page: Page, shown: list[str]) -> None:
    """In every row the shape comes first, then the name, then the bid; rows follow each other."""
    expect(page.locator(".seat-bid")).to_have_text(shown)
    bottom = 0.0
    for row in page.locator(".seat").all():
        lefts = [box(row.locator(part))["x"] for part in (".shape", ".seat-name", ".seat-bid")]
        assert lefts == sorted(lefts)
        name, bid = box(row.locator(".seat-name")), box(row.locator(".seat-bid"))
        assert name["x"] + name["width"] <= bid["x"] + bid["width"]
        assert box(row)["y"] >= bottom - 1
        bottom = box(row)["y"] + box(row)["height"]
    middles = [box(row)["x"] + box(row)["width"] / 2 for row in page.locator(".side").all()]
    assert middles == sorted(middles)  # whatever way the names are written


def box(of: Locator) -> FloatRect:
    """Return where something stands on the screen, again if the page is drawn anew meanwhile."""
    for _ in range(50):
        found = of.bounding_box()
        if found is not None:
            return found
        of.page.wait_for_timeout(50)
    raise AssertionError(f"{of} is not on the screen")
