"""The scoreboard on a large screen: all of it in sight, with totals that are read from afar."""

import base64
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Nil
from scorekeeper.store.tables import make_watch_link
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.complaints import Complaints
from tests.browser.measures import violations
from tests.browser.scenes import speak
from tests.browser.test_every_page import OPTIONS
from tests.browser.test_paper import LONG

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

SCREENS = ((1280, 720), (1920, 1080))
LEAST_TOTAL = 0.09  # of the height of the screen
ARABIC = ("عبد الرحمن", "ليلى", "يوسف", "مريم", "خالد")
HINDI = ("पुरुषोत्तम", "वृन्दा", "हृतिक", "प्रीति", "ऑर्थी")
FIVE = ("Ana", "Ben", "Cy", "Dana", "Eli")
SEVEN = [f"{name} of the long house" for name in (*FIVE, "Fay", "Gus")]
ROUND = ((3, 2, 1, Nil.NIL, 2), (3, 1, 3, 0, 3))

# The height of a digit, which is less than that of its line.
DIGITS = """
() => [...document.querySelectorAll(".board-total")].map((one) => {
  const pen = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(one);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return pen.measureText("0").actualBoundingBoxAscent / innerHeight;
})
"""

# What does not lie wholly on the screen, or in the card around it.
OUTSIDE = """
() => [...document.querySelectorAll(".board *")]
  .filter((one) => one.checkVisibility() && one.localName !== "bdi" && !one.closest("marker"))
  .filter((one) => {
    const [box, card] = [one, one.closest(".board-card") ?? document.documentElement].map((each) =>
      each.getBoundingClientRect());
    return box.left < card.left - 1 || box.right > card.right + 1 || box.top < card.top - 1 ||
      box.bottom > Math.min(card.bottom, innerHeight) + 1;
  })
  .map((one) => one.outerHTML.slice(0, 120))
"""


@pytest.fixture(autouse=True)
def address_of_the_house(server: AppServer) -> Iterator[None]:
    """Phones can reach the server, so that the board shows the code."""
    config = server.app.config
    config["BASE_URL"] = "http://192.168.1.20:8000"
    yield
    config["BASE_URL"] = ""


def bidding(table: Table) -> StoredGame:
    return table.begin(FIVE).play(*ROUND).bid(2, 1, 3)


def first_round(table: Table) -> StoredGame:
    return table.begin(FIVE, stake=250)


def tricks(table: Table) -> StoredGame:
    return table.begin(FIVE).play(*ROUND).bid(2, 1, 3, Nil.NIL, 2).take(3, 1)


def long_names_and_scores(table: Table) -> StoredGame:
    stored_game = table.begin(LONG, stake=1250, target="3000", mercy="-2900", set_points="50")
    for _ in range(9):
        stored_game.play((3, 3, 2, 1, 1), (5, 0, 3, 1, 1))
    return stored_game.bid(3, 1)


def winner(table: Table) -> StoredGame:
    return table.begin(LONG, target="50", stake=1250).play(*ROUND)


def winning_partners(table: Table) -> StoredGame:
    stored_game = table.begin(LONG[:4], rules="partnership-500", target="60", stake=500)
    return stored_game.play((4, 3, 2, 3), (5, 3, 2, 3))


def arabic(table: Table) -> StoredGame:
    return table.begin(ARABIC).play(*ROUND).bid(2, 1, 3)


def hindi_winner(table: Table) -> StoredGame:
    return table.begin(HINDI, target="50", stake=1250).play(*ROUND)


STATES = (first_round, tricks, long_names_and_scores, winning_partners, arabic, hindi_winner)
SPOKEN = {arabic: "ar", hindi_winner: "hi"}


def open_board(page: Page, table: Table, stored_game: StoredGame, end: str = "") -> None:
    with table.server.store.write() as db:
        secret = table.server.app.config["SECRET_KEY"]
        key = make_watch_link(db, stored_game.game, secret, now())
    page.goto(f"/watch/{key}{end}")


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_everything_is_in_sight_and_totals_are_large(
    table: Table, page: Page, state: Callable[[Table], StoredGame]
) -> None:
    speak(page, table, SPOKEN.get(state, "en"))
    open_board(page, table, state(table))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".board-code")).to_be_visible()
        size = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert size == [width, height]
        assert min(page.evaluate(DIGITS)) >= LEAST_TOTAL
        assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("state", [tricks, winner], ids=lambda state: state.__name__)
def test_axe_finds_nothing(table: Table, page: Page, state: Callable[[Table], StoredGame]) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_board(page, table, state(table))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert not violations(page, OPTIONS), scheme


def test_bids_come_by_themselves(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    stored_game = bidding(table)
    open_board(page, table, stored_game)
    bids = page.locator(".board-bids b")
    expect(bids).to_have_text(["2", "1", "3", "?", ""])
    stored_game.bid(Nil.NIL)
    expect(bids).to_have_text(["2", "1", "3", "Nil", "?"])


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_the_last_bid_and_the_scored_round_are_shown_on_the_board_and_this_again_by_a_button(
    table: Table, page: Page
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    bids = (2, 1, 3, Nil.NIL, 2)
    stored_game = table.begin(FIVE, target="300").play(*ROUND)
    open_board(page, table, stored_game)
    expect(page.locator("html[data-stage]")).to_have_count(1)
    stored_game.bid(*bids)
    expect(page.get_by_role("button", name="Round 1 again")).to_be_visible()
    expect(page.locator(".moment-line")).to_have_text("8 of 10 · 2 tricks are loose")
    expect(page.locator(".felt-card:not(.loose)")).to_have_count(8)
    cloth = page.locator(".moment-felt").bounding_box()
    rows = page.locator(".board-bids").bounding_box()
    assert cloth
    assert rows
    assert cloth["y"] >= rows["y"] + rows["height"]  # no bid is covered
    stored_game.score(2, (2, 2, 3, 0, 3), bids)
    tickets = page.locator(".ticket")
    expect(tickets).to_have_count(5)
    expect(tickets.last).to_contain_text("Anabid 2, took 2 · exact")
    expect(page.locator(".moment-line")).to_have_text("Round 2 is scored")
    expect(page.locator(".stage")).to_have_count(0)
    page.get_by_role("button", name="Round 2 again").click()
    expect(tickets).to_have_count(5)
    page.keyboard.press("Escape")
    expect(page.locator(".stage")).to_have_count(0)


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_the_winner_fills_the_board(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    stored_game = table.begin(FIVE, target="50").bid(*ROUND[0])
    open_board(page, table, stored_game)
    expect(page.locator("html[data-stage]")).to_have_count(1)
    stored_game.score(1, ROUND[1], ROUND[0])
    expect(page.locator(".win-name")).to_have_text("Dana wins")
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator(".board-winner")).to_be_visible()


def test_a_phone_does_not_show_the_board(table: Table, page: Page) -> None:
    open_board(page, table, bidding(table))
    expect(page.locator(".board")).to_be_hidden()
    expect(page.locator(".strip")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_overlay_of_a_stream_lets_the_picture_through(
    table: Table, page: Page, scheme: Literal["light", "dark"]
) -> None:
    stored_game = bidding(table)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_board(page, table, stored_game, "/overlay")
    expect(page.locator(".bidder")).to_have_count(1)
    shown = page.screenshot(omit_background=True)
    assert [opacity(page, shown, at) for at in ((960, 300), (60, 1020))] == [0, 255]
    assert not violations(page, OPTIONS)
    stored_game.bid(2)
    expect(page.locator(".overlay-bid")).to_have_count(5)


def test_the_overlay_fits_long_names_of_seven(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_board(page, table, table.begin(SEVEN).bid(1, 2, 1), "/overlay")
    boxes = [one.bounding_box() for one in page.locator(".overlay li").all()]
    ends = [box["x"] + box["width"] for box in boxes if box]
    assert len(ends) == 7
    assert max(ends) <= 1280
    totals = [one.bounding_box() for one in page.locator(".overlay li b").all()]
    pairs = zip(totals, ends, strict=True)
    assert all(box and box["x"] + box["width"] <= end for box, end in pairs)


@pytest.mark.parametrize("is_over", [False, True], ids=["bidding", "over"])
@pytest.mark.parametrize("names", [FIVE, SEVEN], ids=["five", "seven"])
def test_the_compact_view_fits_a_card_of_a_dashboard(
    table: Table, page: Page, names: Sequence[str], is_over: bool
) -> None:
    page.set_viewport_size({"width": 280, "height": 320})
    stored_game = table.begin(names, target="50")
    if is_over:
        cards = min(10, 52 // len(names))
        rest = [0] * (len(names) - 1)
        stored_game.play([cards, *[1] * len(rest)], [cards, *rest])
    else:
        stored_game.bid(1, 2)
    open_board(page, table, stored_game, "/compact")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert not violations(page, OPTIONS), scheme
    assert page.evaluate("document.documentElement.scrollWidth") == 280
    totals = [one.bounding_box() for one in page.locator(".compact li b").all()]
    assert len(totals) == len(names)
    assert all(box and box["x"] + box["width"] <= 280 for box in totals)


class House(BaseHTTPRequestHandler):
    """A dashboard of another origin, with one live page in a frame."""

    framed = ""

    def do_GET(self) -> None:
        body = f'<title>House</title><iframe src="{self.framed}" width="300" height="280"></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_said: object) -> None:
        pass


@pytest.fixture
def house() -> Iterator[str]:
    """The address of a dashboard."""
    with ThreadingHTTPServer(("127.0.0.1", 0), House) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://localhost:{serving.server_port}"
        serving.shutdown()


def test_a_dashboard_that_is_named_frames_live_pages_and_no_other_does(
    table: Table, page: Page, server: AppServer, complaints: Complaints, house: str
) -> None:
    stored_game = table.begin(FIVE).bid(1, 2)
    open_board(page, table, stored_game, "/compact")
    House.framed = page.url
    card = page.frame_locator("iframe")
    server.app.config["FRAMED_BY"] = frozenset([house])
    try:
        page.goto(house)
        expect(card.locator(".compact-bid")).to_have_text(["1", "2", "?"])
        stored_game.bid(3)
        expect(card.locator(".compact-bid")).to_have_text(["1", "2", "3", "?"])
    finally:
        server.app.config["FRAMED_BY"] = frozenset()
    complaints.all[:] = [line for line in complaints.all if house not in line]  # it is not ours
    assert complaints.serious == []
    page.reload()
    expect(card.locator("body")).to_be_visible()
    expect(card.locator(".compact")).to_have_count(0)
    assert any("frame-ancestors" in line for line in complaints.all)
    complaints.all.clear()


# How opaque a pixel of a picture is, from 0 to 255.
OPACITY = """
async ([picture, x, y]) => {
  const bytes = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.drawImage(await createImageBitmap(new Blob([bytes])), -x, -y);
  return pen.getImageData(0, 0, 1, 1).data[3];
}
"""


def opacity(page: Page, picture: bytes, at: tuple[int, int]) -> int:
    found: int = page.evaluate(OPACITY, [base64.b64encode(picture).decode(), *at])
    return found
