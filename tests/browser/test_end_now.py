"""The menu ends a game with what is scored, in a tie and with bids entered, offline too."""

import os
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import settled

BIDS, TRICKS, LEVEL = (2, 2, 2, 2, 2), (2, 2, 1, 1, 4), (3, 3, 2, 2, 0)


class Case(NamedTuple):
    """What was scored and bid, how the menu says that it ends, and what the end then says."""

    tricks: tuple[int, ...]
    bids: int
    line: str
    winner: str
    restored: str = "Round 2"


CASES = {
    "nothing bid": Case(TRICKS, 0, "Centre wins with 22.", "Centre wins"),
    "two bids": Case(TRICKS, 2, "Centre wins with 22. Drops 2 bids.", "Centre wins"),
    "a tie": Case(LEVEL, 0, "North and East win with 21.", "North and East win"),
    "a tie and a bid": Case(
        LEVEL, 1, "North and East win with 21. Drops 1 bid.", "North and East win"
    ),
}


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


def played(table: Table, tricks: tuple[int, ...] = TRICKS) -> StoredGame:
    return table.begin(CAST, target="300").play(BIDS, tricks)


def end(page: Page, line: str = "Centre wins with 22.", winner: str = "Centre wins") -> None:
    page.locator("#menu > summary").tap()
    link = settled(page).get_by_role("link", name="End now")
    expect(link).to_have_accessible_name(f"End now {line}")
    shot(page, "end-menu")
    link.tap()
    asked = page.locator("#end-asked")
    expect(asked).to_contain_text(line)
    shot(page, "end-asked")
    asked.get_by_role("button", name="End now").tap()
    expect(page.locator("#winner")).to_have_text(winner)
    shot(page, "end-result")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_game_ends_with_what_is_scored_and_undo_takes_that_back(
    table: Table, phone: Page, case: Case
) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table, case.tricks)
    for _bid in range(case.bids):
        stored_game.bid(2)
    before = stored_game.game.rounds
    offline.load(stored_game.path)
    end(phone, case.line, case.winner)
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"
    offline.breathe()
    phone.locator("#menu > summary").tap()
    settled(phone).locator("#menu .icon-undo").tap()
    expect(phone.locator("h1")).to_contain_text(case.restored)
    offline.wait_until_saved()
    assert stored_game.game.rounds == before
    expect(phone.locator(".seat.done")).to_have_count(case.bids)


def test_it_ends_offline_and_is_sent_later(table: Table, phone: Page) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table)
    offline.load(stored_game.path)
    offline.cut()
    end(phone)
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"


def test_a_bid_of_another_phone_meanwhile_is_kept_and_does_not_count(
    table: Table, phone: Page
) -> None:
    offline = OfflinePlayer(phone)
    stored_game = played(table)
    offline.load(stored_game.path)
    offline.cut()
    end(phone)
    stored_game.bid(3)
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "over"
    assert stored_game.game.state.uncounted == 1
    expect(phone.locator("#won")).to_contain_text("1 round after the end doesn’t count.")
