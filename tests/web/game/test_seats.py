"""A phone that takes one seat shows the pad when that seat's turn has come."""

import pytest

from scorekeeper.clock import now
from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.page import Page
from tests.web.play import Table, page_of


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


@pytest.fixture
def asked(game: Table) -> tuple[Table, Table, Page]:
    """The phone of North, another one that asks for the same seat, and the question."""
    north, other = game.second_phone(), game.second_phone()
    claim_seat(north, 1)
    answer = other.send(other.page(f"{game.path}/share").form("/seat"), seat=1)
    assert answer.status_code == 409
    return north, other, page_of(answer)


def test_a_seat_that_a_phone_plays_for_is_not_taken_without_a_question(
    game: Table, asked: tuple[Table, Table, Page]
) -> None:
    north, other, question = asked
    assert "the other phone plays North. Take over?" in question.text
    assert keys_shown(north)
    assert "This phone plays for" not in other.page().text
    assert not (north.get(f"{game.path}/phone.json").get_json())["game"]["taken_by"]


def test_a_phone_whose_seat_was_taken_over_is_told_and_enters_for_nobody(
    game: Table, asked: tuple[Table, Table, Page]
) -> None:
    north, other, question = asked
    assert other.send(question.form("/seat")).status_code == 303
    assert keys_shown(other)
    for bids in ((3, 2, "nil", 4), ()):
        assert not keys_shown(north)
        assert not north.page().all("button[@name='one']")
        assert "plays for North now. Change seat" in north.page().text
        if bids:
            game.bid_round(*bids)
    claim_seat(north, "")
    assert keys_shown(north)


def test_a_question_that_another_phone_has_answered_is_asked_again(
    game: Table, asked: tuple[Table, Table, Page]
) -> None:
    _north, other, question = asked
    third = game.second_phone()
    again = third.send(third.page(f"{game.path}/share").form("/seat"), seat=1)
    third.send(page_of(again).form("/seat"))
    answer = other.send(question.form("/seat"))
    assert answer.status_code == 409
    assert other.send(page_of(answer).form("/seat")).status_code == 303
    assert not keys_shown(third)


@pytest.mark.parametrize("goes", ["releases it", "takes another", "is removed"])
def test_a_seat_comes_back_once_the_phone_that_took_it_over_lets_it_go(
    game: Table, asked: tuple[Table, Table, Page], goes: str
) -> None:
    north, other, question = asked
    other.send(question.form("/seat"))
    if goes == "is removed":
        with game.store.write() as db:
            remove_phone(db, game.id, other.session["phone"][:SHORT], now())
    else:
        claim_seat(other, "" if goes == "releases it" else 2)
    assert keys_shown(north)
    assert len(north.page().all("button[@name='one']")) == 0
    game.bid(3)
    assert not keys_shown(north)


@pytest.mark.parametrize("number", ["", "0", "-1", "9" * 500, "x", "2"])
def test_a_wrong_answer_asks_again(
    game: Table, asked: tuple[Table, Table, Page], number: str
) -> None:
    north, other, question = asked
    answer = other.send(question.form("/seat"), instead_of=number)
    assert answer.status_code == 409
    assert keys_shown(north)


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


def test_a_phone_whose_player_has_left_enters_for_nobody_until_it_chooses(left: Table) -> None:
    assert "East leaves" in left.page().text
    assert "This phone plays for East. Change seat" in left.page().text
    assert not keys_shown(left)
    claim_seat(left, "")
    assert "This phone" not in left.page().text
    assert keys_shown(left)


def test_a_phone_plays_for_the_player_who_comes_to_its_seat(game: Table, left: Table) -> None:
    game.send(game.page().form("/seats"), seat=2, name="Fay")
    assert keys_shown(left)
    assert left.bid(3).status_code == 303
    assert "This phone plays for Fay." in left.page().text
    assert not keys_shown(left)
