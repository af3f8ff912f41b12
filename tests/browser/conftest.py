"""Fixtures of browser tests: a real browser against the app, served in this process."""

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from waitress import wasyncore
from waitress.server import create_server

from scorekeeper import create_app
from tests.browser.app_server import AppServer, Table
from tests.browser.complaints import Complaints
from tests.browser.player import Player

HERE = Path(__file__).parent
SHELL = "chromium-headless-shell"  # Chromium without windows, which opens pages in half the time
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"width": 390, "height": 844}
expect.set_options(timeout=20_000)  # ms; on a busy computer five seconds, as usual, are too few
NO_BROWSER = (
    "These tests drive a real browser, and there is none here: install Chromium (on Debian "
    "`apt-get install chromium`), or name the program of one in the variable CHROMIUM."
)
LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _program(*names: str) -> str:
    """Return the path of the first browser that is installed; skip the test without one."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return program or pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the headless shell, or else Chromium."""
    program = _program(SHELL, *BROWSERS)
    return {**browser_type_launch_args, "executable_path": program, "args": LAUNCH}


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium with windows, for what the headless shell does not have."""
    return _program(*BROWSERS)


@pytest.fixture(scope="session")
def browser_context_args(server: AppServer) -> dict[str, Any]:
    """Emulate a phone in portrait mode unless a test overrides it."""
    return {
        "base_url": server.address,
        "viewport": PHONE,
        "has_touch": True,
        "is_mobile": True,
        "locale": "en",
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """The app on a free port of this computer."""
    app = create_app(DATA=tmp_path_factory.mktemp("data"), BASE_URL="", OPEN=False)
    server = AppServer(app)
    channels: dict[int, Any] = {}
    http_server = create_server(
        server,
        map=channels,
        host="127.0.0.1",
        port=0,
        threads=128,
        asyncore_use_poll=True,
        channel_request_lookahead=1,
        clear_untrusted_proxy_headers=True,
    )
    server.address = f"http://127.0.0.1:{http_server.effective_port}"
    ended = threading.Event()
    serving = threading.Thread(target=_serve, args=(channels, ended), daemon=True)
    serving.start()
    yield server
    server.stop()
    ended.set()
    serving.join()
    http_server.task_dispatcher.shutdown()
    wasyncore.close_all(channels)


def _serve(channels: dict[int, Any], ended: threading.Event) -> None:
    while not ended.is_set():
        wasyncore.loop(timeout=0.2, use_poll=True, map=channels, count=1)


@pytest.fixture
def table(server: AppServer) -> Iterator[Table]:
    """A table of its own for each test, with one phone that keeps score."""
    yield Table(server)
    server.delay = 0


@pytest.fixture(autouse=True)
def complaints(context: BrowserContext, server: AppServer) -> Iterator[Complaints]:
    """Messages of the browser; the test fails if there are any at its end."""
    heard = Complaints(server.address)
    heard.listen(context)
    yield heard
    assert not heard.serious


# Where motion is reduced, as it is for most tests, no moment of a game stands before the keys.
WITHOUT_MOMENTS = """
try {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches)
    localStorage["sense.moments"] ??= "off";
} catch {}
"""


@pytest.fixture(autouse=True)
def _without_moments(context: BrowserContext) -> None:
    context.add_init_script(WITHOUT_MOMENTS)


@pytest.fixture
def phone(context: BrowserContext, page: Page, table: Table) -> Page:
    """A phone that keeps score for the table, with nothing on its screen yet."""
    context.add_cookies([table.cookie])
    return page


@pytest.fixture
def player(phone: Page) -> Player:
    """A player who uses that phone."""
    return Player(phone)
