"""What is typed stays on the phone when a tab loads again, for its table, until it is sent."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import CAST, Table
from tests.browser.player import Player, settled
from tests.browser.test_settings import until

HAS_DRAFT = "Object.keys(localStorage).some((one) => one.startsWith('draft/'))"


def open_group(page: Page, name: str) -> None:
    if not page.locator("#menu[open]").count():
        expect(settled(page).locator("#points")).to_be_attached()  # the rest of the app is there
        settled(page).locator("#menu > summary").tap()
    settled(page).locator(f"#{name} > summary").tap()


FORMS: dict[str, tuple[str, str, str, str]] = {
    # the page, what is typed where, and the button that sends it
    "new game": ("/games/new", "[name=player-1]", "Zoe", ""),
    "own rules": ("/rules/new", "[name=name]", "Friday night", ""),
    "points": ("game#points", "#points [name=size]", "25", "Add points"),
    "note": ("game#note", "#note [name=remark]", "Wild round", "Save note"),
}


@pytest.mark.parametrize(("at", "field", "text", "send"), FORMS.values(), ids=FORMS)
def test_what_is_typed_stays_until_it_is_sent(
    table: Table, player: Player, at: str, field: str, text: str, send: str
) -> None:
    page, path = player.page, at
    name = at.partition("#")[2]
    if name:
        path = table.begin(CAST, target="300").path

    def show() -> None:
        player.open(path)
        if name:
            open_group(page, name)

    show()
    page.locator(field).fill(text)
    until(page, HAS_DRAFT, True)
    show()
    expect(page.locator(field)).to_have_value(text)
    if send:
        page.locator(f"#{name}").get_by_role("button", name=send).first.tap()
        until(page, HAS_DRAFT, False)


# What the app beside the server's pages loads, which has the script of drafts once more.
LOAD_VIEWS = """
() => {
  const app = new URL(document.querySelector("script[data-app]").dataset.app, location);
  const loading = import(new URL("../draw/views.js", app));
  return loading.then(() => new Promise((done) => setTimeout(done)));
}
"""


def test_what_is_typed_while_the_app_loads_stays(player: Player, page: Page) -> None:
    player.open("/games/new")
    name = page.locator("[name=player-1]")
    name.fill("Z")
    until(page, HAS_DRAFT, True)
    name.evaluate("(field) => (field.value = 'Zoe')")  # newer than the draft
    page.evaluate(LOAD_VIEWS)
    expect(name).to_have_value("Zoe")


def test_the_draft_of_another_table_or_an_old_one_is_not_shown(
    player: Player, table: Table
) -> None:
    page = player.page
    page.clock.install()
    player.open("/games/new")
    page.locator("[name=player-1]").fill("Zoe")
    page.clock.run_for(50)
    page.evaluate(
        "for (const [key, text] of Object.entries(localStorage)) if (key.startsWith('draft/'))"
        " { localStorage.setItem('draft/new/another', text); localStorage.removeItem(key); }"
    )
    player.open("/games/new")
    page.clock.run_for(50)
    expect(page.locator("[name=player-1]")).not_to_have_value("Zoe")
