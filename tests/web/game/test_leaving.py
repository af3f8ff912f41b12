"""A player leaves a seat in the middle of a game, and somebody comes to it later."""

import pytest

from scorekeeper.rules.seating import Substitute
from tests.web.play import Table, page_of

FIVE = ("Ana", "Ben", "Cy", "Dana", "Eve")
HAND = (2, 2, 2, 2, 2), (2, 2, 2, 2, 2)
LEAVES = {"seat": 2, "leaves": "yes"}


@pytest.fixture
def left(game: Table) -> Table:
    """A game of five in which Ben leaves after round 1."""
    game.new_game("cutthroat-lite", FIVE)
    game.play_round(*HAND)
    game.send(game.round_form("/seats"), **LEAVES)
    return game


def play_four(table: Table, first: int) -> None:
    """Play a round in which the `first` of the four takes 4 tricks and all others 2."""
    counts = [2] * 5
    counts[first] += 2
    table.play_round((2,) * 5, counts)


def test_four_play_on_with_the_deck_of_four(left: Table) -> None:
    page = left.page()
    assert "Ben leaves" in page.text
    assert "Remove all 2s, 3s and 4s. 40 cards, 10 each." in page.text
    assert left.state.order == (2, 3, 4, 0)
    assert "left" in page.text


def test_a_seat_that_is_empty_is_not_offered_to_phones(left: Table) -> None:
    seats = left.page(f"{left.path}/share").all("button[@name='seat']")
    assert [seat.get("value") for seat in seats] == ["1", "3", "4", "5"]


def test_a_tie_is_told_by_the_total_of_those_who_play(game: Table) -> None:
    game.new_game("cutthroat-lite", FIVE, rounds=2)
    game.play_round((2, 10, 1, 1, 1), (0, 10, 0, 0, 0))  # Ben: 100
    game.send(game.round_form("/seats"), **LEAVES)
    game.play_round((1, 1, 5, 5, 1), (0, 0, 5, 5, 0))
    assert game.state.outcome.tied == (2, 3)
    assert "Cy and Dana are tied at 40. Play another round." in game.page().text


def test_the_total_of_an_empty_seat_stands(left: Table) -> None:
    play_four(left, 0)
    assert left.totals == (42, 20, 40, 40, 40)
    assert left.state.dealer == 2
    assert left.game.round(2).tricks == (4, 0, 2, 2, 2)


def test_a_newcomer_begins_from_zero_and_the_player_who_returns_does_not(left: Table) -> None:
    play_four(left, 0)
    left.send(left.round_form("/seats"), seat=2, name="Fay")
    assert "Fay joins" in left.page().text
    assert left.totals[1] == 0
    left.undo()
    left.send(left.round_form("/seats"), seat=2, name="Ben")
    assert "Ben joins" in left.page().text
    assert left.totals[1] == 20
    left.play_round(*HAND)
    assert left.totals == (62, 40, 60, 60, 60)


def test_a_newcomer_begins_with_the_lowest_total_where_the_rules_say_so(game: Table) -> None:
    game.new_game("cutthroat-lite", FIVE, joins_at="lowest")
    game.play_round((2,) * 5, (4, 3, 2, 1, 0))
    game.send(game.round_form("/seats"), **LEAVES)
    play_four(game, 3)
    assert game.totals == (42, 21, 40, 2, 0)
    game.send(game.round_form("/seats"), seat=2, name="Fay")
    assert game.totals[1] == 0


@pytest.mark.parametrize(
    ("joins_at", "hint"),
    [
        ("zero", "A new player in an empty seat starts from zero."),
        ("lowest", "A new player in an empty seat starts with the lowest score."),
    ],
)
def test_the_form_says_with_which_score_a_newcomer_begins(
    game: Table, joins_at: str, hint: str
) -> None:
    game.new_game("cutthroat-lite", FIVE, joins_at=joins_at)
    game.play_round(*HAND)
    goes_on = "The new player takes over the seat’s score."
    hints = "form[@class='penalty player-change']//*[@class='hint']"
    assert game.page(game.round_path()).texts(hints) == [goes_on]
    game.send(game.round_form("/seats"), **LEAVES)
    assert game.page(game.round_path()).texts(hints) == [f"{goes_on} {hint}"]


def test_pages_say_who_has_left(left: Table) -> None:
    play_four(left, 0)
    assert "Ben leaves" in left.page(f"{left.path}/changes").text
    second = left.page(f"{left.path}/rounds/2")
    assert "bid-2" not in second.form("/rounds/2").fields
    assert "Ben" not in " ".join(row.text for row in second.all("receipt"))


def test_no_line_of_the_change_log_gives_an_empty_seat_tricks(left: Table) -> None:
    play_four(left, 0)
    log = left.page(f"{left.path}/changes").text
    assert "scored; Ana bid 2; Cy bid 2" in log
    assert "Ben took 0" not in log


def test_a_line_of_the_change_log_tells_the_seats_as_they_were_then(left: Table) -> None:
    play_four(left, 0)
    left.send(left.round_form("/seats"), seat=2, name="Ben")
    while left.game.round(2).notes.substitutes:
        left.undo()
    log = left.page(f"{left.path}/changes").text
    assert "Ben joins" in log
    assert "Ben leaves" in log


def test_a_round_without_somebody_is_corrected(left: Table) -> None:
    play_four(left, 0)
    left.correct(2, **{"tricks-1": 2, "tricks-3": 4})
    assert left.totals == (40, 20, 42, 40, 40)


def test_those_who_left_cannot_win_and_do_not_play_the_rematch(left: Table) -> None:
    left.send(left.page().form("/last"))
    play_four(left, 4)
    assert left.state.outcome is not None
    assert left.state.outcome.winner == 4
    assert left.state.places == (2, 5, 2, 2, 1)
    answer = left.send(left.page().form("/again"))
    left.game_id = answer.location.rpartition("/")[2]
    assert left.game.starters == ("Ana", "Cy", "Dana", "Eve")


def test_it_is_undone_and_redone(left: Table) -> None:
    left.undo()
    assert left.state.seats.empty == ()
    left.redo()
    assert left.game.round(2).notes.substitutes == (Substitute(1, None),)


def test_as_many_leave_as_the_rules_allow(left: Table) -> None:
    for seat in (3, 4):
        left.send(left.round_form("/seats"), seat=seat, leaves="yes")
    assert left.state.seats.taken == (0, 4)
    assert {"leaves": "yes"} not in left.round_form("/seats").buttons
    answer = left.post(left.round_path("seats", 2), left.fresh(seat=5, leaves="yes"))
    assert answer.status_code == 422
    assert page_of(answer).alerts == "These rules aren’t for 1 player."


@pytest.mark.parametrize("rules", ["cutthroat", "partnership"])
def test_where_the_rules_need_everybody_nobody_leaves(game: Table, rules: str) -> None:
    game.new_game(rules, FIVE[:4])
    game.post(game.round_path("last", 1), game.fresh())
    answer = game.post(game.round_path("seats", 1), game.fresh(**LEAVES))
    assert answer.status_code == 422
