"""Calling a deal off."""

import pytest

from tests.web.checklist import VersionChecklist
from tests.web.game.test_seats import claim_seat
from tests.web.page import Page
from tests.web.play import Table, page_of

NOBODY = (None,) * 4


class TestAddress(VersionChecklist):
    __test__ = True

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)

    def address(self, table: Table) -> str:
        return table.round_path("misdeal", 1)


def test_the_bids_go_and_the_same_dealer_deals_again(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    dealer = game.state.dealer
    assert game.misdeal().location == game.path
    assert game.state.open.bids == NOBODY
    assert (game.state.number, game.state.dealer) == (1, dealer)


def test_the_tally_goes_too(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    game.take(3)
    game.misdeal()
    assert game.state.open.tally is None


def test_nothing_is_kept_of_a_round_that_is_dealt_again(game: Table) -> None:
    game.bid_round(3, 2, 1, 4)
    game.misdeal()
    assert game.game.rounds == ()
    said = "Misdeal: West deals again. Undo takes that back."
    assert game.page().texts("p[@class='message tie note']") == [said]
    game.bid(3)
    assert said not in game.page().text
    game.misdeal()
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(3)
    game.misdeal()
    assert len(game.game.rounds) == 1
    game.undo()
    game.undo()
    game.redo()
    game.redo()
    assert len(game.game.rounds) == 1


def test_undo_brings_the_bids_back(game: Table) -> None:
    game.bid_round(3, 2, 1, 4)
    game.misdeal()
    game.undo()
    assert game.state.open.bids == (3, 2, 1, 4)


def test_the_journal_says_so(game: Table) -> None:
    game.bid(3)
    game.misdeal()
    assert "misdeal, redealt" in game.page(f"{game.path}/changes").text


def test_before_the_first_bid_there_is_nothing_to_call_off(game: Table) -> None:
    before = game.everything()
    assert game.post(game.round_path("misdeal"), game.fresh()).status_code == 303
    assert game.everything() == before


def test_the_deal_of_a_scored_round_stands(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    before = game.everything()
    answer = game.post(game.round_path("misdeal", 1), game.fresh())
    assert answer.status_code == 422
    assert "This round is already scored" in page_of(answer).alerts
    assert game.everything() == before


def test_earlier_rounds_stay(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(3)
    game.misdeal()
    assert game.totals == (30, 22, 50, -40)
    assert game.state.number == 2


def test_a_bid_made_on_another_phone_meanwhile_is_not_lost(game: Table) -> None:
    game.bid(3)
    old = game.page().form("/misdeal")
    game.bid(2)
    answer = game.send(old)
    assert answer.status_code == 409
    assert game.state.open.bids == (3, 2, None, None)
    assert game.send(page_of(answer).form("/misdeal")).status_code == 303
    assert game.state.open.bids == NOBODY


@pytest.fixture
def thrown_in(table: Table) -> Table:
    """A game of 41 in which all bids together are one too low."""
    table.new_game("forty-one")
    table.bid_round(2, 2, 3, 3)
    return table


def form_page(table: Table) -> Page:
    return table.page(table.round_path())


def test_bids_that_are_too_low_together_are_dealt_again_with_one_tap(thrown_in: Table) -> None:
    dealer, page = thrown_in.state.dealer, form_page(thrown_in)
    assert "Bids total 10, but at least 11 are needed. Deal again." in page.text
    assert thrown_in.send(page.form("/misdeal")).location == thrown_in.path
    assert thrown_in.state.open.bids == NOBODY
    assert (thrown_in.state.number, thrown_in.state.dealer) == (1, dealer)
    assert "Deal again" not in form_page(thrown_in).text
    assert "misdeal, redealt" in thrown_in.page(f"{thrown_in.path}/changes").text
    thrown_in.undo()
    assert thrown_in.state.open.bids == (2, 2, 3, 3)
    assert form_page(thrown_in).form("/misdeal")


def test_a_phone_with_a_seat_may_deal_again_too(thrown_in: Table) -> None:
    east = thrown_in.second_phone()
    claim_seat(east, 2)
    assert "This phone plays for East." in form_page(east).text
    assert "is bidding" not in form_page(east).text
    assert east.send(form_page(east).form("/misdeal")).status_code == 303
    assert thrown_in.state.open.bids == NOBODY


def test_a_bid_that_was_too_low_can_be_raised_instead(thrown_in: Table) -> None:
    thrown_in.bid(4, seat=1)
    assert thrown_in.state.phase == "playing"
    assert "Deal again" not in form_page(thrown_in).text
    assert thrown_in.take(3).status_code == 303
