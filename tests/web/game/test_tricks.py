"""Scoring a round."""

import pytest

from tests.web.game.conftest import TricksChecklist
from tests.web.play import Table, page_of

COUNTS = {"tricks-1": 3, "tricks-2": 4, "tricks-3": 0, "tricks-4": 3}


class TestAddress(TricksChecklist):
    __test__ = True
    fields = COUNTS

    def address(self, table: Table) -> str:
        return table.round_path("tricks", 1)


def test_a_round_is_scored_and_the_next_dealer_deals(playing: Table) -> None:
    answer = playing.score(3, 4, 0, 3)
    assert answer.location == playing.path
    assert playing.totals == (30, 22, 50, -40)
    assert playing.state.standing.bags == (0, 2, 0, 0)
    assert (playing.state.number, playing.state.dealer) == (2, 0)


def test_what_changed_is_said_after_the_round(playing: Table) -> None:
    playing.score(3, 4, 0, 3)
    (said,) = playing.page().texts("*[@id='said']")
    assert said == (
        "Round 1 is scored: North 30, East 22, South 50, West −40. North deals, East bids first."
    )


def test_the_page_shows_the_totals_of_the_fold(playing: Table) -> None:
    playing.score(3, 4, 0, 3)
    assert playing.page().texts("b[@class='total']") == ["30", "22", "50", "−40"]


@pytest.mark.parametrize(
    ("counts", "total"),
    [((3, 4, 0, 2), 9), ((3, 4, 0, 4), 11), ((0, 0, 0, 0), 0), ((10, 10, 10, 10), 40)],
    ids=["one short", "one too many", "nothing", "all for all"],
)
def test_tricks_that_do_not_add_up_are_refused(
    waiting: Table, counts: tuple[int, ...], total: int
) -> None:
    before = waiting.everything()
    answer = waiting.score(*counts)
    assert answer.status_code == 422
    assert page_of(answer).alerts == (f"Tricks total {total}, but 10 were played. Count again.")
    assert waiting.everything() == before


def test_a_count_beyond_the_cards_is_refused_beside_the_others(waiting: Table) -> None:
    answer = waiting.score(11, 0, 12, 0)
    assert answer.status_code == 422
    assert page_of(answer).alerts == (
        "A round has only 10 tricks, so nobody can take 11. A round has only 10 "
        "tricks, so nobody can take 12."
    )


def test_what_was_counted_stays_when_the_sum_is_wrong(playing: Table) -> None:
    playing.take(3)
    playing.take(4)
    answer = playing.score(3, 4, 0, 0)
    assert answer.status_code == 422
    assert playing.state.open.tally == (3, 4, None, None)
    assert page_of(answer).form("score").fields["tricks-2"] == "4"


@pytest.mark.parametrize("seat", [1, 4])
@pytest.mark.parametrize(
    "count",
    [None, "", "x", "-1", "٣", "３", "1_0", "3.0", "9" * 400],
    ids=["missing", "empty", "word", "below", "arabic", "wide", "underscore", "broken", "endless"],
)
def test_what_is_no_count_is_refused_with_a_sentence(
    waiting: Table, seat: int, count: str | None
) -> None:
    before = waiting.everything()
    form = waiting.page().form("score")
    answer = waiting.send(form, **{**COUNTS, f"tricks-{seat}": count})
    assert answer.status_code == 400
    assert f"“tricks-{seat}” must be a whole number" in page_of(answer).alerts
    assert waiting.everything() == before


def test_counts_for_seats_nobody_sits_on_are_not_recorded(playing: Table) -> None:
    playing.post(playing.round_path("tricks"), playing.fresh(**COUNTS, **{"tricks-5": 7}))
    assert playing.game.rounds[0].tricks == (3, 4, 0, 3)


def test_a_round_is_not_scored_before_everybody_has_bid(game: Table) -> None:
    game.bid(3)
    before = game.everything()
    answer = game.post(game.round_path("tricks"), game.fresh(**COUNTS))
    assert answer.status_code == 422
    assert "Enter this bid." in page_of(answer).alerts
    assert game.everything() == before


@pytest.mark.parametrize("number", ["0", "2", "3", "9999", "99999", "1e0", "١"])
def test_a_round_that_is_not_being_played_cannot_be_scored(waiting: Table, number: str) -> None:
    before = waiting.everything()
    answer = waiting.post(f"{waiting.path}/rounds/{number}/tricks", waiting.fresh(**COUNTS))
    assert answer.status_code in (404, 422)
    assert waiting.everything() == before


def test_a_round_after_the_end_cannot_be_scored(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    before = table.everything()
    answer = table.post(table.round_path("tricks", 2), table.fresh(**COUNTS))
    assert answer.status_code == 400
    assert "The game ended after round 1." in page_of(answer).alerts
    assert table.everything() == before


def test_an_old_page_sent_again_scores_nothing_twice(playing: Table) -> None:
    old = playing.page().form("score")
    playing.send(old, **COUNTS)
    playing.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    before = playing.everything()
    assert playing.send(old, **COUNTS).status_code == 303
    assert playing.everything() == before


def test_an_old_page_with_other_counts_shows_both_and_can_record_its_own(playing: Table) -> None:
    old = playing.page().form("score")
    playing.score(3, 4, 0, 3)
    before = playing.everything()
    answer = playing.send(old, **{**COUNTS, "tricks-1": 4, "tricks-2": 3})
    assert answer.status_code == 409
    page = page_of(answer)
    assert page.texts("tbody/tr/td[1]")[:2] == [
        "bid 3, took 3 total 30",
        "bid 2, took 4 total 22",
    ]
    assert page.texts("tbody/tr/td[2]")[:2] == [
        "bid 3, took 4 total 31",
        "bid 2, took 3 total 21",
    ]
    assert playing.everything() == before
    playing.send(page.form("/tricks"))
    assert playing.game.rounds[0].tricks == (4, 3, 0, 3)


def test_two_phones_that_score_the_same_score_once(playing: Table) -> None:
    other = playing.second_phone()
    mine, theirs = playing.page().form("score"), other.page().form("score")
    playing.send(mine, **COUNTS)
    version = playing.game.version
    assert other.send(theirs, **COUNTS).status_code == 303
    assert playing.game.version == version


def test_the_tally_is_not_needed(playing: Table) -> None:
    playing.post(playing.round_path("tricks"), playing.fresh(**COUNTS))
    assert playing.state.number == 2


@pytest.mark.parametrize(
    ("counts", "label"),
    [
        ((), "Count 4 more players"),
        ((3,), "Count 3 more players"),
        ((3, 4), "Count 2 more players"),
        ((3, 4, 1, 0), "2 tricks missing"),
        ((3, 4, 1, 1), "1 trick missing"),
        ((3, 4, 1), "Score round 1"),
    ],
)
def test_the_button_says_why_a_round_cannot_be_scored(
    playing: Table, counts: tuple[int, ...], label: str
) -> None:
    for seat, count in enumerate(counts, 1):
        assert playing.take(count, seat).status_code == 303
    form = playing.page().one("form[@id='score']")
    button = form.find("button")
    assert button is not None
    assert button.text == label
    assert (button.get("aria-disabled") == "true") == (not label.startswith("Score"))
