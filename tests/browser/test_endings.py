"""The end of a game, ties, and undoing the last round."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scorekeeper.clock import now
from scorekeeper.store import journal
from tests.browser.app_server import StoredGame, Table
from tests.browser.player import Player, ready, wait_until_saved

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

LEVEL = ((5, 5, 1, 1), (5, 5, 0, 0))


def test_a_tie_at_the_target_plays_on_and_says_so(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.path)
    player.bid(2, 2, 3, 3)  # South, West, North, East
    player.take(2, 2, 3)
    player.score()
    assert player.totals()[:2] == [130, 130]
    expect(player.page.locator("#tie")).to_have_text(
        "North and East are tied at 130. Play another round."
    )
    expect(player.page.locator("h1")).to_have_text("Round 4 · South deals")
    assert player.active() == "West"
    player.bid(1, 2, 1, 2)
    player.take(3, 3, 2)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")
    expect(player.page.locator("#tie")).to_have_count(0)


def test_undo_of_the_winning_round_opens_the_game_again(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.path)
    player.bid(2, 2, 4, 2)
    player.take(2, 2, 4)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")
    expect(player.page.locator(".winner")).to_contain_text("First to 125, highest score wins.")
    assert player.totals()[0] == 140
    player.button("Undo").last.tap()
    expect(player.page.locator("#winner")).to_have_count(0)
    expect(player.page.locator(".counted")).to_contain_text("All 10 counted")
    assert player.totals() == [100, 100, -20, -20]
    player.page.clock.fast_forward(300)
    player.score()
    expect(player.page.locator("#winner")).to_have_text("North wins")


def correct(stored_game: StoredGame) -> None:
    stored_game.score(2, (10, 0, 0, 0), (10, 1, 1, 1))


def change_rules(stored_game: StoredGame) -> None:
    game = stored_game.game
    with stored_game.table.server.store.write() as db:
        changed = replace(game.rules, target=75)
        journal.change_rules(
            db, game, changed, game.version, journal.Who(stored_game.table.phone.id, now())
        )


@pytest.mark.parametrize("end", [correct, change_rules])
def test_undo_takes_back_a_change_that_ends_the_game_in_the_middle_of_a_round(
    table: Table, player: Player, end: Callable[[StoredGame], None]
) -> None:
    stored_game = table.begin().play(*LEVEL).play((3, 2, 3, 2), (3, 2, 3, 2)).bid(3, 2)
    bids = stored_game.game.state.open.bids
    ready(player.open(stored_game.path).page)
    end(stored_game)
    lines = len(stored_game.journal())
    expect(player.page.locator("#winner")).to_be_visible()
    expect(player.page.locator(".winner")).to_contain_text("1 round after the end doesn’t count.")
    player.button("Undo").last.tap()
    expect(player.page.locator("#winner")).to_have_count(0)
    wait_until_saved(player.page)
    assert stored_game.game.state.open.bids == bids
    assert [kind for kind, _round in stored_game.journal()[lines:]] == ["undo"]


def test_the_winner_is_a_heading_that_is_spoken(table: Table, player: Player) -> None:
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open(stored_game.bid(2, 2, 4, 2).take(2, 2).path)
    player.take(4)
    spoken = player.page.get_by_role("status")
    expect(spoken).to_contain_text("Round 3 is ready to score")
    player.score()
    expect(player.page.get_by_role("heading", name="North wins", level=1)).to_be_visible()
    expect(spoken).to_contain_text("North wins with ")


def test_the_winner_leads_to_the_other_games_of_the_evening(table: Table, player: Player) -> None:
    table.begin(target="30").play(*LEVEL)
    stored_game = table.begin().play(*LEVEL).play(*LEVEL)
    player.open("/").open(stored_game.path)
    player.bid(2, 2, 4, 2)
    player.take(2, 2, 4)
    link = player.page.get_by_role("link", name="Today’s games")
    expect(link).to_have_count(0)
    player.score()
    link.tap()
    expect(player.page.locator("#found")).to_contain_text("North won with 140")
