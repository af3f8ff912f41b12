"""The result of a game sent to others: copied as text, kept and shared as a picture."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_server import Table

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

SHARES = """
navigator.canShare = (what) => what.files.every((file) => file.type === "image/png");
navigator.share = async (what) => { window.shared = what; };
"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
PNG = b"\x89PNG\r\n\x1a\n"

# The size of the picture that was shared, and how many of its pixels differ from its corner.
LOOK = """
async () => {
  const picture = await createImageBitmap(window.shared.files[0]);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const dots = new Uint32Array(pen.getImageData(0, 0, picture.width, picture.height).data.buffer);
  const paper = dots[dots.length - 1];
  return [picture.width, picture.height, dots.filter((dot) => dot !== paper).length];
}
"""


@pytest.fixture
def result(table: Table) -> str:
    """The address of a result."""
    return f"{table.begin(target='30').play((3, 3, 1, 1), (3, 2, 3, 2)).path}/result"


def test_the_picture_is_kept_as_a_png(phone: Page, result: str) -> None:
    phone.goto(result)
    save = phone.get_by_role("link", name="Save picture")
    expect(save).to_have_attribute("download", re.compile(r"^cutthroat-lite-.*\.png$"))
    with phone.expect_download() as kept:
        save.tap()
    assert kept.value.path().read_bytes().startswith(PNG)


def test_the_picture_is_shared_where_the_phone_shares_files(
    context: BrowserContext, phone: Page, result: str
) -> None:
    context.add_init_script(SHARES)
    phone.goto(result)
    phone.get_by_role("button", name="Share picture").tap()
    width, height, drawn = phone.evaluate(LOOK)
    assert (width, height) == (1080, 1350)
    assert drawn > 20_000


def test_the_text_is_shared(context: BrowserContext, phone: Page, result: str) -> None:
    context.add_init_script(SHARES)
    phone.goto(result)
    phone.get_by_role("button", name="Share text").tap()
    shared = phone.evaluate("[window.shared.title, window.shared.text]")
    assert shared == ["North wins", phone.locator("#summary").input_value()]


@pytest.mark.parametrize("clipboard", [True, False], ids=["over https", "over plain http"])
def test_the_text_is_copied(
    context: BrowserContext, phone: Page, result: str, clipboard: bool
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:
        context.add_init_script(NO_CLIPBOARD)
    phone.goto(result)
    phone.get_by_role("button", name="Copy text").tap()
    expect(phone.locator("#copied")).to_have_text("Copied.")
    phone.goto("/games/new")
    phone.locator("#player-1").focus()
    phone.keyboard.press("Control+V")
    expect(phone.locator("#player-1")).to_have_value(re.compile("^North wins"))


def test_what_a_phone_cannot_share_is_not_offered(
    context: BrowserContext, phone: Page, result: str
) -> None:
    context.add_init_script("navigator.share = navigator.canShare = undefined;")
    phone.goto(result)
    expect(phone.locator("#copy-text")).to_be_visible()
    expect(phone.locator("#save-picture")).to_have_attribute("href", re.compile("^blob:"))
    expect(phone.get_by_role("button", name=re.compile("Share"))).to_have_count(0)
