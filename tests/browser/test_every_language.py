"""Every page in every language: no text is clipped, and signs stay in front of their numbers."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from scorekeeper.i18n import LANGUAGES, RIGHT_TO_LEFT
from tests.browser import scenes_alone
from tests.browser.app_server import Table
from tests.browser.measures import cut_off, small_targets, turned_signs, width
from tests.browser.offline import OfflinePlayer
from tests.browser.scenes import ROUND, SCENES, settle
from tests.browser.test_every_page import OPTIONS, unroll

OTHERS = [language for language in LANGUAGES if language != "en"]
SMALL = {"width": 320, "height": 568}
# Pages differ by language in words and direction: colors are those of the English pages, and what
# axe looks at in other languages that run to the right is what it sees in English.
WORDS = {**OPTIONS, "rules": {"color-contrast": {"enabled": False}}}
# A phone that no server answers is not told of another language.
ANSWERED = [name for name, scene in SCENES.items() if scene.__module__ != scenes_alone.__name__]


# The worker of another language would reload the pages in the middle of a look.
@pytest.mark.browser_context_args(service_workers="block")
@pytest.mark.parametrize("name", ANSWERED)
def test_a_page_is_for_everybody_in_every_language(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    for language in OTHERS:
        speak(phone, table, language)
        phone.goto(phone.url)
        settle(phone)
        is_for_everybody(phone, language)


@pytest.mark.parametrize("language", OTHERS)
def test_a_phone_without_the_server_goes_on_in_its_language(
    table: Table, phone: Page, language: str
) -> None:
    speak(phone, table, language)
    offline = OfflinePlayer(phone).load(table.begin().play(*ROUND).path)
    offline.cut()
    phone.reload()
    expect(offline.line()).to_be_visible()
    for summary in phone.locator(".side summary").all():
        summary.click()
    is_for_everybody(phone, language)
    offline.play_offline((1, 3, 4, 2), (1, 5, 4, 0), (0, 1, 2, 3))
    is_for_everybody(phone, language)


def is_for_everybody(page: Page, language: str) -> None:
    """Check that the page is in that language, can be read whole, and that axe finds nothing."""
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    expect(page.locator("html")).to_have_attribute("dir", direction)
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.set_viewport_size(SMALL)
    assert width(page) <= SMALL["width"], language
    assert cut_off(page) == [], language
    assert small_targets(page) == [], language
    assert turned_signs(page) == [], language
    if language in RIGHT_TO_LEFT:
        unroll(page)
        found = Axe().run(page, options=WORDS)
        assert found.violations_count == 0, f"{language}: {found.generate_report()}"


def speak(page: Page, table: Table, language: str) -> None:
    """Let a phone choose a language."""
    page.context.add_cookies([{"name": "language", "value": language, "url": table.server.address}])
