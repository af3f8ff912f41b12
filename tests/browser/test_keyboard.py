"""A round entered with Tab, Enter and the space bar."""

from playwright.sync_api import Page, Route, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.player import BREATH, ready, settled

MAX_STEPS = 60


def test_a_round_by_keyboard(table: Table, phone: Page) -> None:
    phone.clock.install()
    phone.goto(table.begin().path)
    for press, bid in zip(("Enter", "Space", "Enter", "Space"), (3, 2, Nil.NIL, 4), strict=True):
        enter(phone, f'.key[value="{bid}"]', press)
    for press, count in zip(("Space", "Enter", "Space"), (3, 4, 0), strict=True):
        enter(phone, f'.key[value="{count}"]', press)
    reach(phone, "#score button")
    phone.keyboard.press("Enter")
    expect(phone.locator("h1")).to_have_text("Round 2 · North deals")
    keeps_the_focus(phone)
    phone.clock.fast_forward(BREATH)
    settled(phone)
    enter(phone, '.key[value="3"]', "Enter")


def test_what_has_the_focus_is_never_hidden(table: Table, phone: Page) -> None:
    stored_game = table.begin(target="900")
    for _ in range(12):
        stored_game.play((3, 2, 2, 3), (3, 2, 2, 3))
    phone.goto(stored_game.bid(3).path)
    check_focus(ready(phone))
    for path in (f"{stored_game.path}/rounds/2", "/games/new"):
        phone.goto(path)
        check_focus(phone)


def check_focus(page: Page) -> None:
    """Go through a page with the Tab key, and check that nothing lies over what has the focus."""
    for _ in range(MAX_STEPS):
        page.keyboard.press("Tab")
        assert page.evaluate(UNCOVERED), page.evaluate("document.activeElement.outerHTML")
        if not page.evaluate("document.activeElement !== document.body"):
            break


def test_a_message_leaves_the_focus_where_it_was(table: Table, phone: Page) -> None:
    phone.goto(table.begin(rules="cutthroat").bid(3, 3, 3).path)
    reach(ready(phone), '.key[value="4"]')
    phone.keyboard.press("Enter")
    expect(phone.locator("#message")).to_be_visible()
    expect(phone.locator('.key[value="4"]')).to_be_focused()


def test_a_script_that_comes_late_leaves_the_focus_where_it_was(table: Table, phone: Page) -> None:
    held: list[Route] = []
    phone.route("**/js/model/online.js", lambda route: held.append(route))
    phone.goto(table.begin().bid(3, 2, Nil.NIL, 4).take(3, 4, 0).path)
    ready(phone).locator("#score button").focus()
    held[0].continue_()
    expect(phone.locator("html")).to_have_attribute("data-kept", "")  # a script after that one
    expect(phone.locator("#score button")).to_be_focused()


def test_undo_and_the_end_of_a_game_keep_the_focus(table: Table, phone: Page) -> None:
    phone.clock.install()
    stored_game = table.begin(target="30").bid(3, 2, 2, 2).take(4, 2, 2)
    phone.goto(stored_game.path)
    reach(ready(phone), "#score button")
    phone.keyboard.press("Enter")
    expect(phone.locator("#winner")).to_be_visible()
    keeps_the_focus(phone)
    phone.clock.fast_forward(BREATH)
    settled(phone)
    reach(phone, "#undo")
    phone.keyboard.press("Enter")
    expect(phone.locator("#score")).to_be_visible()
    keeps_the_focus(phone)


# Something of what has the focus lies on top, where its outline is seen.
UNCOVERED = """
(() => {
  const one = document.activeElement;
  if (one === document.body) return true;
  const box = one.getBoundingClientRect();
  const across = [0.1, 0.5, 0.9].map((part) => box.left + part * box.width);
  const down = [0.1, 0.5, 0.9].map((part) => box.top + part * box.height);
  return across.some((x) => down.some((y) => {
    const top = document.elementFromPoint(x, y);
    return top && (one.contains(top) || top.contains(one));
  }));
})()
"""


def enter(page: Page, target: str, press: str) -> None:
    """Go to a key and press it; the focus must be on something afterwards."""
    game = ready(page).locator("#game")
    before = game.get_attribute("data-version") or ""
    reach(page, target)
    page.keyboard.press(press)
    expect(game).not_to_have_attribute("data-version", before)
    keeps_the_focus(page)
    page.clock.fast_forward(BREATH)
    settled(page)


def reach(page: Page, target: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(MAX_STEPS):
        if page.locator(f"{target}:focus").count():
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {target}")


def keeps_the_focus(page: Page) -> None:
    """Whoever uses a keyboard is not sent back to the top of the page."""
    expect(page.locator("body :focus")).to_have_count(1)
