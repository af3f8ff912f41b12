"""Phones in two time zones at one table, and a server in a third."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import zone_of_table
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.offline import OfflinePlayer

pytestmark = pytest.mark.browser

EVENING = "2025-11-24T07:30:00.000+00:00"
LOS_ANGELES = "America/Los_Angeles"
DAYS = {  # the first phone that joins comes first
    LOS_ANGELES: "23 Nov 2025",
    "Pacific/Auckland": "24 Nov 2025",
}


def joined(browser: Browser, table: Table, zone: str, args: dict[str, Any]) -> Page:
    """Return a phone in a time zone that joins the table by its link."""
    page = browser.new_context(**args, timezone_id=zone).new_page()
    page.goto(table.link())
    page.get_by_role("button", name="Join").tap()
    expect(page).to_have_url(f"{table.server.address}/")
    return page


def test_each_phone_reads_its_own_days_and_all_read_the_same_result(
    browser: Browser, browser_context_args: dict[str, Any], table: Table
) -> None:
    with table.server.store.write() as db:
        setup = GameSetup(replace(CUTTHROAT_LITE, target=25), CAST[:4], 3)
        began = datetime.fromisoformat(EVENING)
        game = StoredGame(table, create_game(db, table.id, setup, Who(None, began)))
    game.play((3, 2, 2, 1), (3, 2, 2, 3))
    table.begin()  # the newest one, so that home lists the other below it
    for zone, day in DAYS.items():
        page = joined(browser, table, zone, browser_context_args)
        page.goto("/history")
        expect(page.locator("h2.evening")).to_contain_text(day)
        page.goto(f"{game.path}/result")
        expect(page.locator("main")).to_contain_text("23 Nov 2025")
        page.goto("/settings")
        expect(page.locator("a[href='/settings/zone']")).to_contain_text(LOS_ANGELES)
        page.goto("/settings/zone")
        expect(page.locator("#own-zone")).to_have_count(0 if zone == LOS_ANGELES else 1)
        offline = OfflinePlayer(page).load("/")
        expect(page.locator(f"a[href='{game.path}']")).to_contain_text(day)
        offline.cut()
        page.goto("/")
        expect(page.locator(f"a[href='{game.path}']")).to_contain_text(day)
        page.context.close()
    assert zone_of_table(table.server.store.db, table.id) == LOS_ANGELES


@pytest.mark.browser_context_args(timezone_id="Pacific/Auckland")
def test_a_phone_that_travelled_tells_its_new_zone(phone: Page, table: Table) -> None:
    phone.context.add_cookies([{**table.cookie, "name": "zone", "value": LOS_ANGELES}])
    phone.goto("/")
    assert "zone=Pacific/Auckland" in phone.evaluate("document.cookie").split("; ")
