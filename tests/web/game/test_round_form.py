"""The form that enters the open round: bids alone, then tricks, or all at once."""

from typing import Any, ClassVar

import pytest

from scorekeeper.rules.bidding import Nil, blind_bids, possible_bids, refusal
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.changes import changes_of
from tests.web.checklist import VersionChecklist
from tests.web.game.test_seats import claim_seat
from tests.web.page import Page, text_of
from tests.web.play import PLAYERS, Table, page_of

BIDS, TRICKS = (3, 2, "nil", 4), (3, 4, 0, 3)
NOTHING = (None,) * 4
FIELDS = {f"bid-{n}": bid for n, bid in enumerate(BIDS, 1)}


def form_page(table: Table) -> Page:
    return table.page(table.round_path())


def values(page: Page, what: str) -> list[str]:
    fields = page.form("round").fields
    return [value for name, value in fields.items() if name.startswith(what)]


def focused(page: Page) -> str:
    return page.one("*[@autofocus]").get("name", "")


def options(page: Page, name: str) -> list[str]:
    return [one.get("value", "") for one in page.one(f"select[@name='{name}']").iter("option")]


def kinds(table: Table) -> list[str]:
    return [change.kind for change in changes_of(table.store.db, table.game)][1:]


class TestBids(VersionChecklist):
    __test__ = True
    fields: ClassVar[dict[str, Any]] = {"original": "open,,,,,,,,", **FIELDS}

    def address(self, table: Table) -> str:
        return table.round_path(number=1)


class TestWholeRound(VersionChecklist):
    __test__ = True
    fields = TestBids.fields | {f"tricks-{n}": count for n, count in enumerate(TRICKS, 1)}

    def address(self, table: Table) -> str:
        return table.round_path(number=1)


@pytest.fixture(scope="module")
def bid(still: Table) -> Table:
    """A round that is bid to the end, for counts that are refused."""
    table = still.second_phone()
    table.new_game()
    table.bid_round(*BIDS)
    return table


def links_to_form(table: Table) -> dict[str, str]:
    """Return where the links on the page of a game lead that enter a round."""
    links = {text_of(link): link.get("href", "") for link in table.page().all("a")}
    return {text: path for text, path in links.items() if text.startswith("Enter round")}


def test_the_page_of_a_game_leads_to_the_form_where_there_are_no_scripts(game: Table) -> None:
    assert links_to_form(game) == {"Enter round 1": game.round_path()}
    game.play_round(BIDS, TRICKS)
    assert links_to_form(game) == {"Enter round 2": game.round_path()}


def test_bids_alone_are_stored_and_the_page_then_asks_for_tricks(game: Table) -> None:
    page = form_page(game)
    assert focused(page) == "bid-1"
    assert "0 of 10 bid" in page.text
    answer = game.enter(BIDS)
    assert answer.location == game.round_path()
    assert game.state.open.bids == (3, 2, Nil.NIL, 4)
    assert kinds(game) == ["bid"]
    page = form_page(game)
    assert values(page, "bid") == ["3", "2", "nil", "4"]
    assert focused(page) == "tricks-1"
    assert "0 of 10 tricks · North, East, South and West to count" in page.text


def test_seats_may_bid_one_after_the_other_and_change_their_minds(game: Table) -> None:
    assert game.enter((3, 2)).status_code == 303
    assert "5 of 10 bid" in form_page(game).text
    assert focused(form_page(game)) == "bid-3"
    assert game.enter(("", 1)).status_code == 303
    assert game.state.open.bids == (None, 1, None, None)


def test_the_form_left_empty_stores_nothing(game: Table) -> None:
    before = game.everything()
    assert game.enter(()).status_code == 303
    assert game.everything() == before
    game.enter((3,))
    assert game.enter(("",)).status_code == 303
    assert game.game.rounds == ()


def test_rows_stand_in_bidding_order_with_the_dealer(game: Table) -> None:
    game.play_round(BIDS, TRICKS)
    assert form_page(game).texts("tr/th[@scope='row']") == ["East", "South", "West", "North D"]


def test_all_at_once_is_scored(game: Table) -> None:
    assert game.enter(BIDS, TRICKS).location == game.path
    assert game.totals == (30, 22, 50, -40)
    assert game.state.standing.bags == (0, 2, 0, 0)
    assert (game.state.number, game.state.dealer) == (2, 0)
    assert kinds(game) == ["scored"]


def test_the_last_count_is_filled_in_with_what_the_round_makes(game: Table) -> None:
    game.play_round(BIDS, TRICKS)
    assert game.enter((3, 2, 1, 4), (4, 2, 1, "")).location == game.round_path()
    assert game.state.open.tally == (4, 2, 1, None)
    page = form_page(game)
    assert values(page, "tricks") == ["2", "1", "3", "4"]
    assert "All 10 counted · West took the other 3" in page.text
    rows = page.texts("tr/th[@scope='row']")
    assert rows == ["East +20 → 42", "South +10 → 60", "West −40 → −80", "North D +31 → 61"]
    assert page.texts("form[@id='round']/button") == ["Score round 2"]
    assert game.send(page.form("round"), score="yes").location == game.path
    assert game.totals == (61, 42, 60, -80)


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        ((3,), "3 of 10 tricks · East, South and West to count"),
        ((3, 4), "7 of 10 tricks · South and West to count"),
        (("", "", 0, 1), "1 of 10 tricks · North and East to count"),
    ],
)
def test_some_tricks_are_kept_until_the_others_are_counted(
    game: Table, tricks: tuple[object, ...], said: str
) -> None:
    game.enter(BIDS)
    assert game.enter(BIDS, tricks).status_code == 303
    assert said in form_page(game).text
    assert game.enter(BIDS, TRICKS).location == game.path
    assert game.totals == (30, 22, 50, -40)


def test_undo_brings_the_form_back_with_what_was_in_it(game: Table) -> None:
    game.enter(BIDS, (3, 4, 0))
    game.enter(BIDS, TRICKS)
    game.undo()
    assert values(form_page(game), "tricks") == ["3", "4", "0", "3"]


NO_BIDS = {
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

NO_COUNTS = {
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

REFUSED = {
    "a bid above the tricks": (
        (11, 2, 3, 4),
        (),
        "bid-1",
        "Bid 1 to 10, or Nil for no tricks at all.",
    ),
    "a bid of nothing": (("0", 2, 3, 4), (), "bid-1", "Bid 1 to 10, or Nil for no tricks at all."),
    "the largest that can be typed": ((3, "99"), (), "bid-2", "Bid 1 to 10, or Nil"),
    "a Nil that is not there": ((3, 2, "blind nil", 4), (), "bid-3", "Blind Nil isn’t allowed"),
    "tricks before all bids": ((3, 2, 1), (3,), "bid-1", "Enter all bids before the tricks."),
    "all tricks, a bid missing": ((3, 2, 1), TRICKS, "bid-4", "Enter this bid."),
    "tricks that are too few": (BIDS, (3, 4, 0, 2), "tricks-4", "Tricks total 9, but 10"),
    "one trick too many": (BIDS, (3, 4, 0, 4), "tricks-4", "Tricks total 11, but 10"),
    "no tricks at all": (BIDS, (0, 0, 0, 0), "tricks-4", "Tricks total 0, but 10"),
    "all tricks for everybody": (BIDS, (10, 10, 10, 10), "tricks-4", "Tricks total 40, but 10"),
    "counts that are too many": (
        BIDS,
        (3, 4, 4),
        "tricks-3",
        "That makes 11 tricks; there are only 10.",
    ),
    "a count that is too large": (
        BIDS,
        (3, 11),
        "tricks-2",
        "That makes 14 tricks; there are only 10.",
    ),
    "more than there are": (BIDS, (11, 0, 0, 0), "tricks-1", "nobody can take 11"),
    "more than there are twice": (BIDS, (11, 0, 12, 0), "tricks-3", "nobody can take 12"),
    "a long text": (
        ("<b>bold</b>" + "9" * 400,),
        (),
        "bid-1",
        "“<b>bold</b>999999999…” isn’t a bid",
    ),
    "no bid of two": ((3, "x", 1, 1), (), "bid-2", "“x” isn’t a bid."),
    "no count of two": (BIDS, (3, "x", 0, 3), "tricks-2", "must be a whole number, not “x”"),
}


@pytest.mark.parametrize(
    ("bids", "tricks", "field", "sentence"), REFUSED.values(), ids=REFUSED.keys()
)
def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_stays(
    still: Table, bids: tuple[Any, ...], tricks: tuple[Any, ...], field: str, sentence: str
) -> None:
    before = still.everything()
    answer = still.enter(bids, tricks)
    assert answer.status_code == 422
    page = page_of(answer)
    assert sentence in page.error_of(field)
    assert focused(page).partition("-")[0] == field.partition("-")[0]
    typed = page.form("round").fields
    for what, sent in (("bid", bids), ("tricks", tricks)):
        for n, value in enumerate(sent, 1):
            assert typed[f"{what}-{n}"] == str(value)
    assert still.everything() == before


@pytest.mark.parametrize("text", NO_BIDS.values(), ids=NO_BIDS.keys())
def test_what_is_no_bid_is_refused_with_a_sentence(still: Table, text: str) -> None:
    before = still.everything()
    answer = still.bid(text)
    assert answer.status_code == 422
    assert "isn’t a bid. Bid a number or Nil." in page_of(answer).error_of("bid-1")
    assert still.everything() == before


@pytest.mark.parametrize("text", NO_COUNTS.values(), ids=NO_COUNTS.keys())
def test_what_is_no_count_is_refused_with_a_sentence(bid: Table, text: str) -> None:
    before = bid.everything()
    answer = bid.take(text)
    assert answer.status_code == 422
    assert "must be a whole number" in page_of(answer).error_of("tricks-1")
    assert bid.everything() == before


@pytest.mark.parametrize("text", ["3", "03", " 3 "])
def test_a_slip_of_the_finger_is_forgiven(game: Table, text: str) -> None:
    assert game.bid(text).status_code == 303
    assert game.state.open.bids[0] == 3


def test_fields_of_seats_nobody_sits_on_are_not_stored(game: Table) -> None:
    game.enter(BIDS)
    sent = {f"tricks-{n}": count for n, count in enumerate((7, *TRICKS, 7))}
    assert game.send(game.round_form(), **{"bid-0": 7, "bid-5": 7}, **sent).location == game.path
    assert game.game.rounds[0].bids == (3, 2, Nil.NIL, 4)
    assert game.game.rounds[0].tricks == TRICKS


def test_an_earlier_bid_changed_into_the_hook_is_refused(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    table.enter((3, 3, 3, 5))
    answer = table.bid(2, seat=1)
    assert answer.status_code == 422
    assert "can’t total 13" in page_of(answer).text
    assert table.state.open.bids == (3, 3, 3, 5)


def test_the_last_bidder_is_refused_what_the_hook_forbids(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    page = page_of(table.enter((3, 3, 3, 4)))
    assert "can’t total 13" in page.error_of("bid-4")
    assert table.send(page.form("round"), **{"bid-4": 3}).status_code == 303
    assert table.state.open.bids == (3, 3, 3, 3)


@pytest.mark.parametrize(
    "number", ["0", "2", "9999", "x", "-1", "1.0", "1e0", "١", "１", "9" * 400]
)
def test_a_round_that_is_not_reached_has_no_form(still: Table, number: str) -> None:
    path, before = f"{still.path}/rounds/{number}", still.everything()
    assert still.get(path).status_code == 404
    assert still.post(path, still.fresh(**FIELDS)).status_code == 404
    assert still.everything() == before


def test_after_the_end_no_round_can_be_entered(table: Table) -> None:
    table.new_game(target=30)
    old = form_page(table).form("round")
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    path = table.round_path(number=2)
    assert links_to_form(table) == {}
    assert table.get(path).status_code == 404
    answer = table.post(path, {**old.fields, **FIELDS, "version": table.game.version})
    assert answer.status_code == 400
    assert "The game ended after round 1." in page_of(answer).alerts


def test_a_round_that_a_correction_left_after_the_end_takes_no_bids(table: Table) -> None:
    table.new_game(target=60)
    table.play_round((3, 2, 1, 4), (2, 3, 1, 4))
    table.bid(3)
    old = table.round_form()
    table.correct(1, bid_4="7", tricks_4=7, tricks_2=0, tricks_1=2)
    assert table.state.phase == "over"
    before = table.everything()
    answer = table.send(old, **{"bid-3": 1}, version=table.game.version)
    assert answer.status_code == 400
    assert page_of(answer).alerts == (
        "The game ended after round 1. Undo the last round to continue."
    )
    assert table.everything() == before


# Every rule book, with the seat that bids first


@pytest.mark.parametrize(
    ("rules", "values"),
    [*((rules, {}) for rules in PRESETS), ("partnership", {"blind_bid_from": 6})],
)
def test_the_form_offers_the_bids_of_the_rules(
    table: Table, rules: str, values: dict[str, Any]
) -> None:
    players = (*PLAYERS, "Sixth")[: min(PRESETS[rules].players)]
    table.new_game(rules, players, first_dealer=1, **values)
    seat, book, nobody = table.state.bidders[0], table.state.round_rules, table.state.open.bids
    offered = [
        str(bid)
        for bid in (*possible_bids(book), *blind_bids(book))
        if not refusal(table.state.table, nobody, seat, bid)
    ]
    assert options(form_page(table), f"bid-{seat + 1}") == ["", *offered]


def test_a_blind_nil_is_offered_to_those_who_trail(table: Table) -> None:
    table.new_game("partnership", first_dealer=4, blind_nil_points=200, blind_nil_deficit=50)
    table.play_round((3, 2, 1, 4), (7, 2, 0, 4))
    table.play_round((7, 1, 1, 1), (7, 2, 2, 2))
    behind = [
        seat for seat in range(4) if "blind nil" in options(form_page(table), f"bid-{seat + 1}")
    ]
    assert behind == [seat for seat in range(4) if table.totals[seat % 2] + 50 <= max(table.totals)]


def test_partners_with_a_nil(table: Table) -> None:
    table.new_game("partnership", first_dealer=4)
    table.enter((4, 3, "nil", 4), (5, 3, 0))
    rows = form_page(table).texts("tr/th[@scope='row']")
    assert rows == ["North", "East", "South +141 → 141", "West D +71 → 71"]
    assert table.send(form_page(table).form("round"), score="yes").location == table.path
    assert table.totals == (141, 71)


def test_partners_who_bid_and_are_counted_as_one_have_one_row(table: Table) -> None:
    table.new_game("partnership", first_dealer=4, bid_by="side", tricks_by="side")
    page = form_page(table)
    assert page.texts("tr/th[@scope='row']") == ["North & South", "East & West D"]
    assert set(page.form("round").fields) >= {"bid-1", "bid-2", "tricks-1", "tricks-2"}
    assert "bid-3" not in page.form("round").fields
    assert table.enter((7, 6), (8, 5)).location == table.path
    assert table.game.rounds[0].bids == (7, 6, None, None)
    assert table.game.rounds[0].tricks == (8, 5, 0, 0)


@pytest.mark.parametrize(("bid_by", "tricks_by"), [("side", "seat"), ("seat", "side")])
def test_a_field_that_stands_for_both_partners_names_them(
    table: Table, bid_by: str, tricks_by: str
) -> None:
    off = (
        {}
        if bid_by == "side"
        else dict.fromkeys(("nil_points", "blind_nil_points", "blind_nil_deficit"), "off")
    )
    table.new_game("partnership", first_dealer=4, bid_by=bid_by, tricks_by=tricks_by, **off)
    page = form_page(table)
    assert len(page.texts("tr/th[@scope='row']")) == 4
    assert page.texts("td/small") == ["North & South", "East & West"]
    name = "bid-1" if bid_by == "side" else "tricks-1"
    what = "bid" if bid_by == "side" else "tricks"
    assert page.one(f"select[@name='{name}']").get("aria-label") == f"North & South’s {what}"
    assert table.enter((3, 3, 3, 3), (4, 3, 3, 3) if tricks_by == "seat" else (7, 6)).location
    assert table.state.number == 2


def test_call_break_counts_in_tenths(table: Table) -> None:
    table.new_game("call-break", first_dealer=4)
    table.enter((3, 4, 2, 2), (4, 4, 2))
    assert "North +3.1 → 3.1" in form_page(table).text


def test_a_round_that_bids_itself_asks_for_tricks_alone(table: Table) -> None:
    table.new_game(first_round_bids_itself="yes")
    assert [*values(form_page(table), "bid")] == []
    assert focused(form_page(table)).startswith("tricks")
    table.send(table.round_form(), **FIELDS)
    assert table.state.open.bids == NOTHING
    table.take(3)
    assert table.state.open.tally == (3, None, None, None)
    assert table.enter((), TRICKS).location == table.path
    assert table.totals == (30, 40, 0, 30)


def test_nobody_is_asked_for_an_empty_seat(game: Table) -> None:
    game.play_round(BIDS, TRICKS)
    game.send(game.round_form("/seats"), seat=2, leaves="yes")
    assert "bid-2" not in form_page(game).form("round").fields
    assert game.enter((3, "", 2, 4), (4, "", 2, 4)).location == game.path
    assert game.game.rounds[1].bids == (3, None, 2, 4)


def test_bids_that_are_thrown_in_are_dealt_again(table: Table) -> None:
    table.new_game(bids_at_least=8)
    table.enter((1, 1, 1, 1))
    assert "Bids total 4, but at least 8 are needed. Deal again." in form_page(table).text
    assert table.send(form_page(table).form("/misdeal")).status_code == 303
    assert table.state.open.bids == NOTHING


def test_a_phone_that_plays_for_a_seat_enters_for_no_other(game: Table) -> None:
    east = game.second_phone()
    claim_seat(east, 2)
    page = form_page(east)
    assert "North is bidding. This phone plays for East." in page.text
    assert values(page, "bid") + values(page, "tricks") == ["", ""]
    east.post(east.round_path(), east.fresh(original="open,,,,,,,,", **FIELDS))
    assert game.state.open.bids == (None, 2, None, None)
    game.enter(BIDS)
    assert east.enter((), ("", 4)).status_code == 303
    assert game.state.open.tally == (None, 4, None, None)


# Two phones


def two_forms(game: Table) -> tuple[Any, Any, Table]:
    other = game.second_phone()
    return form_page(game).form("round"), form_page(other).form("round"), other


def test_two_phones_that_fill_different_seats_do_not_hinder_each_other(game: Table) -> None:
    mine, theirs, other = two_forms(game)
    assert game.send(mine, **{"bid-1": 3, "bid-2": 2}).status_code == 303
    assert other.send(theirs, **{"bid-3": "nil", "bid-4": 4}).status_code == 303
    assert game.state.open.bids == (3, 2, Nil.NIL, 4)


def test_what_two_phones_enter_together_is_checked_together(table: Table) -> None:
    table.new_game("cutthroat", first_dealer=4)
    mine, theirs, other = two_forms(table)
    table.send(mine, **{"bid-1": 3, "bid-2": 3, "bid-3": 3})
    answer = other.send(theirs, **{"bid-4": 4})
    assert answer.status_code == 422
    page = page_of(answer)
    assert values(page, "bid") == ["3", "3", "3", "4"]
    assert other.send(page.form("round"), **{"bid-4": 3}).status_code == 303
    assert table.state.open.bids == (3, 3, 3, 3)


def test_a_bid_that_another_phone_entered_otherwise_is_shown_beside_it(game: Table) -> None:
    mine, theirs, other = two_forms(game)
    game.send(mine, **{"bid-1": 3, "bid-2": 2})
    before = game.everything()
    answer = other.send(theirs, **{"bid-1": 4, "bid-3": "nil"})
    assert answer.status_code == 409
    page = page_of(answer)
    assert page.texts("tbody/tr/td[1]")[:3] == ["bid 3 total 0", "bid 2 total 0", "– total 0"]
    assert page.texts("tbody/tr/td[2]")[:3] == ["bid 4 total 0", "bid 2 total 0", "bid Nil total 0"]
    assert game.everything() == before
    assert other.send(page.form("rounds/1")).status_code == 303
    assert game.state.open.bids == (4, 2, Nil.NIL, None)


def test_two_phones_that_score_the_same_score_once(game: Table) -> None:
    sent = FIELDS | {f"tricks-{n}": count for n, count in enumerate(TRICKS, 1)}
    mine, theirs, other = two_forms(game)
    game.send(mine, **sent)
    before = game.everything()
    assert other.send(theirs, **sent).status_code == 303
    assert other.send(theirs, **FIELDS).status_code == 303
    assert game.everything() == before


@pytest.mark.parametrize("sent", [{"bid-1": 4}, {"tricks-1": 4, "tricks-2": 3}])
def test_a_round_that_was_scored_meanwhile_is_not_corrected_unawares(
    game: Table, sent: dict[str, object]
) -> None:
    game.enter(BIDS)
    mine, theirs, other = two_forms(game)
    game.send(mine, **{f"tricks-{n}": count for n, count in enumerate(TRICKS, 1)})
    before = game.everything()
    answer = other.send(theirs, **sent)
    assert answer.status_code == 409
    page = page_of(answer)
    assert "Your entry isn’t lost" in page.alerts
    assert page.texts("tbody/tr[1]/td[1]") == ["bid 3, took 3 total 30"]
    assert game.everything() == before
    assert other.send(page.form("rounds/1")).status_code == 303
    stored = game.game.rounds[0]
    assert (stored.bids[0], stored.tricks) == (
        sent.get("bid-1", 3),
        (4, 3, 0, 3) if "tricks-1" in sent else TRICKS,
    )


def test_a_correction_of_a_round_that_was_reopened_meanwhile_is_a_conflict(game: Table) -> None:
    game.enter(BIDS, TRICKS)
    old = game.page(game.round_path(number=1)).form("round")
    game.undo()
    answer = game.send(old, **{"tricks-1": 4, "tricks-2": 3})
    assert answer.status_code == 409
    assert game.send(page_of(answer).form("rounds/1")).status_code == 303
    assert game.game.rounds[0].tricks == (4, 3, 0, 3)


def test_an_old_form_sent_again_scores_nothing_twice(game: Table) -> None:
    old = form_page(game).form("round")
    sent = FIELDS | {f"tricks-{n}": count for n, count in enumerate(TRICKS, 1)}
    game.send(old, **sent)
    game.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    before = game.everything()
    assert game.send(old, **sent).status_code == 303
    assert game.everything() == before


def test_fields_that_a_browser_restored_are_not_stored_unseen(game: Table) -> None:
    game.enter((3, 2))
    fields = form_page(game).form("round").fields
    answer = game.post(game.round_path(), fields | {"original": "", "bid-1": 4})
    assert answer.status_code == 409
    assert game.state.open.bids == (3, 2, None, None)


BONUS = {"what": "bonus:nobody", "seat": "2"}
FINE = {"what": "points:nobody", "reason": "other"}
BESIDE = {  # what is typed beside bids and tricks: in which form, and where it goes
    "no seat": ("penalty", "penalties", {**FINE, "size": "7"}),
    "amount": ("penalty", "penalties", {**FINE, "seat": "3", "size": "many"}),
    "too many points": ("points", "penalties", {**BONUS, "sign": "-", "size": "9999999"}),
    "a long reason": ("points", "penalties", {**BONUS, "size": "5", "reason": "b" * 61}),
    "note": ("note", "note", {"remark": "a <b> & c" * 60}),
    "note on the game": ("note", "note", {"game_remark": "x" * 501}),
    "cards": ("cards", "cards", {"cards": "99"}),
    "name in the game": ("seats", "seats", {"seat": "2", "name": PLAYERS[0]}),
    "name too long": ("seats", "seats", {"seat": "3", "name": "n" * 61}),
    "one swaps": ("seats", "swap", {"seat": "3"}),
    "start totals": ("start-totals", "start", {"start-1": "7", "start-2": "many", "start-4": "-2"}),
}


@pytest.mark.parametrize("what", BESIDE)
def test_what_was_typed_beside_bids_and_tricks_stays_where_it_is_refused(
    table: Table, what: str
) -> None:
    form, address, typed = BESIDE[what]
    table.new_game("oh-hell", **{"start-1": "20"})
    answer = table.post(table.round_path(address), table.fresh(**typed))
    assert answer.status_code in (400, 422)
    page = page_of(answer)
    fold = page.one(f"details[@id='{form}']")
    assert fold.get("open") is not None
    wrong = page.one("*[@autofocus]")
    assert wrong in [*fold.iter()]
    assert wrong.get("aria-invalid") == "true"
    assert page.one(f"p[@id='{wrong.get('aria-describedby')}']") in [*fold.iter("p")]
    assert page.alerts
    shown = {one.get("name"): text_of(one) for one in fold.iter("textarea")}
    for each in page.forms():
        if each.action.endswith(f"/{address}") and each.fields.get("what") == typed.get("what"):
            shown |= each.fields
    assert {name: value for name, value in typed.items() if shown.get(name) != value} == {}
    assert table.game.rounds[0].notes == table.second_phone().game.rounds[0].notes
