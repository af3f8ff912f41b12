"""A past round: why it scored what it did, and correcting it."""

from urllib.parse import urlencode

import pytest

from scorekeeper.rules.bidding import Nil
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of

FORM = {
    "original": "scored,3,2,nil,4,3,4,0,3",
    "bid-1": 3, "bid-2": 2, "bid-3": "nil", "bid-4": 4,
    "tricks-1": 4, "tricks-2": 3, "tricks-3": 0, "tricks-4": 3,
}  # fmt: skip


def play_two(table: Table) -> None:
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    table.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    table.bid(2)


@pytest.fixture
def played(game: Table) -> Table:
    """Two rounds, and a third in which somebody has bid."""
    play_two(game)
    return game


@pytest.fixture(scope="module")
def recorded(still: Table) -> Table:
    """The same, for corrections that are refused."""
    play_two(still)
    return still


class TestAddress(VersionChecklist):
    __test__ = True
    fields = FORM

    @classmethod
    def prepare(cls, table: Table) -> None:
        play_two(table)

    def address(self, table: Table) -> str:
        return table.round_path(number=1)


def test_the_page_explains_every_number(recorded: Table) -> None:
    text = recorded.page(recorded.round_path(number=1)).text
    assert "North +30 bid 3, took 3 +30 total 30" in text
    assert "2 overtricks +2bags 0 → 2 of 6 total 22" in text
    assert "South +50 Nil made +50 total 50" in text
    assert "West −40 bid 4, took 3, set −40 total −40" in text


def test_the_form_holds_what_was_recorded(recorded: Table) -> None:
    fields = recorded.page(recorded.round_path(number=1)).form("rounds/1").fields
    assert [fields[f"bid-{seat}"] for seat in range(1, 5)] == ["3", "2", "nil", "4"]
    assert [fields[f"tricks-{seat}"] for seat in range(1, 5)] == ["3", "4", "0", "3"]


def test_everything_after_a_corrected_round_is_scored_again(played: Table) -> None:
    assert played.totals == (40, 32, 60, -35)
    answer = played.correct(1, tricks_1=2, tricks_3=1)
    assert answer.location == played.path
    assert played.totals == (-20, 32, -39, -35)
    assert played.state.open.bids == (None, None, 2, None)


def test_a_bid_of_a_past_round_can_be_corrected_too(played: Table) -> None:
    played.correct(1, bid_4="nil")
    assert played.game.rounds[0].bids == (3, 2, Nil.NIL, Nil.NIL)


def test_the_form_sent_as_it_stands_changes_nothing(recorded: Table) -> None:
    before = recorded.everything()
    assert recorded.correct(1).status_code == 303
    assert recorded.everything() == before


def test_the_correction_is_told_on_the_page_of_the_round(played: Table) -> None:
    played.correct(1, tricks_1=4, tricks_2=3)
    text = played.page(played.round_path(number=1)).text
    assert "North took 4, not 3; East took 3, not 4 Kim's phone" in text


def test_a_correction_can_end_the_game_and_the_rounds_after_it_do_not_count(table: Table) -> None:
    table.new_game(target=60)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    table.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    table.correct(1, bid_4="7", tricks_4=7, tricks_2=1, tricks_1=1, tricks_3=1)
    assert (table.state.phase, table.state.uncounted) == ("over", 1)
    assert "1 round after the end doesn’t count." in table.page().text
    assert "doesn’t count" in table.page(table.round_path(number=2)).text


def test_a_correction_can_reopen_the_game(table: Table) -> None:
    table.new_game(target=40)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert table.state.phase == "over"
    table.correct(1, bid_4="3", tricks_4=4)
    assert table.state.phase == "bidding"
    assert table.bid(1).status_code == 303


def test_a_round_after_the_end_can_be_corrected(table: Table) -> None:
    table.new_game(target=60)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    table.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    table.correct(1, bid_4="7", tricks_4=7, tricks_2=1, tricks_1=1, tricks_3=1)
    assert table.correct(2, tricks_4=6, tricks_1=2).status_code == 303
    assert table.game.rounds[1].tricks == (2, 1, 1, 6)


WRONG = {
    "a wrong total of tricks": (
        {"tricks_1": 4},
        "Tricks total 11, but 10 were played",
    ),
    "more tricks than cards": (
        {"tricks_1": 11},
        "A round has only 10 tricks, so nobody can take 11.",
    ),
    "a bid of nothing": ({"bid_1": "0"}, "Bid 1 to 10, or Nil for no tricks at all."),
    "a bid too high": ({"bid_2": "11"}, "Bid 1 to 10, or Nil for no tricks at all."),
    "blind Nil": ({"bid_3": "blind nil"}, "Blind Nil isn’t allowed in this game."),
}


@pytest.mark.parametrize(("change", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_what_the_rules_refuse_is_422_and_what_was_typed_stays(
    recorded: Table, change: dict[str, object], sentence: str
) -> None:
    before = recorded.everything()
    answer = recorded.correct(1, **change)
    assert answer.status_code == 422
    page = page_of(answer)
    assert sentence in page.text
    typed = page.form("rounds/1").fields
    assert {name: typed[name.replace("_", "-")] for name in change} == {
        name: str(value) for name, value in change.items()
    }
    assert recorded.everything() == before


def test_a_refused_bid_is_told_beside_its_seat(recorded: Table) -> None:
    page = page_of(recorded.correct(1, bid_2="11"))
    assert page.error_of("bid-2") == "Bid 1 to 10, or Nil for no tricks at all."
    assert page.error_of("bid-1") == ""


def test_every_wrong_seat_is_told(recorded: Table) -> None:
    page = page_of(recorded.correct(1, bid_1="11", bid_4="blind nil"))
    assert page.error_of("bid-1").startswith("Bid 1 to 10")
    assert page.error_of("bid-4") == "Blind Nil isn’t allowed in this game."


def test_counts_that_do_not_add_up_are_marked_in_every_row(recorded: Table) -> None:
    page = page_of(recorded.correct(1, tricks_1=2))
    message = "Tricks total 9, but 10 were played. Count again."
    assert [page.error_of(f"tricks-{n}") for n in range(1, 5)] == [message] * 4
    assert page.error_of("bid-1") == ""


MALFORMED = {
    "no bid": {"bid_1": "x"},
    "a missing bid": {"bid_4": None},
    "foreign digits in a bid": {"bid_1": "٣"},
    "400 digits in a bid": {"bid_1": "9" * 400},
    "no count": {"tricks_1": "x"},
    "a missing count": {"tricks_4": None},
    "foreign digits in a count": {"tricks_1": "３"},
    "400 digits in a count": {"tricks_1": "9" * 400},
}


@pytest.mark.parametrize("change", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_malformed_is_422_with_a_sentence_at_its_field(
    recorded: Table, change: dict[str, object]
) -> None:
    before = recorded.everything()
    answer = recorded.correct(1, **change)
    assert answer.status_code == 422
    ((name, value),) = change.items()
    page = page_of(answer)
    assert page.error_of(name.replace("_", "-")) != ""
    assert page.form("round").fields[name.replace("_", "-")] == (
        value or {"bid_4": "4"}.get(name, "3")
    )
    assert recorded.everything() == before


def test_the_hook_holds_for_a_corrected_round(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    table.play_round((3, 3, 3, 3), (3, 3, 3, 4))
    answer = table.correct(1, bid_4="4")
    assert answer.status_code == 422
    assert "can’t total 13" in page_of(answer).text


@pytest.mark.parametrize("number", ["0", "4", "99", "x", "-1", "١", "9" * 400])
def test_a_round_that_is_not_reached_has_no_page(recorded: Table, number: str) -> None:
    path = f"{recorded.path}/rounds/{number}"
    before = recorded.everything()
    assert recorded.get(path).status_code == 404
    assert recorded.post(path, recorded.fresh(**FORM)).status_code == 404
    assert recorded.everything() == before


def test_a_guest_does_not_see_the_page(recorded: Table) -> None:
    guest = Table(recorded.app)
    assert guest.get(recorded.round_path(number=1)).status_code == 404
    guest.join()
    assert guest.get(recorded.round_path(number=1)).status_code == 404


def test_a_round_that_bid_itself_is_corrected_by_its_tricks(table: Table) -> None:
    table.new_game(first_round_bids_itself="yes")
    table.score(3, 4, 0, 3)
    assert table.totals == (30, 40, 0, 30)
    assert table.correct(1, tricks_1=4, tricks_2=3).status_code == 303
    assert table.totals == (40, 30, 0, 30)


def test_two_phones_correct_different_seats_of_a_round(played: Table) -> None:
    other = played.second_phone()
    path = played.round_path(number=1)
    mine, theirs = played.page(path).form("rounds/1"), other.page(path).form("rounds/1")
    played.send(mine, **{"tricks-1": 2, "tricks-2": 5})
    answer = other.send(theirs, **{"bid-3": 1})
    assert answer.status_code == 303
    assert played.game.rounds[0][:2] == ((3, 2, 1, 4), (2, 5, 0, 3))
    theirs = other.page(path).form("rounds/1")
    played.correct(1, tricks_1=3, tricks_2=4)
    assert other.send(theirs, **{"tricks-3": 1, "tricks-4": 2}).status_code == 409


def test_a_correction_that_comes_too_late_shows_both_and_can_record_its_own(
    played: Table,
) -> None:
    path = played.round_path(number=1)
    old = played.page(path).form("rounds/1")
    played.correct(1, tricks_1=4, tricks_2=3)
    before = played.everything()
    answer = played.send(old, **{"tricks-1": 2, "tricks-2": 5})
    assert answer.status_code == 409
    page = page_of(answer)
    assert page.texts("tbody/tr[1]/td") == ["bid 3, took 4 total 41", "bid 3, took 2 total −20"]
    assert page.texts("tbody/tr[2]/td") == ["bid 2, took 3 total 31", "bid 2, took 5 total 33"]
    assert "Your entry isn’t lost" in page.alerts
    assert played.everything() == before
    assert played.send(page.form("rounds/1")).status_code == 303
    assert played.game.rounds[0].tricks == (2, 5, 0, 3)


def test_the_conflict_page_leads_back_to_what_is_recorded(played: Table) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1")
    played.correct(1, tricks_1=4, tricks_2=3)
    links = page_of(played.send(old, **{"tricks-1": 2, "tricks-2": 5})).all("a[@href]")
    assert played.path in [link.get("href") for link in links]


def test_a_bid_is_shown_on_the_conflict_page_as_people_say_it(played: Table) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1")
    played.correct(1, bid_4="1")
    page = page_of(played.send(old, **{"bid-4": "nil"}))
    assert page.texts("tbody/tr[4]/td") == ["bid 1, took 3 total 17", "bid Nil, took 3 total −42"]


RESTORED = {"older cells": FORM["original"], "reset": "", "missing": None}


@pytest.mark.parametrize("original", RESTORED.values(), ids=RESTORED.keys())
def test_old_cells_under_the_newest_version_are_refused_and_shown_beside_what_is_recorded(
    played: Table, original: str | None
) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1").fields
    played.correct(1, tricks_1=4, tricks_2=3)
    before = played.everything()
    restored = old | {"version": played.game.version, "original": original}
    answer = played.post(played.round_path(number=1), restored)
    assert answer.status_code == 409
    page = page_of(answer)
    assert page.texts("tbody/tr[1]/td") == ["bid 3, took 4 total 41", "bid 3, took 3 total 40"]
    assert "Your entry isn’t lost" in page.alerts
    assert played.everything() == before
    assert played.send(page.form("rounds/1")).status_code == 303
    assert played.game.rounds[0].tricks == (3, 4, 0, 3)


def test_old_cells_stay_old_on_a_page_that_says_what_else_is_wrong(played: Table) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1").fields
    played.correct(1, tricks_1=4, tricks_2=3)
    restored = old | {"version": played.game.version, "original": "", "tricks-1": "9"}
    again = page_of(played.post(played.round_path(number=1), restored)).form("rounds/1")
    assert played.send(again, **{"tricks-1": "3"}).status_code == 409


def test_a_correction_that_is_sent_twice_is_made_once(played: Table) -> None:
    form = played.page(played.round_path(number=1)).form("rounds/1")
    sent = {"tricks-1": 4, "tricks-2": 3}
    assert played.send(form, **sent).status_code == 303
    before = played.everything()
    assert played.send(form, **sent).status_code == 303
    assert played.everything() == before


def preview(table: Table, number: int = 1, **fields: object) -> str:
    path = table.round_path("preview", number)
    return table.get(f"{path}?{urlencode({**FORM, **fields})}").get_data(as_text=True)


def test_the_preview_tells_the_totals_after_a_correction(recorded: Table) -> None:
    before = recorded.everything()
    shown = preview(recorded, **{"bid-3": 1})
    assert "South</bdi> 60 → 0" in shown
    assert "Everyone else unchanged." in shown
    assert recorded.everything() == before


def test_the_preview_of_nothing_new_says_nothing(recorded: Table) -> None:
    assert "→" not in preview(recorded, **{"tricks-1": 3, "tricks-2": 4})


def test_the_preview_says_what_is_wrong(recorded: Table) -> None:
    assert "Tricks total 9, but 10 were played." in preview(recorded, **{"tricks-4": 2})


def test_the_preview_tells_a_changed_end(game: Table) -> None:
    game.play_round((5, 2, 2, 1), (5, 2, 2, 1))
    game.play_round((5, 2, 2, 1), (5, 2, 2, 1))
    tricks = dict(zip(range(1, 5), (10, 0, 0, 0), strict=True))
    fields = {"bid-1": 10, "bid-2": 2, "bid-3": 2, "bid-4": 1}
    counts = {f"tricks-{n}": count for n, count in tricks.items()}
    shown = preview(game, 2, **fields, **counts)
    assert "North</bdi> would have won in round 2." in shown


def test_a_round_that_is_not_scored_has_no_preview(recorded: Table) -> None:
    assert recorded.get(recorded.round_path("preview", 3)).status_code == 404


def test_a_message_after_a_correction_offers_undo(played: Table) -> None:
    page = played.page(played.round_path(number=1))
    played.send(page.form("rounds/1"), **{"bid-3": 1})
    page = played.page()
    assert "Round 1 corrected. South 60 → 0" in page.text
    form = next(form for form in page.forms() if form.action.endswith("/undo"))
    played.send(form)
    assert played.game.round(1).bids[2] is Nil.NIL
    assert "corrected" not in played.page().text
