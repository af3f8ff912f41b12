"""Scenes of the offline pages, added to the other scenes."""

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Bid, Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.scenes import ROUND, scene, won
from tests.browser.scenes_club import SCENES

__all__ = ["SCENES"]


def alone(stored_game: StoredGame, page: Page) -> OfflinePlayer:
    """Return a phone that is offline, with a game on its screen."""
    offline = OfflinePlayer(page).load(stored_game.path)
    offline.cut()
    page.reload()
    expect(offline.line()).to_contain_text("Offline.")
    return offline


def scored(offline: OfflinePlayer, bids: Sequence[Bid], tricks: Sequence[int], first: int) -> None:
    """Record a round that begins with one of four seats."""
    offline.play_offline(bids, tricks, [(first + step) % 4 for step in range(4)])


def alone_at_the_bids(table: Table, page: Page) -> None:
    offline = alone(table.begin(rules="cutthroat").play((3, 2, 4, 3), (4, 2, 3, 4)), page)
    offline.tap_offline(3, 3, 3)


@scene
def alone_before_the_first_bid(table: Table, page: Page) -> None:
    alone(table.begin(stake=250), page)
    expect(page.locator(".deck")).to_be_visible()


@scene
def alone_with_the_rules(table: Table, page: Page) -> None:
    rules = {"target": "170", "mercy": "-300", "bag_limit": "off"}
    offline = alone(table.begin(rules="partnership-sandbags", **rules), page)
    offline.rules_offline()


@scene
def alone_with_all_tricks(table: Table, page: Page) -> None:
    offline = alone(table.begin().play(*ROUND), page)
    scored(offline, (1, 3, 4, 2), (1, 5, 4, 0), 1)
    offline.tap_offline(2, Nil.NIL, 3, 4, 2, 1, 3)


@scene
def alone_with_reasons_and_the_menu(table: Table, page: Page) -> None:
    offline = alone(table.begin().play(*ROUND), page)
    scored(offline, (1, 3, 4, 2), (1, 5, 4, 0), 1)
    # The menu last, as it lies over some of the reasons.
    for summary in reversed(page.locator("summary:visible").all()):
        summary.click()


@scene
def alone_with_something_refused(table: Table, page: Page) -> None:
    alone_at_the_bids(table, page)
    page.locator(".key.disabled").first.tap(force=True)
    expect(page.locator("#message")).to_be_visible()


@scene
def alone_with_a_winner(table: Table, page: Page) -> None:
    offline = alone(table.begin(target="60").play(*ROUND), page)
    scored(offline, (1, 3, 4, 2), (1, 5, 4, 0), 1)
    expect(page.locator("#winner")).to_be_visible()


@scene
def alone_with_a_past_round(table: Table, page: Page) -> None:
    offline = alone(table.begin().play(*ROUND), page)
    page.locator("#rounds a").first.tap()
    page.locator("[name=tricks-1]").select_option("9")
    offline.button("Save").tap()
    expect(page.get_by_role("alert")).to_be_visible()


@scene
def alone_with_all_games(table: Table, page: Page) -> None:
    won(table)
    alone(table.begin(rules="partnership"), page).tap_offline(3)
    page.locator(".bar-home").tap()
    expect(page.locator(".result, .felt .button")).to_have_count(2)


@scene
def alone_with_a_new_game(table: Table, page: Page) -> None:
    alone(won(table), page)
    page.goto("/games/new")
    page.locator("#player-2").fill("North")
    page.locator("#options > summary").tap()
    page.locator("#book summary").tap()
    page.get_by_role("button", name="Start game").tap()
    expect(page.get_by_role("alert")).to_be_visible()


@scene
def a_phone_that_keeps_nothing(table: Table, page: Page) -> None:
    page.goto("/phone")
    expect(page.get_by_text("No games saved on this phone yet")).to_be_visible()


@scene
def two_phones_that_recorded_one_round(table: Table, page: Page) -> None:
    stored_game = table.begin().play(*ROUND)
    offline = alone(stored_game, page)
    scored(offline, (1, 3, 4, 2), (1, 5, 4, 0), 1)
    stored_game.play((1, 3, 4, 2), (1, 4, 5, 0))
    offline.mend()
    expect(page.get_by_text("Round 2: two entries")).to_be_visible(timeout=20_000)


@scene
def a_phone_whose_entry_was_not_taken(table: Table, page: Page) -> None:
    two_phones_that_recorded_one_round(table, page)
    page.get_by_role("button", name="Keep the saved entry").tap()
    expect(page.get_by_role("region", name="Replaced entries from this phone")).to_be_visible()
    expect(page.locator("#game")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("region", name="Replaced entries from this phone")).to_be_visible()


@scene
def a_round_that_waits_while_the_server_answers(table: Table, page: Page) -> None:
    two_phones_that_recorded_one_round(table, page)
    page.goto("/")
    expect(page.locator("#waiting")).to_be_visible()
