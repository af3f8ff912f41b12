"""Text of up to twice its size: words stay whole, nothing overlaps, keys and bidder in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.i18n import LANGUAGES
from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.scenes import speak

PHONES = ((390, 844), (320, 568))
TEXT_SIZES = (130, 150, 200)  # % of the usual
NAMES = ("Maya", "Theo", "Nora", "Sam", "Felix")

# What is wrong with the texts of the page: words broken inside, texts over each other, numbers cut
# off, and what lies beside the screen. Long tables scroll in a box of their own.
FAULTS = """
() => {
  const UNSEEN = "svg, script, style, select, textarea, option, datalist, .visually-hidden";
  const LAYERS = ".dock, .seat.active, .menu-list, .sticky, #entry, #message";
  const faults = new Set();
  const texts = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = (range) => [...range.getClientRects()].filter((line) => line.width > 1);
  const menu = document.querySelector(".menu[open] .menu-list");
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(UNSEEN)) continue;
    if (menu && !menu.contains(parent)) continue;
    const style = getComputedStyle(parent);
    if (style.fontSize === "0px" || parent.closest(".link-shown, .link-text")) continue;
    let clip = null;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, position, clipPath } = getComputedStyle(box);
      if (clipPath !== "none") clip = { left: 0, right: 0, top: 0, bottom: 0 };
      if (overflowX !== "visible" && !clip) clip = box.getBoundingClientRect();
      if (position === "absolute" && clipPath !== "none") break;
    }
    const range = document.createRange();
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-–—\\/·]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const found = lines(range);
      const isBroken = found.some((line) => line.top >= found[0].bottom - 2);
      if (isBroken && word.length > 1) faults.add(`broken: ${word}`);
      for (const line of found) {
        const shrink = line.height * 0.2; // what is above and below most letters
        const seen = clip
          ? { left: Math.max(line.left, clip.left), right: Math.min(line.right, clip.right),
              top: Math.max(line.top, clip.top), bottom: Math.min(line.bottom, clip.bottom) }
          : line;
        if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) continue;
        const isCut = line.right > seen.right + 2 || line.left < seen.left - 2;
        const isNumber = /\\d/.test(word) && !parent.closest(".scroll, bdi");
        if (isCut && isNumber) faults.add(`cut: ${word}`);
        const isBeside = seen.right > innerWidth + 1 || seen.left < -1;
        if (isBeside && !parent.closest(".scroll, .books, .recent")) {
          faults.add(`beside the screen: ${word}`);
        }
        const [top, bottom] = [seen.top + shrink, seen.bottom - shrink];
        texts.push({ node, word, seen: { ...seen, top, bottom }, layer: parent.closest(LAYERS) });
      }
    }
  }
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (one.node === other.node || one.layer !== other.layer) continue;
      const [a, b] = [one.seen, other.seen];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2) faults.add(`${one.word} over ${other.word}`);
    }
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.add(`scrolls sideways: ${wide}`);
  for (const part of document.querySelectorAll(".dock .key, .dock .button, .seat.active")) {
    if (menu || !document.querySelector("#pad") || !part.checkVisibility()) continue;
    const { top, bottom } = part.getBoundingClientRect();
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const end = part.closest(".dock") ? innerHeight : dock.top;
    if (top < -1 || bottom > end + 1) faults.add(`out of sight: ${part.id || part.className}`);
  }
  return [...faults];
}
"""

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


def menu(table: Table, page: Page) -> None:
    page.goto(five(table).bid(2).path)
    page.locator("#menu > summary").click()


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
    **{
        path: visit(path)
        for path in (
            "GAME/result", "GAME/sheet", "GAME/rounds/1", "GAME/changes", "/history", "/players",
            "/rules", "/rules/cutthroat-lite", "/settings", "/settings/sound",
        )
    },
}  # fmt: skip


def enlarge(page: Page, percent: int) -> None:
    page.evaluate("(size) => document.documentElement.style.fontSize = size", f"{percent}%")


@pytest.mark.browser_context_args(service_workers="block")
@pytest.mark.parametrize("name", PAGES)
def test_large_text_stays_whole_in_every_language(table: Table, phone: Page, name: str) -> None:
    faults = {}
    for language in LANGUAGES:
        speak(phone, table, language)
        if phone.url == "about:blank":
            PAGES[name](table, phone)
        else:
            phone.goto(phone.url)
        if name == "menu":
            expect(phone.locator(".menu-list")).to_have_css("animation-name", "none")
            phone.evaluate("document.querySelector('#menu').open = true")
        for width, height in PHONES:
            phone.set_viewport_size({"width": width, "height": height})
            for percent in (100, *TEXT_SIZES):
                enlarge(phone, percent)
                if found := phone.evaluate(FAULTS):
                    faults[f"{language} {width} {percent} %"] = found
    assert faults == {}
