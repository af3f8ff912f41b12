"""Noting trick counts before they are scored: while the cards are played, or at the end."""

import pytest

from tests.web.game.conftest import TricksChecklist
from tests.web.play import Table, page_of


class TestAddress(TricksChecklist):
    __test__ = True
    fields = {"seat": 1, "tricks": 3}  # noqa: RUF012 - never changed

    def address(self, table: Table) -> str:
        return table.round_path("tally", 1)


class TestOneByOne(TricksChecklist):
    __test__ = True
    fields = {"one": "2:1"}  # noqa: RUF012 - never changed

    def address(self, table: Table) -> str:
        return table.round_path("tally", 1)


def test_a_count_is_noted_and_scores_nothing_yet(playing: Table) -> None:
    assert playing.take(3).location == playing.path
    assert playing.state.open.tally == (3, None, None, None)
    assert playing.totals == (0, 0, 0, 0)


def test_the_last_count_fills_itself_in(playing: Table) -> None:
    for tricks in (3, 4, 0):
        playing.take(tricks)
    page = playing.page()
    assert page.form("score").fields["tricks-4"] == "3"
    assert "All 10 tricks in · West gets the last 3" in page.text


def test_the_points_are_shown_before_they_are_confirmed(playing: Table) -> None:
    for tricks in (3, 4, 0):
        playing.take(tricks)
    assert playing.page().texts("li//span[@class='seat-points']") == [
        "+30 → 30",
        "+22 → 22",
        "+50 → 50",
        "−40 → −40",
    ]


def test_a_key_shows_the_points_that_its_count_makes(playing: Table) -> None:
    playing.take(3)
    keys = playing.page().texts("button[@name='tricks']")
    assert keys == [
        "0 −20",
        "1 −20",
        "2 +20",
        *(f"{n} +{18 + n}" for n in range(3, 8)),
        "8",
        "9",
        "10",
    ]


def test_a_key_of_partners_shows_points_once_the_other_is_counted(table: Table) -> None:
    table.new_game("partnership", first_dealer=4)
    table.bid_round(3, 2, 4, 2)
    assert table.page().texts("button[@name='tricks']")[3] == "3"
    table.take(3)
    table.take(2)
    assert table.page().texts("button[@name='tricks']")[3:5] == ["3 −70", "4 +70"]


def test_one_more_trick_is_counted_while_the_cards_are_played(playing: Table) -> None:
    playing.one_more(2)
    assert playing.state.open.tally == (0, 1, 0, 0)
    playing.one_more(2)
    playing.one_more(4)
    assert playing.state.open.tally == (0, 2, 0, 1)


def test_a_double_tap_on_one_more_counts_one(playing: Table) -> None:
    form = playing.page().form("entry")
    for _ in range(2):
        playing.send(form, one="2:1")
    assert playing.state.open.tally == (0, 1, 0, 0)


def test_a_count_can_be_changed(playing: Table) -> None:
    playing.take(3)
    playing.take(5, seat=1)
    assert playing.state.open.tally == (5, None, None, None)


def test_a_half_counted_round_is_there_when_the_phone_comes_back(playing: Table) -> None:
    playing.take(3)
    assert playing.page().form("entry").fields["seat"] == "2"


@pytest.mark.parametrize(
    ("tricks", "seat", "n"), [(8, 2, 11), (11, 2, 14), (99, 1, 99)], ids=["sum", "one", "far"]
)
def test_more_tricks_than_were_played_are_refused(
    playing: Table, tricks: int, seat: int, n: int
) -> None:
    playing.take(3)
    before = playing.everything()
    answer = playing.take(tricks, seat=seat)
    assert answer.status_code == 422
    assert page_of(answer).alerts == (f"That would be {n} tricks of 10. Count again.")
    assert playing.everything() == before


NO_COUNTS = {
    "missing": None,
    "empty": "",
    "below zero": "-1",
    "a word": "nil",
    "arabic digits": "٣",
    "wide digits": "３",
    "a fraction": "1.5",
    "three digits": "003",
    "an underscore": "1_0",
    "a line break": "3\n",
    "400 digits": "9" * 400,
    "500 digits": "9" * 500,
}


@pytest.mark.parametrize("tricks", NO_COUNTS.values(), ids=NO_COUNTS.keys())
def test_what_is_no_count_is_refused_with_a_sentence(waiting: Table, tricks: str | None) -> None:
    before = waiting.everything()
    answer = waiting.take(tricks)
    assert answer.status_code == 400
    assert "“tricks” must be a whole number" in page_of(answer).alerts
    assert waiting.everything() == before


@pytest.mark.parametrize("one", ["2:", ":1", ":", "2:x", "x:1", "5:1", "0:1", "2:1:1", "٢:1"])
def test_a_malformed_tap_is_refused(waiting: Table, one: str) -> None:
    before = waiting.everything()
    answer = waiting.post(waiting.round_path("tally"), waiting.fresh(one=one))
    assert answer.status_code == 400
    assert waiting.everything() == before


def test_counts_before_the_bids_are_refused(game: Table) -> None:
    game.bid(3)
    before = game.everything()
    answer = game.post(game.round_path("tally"), game.fresh(seat=1, tricks=3))
    assert answer.status_code == 422
    assert page_of(answer).alerts == "Enter all bids before the tricks."
    assert game.everything() == before


def test_two_phones_count_different_seats_from_the_same_page(playing: Table) -> None:
    other = playing.second_phone()
    mine, theirs = playing.page().form("entry"), other.page().form("entry")
    playing.send(mine, seat=1, tricks=3)
    assert other.send(theirs, seat=2, tricks=4).status_code == 303
    assert playing.state.open.tally == (3, 4, None, None)


def test_two_phones_that_count_a_seat_differently_see_both(playing: Table) -> None:
    other = playing.second_phone()
    mine, theirs = playing.page().form("entry"), other.page().form("entry")
    playing.send(mine, seat=1, tricks=3)
    answer = other.send(theirs, seat=1, tricks=4)
    assert answer.status_code == 409
    assert page_of(answer).texts("tbody/tr[1]/td") == [
        "bid 3, took 3 total 0",
        "bid 3, took 4 total 0",
    ]
    choice = page_of(answer).form("/tally")
    assert other.send(choice).status_code == 303
    assert playing.state.open.tally == (4, None, None, None)


def test_a_tap_for_a_seat_that_comes_too_late_shows_both(playing: Table) -> None:
    form = playing.page().form("entry")
    playing.take(3, seat=2)
    answer = playing.send(form, one="2:1")
    assert answer.status_code == 409
    assert page_of(answer).texts("tbody/tr[2]/td") == [
        "bid 2, took 3 total 0",
        "bid 2, took 1 total 0",
    ]


def test_a_late_count_leaves_a_scored_round_alone(playing: Table) -> None:
    old = playing.page().form("entry")
    playing.score(3, 4, 0, 3)
    before = playing.everything()
    answer = playing.send(old, seat=2, tricks=5)
    assert answer.status_code == 422
    assert "Round 1 is already scored" in page_of(answer).alerts
    assert playing.everything() == before


def test_a_late_count_that_agrees_with_the_score_changes_nothing(playing: Table) -> None:
    old = playing.page().form("entry")
    playing.score(3, 4, 0, 3)
    before = playing.everything()
    assert playing.send(old, seat=2, tricks=4).status_code == 303
    assert playing.everything() == before


def test_a_round_that_bids_itself_is_counted_at_once(table: Table) -> None:
    table.new_game(first_round_bids_itself="yes")
    table.take(3)
    assert table.state.open.tally == (3, None, None, None)
