"""Games in which a number can be bid blind, before looking at the cards."""

import pytest

from scorekeeper.rules.bidding import blind_bid
from scorekeeper.store.check import faults
from tests.web.history.test_import_export import confirm, said, upload
from tests.web.play import Table, page_of

GOLDEN = {"blind_bid_from": 6, "blind_trick_points": 20, "blind_set_points": 10}
HAND = ("blind 6", 3, 1, 2), (6, 4, 1, 2)


@pytest.fixture
def golden(table: Table) -> Table:
    """A game of two sides, six and more of which can be bid blind; West deals."""
    table.new_game("partnership", first_dealer=4, **GOLDEN)
    return table


def offered(table: Table, seat: int) -> list[str]:
    """Return the blind bids that the form of the round offers a seat."""
    fields = table.page(table.round_path()).one(f"select[@name='bid-{seat}']").iter("option")
    bids = [option.get("value", "") for option in fields]
    return [bid for bid in bids if bid.startswith("blind ")]


def test_the_form_offers_blind_bids_beside_the_others(golden: Table) -> None:
    assert offered(golden, 1) == [f"blind {n}" for n in range(6, 14)]
    golden.bid("blind 6")
    assert golden.game.rounds[0].bids == (blind_bid(6), None, None, None)


def test_a_blind_bid_is_told_scored_and_counted(golden: Table) -> None:
    golden.play_round(*HAND)
    assert golden.totals == (130, 51)
    assert "bid 7, 6 of them blind, took 7: +130" in golden.page().text
    assert "North bid blind 6" in golden.page(f"{golden.path}/changes").text
    with golden.store.borrow() as db:
        find = "SELECT bids, bid_tricks, made FROM player_games WHERE game_id = ?"
        rows = db.execute(f"{find} ORDER BY player_id", [golden.game_id])
        assert rows.fetchone() == (1, 6, 1)
    assert list(faults(golden.store)) == []


def test_a_blind_bid_is_undone_and_corrected(golden: Table) -> None:
    golden.bid("blind 7")
    golden.undo()
    assert golden.game.round(1).bids[0] is None
    golden.redo()
    assert golden.game.round(1).bids[0] == blind_bid(7)
    golden.undo()
    golden.play_round(*HAND)
    golden.correct(1, **{"bid-1": 6, "bid-3": "nil"})
    assert golden.game.round(1).bids[0] == 6
    golden.correct(1, **{"bid-1": "blind 6", "bid-3": 1})
    assert golden.totals == (130, 51)


@pytest.mark.parametrize(
    ("bid", "why"),
    [
        ("blind 5", "The lowest blind bid is 6."),
        ("blind 14", "Bid 1 to 13, or Nil for no tricks at all."),
        ("blind 0", "“blind 0” isn’t a bid. Bid a number or Nil."),
        ("blind", "“blind” isn’t a bid. Bid a number or Nil."),
    ],
)
def test_what_is_no_blind_bid_is_refused(golden: Table, bid: str, why: str) -> None:
    answer = golden.bid(bid)
    assert answer.status_code == 422
    assert why in page_of(answer).error_of("bid-1")


def test_where_a_deficit_is_needed_only_who_is_behind_bids_blind(table: Table) -> None:
    table.new_game("partnership", first_dealer=4, **GOLDEN, blind_bid_deficit=50)
    assert offered(table, 1) == []
    table.play_round((5, 5, 1, 1), (5, 2, 5, 1))
    assert offered(table, 2)
    assert not offered(table, 1)
    assert table.bid("blind 6", seat=1).status_code == 422


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_blind_bid_comes_back_from_a_file(golden: Table, kind: str) -> None:
    golden.play_round(*HAND)
    other = Table(golden.app)
    other.join()
    text = golden.get(f"{golden.path}.{kind}").get_data(as_text=True)
    assert "Imported 1 game." in said(other, confirm(other, upload(other, text)))
    find = "SELECT id FROM games WHERE table_id = ?"
    (other.game_id,) = other.store.db.execute(find, [other.id]).fetchone()
    assert other.game.rounds == golden.game.rounds
    assert other.totals == golden.totals
    assert list(faults(other.store)) == []
