"""Text of up to twice its size: words stay whole, nothing overlaps, keys and who bids in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, expect

from scorekeeper.i18n import LANGUAGES
from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.scenes import speak

# In each language a page is looked at on these phones, with these sizes of text.

PHONES = (((390, 844), (150, "style")), ((320, 568), (130, 200)))
NAMES = ("Maya", "Theo", "Nora", "Sam", "Felix")

# What is wrong with the texts of a page on a screen of some width, as a phone shows a page that is
# wider in a window that is, too: words broken inside, texts over each other, numbers cut
# off, and what lies beside the screen. Long tables scroll in a box of their own.
FAULTS = """
(width) => {
  const faults = new Set();
  const texts = [];
  const silent = "svg :is(title, desc), script, style, select, textarea, datalist"
    + ", .visually-hidden, .link-shown";
  const layers = ".dock, .seat.active, .menu-list, .sticky, #entry, #message";
  const menu = document.querySelector(".menu[open] .menu-list");
  const lines = (range) => [...range.getClientRects()].filter((line) => line.width > 1);
  const both = (one, other) => ({
    left: Math.max(one.left, other.left), right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom),
  });
  const clipOf = (parent) => {
    let clip = { left: -1e5, right: 1e5, top: -1e5, bottom: 1e5 };
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(box);
      if (clipPath !== "none") return null;
      if (overflowX !== "visible") clip = both(clip, box.getBoundingClientRect());
    }
    return clip;
  };
  const look = (node, parent, clip) => {
    const range = document.createRange();
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-–—\\/·]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const found = lines(range);
      // The box of a line of text is higher than the line where that is tight.
      const middle = found[0] && (found[0].top + found[0].bottom) / 2;
      if (found.some((line) => line.top >= middle)) faults.add(`broken: ${word}`);
      for (const line of found) {
        const seen = both(line, clip);
        if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) continue;
        const isCut = line.right > seen.right + 2 || line.left < seen.left - 2;
        const isFigure = /[0-9]/.test(word) && !parent.closest(".scroll, bdi");
        if (isCut && isFigure) faults.add(`cut: ${word}`);
        const isBeside = seen.right > width + 1 || seen.left < -1;
        if (isBeside && !parent.closest(".scroll, .recent")) faults.add(`beside: ${word}`);
        const inset = line.height * 0.2; // what is above and below most letters
        seen.top += inset;
        seen.bottom -= inset;
        texts.push({ node, word, seen, layer: parent.closest(layers) });
      }
    }
  };
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const parent = nodes.currentNode.parentElement;
    if (!parent.checkVisibility({ visibilityProperty: true }) || parent.closest(silent)) continue;
    if (menu && !menu.contains(parent)) continue;
    const clip = getComputedStyle(parent).fontSize === "0px" ? null : clipOf(parent);
    if (clip) look(nodes.currentNode, parent, clip);
  }
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (one.node === other.node || one.layer !== other.layer) continue;
      const over = both(one.seen, other.seen);
      if (over.right - over.left > 2 && over.bottom - over.top > 2) {
        faults.add(`${one.word} over ${other.word}`);
      }
    }
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > width) faults.add(`scrolls sideways: ${wide}`);
  const isEntry = document.querySelector("#pad") && !menu;
  const needed = isEntry ? [".dock .key", ".dock .button", ".active"] : [];
  for (const part of needed.flatMap((one) => [...document.querySelectorAll(one)])) {
    const { top, bottom } = part.getBoundingClientRect();
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const end = part.closest(".dock") ? innerHeight : dock.top;
    if (top < -1 || bottom > end + 1) faults.add(`out of sight: ${part.id || part.className}`);
  }
  return [...faults];
}
"""

# Text that a page alone enlarges is styled once the app has loaded.
STYLED = "() => document.querySelector('#window-style').media === 'all'"

Show = Callable[[Table, Page], None]


def five(table: Table) -> StoredGame:
    """Return a game of five after two rounds, with a score of three digits below zero."""
    stored_game = table.begin(NAMES, target="250", stake=250)
    stored_game.play((5, 2, 1, 2, Nil.NIL), (1, 2, 4, 3, 0))
    return stored_game.play((7, 3, 1, 2, 2), (1, 3, 2, 2, 2))


def over(table: Table) -> StoredGame:
    """Return a game that Nora has won."""
    stored_game = table.begin(NAMES, target="60")
    stored_game.play((5, 2, 3, 2, Nil.NIL), (1, 2, 3, 3, 1))
    return stored_game.play((2, 3, 3, 2, 2), (1, 2, 4, 2, 1))


def home(table: Table, page: Page) -> None:
    over(table)
    five(table).bid(2)
    page.goto("/")


def new_game(table: Table, page: Page) -> None:
    five(table)
    page.goto("/games/new")


def bidding(table: Table, page: Page) -> None:
    page.goto(five(table).bid(2, Nil.NIL).path)


def counting(table: Table, page: Page) -> None:
    page.goto(five(table).bid(2, Nil.NIL, 3, 2, 2).take(2, 0).path)


def counted(table: Table, page: Page) -> None:
    page.goto(five(table).bid(2, Nil.NIL, 3, 2, 2).take(2, 0, 3, 3).path)


def partners(table: Table, page: Page) -> None:
    stored_game = table.begin(NAMES[:4], rules="partnership").play((3, 4, 3, 2), (3, 4, 3, 3))
    page.goto(stored_game.bid(3, 4).path)


def winner(table: Table, page: Page) -> None:
    page.goto(over(table).path)


def open_round(table: Table, page: Page) -> None:
    page.goto(f"{five(table).bid(2, Nil.NIL, 3, 2, 2).take(2, 0).path}/rounds/3")


def menu(table: Table, page: Page) -> None:
    page.goto(five(table).bid(2).path)


def bags(table: Table) -> StoredGame:
    """Return a game of partners with overtricks, bag penalties and a score of four digits."""
    stored_game = table.begin(NAMES[:4], rules="partnership-sandbags", target="2000")
    for _ in range(4):
        stored_game.play((3, 2, 2, Nil.NIL), (7, 3, 3, 0))
    return stored_game.play((10, 2, Nil.NIL, 1), (1, 10, 1, 1))


def sheet_of_five(table: Table, page: Page) -> None:
    stored_game = five(table)
    for _ in range(5):
        stored_game.play((5, 4, 1, 2, Nil.NIL), (1, 2, 4, 2, 1))
    page.goto(f"{stored_game.path}/sheet")


def sheet_of_seven(path: str) -> Show:
    def show(table: Table, page: Page) -> None:
        stored_game = table.begin((*NAMES, "June", "Otto"), rules="cutthroat", target="900")
        for _ in range(4):
            stored_game.play((7, 1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1))
        page.goto(stored_game.path + path)

    return show


def home_of_partners(table: Table, page: Page) -> None:
    bags(table)
    page.goto("/")


def of_partners(path: str) -> Show:
    def show(table: Table, page: Page) -> None:
        page.goto(bags(table).path + path)

    return show


def visit(path: str) -> Show:
    def show(table: Table, page: Page) -> None:
        page.goto(path.replace("GAME", over(table).path))

    return show


PAGES: dict[str, Show] = {
    "home": home,
    "new game": new_game,
    "bidding": bidding,
    "counting": counting,
    "counted": counted,
    "partners": partners,
    "winner": winner,
    "menu": menu,
    "open round": open_round,
    **{
        path: visit(path)
        for path in (
            "GAME/result", "GAME/sheet", "GAME/rounds/1", "GAME/changes", "/history", "/export",
            "/players", "/rules", "/rules/cutthroat-lite", "/rules/partnership", "/settings",
            "/settings/sound", "/table",
        )
    },
    "sheet of five": sheet_of_five,
    "sheet of seven": sheet_of_seven("/sheet"),
    "game of seven": sheet_of_seven(""),
    "home of partners": home_of_partners,
    "correction of partners": of_partners("/rounds/1"),
    "sheet of partners": of_partners("/sheet"),
    "partners, counted": of_partners(""),
    "rules of partners": of_partners("/rules"),
}  # fmt: skip


def enlarge(page: Page, session: CDPSession, size: int | str) -> None:
    """Set a size of text in % as a browser's settings do, or twice the usual as a style does."""
    percent = 100 if size == "style" else int(size)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": round(16 * percent / 100)}})
    style = "200%" if size == "style" else ""
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", style)


@pytest.mark.browser_context_args(service_workers="block")
@pytest.mark.parametrize("name", PAGES)
def test_text_of_every_size_stays_whole_in_every_language(
    table: Table, phone: Page, name: str
) -> None:
    PAGES[name](table, phone)
    faults = {}
    session = phone.context.new_cdp_session(phone)
    enlarge(phone, session, 100)
    for language in LANGUAGES:
        speak(phone, table, language)
        phone.goto(phone.url)
        if phone.locator("#window-style").count():
            phone.wait_for_function(STYLED)
        if name == "menu":
            phone.locator("#menu > summary").click()
            expect(phone.locator(".menu-list")).to_have_css("animation-name", "none")
        for (width, height), sizes in PHONES:
            phone.set_viewport_size({"width": width, "height": height})
            for size in sizes:
                enlarge(phone, session, size)
                if found := phone.evaluate(FAULTS, width):
                    faults[f"{language}, {width}, {size}"] = found
    assert faults == {}
