"""Nothing that a machine can find stands in the way of anybody, on any page, light or dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.house import Table
from tests.browser.scenes import SCENES

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": LEVELS},
    "rules": {"target-size": {"enabled": True}},  # off unless asked for, as it is new in WCAG 2.2
    "resultTypes": ["violations"],
}


@pytest.mark.parametrize("name", SCENES)
def test_axe_finds_nothing(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    unroll(phone)
    for scheme in ("light", "dark"):
        phone.emulate_media(color_scheme=scheme)
        found = Axe().run(phone, options=OPTIONS)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def unroll(page: Page) -> None:
    """Make the screen as high as the page, so that nothing stuck to its edge covers the rest."""
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": 390, "height": height})
