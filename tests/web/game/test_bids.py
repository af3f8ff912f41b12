"""Noting a bid."""

import pytest

from scorekeeper.rules.bidding import Nil
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of


class TestAddress(VersionChecklist):
    __test__ = True
    fields = {"seat": 1, "bid": 3}  # noqa: RUF012 - never changed

    def address(self, table: Table) -> str:
        return table.round_path("bids")


NO_BIDS = {
    "nothing": "",
    "a blank": " ",
    "below zero": "-1",
    "a plus": "+3",
    "three digits": "003",
    "a fraction": "3.0",
    "a comma": "3,0",
    "an exponent": "1e1",
    "base sixteen": "0x3",
    "an underscore": "1_0",
    "arabic digits": "٣",
    "persian digits": "۳",
    "devanagari digits": "३",
    "wide digits": "３",
    "superscript": "²",
    "roman number": "Ⅷ",
    "chinese number": "三",
    "a real minus": "−3",
    "400 digits": "9" * 400,
    "500 digits": "9" * 500,
    "two numbers": "3 4",
    "a line break": "3\n",
    "a hidden blank": "\u200b3",
    "turned around": "\u202e31",
    "half a word": "blind",
    "capitals": "NIL",
    "none": "None",
    "infinity": "inf",
    "a list": "[3]",
    "a formula": "=3",
    "a query": "3 OR 1=1",
}

OUT_OF_RANGE = {
    "nothing at all": ("0", "Bid 1 to 10, or Nil for no tricks at all."),
    "one too many": ("11", "Bid 1 to 10, or Nil for no tricks at all."),
    "the largest that can be typed": ("99", "Bid 1 to 10, or Nil for no tricks at all."),
    "a call of other books": ("blind nil", "Blind Nil isn’t allowed in this game."),
}


def test_a_bid_is_noted_and_the_turn_passes_clockwise(game: Table) -> None:
    answer = game.bid(3)
    assert answer.location == game.path
    assert game.state.open.bids == (3, None, None, None)
    assert game.page().form("entry").fields["seat"] == "2"


def test_the_last_bid_ends_the_bidding(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    assert game.state.phase == "playing"
    assert game.state.open.bids == (3, 2, Nil.NIL, 4)


def test_a_half_entered_round_is_there_when_the_phone_comes_back(game: Table) -> None:
    game.bid(3)
    game.bid("nil")
    rows = game.page().texts("li//*[@class='seat-bid']")
    assert rows == ["3", "Nil", "?", ""]


def test_a_bid_can_be_changed_while_others_bid(game: Table) -> None:
    game.bid(3)
    game.bid(4, seat=1)
    assert game.state.open.bids == (4, None, None, None)


def test_a_bid_can_be_changed_while_the_cards_are_played(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    game.post(game.round_path("bids"), game.fresh(seat=2, bid=5))
    assert game.state.open.bids == (3, 5, Nil.NIL, 4)
    assert game.state.phase == "playing"


def test_a_tap_on_a_seat_goes_to_that_seat(still: Table) -> None:
    assert still.page(f"{still.path}?seat=3").form("entry").fields["seat"] == "3"


@pytest.mark.parametrize("seat", ["0", "5", "x", "", "٢", "-1", "9" * 400])
def test_a_tap_on_no_seat_shows_whose_turn_it_is(still: Table, seat: str) -> None:
    assert still.page(f"{still.path}?seat={seat}").form("entry").fields["seat"] == "1"


@pytest.mark.parametrize("text", NO_BIDS.values(), ids=NO_BIDS.keys())
def test_what_is_no_bid_is_refused_with_a_sentence(still: Table, text: str) -> None:
    before = still.everything()
    answer = still.bid(text)
    assert answer.status_code == 400
    assert "isn’t a bid. Bid a number or Nil." in page_of(answer).alerts
    assert still.everything() == before


@pytest.mark.parametrize(("bid", "sentence"), OUT_OF_RANGE.values(), ids=OUT_OF_RANGE.keys())
def test_a_bid_outside_the_rules_is_refused_with_the_reason(
    still: Table, bid: str, sentence: str
) -> None:
    before = still.everything()
    answer = still.bid(bid)
    assert answer.status_code == 422
    assert page_of(answer).alerts == sentence
    assert still.everything() == before


@pytest.mark.parametrize("bid", ["3", "03", " 3 "])
def test_a_slip_of_the_finger_is_forgiven(game: Table, bid: str) -> None:
    assert game.bid(bid).status_code == 303
    assert game.state.open.bids[0] == 3


def test_a_refused_bid_keeps_the_seat_it_was_meant_for(still: Table) -> None:
    answer = still.bid(11, seat=3)
    assert page_of(answer).form("entry").fields["seat"] == "3"


@pytest.mark.parametrize("seat", ["0", "5", "99"])
def test_an_unknown_seat_is_refused_with_a_sentence(still: Table, seat: str) -> None:
    before = still.everything()
    answer = still.post(still.round_path("bids"), still.fresh(seat=seat, bid=3))
    assert answer.status_code == 400
    assert page_of(answer).alerts == f"No seat {seat} at this table. Seats are 1 to 4."
    assert still.everything() == before


@pytest.mark.parametrize("seat", [None, "", "x", "-1", "٢", "２", "1.0", "1:1", "9" * 400])
def test_a_malformed_seat_is_refused_with_a_sentence(still: Table, seat: str | None) -> None:
    before = still.everything()
    answer = still.post(still.round_path("bids"), still.fresh(seat=seat, bid=3))
    assert answer.status_code == 400
    assert "“seat” must be a whole number" in page_of(answer).alerts
    assert still.everything() == before


def test_a_missing_bid_is_refused_with_a_sentence(still: Table) -> None:
    answer = still.bid(None)
    assert answer.status_code == 400
    assert "isn’t a bid" in page_of(answer).alerts


def test_a_refused_text_is_shown_short_and_escaped(still: Table) -> None:
    answer = still.bid("<b>bold</b>" + "9" * 400)
    assert page_of(answer).alerts.startswith("“<b>bold</b>999999999…” isn’t a bid")


@pytest.mark.parametrize(
    "number",
    ["0", "2", "99", "-1", "1.0", "x", "١", "１", "9" * 400, "9" * 5000],
    ids=["zero", "next", "far", "below", "broken", "letter", "arabic", "wide", "400", "5000"],
)
def test_a_round_that_is_not_being_played_is_404(still: Table, number: str) -> None:
    before = still.everything()
    answer = still.post(f"{still.path}/rounds/{number}/bids", still.fresh(seat=1, bid=3))
    assert answer.status_code == 404
    assert still.everything() == before


def test_the_hook_refuses_the_last_bidder_alone(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    for bid in (3, 3, 3):
        table.bid(bid)
    before = table.everything()
    answer = table.bid(4)
    assert answer.status_code == 422
    assert "Bids can’t total 13" in page_of(answer).alerts
    assert table.everything() == before
    assert table.bid(5).status_code == 303


def test_the_hooked_number_is_disabled_with_the_reason(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    for bid in (3, 3, 3):
        table.bid(bid)
    page = table.page()
    (disabled,) = page.all("button[@aria-disabled='true']")
    assert page.texts("button[@aria-disabled='true']") == ["4 makes 13"]
    assert "can’t total 13" in disabled.get("title")


def test_an_earlier_bid_changed_into_the_hook_is_refused(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    table.bid_round(3, 3, 3, 5)
    answer = table.post(table.round_path("bids"), table.fresh(seat=1, bid=2))
    assert answer.status_code == 422
    assert table.state.open.bids == (3, 3, 3, 5)


def test_blind_nil_too_early_is_refused_with_the_distance(table: Table) -> None:
    table.new_game("partnership")
    answer = table.bid("blind nil")
    assert answer.status_code == 422
    assert page_of(answer).alerts == ("Blind Nil: must trail by 100, trails by 0.")
    assert table.state.open.bids == (None,) * 4


def test_blind_nil_is_open_to_a_side_that_is_far_enough_behind(table: Table) -> None:
    table.new_game("partnership", first_dealer=4)
    table.play_round((6, 4, 4, 3), (6, 2, 4, 1))
    assert table.totals == (100, -70)
    seat = 2
    assert table.bid("blind nil", seat=seat).status_code == 303
    assert table.bid("blind nil", seat=1).status_code == 422


def test_only_one_partner_may_call_blind_nil(table: Table) -> None:
    table.new_game("partnership", first_dealer=4)
    table.play_round((6, 4, 4, 3), (6, 2, 4, 1))
    table.bid("blind nil", seat=2)
    answer = table.bid("blind nil", seat=4)
    assert answer.status_code == 422
    assert "Only one partner" in page_of(answer).alerts


def test_a_round_that_bids_itself_takes_no_bids(table: Table) -> None:
    table.new_game(first_round_bids_itself="yes")
    assert table.state.phase == "playing"
    answer = table.post(table.round_path("bids"), table.fresh(seat=1, bid=3))
    assert answer.status_code == 422
    assert "There’s no bidding in this round" in page_of(answer).alerts


def test_after_the_end_nobody_bids(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert table.state.phase == "over"
    before = table.everything()
    answer = table.post(table.round_path("bids", 2), table.fresh(seat=1, bid=3))
    assert answer.status_code == 400
    assert page_of(answer).alerts == (
        "The game ended after round 1. Undo the last round to continue."
    )
    assert table.everything() == before


def test_a_round_that_a_correction_left_after_the_end_takes_no_bids(table: Table) -> None:
    table.new_game(target=60)
    table.play_round((3, 2, 1, 4), (2, 3, 1, 4))
    table.bid(3)
    table.correct(1, bid_4="7", tricks_4=7, tricks_2=0, tricks_1=2)
    assert table.state.phase == "over"
    before = table.everything()
    answer = table.post(table.round_path("bids", 2), table.fresh(seat=3, bid=1))
    assert answer.status_code == 400
    assert (
        "The game ended after round 1. Undo the last round to continue." in page_of(answer).alerts
    )
    assert table.everything() == before


def test_two_phones_bid_for_different_seats_from_the_same_page(game: Table) -> None:
    other = game.second_phone()
    mine, theirs = game.page().form("entry"), other.page().form("entry")
    assert game.send(mine, seat=1, bid=3).status_code == 303
    assert other.send(theirs, seat=2, bid="nil").status_code == 303
    assert game.state.open.bids == (3, Nil.NIL, None, None)


def test_two_phones_bid_the_same_for_a_seat_and_it_is_noted_once(game: Table) -> None:
    other = game.second_phone()
    mine, theirs = game.page().form("entry"), other.page().form("entry")
    game.send(mine, bid=3)
    version = game.game.version
    assert other.send(theirs, bid=3).status_code == 303
    assert game.game.version == version


def test_two_phones_that_disagree_see_both_entries(game: Table) -> None:
    other = game.second_phone()
    mine, theirs = game.page().form("entry"), other.page().form("entry")
    game.send(mine, bid=3)
    before = game.everything()
    answer = other.send(theirs, bid=4)
    assert answer.status_code == 409
    rows = page_of(answer).texts("tbody/tr[1]/td")
    assert rows == ["bid 3 total 0", "bid 4 total 0"]
    assert game.everything() == before


def test_the_page_of_two_entries_can_record_mine_after_all(game: Table) -> None:
    old = game.page().form("entry")
    game.bid(3)
    choice = page_of(game.send(old, bid=4)).form("/bids")
    assert game.send(choice).status_code == 303
    assert game.state.open.bids[0] == 4


def test_an_old_page_with_what_was_recorded_changes_nothing(game: Table) -> None:
    old = game.page().form("entry")
    game.bid(3)
    game.bid(2)
    before = game.everything()
    assert game.send(old, bid=3).status_code == 303
    assert game.everything() == before


def test_an_old_page_of_a_scored_round_cannot_overwrite_it(game: Table) -> None:
    old = game.page().form("entry")
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    before = game.everything()
    answer = game.send(old, bid=5)
    assert answer.status_code == 422
    assert "Round 1 is already scored" in page_of(answer).alerts
    assert game.everything() == before


def test_the_bids_of_a_scored_round_are_changed_by_its_correction_alone(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    before = game.everything()
    answer = game.post(game.round_path("bids", 1), game.fresh(seat=1, bid=5))
    assert answer.status_code == 422
    assert "Round 1 is already scored" in page_of(answer).alerts
    assert game.everything() == before


def test_the_bids_of_the_last_round_stay_after_the_end(table: Table) -> None:
    table.new_game(target="30")
    table.play_round((3, 3, 3, 1), (3, 3, 3, 1))
    before = table.everything()
    answer = table.post(table.round_path("bids", 1), table.fresh(seat=4, bid=2))
    assert answer.status_code == 422
    assert table.everything() == before


def test_a_late_bid_that_agrees_with_the_score_changes_nothing(game: Table) -> None:
    old = game.page().form("entry")
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    before = game.everything()
    assert game.send(old, bid=3).status_code == 303
    assert game.everything() == before
