"""Games in which a side makes one bid, and its tricks are counted once."""

import pytest

from scorekeeper.rules.bidding import Nil
from scorekeeper.store.check import faults
from tests.web.history.test_import_export import confirm, said, upload
from tests.web.play import Table, page_of

SIDES = {"bid_by": "side", "tricks_by": "side"}


@pytest.fixture
def sides(table: Table) -> Table:
    """A game of two sides that bid once, which West deals."""
    table.new_game("partnership", first_dealer=4, **SIDES)
    return table


def play(table: Table, bids: tuple[object, object], taken: int) -> None:
    """Play a round that North's side bids first."""
    table.bid(bids[0])
    table.bid(bids[1])
    table.take(taken)
    table.score()


def test_a_round_of_two_sides_takes_two_bids_and_one_count(sides: Table) -> None:
    sides.bid(7)
    sides.bid(6)
    sides.take(8)
    sides.score()
    assert sides.game.rounds[0].bids == (7, 6, None, None)
    assert sides.game.rounds[0].tricks == (8, 5, 0, 0)
    assert sides.totals == (71, -60)


def test_both_partners_share_a_nil(sides: Table) -> None:
    sides.bid("nil")
    sides.bid(10)
    sides.take(0)
    sides.score()
    assert sides.game.rounds[0].bids == (Nil.NIL, 10, None, None)
    assert sides.totals == (100, 103)


def test_bids_of_sides_can_be_counted_by_players(table: Table) -> None:
    table.new_game("partnership", first_dealer=4, bid_by="side")
    table.bid(7)
    table.bid(6)
    for count in (4, 3, 4):
        table.take(count)
    table.score()
    assert table.game.rounds[0].tricks == (4, 3, 4, 2)
    assert table.totals == (71, -60)


def test_bids_of_players_can_be_counted_by_sides(table: Table) -> None:
    table.new_game("partnership-500", first_dealer=4, tricks_by="side", nil_points="off")
    table.bid_round(4, 3, 3, 3)
    table.take(8)
    table.score()
    assert table.totals == (71, -60)


def test_a_round_can_be_corrected_side_by_side(sides: Table) -> None:
    play(sides, (7, 6), 8)
    form = sides.page(sides.round_path(number=1)).form("rounds/1")
    assert {"bid-3", "bid-4", "tricks-3", "tricks-4"}.isdisjoint(form.fields)
    sides.correct(1, tricks_1=6, tricks_2=7)
    assert sides.game.rounds[0].tricks == (6, 7, 0, 0)
    assert sides.totals == (-70, 61)


def test_who_bids_cannot_change_once_there_are_bids(sides: Table) -> None:
    sides.bid(7)
    form = sides.page(f"{sides.path}/rules/change").form("rules")
    answer = sides.send(form, bid_by="seat", tricks_by="seat")
    assert "that setting can’t change now" in page_of(answer).text


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_game_is_sound_and_comes_back_from_its_file(sides: Table, kind: str) -> None:
    play(sides, (7, "nil"), 13)
    play(sides, (6, 7), 6)
    assert list(faults(sides.store)) == []
    other = Table(sides.app)
    other.join()
    text = sides.get(f"{sides.path}.{kind}").get_data(as_text=True)
    assert "Imported 1 game." in said(other, confirm(other, upload(other, text)))
    find = "SELECT id FROM games WHERE table_id = ?"
    (other.game_id,) = other.store.db.execute(find, [other.id]).fetchone()
    assert other.game.rounds == sides.game.rounds
    assert other.totals == sides.totals
    assert list(faults(other.store)) == []


def test_two_phones_bid_for_a_side_each_at_once(sides: Table) -> None:
    other = sides.second_phone()
    seen = [phone.round_form() for phone in (sides, other)]
    sides.send(seen[0], **{"bid-1": 7})
    other.send(seen[1], **{"bid-2": 6})
    assert sides.state.open.bids == (7, 6, None, None)


@pytest.mark.parametrize("name", SIDES)
def test_it_stays_as_it_is_once_a_round_has_begun(sides: Table, name: str) -> None:
    play(sides, (7, 6), 8)
    form = sides.page(f"{sides.path}/rules/change").form("rules")
    answer = sides.send(form, nil_points="off", blind_nil_points="off", **{name: "seat"})
    assert answer.status_code == 422
    assert sides.game.rules.bid_by == "side"
