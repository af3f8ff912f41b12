"""Accessibility and layout of every page in every state, on screens of every size."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.i18n import LANGUAGES, RIGHT_TO_LEFT
from tests.browser import scenes_alone
from tests.browser.app_server import Table
from tests.browser.measures import (
    covered_targets,
    cut_off,
    faint,
    misnamed,
    small_targets,
    stuck,
    turned_signs,
    violations,
    width,
)
from tests.browser.offline import OfflinePlayer
from tests.browser.scenes import ROUND, settle, speak
from tests.browser.scenes_alone import SCENES

SMALLEST = (320, 568)
PHONES = ((390, 844), SMALLEST)
ENLARGED = ((195, 422), (320, 256))  # 200 % of a phone, and of a window of 640 × 512
MAX_STUCK = 0.5  # of the height of the screen
OTHERS = [language for language in LANGUAGES if language != "en"]
# Each page is looked at in Arabic or in one of these: test_large_text.py looks at pages in all.
LEFT_TO_RIGHT = [language for language in OTHERS if language not in RIGHT_TO_LEFT]
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": LEVELS},
    "rules": {"target-size": {"enabled": True}},  # off unless asked for, as it is new in WCAG 2.2
    "resultTypes": ["violations"],
    "preload": False,  # of films, which there are none of
}
# Pages differ by language in words and direction, and axe sees the same in all of them: it looks at
# every page in English, and at one in so many of the others in Arabic, without colors.
ARABIC_EVERY = 4
WORDS = {**OPTIONS, "rules": {"color-contrast": {"enabled": False}}}
NOTHING_FADES = "document.getAnimations().every((one) => !(one instanceof CSSTransition))"
OFFLINE = [name for name, scene in SCENES.items() if scene.__module__ == scenes_alone.__name__]
ANSWERED = [name for name in SCENES if name not in OFFLINE]


@pytest.mark.parametrize("name", OFFLINE)
def test_an_offline_page_is_for_everybody(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    is_for_everybody(phone)


# The worker of another language would reload the pages in the middle of a look.
@pytest.mark.browser_context_args(service_workers="block")
@pytest.mark.parametrize("name", ANSWERED)
def test_a_page_is_for_everybody_in_two_languages(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    is_for_everybody(phone)
    phone.emulate_media(color_scheme="light")
    nth, is_arabic = divmod(ANSWERED.index(name), 2)
    language = "ar" if is_arabic else LEFT_TO_RIGHT[nth % len(LEFT_TO_RIGHT)]
    speak(phone, table, language)
    phone.goto(phone.url)
    is_for_everybody_in(language, phone)
    if is_arabic and nth % ARABIC_EVERY == 0:
        has_no_violations(phone)


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
    is_for_everybody_in(language, phone)
    offline.play_offline((1, 3, 4, 2), (1, 5, 4, 0), (0, 1, 2, 3))
    is_for_everybody_in(language, phone)
    if language in RIGHT_TO_LEFT:
        has_no_violations(phone)


def is_for_everybody(page: Page) -> None:
    """Check that the page can be read and used at any size, and that axe finds nothing."""
    settle(page)
    for size in (*PHONES, *ENLARGED):
        resize(page, size)
        loses_nothing(page, size)
    resize(page, SMALLEST)
    assert covered_targets(page) == []
    assert misnamed(page) == []
    for dialog in page.get_by_role("dialog").all():
        expect(dialog).to_have_accessible_name(re.compile(r"\w"))  # axe knows of no <dialog>
    unroll(page)
    assert not violations(page, OPTIONS)
    # All that differs in the dark is colors, and this looks at those of every text.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(NOTHING_FADES)
        assert faint(page) == [], scheme


def is_for_everybody_in(language: str, page: Page) -> None:
    """Check that the page is in that language and can be read whole."""
    settle(page)
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    expect(page.locator("html")).to_have_attribute("dir", direction)
    expect(page.locator("html")).to_have_attribute("lang", language)
    resize(page, SMALLEST)
    assert width(page) <= SMALLEST[0], language
    assert cut_off(page) == [], language
    assert small_targets(page) == [], language
    assert turned_signs(page) == [], language


def has_no_violations(page: Page) -> None:
    """Check that axe finds nothing on a page whose colors it has seen in English."""
    unroll(page)
    assert not violations(page, WORDS)


def loses_nothing(page: Page, size: tuple[int, int]) -> None:
    """Check that the page does not scroll sideways, clips no text and has no small targets."""
    assert width(page) <= size[0], f"at {size}"
    assert cut_off(page) == [], f"at {size}"
    assert stuck(page) <= MAX_STUCK, f"at {size}"
    if size in PHONES:
        assert small_targets(page) == [], f"at {size}"


def unroll(page: Page) -> None:
    """Make the viewport as high as the page, so that sticky elements cover nothing."""
    resize(page, (390, 844))
    resize(page, (390, page.evaluate("document.documentElement.scrollHeight")))


def resize(page: Page, size: tuple[int, int]) -> None:
    """Set the width and height of the screen."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
