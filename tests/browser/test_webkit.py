"""A smoke test in WebKitGTK, the nearest to the browser of an iPhone."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.app_server import AppServer, Table

selenium = pytest.importorskip(
    "selenium", reason="WebKitGTK is driven by selenium: pip install selenium"
)
DRIVER, SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
pytestmark = [
    pytest.mark.skipif(
        not (DRIVER and SCREEN),
        reason="no driver of WebKitGTK here: apt-get install webkit2gtk-driver xvfb",
    ),
    pytest.mark.filterwarnings("ignore:.*remote_server_addr:DeprecationWarning"),  # selenium's own
]
WAIT = 30  # seconds
READY = """
return document.documentElement.dataset.kept !== undefined
  && navigator.serviceWorker.controller !== null;
"""
STEPS = "return document.getElementById('game').dataset.steps"


@pytest.fixture
def screen() -> Iterator[str]:
    """A virtual screen."""
    assert SCREEN
    read, write = os.pipe()
    command = [SCREEN, "-displayfd", str(write), "-screen", "0", "800x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        yield f":{pipe.readline().strip()}"
    server.terminate()
    server.wait()


@pytest.fixture
def webkit(screen: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """That browser."""
    from selenium.webdriver import WebKitGTK, WebKitGTKOptions
    from selenium.webdriver.webkitgtk.service import Service

    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.setenv("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")  # root has no sandbox
    monkeypatch.setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
    options = WebKitGTKOptions()
    options.binary_location = _browser()
    options.add_argument("--automation")
    browser = WebKitGTK(options=options, service=Service(executable_path=DRIVER))
    yield browser
    browser.quit()


def _browser() -> str:
    found = subprocess.run(
        ["find", "/usr/lib", "/usr/libexec", "-name", "MiniBrowser"],
        capture_output=True,
        text=True,
        check=False,
    )
    browsers = [line for line in found.stdout.splitlines() if "webkit2gtk" in line]
    if not browsers:
        pytest.skip(
            "no browser for the driver of WebKitGTK here: apt-get install webkit2gtk-driver"
        )
    return browsers[0]


def test_a_game_goes_on_without_the_server(webkit: Any, server: AppServer, table: Table) -> None:
    from selenium.common.exceptions import (
        ElementNotInteractableException,
        NoSuchElementException,
        StaleElementReferenceException,
    )
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    from tests.browser.bad_line import bad_line

    def until(condition: Any) -> Any:
        return WebDriverWait(webkit, WAIT).until(condition)

    def tap(css: str) -> None:
        def is_tapped(_browser: Any) -> bool:
            webkit.find_element(By.CSS_SELECTOR, css).click()
            return True

        # A key that is just being drawn takes no click yet.
        not_yet = (
            ElementNotInteractableException,
            NoSuchElementException,
            StaleElementReferenceException,
        )
        WebDriverWait(webkit, WAIT, ignored_exceptions=not_yet).until(is_tapped)

    stored_game = table.begin()
    with bad_line(server.address) as line:
        webkit.get(f"{line.address}/rules")
        webkit.add_cookie({"name": table.cookie["name"], "value": table.cookie["value"]})
        webkit.get(line.address + stored_game.path)
        until(lambda one: one.execute_script(READY))
        line.login = 200
        webkit.get(line.address + stored_game.path)
        for step, bid in enumerate((3, 2, 4, 1), 1):
            tap(f'#game .key[value="{bid}"]')
            until(lambda one, step=step: one.execute_script(STEPS) == str(step))
        assert stored_game.game.rounds == ()
        line.login = 0
        until(lambda one: one.find_elements(By.CSS_SELECTOR, "#game[data-unsent='0']"))
    assert stored_game.game.state.open.bids == (3, 2, 4, 1)
