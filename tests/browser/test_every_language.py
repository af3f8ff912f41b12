"""Every page in every language: nothing is cut off, and no direction turns a number round."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from scorekeeper.i18n import LANGUAGES, RIGHT_TO_LEFT
from tests.browser.house import Table
from tests.browser.measures import cut_off, small_targets, turned_signs, width
from tests.browser.scenes import SCENES
from tests.browser.test_every_page import OPTIONS, unroll

OTHERS = [language for language in LANGUAGES if language != "en"]
SMALL = {"width": 320, "height": 568}


@pytest.mark.parametrize("name", SCENES)
def test_a_page_is_for_everybody_in_every_language(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    for language in OTHERS:
        speak(phone, table, language)
        phone.goto(phone.url)
        direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
        expect(phone.locator("html")).to_have_attribute("dir", direction)
        phone.set_viewport_size(SMALL)
        assert width(phone) <= SMALL["width"], language
        assert cut_off(phone) == [], language
        assert small_targets(phone) == [], language
        assert turned_signs(phone) == [], language
        unroll(phone)
        found = Axe().run(phone, options=OPTIONS)
        assert found.violations_count == 0, f"{language}: {found.generate_report()}"


def speak(page: Page, table: Table, language: str) -> None:
    """Let a phone choose a language."""
    page.context.add_cookies([{"name": "language", "value": language, "url": table.house.address}])
