"""The app of a phone below a path, as on a host that other programs share."""

import re
import socket
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.program import Program


@pytest.mark.slow
def test_a_game_is_played_below_a_path_with_and_without_the_server(
    browser: Browser, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    base = f"http://localhost:{port}/scores"
    command = [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", str(port)]
    settings = {"SCOREKEEPER_URL": base, "SCOREKEEPER_DATA": str(tmp_path / "games")}
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page, asked = context.new_page(), list[str]()
    context.on("request", lambda request: asked.append(request.url))
    with Program(command, **settings) as program:
        page.goto(program.join_link)
        page.locator("main form button").first.click()
        page.wait_for_url(f"{base}/")
        page.goto(f"{base}/games/new")
        for number, name in enumerate(("North", "East", "South", "West"), 1):
            page.fill(f"[name=player-{number}]", name)
        page.locator("form button.strong").first.click()
        page.wait_for_url(re.compile(r"/scores/games/[a-z0-9]{10}$"))
        with page.expect_response(re.compile(r"/scores/games/\w+/rounds/1/sent$")) as sent:
            page.locator("#game button:visible").nth(3).click()
        assert sent.value.status == 200
        scope = page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
        assert scope == f"{base}/"
        program.kill()
    page.reload()
    page.locator("#game button:visible").nth(2).click()
    expect(page.locator("main")).to_contain_text("will be sent later")
    assert {url for url in asked if not url.startswith(f"{base}/")} == set()
    context.close()
