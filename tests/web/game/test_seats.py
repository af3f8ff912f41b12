"""A phone that takes one seat shows the pad when that seat's turn has come."""

import pytest

from tests.web.play import Table


def claim_seat(table: Table, seat: int | str) -> None:
    form = table.page(f"{table.path}/share").form("/seat")
    assert table.send(form, seat=seat).status_code == 303


def keys_shown(table: Table) -> bool:
    return bool(table.page().all("button[@form='entry']"))


def test_a_phone_without_a_seat_enters_for_everybody(game: Table) -> None:
    assert keys_shown(game)


def test_the_pad_comes_with_the_turn(game: Table) -> None:
    east = game.second_phone()
    claim_seat(east, 2)
    assert not keys_shown(east)
    assert "North is bidding. This phone plays for East." in east.page().text
    game.bid(3)
    assert keys_shown(east)
    assert east.bid(2).status_code == 303
    assert not keys_shown(east)


def test_each_phone_counts_the_tricks_of_its_seat(game: Table) -> None:
    east = game.second_phone()
    claim_seat(east, 2)
    game.bid_round(3, 2, "nil", 4)
    assert keys_shown(east)
    east.take(4)
    assert game.game.rounds[0].tally == (None, 4, None, None)
    assert not keys_shown(east)


def test_a_phone_adds_tricks_to_its_own_seat_alone(game: Table) -> None:
    east = game.second_phone()
    claim_seat(east, 2)
    game.bid_round(3, 2, "nil", 4)
    assert [one.get("value") for one in east.page().all("button[@name='one']")] == ["2:1"]
    assert len(game.page().all("button[@name='one']")) == 4


def test_the_keeper_can_enter_for_a_seat_that_was_taken(game: Table) -> None:
    claim_seat(game.second_phone(), 1)
    assert game.bid(3).status_code == 303


def test_two_phones_that_fill_different_seats_do_not_hinder_each_other(game: Table) -> None:
    east = game.second_phone()
    entry, other = game.page().form("entry"), east.page("").form("entry")
    assert game.send(entry, seat=1, bid=3).status_code == 303
    assert east.send(other, seat=2, bid=2).status_code == 303
    assert game.state.open.bids == (3, 2, None, None)


def test_a_seat_taken_by_another_phone_changes_hands(game: Table) -> None:
    east, other = game.second_phone(), game.second_phone()
    claim_seat(east, 1)
    claim_seat(other, 1)
    assert "This phone plays for" not in east.page().text
    game.bid(3)
    assert "This phone plays for North" in other.page().text


def test_a_seat_is_given_up_again(game: Table) -> None:
    claim_seat(game, 2)
    assert not keys_shown(game)
    claim_seat(game, "")
    assert keys_shown(game)


def test_a_seat_nobody_sits_on_is_refused(game: Table) -> None:
    before = game.everything()
    answer = game.post(f"{game.path}/seat", game.fresh(seat=9))
    assert answer.status_code == 400
    assert game.everything() == before


@pytest.fixture
def left(game: Table) -> Table:
    """The phone of East, who leaves after round 1."""
    east = game.second_phone()
    claim_seat(east, 2)
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.send(game.page().form("/seats"), seat=2, leaves="yes")
    return east


def test_a_phone_whose_player_has_left_says_that_it_enters_for_everyone(left: Table) -> None:
    assert "East leaves. This phone now keeps score for everyone." in left.page().text
    assert keys_shown(left)
    claim_seat(left, "")
    assert "This phone" not in left.page().text
    assert keys_shown(left)


def test_a_phone_plays_for_the_player_who_comes_to_its_seat(left: Table) -> None:
    left.send(left.page().form("/seats"), seat=2, name="Fay")
    assert keys_shown(left)
    assert left.bid(3).status_code == 303
    assert "This phone plays for Fay." in left.page().text
    assert not keys_shown(left)
