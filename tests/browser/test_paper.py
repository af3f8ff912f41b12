"""The score sheet on paper, of a game and an empty one, however long the names are."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.app_server import Table

PAGE = re.compile(rb"/Type\s*/Page\b")
LONG = (
    "Wilhelmina-Charlotte von Hohenstein",
    "Konstantinos Papadopoulos-Georgiou",
    "Maximiliane Schwarzenegger-Huber",
    "Bartholomew Featherstonehaugh III",
    "Oluwaseun Adebayo-Okonkwo-Williams",
)


PAPERS = ("A4", "Letter")


def pages(page: Page, paper: str) -> int:
    return len(PAGE.findall(page.pdf(format=paper)))


@pytest.mark.parametrize(("rounds", "due"), [(9, 1), (24, 2)])
def test_a_long_game_prints_its_chart_on_a_page_of_its_own(
    table: Table, phone: Page, rounds: int, due: int
) -> None:
    stored_game = table.begin(LONG, target="900")
    for _ in range(rounds):
        stored_game.play((2, 2, 2, 2, 2), (2, 1, 3, 2, 2))
    phone.goto(stored_game.path + "/sheet")
    assert [pages(phone, paper) for paper in PAPERS] == [due, due]


@pytest.mark.parametrize("rules", ["5?rules=cutthroat-lite", "4?rules=partnership-500"])
def test_an_empty_sheet_is_one_page(phone: Page, rules: str) -> None:
    phone.goto(f"/rules/sheet/{rules}")
    assert [pages(phone, paper) for paper in PAPERS] == [1, 1]


# What would be printed and is not for paper: what is pressed, folds that are closed, colors.
UNFIT = """
() => {
  const found = new Set();
  for (const one of document.querySelectorAll("button, .button, input, select, textarea")) {
    if (one.checkVisibility()) found.add(`pressed: ${one.outerHTML.slice(0, 80)}`);
  }
  for (const fold of document.querySelectorAll("details.fold:not(.unprinted, .sort-by)")) {
    const parts = [...fold.children].filter((one) => !one.matches(".sort-by"));
    const isShut = parts.some((one) => !one.checkVisibility());
    if (fold.checkVisibility() && isShut) found.add(`shut: ${fold.textContent.slice(0, 80)}`);
  }
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { data, parentElement: one } = words.currentNode;
    if (!data.trim() || !one.checkVisibility()) continue;
    const [red, green, blue] = getComputedStyle(one).color.match(/[\\d.]+/g);
    if (red !== green || green !== blue) found.add(`in color: ${data.trim().slice(0, 40)}`);
  }
  return [...found];
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_to_read_print_black_on_white(table: Table, phone: Page, scheme: str) -> None:
    table.begin(target="30").play((3, 2, 4, 1), (3, 2, 4, 1))
    phone.goto("/players")
    player = phone.locator(".ranks a").first.get_attribute("href") or ""
    phone.emulate_media(media="print", color_scheme="dark" if scheme == "dark" else "light")
    for path in ("/rules", "/rules/cutthroat-lite", "/players", player, "/history"):
        phone.goto(path)
        assert phone.evaluate(UNFIT) == [], path
        ground = phone.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(255, 255, 255)", path
