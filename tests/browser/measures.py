"""Checks of a page: accessibility by axe, small targets, clipped text, sideways scrolling.

Sizes are in CSS pixels.
"""

import base64
from typing import Any

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SMALLEST_TARGET = 48

# Everything that is tapped, but what is there for screen readers or the Enter key alone.
_SMALL_TARGETS = """
(smallest) => [...document.querySelectorAll("a, button, summary, input, select, label")]
  .filter((one) => one.checkVisibility() && one.type !== "hidden")
  .filter((one) => !one.closest(".visually-hidden"))
  .filter((one) => one.localName !== "label" || one.control?.closest(".visually-hidden, [hidden]"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < smallest - 0.05 || box.height < smallest - 0.05)
  .map(([one, box]) => `${one.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`)
"""

# Every line of text must lie inside the screen and inside whatever clips it. The table of rounds
# scrolls in a box of its own; long names end in three dots.
_CUT_OFF = """
(width) => {
  const faults = new Set();
  const say = (text, why) => faults.add(`“${text.trim().slice(0, 60)}” ${why}`);
  const lines = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((line) => line.width > 0);
  };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const text = words.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || !parent.checkVisibility({ opacityProperty: true })) continue;
    if (parent.closest(".visually-hidden, .sheet-name, .side-name, .seat-name")) continue;
    if (parent.closest(".felt-name, .home-names, .after-name, .bar-title small")) continue;
    if (parent.closest(".stand bdi, .seating bdi")) continue;
    if (parent.closest(".winner-with, .podium-name, .rank-who, .result-names")) continue;
    if (parent.closest("script, style, select, datalist, svg")) continue;
    for (const line of lines(text)) {
      if (!parent.closest(".scroll") && (line.left < -0.5 || line.right > width + 0.5)) {
        say(text.data, `runs from ${line.left} to ${line.right}`);
      }
      const end = parent.closest(".scroll, .menu-list, .options-sheet, body");
      for (let box = parent; box && box !== end; box = box.parentElement) {
        const clips = getComputedStyle(box);
        const inner = box.getBoundingClientRect();
        const across = line.left < inner.left - 1 || line.right > inner.right + 1;
        const down = line.top < inner.top - 3 || line.bottom > inner.bottom + 3;
        if ((clips.overflowX !== "visible" && across) || (clips.overflowY !== "visible" && down)) {
          say(text.data, `is clipped by ${box.className || box.localName}`);
        }
        if (getComputedStyle(box).display !== "inline" && across && box === parent) {
          say(text.data, `sticks out of ${box.className || box.localName}`);
        }
      }
    }
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("select, input[placeholder]")) {
    if (!field.checkVisibility() || field.closest(".visually-hidden")) continue;
    const style = getComputedStyle(field);
    const arrow = field.localName === "select" ? 16 : 0;
    const shown = field.selectedOptions?.[0]?.label ?? (field.value || field.placeholder);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (field.localName === "select" && pen.measureText(shown).width > room - arrow + 1) {
      say(shown, `does not fit into its ${field.name} field`);
    }
  }
  return [...faults];
}
"""

# The bidirectional algorithm may move a sign to the other end of its number.
_TURNED_SIGNS = """
() => {
  const found = [];
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const left = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  while (words.nextNode()) {
    const text = words.currentNode;
    const parent = text.parentElement;
    if (!parent.checkVisibility() || parent.closest(".visually-hidden")) continue;
    for (const { index } of text.data.matchAll(/[+\u2212][0-9]/g)) {
      if (left(text, index) > left(text, index + 1)) found.push(text.data.trim());
    }
  }
  return found;
}
"""

# The share of the screen's height that fixed and sticky elements cover. Dialogs and the menu cover
# the page on purpose, until they are closed; a message goes alone.
_STUCK = """
() => [...document.querySelectorAll("body :not(dialog, .menu-list, #message)")]
  .map((one) => [one, getComputedStyle(one)])
  .filter(([, style]) => ["sticky", "fixed"].includes(style.position))
  .filter(([, style]) => style.top !== "auto" || style.bottom !== "auto")
  .map(([one]) => one.getBoundingClientRect().height / innerHeight)
  .reduce((sum, share) => sum + share, 0)
"""

# Sticky elements must leave 24 × 24 px of a target, or nothing of it, whether the page is scrolled
# through its first screens or to its end. The keypad of a game is large: there it is enough that a
# target can be scrolled into view. Targets under an open dialog or menu are ignored.
_COVERED_TARGETS = """
() => {
  const over = document.querySelector("dialog[open], .menu[open] .menu-list") ?? document;
  const covers = [...document.querySelectorAll("body :not(#message, .toast)")] // they go alone
    .filter((one) => ["sticky", "fixed"].includes(getComputedStyle(one).position));
  const isUnder = (one, box) => covers.some((cover) => {
    const lid = cover.getBoundingClientRect();
    const isApart = lid.right <= box.left || lid.left >= box.right
      || lid.bottom <= box.top || lid.top >= box.bottom;
    return !isApart && !cover.contains(one);
  });
  const isCovered = (one) => {
    const box = one.getBoundingClientRect();
    if (!isUnder(one, box)) return false;
    const free = { x: [], y: [] };
    for (let x = box.left + 1; x < box.right; x += 4) {
      for (let y = box.top + 1; y < box.bottom; y += 4) {
        const hit = document.elementFromPoint(x, y);
        if (covers.some((cover) => cover.contains(hit) && !cover.contains(one))) continue;
        free.x.push(x);
        free.y.push(y);
      }
    }
    return [free.x, free.y].some((all) => all.length && Math.max(...all) - Math.min(...all) < 20);
  };
  const found = new Set();
  const height = document.documentElement.scrollHeight;
  const tops = [0, 1, 2, 3, 4, 5].map((halves) => (halves * innerHeight) / 2);
  for (const top of [...tops, height].filter((one) => one <= height)) {
    scrollTo(0, top);
    const targets = [...over.querySelectorAll("a, button, summary, input, select, label")];
    for (const one of targets.filter((one) => one.checkVisibility() && isCovered(one))) {
      one.scrollIntoView({ block: one.closest(".game") ? "center" : "nearest" });
      if (isCovered(one)) found.add(one.outerHTML.slice(0, 120));
    }
  }
  scrollTo(0, 0);
  return [...found];
}
"""

# Whoever speaks to a device says the words that are seen, so that the name of a control begins so,
# which axe leaves undecided. What is seen and not said is a sign, such as an arrow.
_MISNAMED = """
() => {
  const words = (text) => text.normalize("NFC").replace(/[\\p{C}\\u200e\\u200f]/gu, "")
    .toLowerCase().match(/[\\p{L}\\p{M}\\p{N}]+/gu) ?? [];
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest(".visually-hidden, [aria-hidden=true], svg, s")
    && getComputedStyle(one).clipPath === "none" && getComputedStyle(one).fontSize !== "0px";
  const texts = (one, isTold) => {
    const found = [];
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (isTold(parent)) found.push(walker.currentNode.data);
    }
    return found.join(" ");
  };
  const named = (one) => {
    const by = one.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
    const label = one.getAttribute("aria-label");
    const isHeard = (it) => it.checkVisibility() && !it.closest("[aria-hidden=true]");
    return label ?? texts(one, isHeard);
  };
  // Between two figures of a key its name has what they count.
  const isOf = (seen, name) =>
    name.filter((word) => seen.includes(word)).join(" ") === seen.join(" ");
  const begins = (seen, name) => seen.every((word, n) => word === name[n])
    || (/^\\p{N}+$/u.test(seen[0]) && seen[0] === name[0] && isOf(seen, name));
  return [...document.querySelectorAll("a[href], button, summary, [role=button], [role=switch]")]
    .filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true], .visually-hidden"))
    .map((one) => [words(texts(one, isSeen)), words(named(one)), one])
    .filter(([seen, name]) => seen[0] && !begins(seen, name))
    .map(([seen, name]) => `seen “${seen.join(" ")}”, named “${name.join(" ")}”`);
}
"""


def misnamed(page: Page) -> list[str]:
    """Return every control whose name does not begin with the words that are seen on it."""
    found: list[str] = page.evaluate(_MISNAMED)
    return found


# The ground is what lies under each line of text in a picture of the page without its texts: axe
# leaves the contrast undecided where that is a gradient, a tint or more than one element.
_WITHOUT_TEXTS = """
(isOff) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { -webkit-text-fill-color: transparent !important; }");
  document.adoptedStyleSheets = isOff ? [sheet] : [];
}
"""
_FAINT = """
async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const dots = pen.getImageData(0, 0, image.width, image.height);
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const ink = (color) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = paint.getImageData(0, 0, 1, 1).data;
    return [[red, green, blue], alpha / 255];
  };
  const light = (rgb) => rgb.map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, n) => sum + one * [0.2126, 0.7152, 0.0722][n], 0);
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const shown = (one) => {
    let alpha = 1;
    for (let box = one; box; box = box.parentElement) alpha *= getComputedStyle(box).opacity;
    return alpha;
  };
  const faint = [];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { data, parentElement: one } = words.currentNode;
    if (!data.trim() || !one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.closest("svg, script, style, select, s, .visually-hidden, [aria-disabled]")) continue;
    const style = getComputedStyle(one);
    const size = parseFloat(style.fontSize);
    const due = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    const [color, alpha] = ink(style.color);
    const seen = alpha * shown(one);
    const range = document.createRange();
    range.selectNodeContents(words.currentNode);
    for (const line of range.getClientRects()) {
      if (line.width < 2) continue;
      const ratios = [];
      for (const [across, down] of [[0.1, 0.5], [0.5, 0.3], [0.5, 0.5], [0.5, 0.7], [0.9, 0.5]]) {
        const x = Math.round(line.left + line.width * across);
        const y = Math.round(line.top + line.height * down);
        const top = document.elementFromPoint(x, y);
        if (!one.contains(top)) continue; // clipped, or under something else
        const at = 4 * (y * image.width + x);
        const ground = [...dots.data.slice(at, at + 3)];
        ratios.push(ratio(color.map((each, n) => seen * each + (1 - seen) * ground[n]), ground));
      }
      ratios.sort((one, other) => one - other);
      const found = ratios[1] ?? ratios[0]; // one dot may lie on a line, such as that of the focus
      if (found < due) faint.push(`“${data.trim().slice(0, 30)}” ${found.toFixed(2)} of ${due}`);
    }
  }
  return [...new Set(faint)];
}
"""


def faint(page: Page) -> list[str]:
    """Return every text with too little contrast to what lies under it."""
    page.evaluate(_WITHOUT_TEXTS, True)
    picture = base64.b64encode(page.screenshot(scale="css")).decode()
    page.evaluate(_WITHOUT_TEXTS, False)
    found: list[str] = page.evaluate(_FAINT, picture)
    return found


def violations(page: Page, options: dict[str, Any]) -> str:
    """Return axe's report on the page; empty if it finds no violation."""
    _load_axe(page)
    found = AxeResults(page.evaluate("(options) => axe.run(options)", options))
    return found.generate_report() if found.violations_count else ""


def small_targets(page: Page) -> list[str]:
    """Return every visible target that is smaller than a fingertip."""
    found: list[str] = page.evaluate(_SMALL_TARGETS, SMALLEST_TARGET)
    return found


def covered_targets(page: Page) -> list[str]:
    """Return every target of which stuck parts leave a piece too small to tap, down the page."""
    found: list[str] = page.evaluate(_COVERED_TARGETS)
    return found


def cut_off(page: Page) -> list[str]:
    """Return every text of which a part cannot be seen."""
    found: list[str] = page.evaluate(_CUT_OFF, page.viewport_size["width"])
    return found


def turned_signs(page: Page) -> list[str]:
    """Return every text in which a plus or minus does not stand before its number."""
    found: list[str] = page.evaluate(_TURNED_SIGNS)
    return found


def stuck(page: Page) -> float:
    """Return the share of the screen covered by fixed and sticky elements."""
    found: float = page.evaluate(_STUCK)
    return found


def width(page: Page) -> int:
    """Return how wide the page is; more than the screen means that it scrolls sideways."""
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


def _load_axe(page: Page) -> None:
    """Give the page axe, once: it is half a megabyte."""
    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
