"""The score sheet on paper: one page, however long the names are."""

import re

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


def test_five_long_names_and_two_dozen_rounds_fit_on_one_page(table: Table, phone: Page) -> None:
    stored_game = table.begin(LONG, target="900")
    for _ in range(24):
        stored_game.play((2, 2, 2, 2, 2), (2, 1, 3, 2, 2))
    phone.goto(stored_game.path + "/sheet")
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
    for paper in ("A4", "Letter"):
        assert len(PAGE.findall(phone.pdf(format=paper, margin=margin))) == 1, paper
