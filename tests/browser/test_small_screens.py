"""Every page on a narrow phone, and enlarged to twice its size: nothing is lost."""

import pytest
from playwright.sync_api import Page

from tests.browser.house import Table
from tests.browser.measures import cut_off, small_targets, width
from tests.browser.scenes import SCENES

PHONES = ((390, 844), (320, 568))
ENLARGED = ((195, 422), (320, 256))  # 200 % of a phone, and of a window of 640 × 512


@pytest.mark.parametrize("name", SCENES)
def test_every_target_is_as_large_as_a_fingertip(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    for size in PHONES:
        hold(phone, size)
        assert small_targets(phone) == [], f"at {size}"


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_cut_off(table: Table, phone: Page, name: str) -> None:
    SCENES[name](table, phone)
    for size in (*PHONES, *ENLARGED):
        hold(phone, size)
        assert width(phone) <= size[0], f"at {size}"
        assert cut_off(phone) == [], f"at {size}"


def hold(page: Page, size: tuple[int, int]) -> None:
    """Give the page another screen."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
