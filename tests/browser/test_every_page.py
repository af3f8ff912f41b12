"""Accessibility and layout of every page in every state, on screens of every size."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.app_server import Table
from tests.browser.measures import covered_targets, cut_off, small_targets, stuck, width
from tests.browser.scenes import settle
from tests.browser.scenes_alone import SCENES

SMALLEST = (320, 568)
PHONES = ((390, 844), SMALLEST)
ENLARGED = ((195, 422), (320, 256))  # 200 % of a phone, and of a window of 640 × 512
MAX_STUCK = 0.5  # of the height of the screen
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": LEVELS},
    "rules": {"target-size": {"enabled": True}},  # off unless asked for, as it is new in WCAG 2.2
    "resultTypes": ["violations"],
}
COLORS = {
    "runOnly": ["color-contrast"],
    "resultTypes": ["violations"],
}  # all that differs in the dark


@pytest.mark.parametrize("name", SCENES)
def test_a_page_is_for_everybody(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    settle(phone)
    for size in (*PHONES, *ENLARGED):
        phone.set_viewport_size({"width": size[0], "height": size[1]})
        loses_nothing(phone, size)
    phone.set_viewport_size({"width": SMALLEST[0], "height": SMALLEST[1]})
    assert covered_targets(phone) == []
    for dialog in phone.get_by_role("dialog").all():
        expect(dialog).to_have_accessible_name(re.compile(r"\w"))  # axe knows of no <dialog>
    unroll(phone)
    for scheme, options in (("light", OPTIONS), ("dark", COLORS)):
        phone.emulate_media(color_scheme=scheme)
        found = Axe().run(phone, options=options)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def loses_nothing(page: Page, size: tuple[int, int]) -> None:
    """Check that the page does not scroll sideways, clips no text and has no small targets."""
    assert width(page) <= size[0], f"at {size}"
    assert cut_off(page) == [], f"at {size}"
    assert stuck(page) <= MAX_STUCK, f"at {size}"
    if size in PHONES:
        assert small_targets(page) == [], f"at {size}"


def unroll(page: Page) -> None:
    """Make the viewport as high as the page, so that sticky elements cover nothing."""
    page.set_viewport_size({"width": 390, "height": 844})
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": 390, "height": height})
