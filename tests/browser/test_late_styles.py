"""What arrives after a page was shown does not change how it looks."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, Route

from tests.browser.app_server import AppServer, Table
from tests.browser.conftest import PHONE
from tests.browser.scenes import SCENES, Scene

AT_ONCE = 13  # pages beside each other in the browser
LATER = 2000  # ms after the scripts of a page have come
TRIES = 5  # a busy computer is later; what has really changed stays so
SCREEN = {"width": 1280, "height": 720}
# Pages to which scripts add what does not work without them, or which tell what they found out.
CHANGED = re.compile(
    "a new game.*|a past round|house rules being made|sound screen.*"
    "|who keeps score|bringing games in"
)
# A scene of each page, and of each state of a game that has parts of its own.
PAGES = (
    "a stranger", "the invitation", "the link that ended", "home with a game on",
    "home after a game", "the settings", "a new game for five", "a later bid", "all tricks are in",
    "a tie", "the winner", "a past round", "two corrections", "what was changed",
    "a link for others", "waiting for ones turn", "looking on", "looking on at the bids",
    "the score sheet", "the result to share", "who keeps score", "a join link",
    "sound screen and keys", "the history", "games that went", "the players", "a player",
    "bringing games in", "the rule books", "a rule book", "house rules being made",
    "rules of the table", "the rules of a game", "before and after", "no such page",
    "the page for programs",
)  # fmt: skip
SHOWN = [(name, PHONE) for name in PAGES]
SHOWN += [(name, SCREEN) for name in ("looking on", "looking on at the bids")]
# Style sheets that scripts load: their addresses are those of scripts.
SWITCH = """
(isOff) => document.querySelectorAll('link[rel=stylesheet][href*="/all-"]')
  .forEach((link) => { link.disabled = isOff; })
"""
# What scripts show is shown at once.
COPY = "document.getElementById('copy-text')?.removeAttribute('hidden')"
# What follows the scrolling (the topic in sight) is known with the frame after the first layout.
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SETTLED = """
document.readyState !== "loading" &&
[...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)
"""
# How every visible element looks, and what has become of those that looked different before.
LOOK = """
(isLater) => {
  const properties = [
    "display", "position", "color", "backgroundColor", "fontSize", "fontWeight", "fontFamily",
    "lineHeight", "textAlign", "textDecorationLine", "borderTopWidth", "borderTopColor",
    "borderTopLeftRadius", "padding", "opacity",
  ];
  const mark = (one) => one.localName + [...one.classList].map((name) => `.${name}`).join("");
  const twins = (one) =>
    [...one.parentElement.children].filter((other) => mark(other) === mark(one));
  const path = (one) =>
    one.id ? `#${one.id}`
    : one === document.body ? ""
    : `${path(one.parentElement)} > ${mark(one)}[${twins(one).indexOf(one)}]`;
  const found = {};
  for (const one of document.body.querySelectorAll("*")) {
    if (one.closest("svg *") || !one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.matches(".visually-hidden, .visually-hidden *")) continue;
    if (one.closest(".entry:has(.dock)")) continue; // seats and keypad, which scripts draw
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const place = [box.x, box.y, box.width, box.height];
    found[path(one)] = [place, ...properties.map((name) => style[name])];
  }
  if (!isLater) {
    window.looked = found;
    return [];
  }
  const all = Object.keys({ ...window.looked, ...found });
  return all.flatMap((one) => {
    const [was, is] = [window.looked[one], found[one]];
    if (!was || !is) return [`${one} ${is ? "is new" : "is gone"}`];
    const moves = is[0].some((side, n) => Math.abs(side - was[0][n]) > 1);
    const changes = ["place", ...properties].flatMap((name, n) =>
      (n ? was[n] === is[n] : !moves) ? [] : [`${name} ${was[n]} → ${is[n]}`],
    );
    return changes.length ? [`${one}: ${changes.join(", ")}`] : [];
  });
}
"""


class Held:
    """A page whose scripts wait until they are let go."""

    def __init__(self, page: Page, address: str, html: str) -> None:
        self.page = page
        self._html, self._scripts = html, list[Route]()
        self._holds = True
        self.page.route("**/*", self._answer)
        self.page.goto(address, wait_until="commit")
        while not self.page.evaluate(SETTLED):
            self.page.wait_for_timeout(20)
        self.page.evaluate(COPY)
        self.page.evaluate(FRAMES)
        self.page.evaluate(LOOK, False)

    def _answer(self, route: Route) -> None:
        if route.request.is_navigation_request():
            route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        elif route.request.resource_type == "script" and self._holds:
            self._scripts.append(route)
        else:
            route.fallback()

    def let_go(self) -> None:
        """Let the scripts come."""
        self._holds = False
        for route in self._scripts:
            route.continue_()

    def changes(self, name: str) -> list[str]:
        """Return what looks different now; where that is meant, without what came late."""
        if CHANGED.fullmatch(name):
            self.page.evaluate(SWITCH, True)
            self.page.evaluate(LOOK, False)
            self.page.evaluate(SWITCH, False)
        found: list[str] = self.page.evaluate(LOOK, True)
        return found


def document_of(show: Scene, table: Table, page: Page) -> tuple[str, str]:
    """Return the address and the text of the last document that a page was sent."""
    documents: list[Response] = []

    def hear(response: Response) -> None:
        if response.request.is_navigation_request() and response.status not in (302, 303, 308):
            documents.append(response)

    page.on("response", hear)
    show(table, page)
    return page.url, documents[-1].text()


@pytest.mark.parametrize("first", range(0, len(SHOWN), AT_ONCE))
def test_pages_look_the_same_before_their_scripts_and_after(
    browser: Browser, browser_context_args: dict[str, Any], server: AppServer, first: int
) -> None:
    shown = {}
    for name, screen in SHOWN[first : first + AT_ONCE]:
        settings = {**browser_context_args, "viewport": screen, "service_workers": "block"}
        context = browser.new_context(**settings)
        table = Table(server)
        context.add_cookies([table.cookie])  # type: ignore[list-item]
        page = context.new_page()
        shown[name] = Held(page, *document_of(SCENES[name], table, page))
        shown[name].let_go()
    changes: dict[str, list[str]] = {}
    for _ in range(TRIES):
        next(iter(shown.values())).page.wait_for_timeout(LATER)
        changes = {name: held.changes(name) for name, held in shown.items()}
        if not any(changes.values()):
            break
    for held in shown.values():
        held.page.context.close()
    assert {name: found for name, found in changes.items() if found} == {}
