"""An evening at a table of five: one leaves, one comes, three rounds are played offline."""

import io
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.exports import csv_of, sheet_of
from scorekeeper.rules.seating import Seats, Substitute
from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.store.disagreements import disagreements

FIVE = ("Ana", "Ben", "Cy", "Dana", "Eve")
BIDS = (2,) * 5
OFFERED = 15_000  # ms, longer than sounds are offered
ALL_EXACT, ANA_TAKES_FOUR = (2, 2, 2, 2, 2), (4, 0, 2, 2, 2)


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


def play(offline: OfflinePlayer, tricks: Sequence[int]) -> None:
    """Play a round of those who are on the page, in their order."""
    rows = offline.page.locator(".seats > .seat").all()
    order = [int((row.get_attribute("id") or "").rpartition("-")[2]) for row in rows]
    offline.play_offline(BIDS, tricks, order)


def open_menu(page: Page, form: str) -> None:
    """Open a form of the menu, which may be open from the last time."""
    if page.locator(".toast").count():  # over it, and then its place
        page.clock.run_for(OFFERED)
    for part in ("#menu", f"#{form}"):
        if not page.locator(f"{part}[open]").count():
            page.locator(f"{part} > summary").tap()


def test_an_evening_of_five(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(FIVE, target="300")
    page = offline.page
    offline.load(stored_game.path)
    play(offline, ALL_EXACT)
    play(offline, ALL_EXACT)
    open_menu(page, "seats")
    page.locator("#seats select[name='seat']").select_option("2")
    page.get_by_role("button", name="Continue without a substitute").tap()
    expect(page.locator("#news")).to_contain_text("Ben leaves")
    expect(page.locator(".deck")).to_contain_text("Remove all 2s, 3s and 4s. 40 cards, 10 each.")
    expect(page.locator(".strip .left")).to_contain_text("Ben")
    play(offline, ANA_TAKES_FOUR)
    offline.wait_until_saved()

    offline.cut()
    play(offline, ANA_TAKES_FOUR)
    open_menu(page, "seats")
    page.locator("#seats select[name='seat']").select_option("2")
    page.locator("#seats input[name='name']").fill("Fay")
    page.get_by_role("button", name="Swap in").tap()
    expect(page.locator(".now")).to_contain_text("Fay joins")
    expect(page.locator(".deck")).to_contain_text("50 cards, 10 each.")
    play(offline, ALL_EXACT)
    open_menu(page, "penalty")
    page.locator("#penalty select[name='seat']").select_option("3")
    page.get_by_role("button", name="Add penalty").tap()
    expect(page.locator(".now")).to_contain_text("Cy – Renege: 3 tricks taken away")
    play(offline, ALL_EXACT)
    offline.mend()
    offline.wait_until_saved()

    play(offline, ALL_EXACT)
    page.locator("#menu > summary").tap()
    page.get_by_role("button", name="Last round").tap()
    play(offline, ALL_EXACT)
    expect(page.locator("#winner")).to_have_text("Ana wins")
    offline.wait_until_saved()
    check_game(stored_game)

    page.get_by_role("button", name="Rematch").tap()
    expect(page.locator(".seats")).to_contain_text("Fay")
    expect(page.locator(".seats > .seat")).to_have_count(5)


def check_game(stored_game: StoredGame) -> None:
    game = stored_game.game
    assert game.state.standing.totals == (164, 80, 120, 160, 160)
    assert game.state.seats == Seats(("Ana", "Fay", "Cy", "Dana", "Eve"))
    changes = {
        n: one.notes.substitutes for n, one in enumerate(game.rounds, 1) if one.notes.substitutes
    }
    assert changes == {3: (Substitute(1, None),), 5: (Substitute(1, "Fay"),)}
    saved = b"".join(csv_of([sheet_of(stored_game.table.server.store.db, game)]))
    read = next(read_games(io.BytesIO(saved)))
    assert [one.round for one in game.state.rounds] == list(read.rounds)
    assert disagreements(stored_game.table.server.store.db) == []
