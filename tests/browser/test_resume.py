"""A game resumes where it was after the browser was closed."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.player import Player, ready, wait_until_saved

Reopen = Callable[[BrowserContext], Player]


@pytest.fixture
def reopen(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Reopen]:
    """Closes a browser, and opens it again with what it keeps on disk."""
    opened: list[BrowserContext] = []

    def close_and_open(before: BrowserContext) -> Player:
        kept = before.storage_state()
        before.close()
        opened.append(browser.new_context(**browser_context_args, storage_state=kept))
        return Player(opened[-1].new_page())

    yield close_and_open
    for context in opened:
        context.close()


def test_half_of_the_bids(table: Table, player: Player, reopen: Reopen) -> None:
    player.open(table.begin().play((3, 2, Nil.NIL, 4), (3, 4, 0, 3)).path)
    player.bid(Nil.NIL, 2)
    before = seen(player.page)
    again = reopen(player.page.context)
    play_on(again)
    # How far the target is comes with the scripts that load later.
    expect(again.page.locator(".seat").nth(1)).to_contain_text("short of 125")
    assert seen(again.page) == before
    assert again.active() == "West"
    again.bid(4, 1)
    expect(again.page.locator("#score")).to_be_visible()


def test_half_of_the_trick_counts(table: Table, player: Player, reopen: Reopen) -> None:
    player.open(table.begin().path)
    player.bid(3, 2, Nil.NIL, 4)
    player.take(3, 4)
    before = seen(player.page)
    again = reopen(player.page.context)
    play_on(again)
    assert seen(again.page) == before
    assert again.active() == "South"
    again.take(0)
    again.score()
    assert again.totals() == [30, 22, 50, -40]


def test_the_tally_of_a_round_being_played(table: Table, player: Player, reopen: Reopen) -> None:
    player.open(table.begin().bid(3, 2, Nil.NIL, 4).path)
    for name in ("North", "West", "North"):
        player.page.clock.fast_forward(300)
        player.button(f"One more trick for {name}").tap()
        expect(player.page.locator(".seat", has_text=name).locator(".seat-count")).not_to_have_text(
            "?"
        )
    expect(player.page.locator(".seat-count")).to_have_text(["2", "0", "0", "1"])
    wait_until_saved(player.page)
    again = reopen(player.page.context)
    play_on(again)
    expect(again.page.locator(".seat-count")).to_have_text(["2", "0", "0", "1"])


def test_the_winner_is_still_there(table: Table, player: Player, reopen: Reopen) -> None:
    stored_game = table.begin(target="30").play((3, 2, 2, 2), (4, 2, 2, 2))
    player.open(stored_game.path)
    again = reopen(player.page.context).open("/")
    expect(again.button("Rematch North, East, South and West")).to_be_visible()
    again.page.locator(".result").tap()
    expect(again.page.locator("#winner")).to_have_text("North wins")


def play_on(player: Player) -> None:
    """Go on from the table's page, as one does who opens the browser again."""
    player.open("/")
    player.page.get_by_role("link", name="Continue").tap()
    ready(player.page)


def seen(page: Page) -> str:
    """Return everything that the page of a game says."""
    return page.locator("#game").inner_text()
