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
