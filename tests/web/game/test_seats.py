"""A phone that takes one seat enters for that seat alone."""

import pytest

from scorekeeper.clock import now
from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.page import Page
from tests.web.play import Table, page_of


def claim_seat(table: Table, seat: int | str) -> None:
    form = table.page(f"{table.path}/share").form("/seat")
    assert table.send(form, seat=seat).status_code == 303


def asked_for(table: Table) -> set[str]:
    """Return the seats for which the form of the round asks this phone."""
    fields = table.round_form().fields
    return {name[-1] for name in fields if name.startswith(("bid-", "tricks-"))}


EVERYBODY = {"1", "2", "3", "4"}


def test_a_phone_without_a_seat_enters_for_everybody(game: Table) -> None:
    assert asked_for(game) == EVERYBODY


def test_a_phone_with_a_seat_bids_and_counts_for_that_alone(game: Table) -> None:
    east = game.second_phone()
    claim_seat(east, 2)
    assert asked_for(east) == {"2"}
    game.bid(3)
    assert east.bid(2).status_code == 303
    game.bid_round(3, 2, "nil", 4)
    assert asked_for(east) == {"2"}
    east.take(4, seat=2)
    assert game.game.rounds[0].tally == (None, 4, None, None)


def test_the_keeper_can_enter_for_a_seat_that_was_taken(game: Table) -> None:
    claim_seat(game.second_phone(), 1)
    assert game.bid(3).status_code == 303


@pytest.fixture
def question(game: Table) -> tuple[Table, Table, Page]:
    """The phone of North, another one that asks for the same seat, and the question."""
    north, other = game.second_phone(), game.second_phone()
    claim_seat(north, 1)
    answer = other.send(other.page(f"{game.path}/share").form("/seat"), seat=1)
    assert answer.status_code == 409
    return north, other, page_of(answer)


def test_a_seat_that_a_phone_plays_for_is_not_taken_without_a_question(
    game: Table, question: tuple[Table, Table, Page]
) -> None:
    north, other, asked = question
    assert "the other phone plays North. Take over?" in asked.text
    assert asked_for(north) == {"1"}
    assert asked_for(other) == EVERYBODY
    assert not (north.get(f"{game.path}/phone.json").get_json())["game"]["taken_by"]


def test_a_phone_whose_seat_was_taken_over_is_told_and_enters_for_nobody(
    game: Table, question: tuple[Table, Table, Page]
) -> None:
    north, other, asked = question
    assert other.send(asked.form("/seat")).status_code == 303
    assert asked_for(other) == {"1"}
    for bids in ((3, 2, "nil", 4), ()):
        assert not asked_for(north)
        assert "now plays for North. Change seat" in north.page(north.round_path()).text
        if bids:
            game.bid_round(*bids)
    claim_seat(north, "")
    assert asked_for(north) == EVERYBODY


def test_a_question_that_another_phone_has_answered_is_asked_again(
    game: Table, question: tuple[Table, Table, Page]
) -> None:
    _north, other, asked = question
    third = game.second_phone()
    again = third.send(third.page(f"{game.path}/share").form("/seat"), seat=1)
    third.send(page_of(again).form("/seat"))
    answer = other.send(asked.form("/seat"))
    assert answer.status_code == 409
    assert other.send(page_of(answer).form("/seat")).status_code == 303
    assert not asked_for(third)


@pytest.mark.parametrize("goes", ["releases it", "takes another", "is removed"])
def test_a_seat_comes_back_once_the_phone_that_took_it_over_lets_it_go(
    game: Table, question: tuple[Table, Table, Page], goes: str
) -> None:
    north, other, asked = question
    other.send(asked.form("/seat"))
    if goes == "is removed":
        with game.store.write() as db:
            remove_phone(db, game.id, other.session["phone"][:SHORT], now())
    else:
        claim_seat(other, "" if goes == "releases it" else 2)
    assert asked_for(north) == {"1"}


@pytest.mark.parametrize("number", ["", "0", "-1", "9" * 500, "x", "2"])
def test_a_wrong_answer_asks_again(
    game: Table, question: tuple[Table, Table, Page], number: str
) -> None:
    north, other, asked = question
    answer = other.send(asked.form("/seat"), instead_of=number)
    assert answer.status_code == 409
    assert asked_for(north) == {"1"}


def test_a_seat_is_given_up_again(game: Table) -> None:
    claim_seat(game, 2)
    assert asked_for(game) == {"2"}
    claim_seat(game, "")
    assert asked_for(game) == EVERYBODY


@pytest.mark.parametrize("seat", ["0", "5", "9", "99", "x", "-1", "٢", "２", "1.0", "9" * 400])
def test_a_seat_nobody_sits_on_is_refused(still: Table, seat: str) -> None:
    before = still.everything()
    answer = still.post(f"{still.path}/seat", still.fresh(seat=seat))
    assert answer.status_code == 400
    named = f"No seat {seat} at this table." if seat in {"0", "5", "9", "99"} else "a whole number"
    assert named in page_of(answer).alerts
    assert still.everything() == before


@pytest.fixture
def left(game: Table) -> Table:
    """The phone of East, who leaves after round 1."""
    east = game.second_phone()
    claim_seat(east, 2)
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.send(game.round_form("/seats"), seat=2, leaves="yes")
    return east


def test_a_phone_whose_player_has_left_enters_for_nobody_until_it_chooses(left: Table) -> None:
    page = left.page(left.round_path())
    assert "This phone plays for East. Change seat" in page.text
    assert not asked_for(left)
    claim_seat(left, "")
    assert "This phone" not in left.page(left.round_path()).text
    assert asked_for(left) == {"1", "3", "4"}


def test_a_phone_plays_for_the_player_who_comes_to_its_seat(game: Table, left: Table) -> None:
    game.send(game.round_form("/seats"), seat=2, name="Fay")
    assert asked_for(left) == {"2"}
    assert left.bid(3, seat=2).status_code == 303
    assert "This phone plays for Fay." in left.page(left.round_path()).text
