"""Undo offline: entries of this phone, and those that the server had before."""

from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.round import Round
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player

FIRST, SECOND = ((3, 2, Nil.NIL, 4), (3, 4, 0, 3)), ((1, 3, 4, 2), (1, 5, 4, 0))


def test_undo_goes_back_over_the_rounds_of_the_server_and_is_sent(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin(target="300").play(*FIRST).play(*SECOND).bid(2)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.tap_offline(3)
    for _ in range(3):
        offline.undo_offline()
    expect(phone.locator("h1")).to_have_text("Round 2 · 10 of 10 bid")
    assert offline.totals() == [30, 22, 50, -40]
    offline.undo_offline()  # West's bid of round 2, as the round was scored in one step
    assert phone.locator(".seat-bid").all_inner_texts() == ["3", "4", "2", "?"]
    offline.tap_offline(1)
    expect(offline.line()).to_contain_text("2 rounds will be sent later")
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds == (Round(*FIRST), Round((1, 3, 4, 2)))
    undone = [("undo", 3), ("undo", 2), ("undo", 2)]
    assert stored_game.journal()[-4:] == [*undone, ("bid", 2)]


def test_redo_brings_back_what_was_taken_back_on_the_server(table: Table, phone: Page) -> None:
    stored_game = table.begin(target="300").play(*FIRST)
    player = Player(phone)
    player.open(stored_game.path)
    player.bid(1)
    for shown in ("Round 2 · North deals", "Round 1 · 9 of 10 bid"):
        with phone.expect_response("**/undo"):
            phone.locator("#undo").tap()
        expect(phone.locator("h1")).to_have_text(shown)
        player.breathe()
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    for _ in range(2):
        offline.redo_offline()
    assert phone.locator(".seat-bid").all_inner_texts() == ["1", "?", "", ""]
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds == (Round(*FIRST), Round((None, 1, None, None)))


def test_undo_reopens_a_game_that_was_won_with_the_server(table: Table, phone: Page) -> None:
    stored_game = table.begin(target="50").play((5, 1, 1, 1), (6, 2, 1, 1))
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    expect(phone.get_by_role("heading", name="North wins")).to_be_visible()
    offline.undo_offline()
    offline.tap_offline(4, 4, 1)
    offline.confirm_offline()
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.rounds == (Round((5, 1, 1, 1), (4, 4, 1, 1)),)
    assert stored_game.game.state.phase == "bidding"


def test_a_round_reopened_here_from_which_another_phone_played_on_is_asked_about(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin(target="300").play(*FIRST).play(*SECOND)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.undo_offline()
    stored_game.bid(2, 5)
    offline.mend()
    offline.ask_until(phone.get_by_role("heading", name="Round 2: two entries"))
    offline.page.get_by_role("button", name="Keep the saved entry").tap()
    offline.wait_until_saved()
    expect(phone.locator(".seat-bid")).to_have_text(["2", "5", "?", ""])
    assert stored_game.game.rounds == (
        Round(*FIRST),
        Round(*SECOND),
        Round((None, None, 2, 5)),
    )
