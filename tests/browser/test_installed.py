"""The installed app: its manifest, its service worker, and how a new version takes over."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Response
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import wait_until_saved

STATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return { kept: await caches.keys(), waits: registration.waiting !== null };
}"""
UPDATE = """async () => {
  const registration = await (await navigator.serviceWorker.ready).update();
  const worker = registration.installing ?? registration.waiting;
  while (worker.state === "installing")
    await new Promise((resolve) => worker.addEventListener("statechange", resolve));
  return worker.state;
}"""


@pytest.fixture
def installing(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    chromium: str,
    tmp_path: Path,
    table: Table,
) -> Iterator[BrowserContext]:
    """A browser with a persistent profile: nothing can be installed in an incognito context."""
    options = browser_type_launch_args | {"executable_path": chromium} | browser_context_args
    context = browser_type.launch_persistent_context(tmp_path, **options)
    context.add_cookies([table.cookie])
    yield context
    context.close()


def test_the_pages_can_be_installed(installing: BrowserContext, table: Table) -> None:
    page = installing.pages[0]
    session = installing.new_cdp_session(page)
    for path in ("/", table.begin().path, "/phone"):
        page.goto(path)
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        manifest = session.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"].endswith("/manifest.webmanifest")


def test_the_shortcuts_lead_to_a_new_game_and_to_the_one_that_is_on(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin()
    shortcuts = phone.request.get("/manifest.webmanifest").json()["shortcuts"]
    ends = []
    for shortcut in shortcuts:
        phone.goto(shortcut["url"])
        ends.append(phone.url.removeprefix(table.server.address))
    assert ends == [stored_game.path, "/games/new"]


def test_a_new_version_takes_over_when_nothing_is_half_entered(
    table: Table, phone: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    OfflinePlayer(phone).load(table.begin().path).open("/phone")
    before = phone.evaluate(STATE)
    phone.locator("[data-action=new]").tap()
    phone.locator("#player-1").fill("Norther")
    old = before["kept"][0].removeprefix("phone-")
    text = phone.request.get("/sw.js").text().replace(old, "another")
    monkeypatch.setitem(
        table.server.app.view_functions,
        "offline.worker",
        lambda: Response(text, content_type="text/javascript; charset=utf-8"),
    )
    assert phone.evaluate(UPDATE) == "installed"
    assert phone.evaluate(STATE)["waits"] is True
    expect(phone.locator("#player-1")).to_have_value("Norther")
    with phone.expect_event("load"):
        phone.locator("[data-action=list]").tap()
    assert phone.evaluate(STATE) == {"kept": ["phone-another"], "waits": False}


def test_a_tap_does_not_wait_for_the_service_worker(table: Table, phone: Page) -> None:
    player = OfflinePlayer(phone).load(table.begin().path)
    session = phone.context.new_cdp_session(phone)
    session.send("Network.enable")
    ways: dict[str, Any] = {}  # how the service worker lets each request pass
    session.on("Network.responseReceived", lambda event: note_way(ways, event["response"]))
    player.bid(3)
    wait_until_saved(phone)
    assert [way for path, way in ways.items() if path.endswith("/sent")] == ["network"]


def note_way(ways: dict[str, Any], response: dict[str, Any]) -> None:
    ways[response["url"]] = response.get("serviceWorkerRouterInfo", {}).get("matchedSourceType")
