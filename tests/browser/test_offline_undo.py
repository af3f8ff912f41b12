"""Undo without the server: over what this phone recorded, and over what the server had."""

from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import Round
from tests.browser.house import Table
from tests.browser.offline import Cellar
from tests.browser.player import Player

FIRST, SECOND = ((3, 2, Nil.NIL, 4), (3, 4, 0, 3)), ((1, 3, 4, 2), (1, 5, 4, 0))


def test_undo_goes_back_over_the_rounds_of_the_server_and_is_sent(
    table: Table, phone: Page
) -> None:
    evening = table.begin(target="300").play(*FIRST).play(*SECOND).bid(2)
    cellar = Cellar(phone).load(evening.path)
    cellar.cut()
    phone.reload()
    cellar.tap_alone(3)
    for _ in range(3):
        cellar.undo_alone()
    expect(phone.locator("h1")).to_have_text("Round 2 · tricks")
    assert cellar.totals() == [30, 22, 50, -40]
    cellar.undo_alone()  # West's bid of round 2, as the round was scored in one step
    assert phone.locator(".seat-bid").all_inner_texts() == ["3", "4", "2", "?"]
    cellar.tap_alone(1)
    expect(cellar.line()).to_contain_text("2 rounds wait to be sent")
    cellar.mend()
    cellar.back_at_the_server()
    assert evening.game.rounds == (Round(*FIRST), Round((1, 3, 4, 2)))
    before = evening.journal()
    assert before[-2:] == [("removed", 3), ("corrected", 2)]


def test_redo_brings_back_what_was_taken_back_on_the_server(table: Table, phone: Page) -> None:
    evening = table.begin(target="300").play(*FIRST)
    player = Player(phone)
    player.open(evening.path)
    player.bid(1)
    for shown in ("Round 2 · North deals", "Round 1 · tricks"):
        with phone.expect_response("**/undo"):
            phone.locator("#undo").tap()
        expect(phone.locator("h1")).to_have_text(shown)
        phone.clock.fast_forward(1000)
    cellar = Cellar(phone).load(evening.path)
    cellar.cut()
    phone.reload()
    for _ in range(2):
        cellar.redo_alone()
    assert phone.locator(".seat-bid").all_inner_texts() == ["1", "?"]
    cellar.mend()
    cellar.back_at_the_server()
    assert evening.game.rounds == (Round(*FIRST), Round((None, 1, None, None)))


def test_undo_reopens_a_game_that_was_won_with_the_server(table: Table, phone: Page) -> None:
    evening = table.begin(target="50").play((5, 1, 1, 1), (6, 2, 1, 1))
    cellar = Cellar(phone).load(evening.path)
    cellar.cut()
    phone.reload()
    expect(phone.get_by_role("heading", name="North wins")).to_be_visible()
    cellar.undo_alone()
    cellar.tap_alone(4, 4, 1)
    cellar.confirm_alone()
    cellar.mend()
    cellar.back_at_the_server()
    assert evening.game.rounds == (Round((5, 1, 1, 1), (4, 4, 1, 1)),)
    assert evening.game.board.phase == "bidding"


def test_a_round_reopened_here_from_which_another_phone_played_on_is_asked_about(
    table: Table, phone: Page
) -> None:
    evening = table.begin(target="300").play(*FIRST).play(*SECOND)
    cellar = Cellar(phone).load(evening.path)
    cellar.cut()
    phone.reload()
    cellar.undo_alone()
    evening.bid(2, 5)
    cellar.mend()
    cellar.ask_until(phone.get_by_role("heading", name="Round 2: two entries"))
    cellar.button("Keep what is recorded").tap()
    cellar.back_at_the_server()
    assert phone.locator(".seat-bid").all_inner_texts() == ["2", "5", "?", ""]
    assert evening.game.rounds == (
        Round(*FIRST),
        Round(*SECOND),
        Round((None, None, 2, 5)),
    )
