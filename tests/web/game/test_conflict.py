"""The page of two entries: what differs, from whom and when, and the totals either way."""

import re

import pytest
from werkzeug.test import TestResponse

from tests.web.page import Page, text_of
from tests.web.play import Table, page_of

TIME = re.compile(r"\b\d\d:\d\d\b")
SCORED = {"bids": (3, 2, "nil", 4), "tricks": (3, 4, 0, 3)}


def marked(page: Page) -> list[str]:
    """Return the cells that are marked as different."""
    cells = page.all("span[@class='conflict-cell different']")
    assert all(cell.findall(".//*[@aria-label='differs']") for cell in cells)
    return [text_of(cell) for cell in cells]


def corrected_twice(table: Table, **mine: object) -> TestResponse:
    """Correct round 1 on another phone, then on an outdated page of this one."""
    old = table.page(table.round_path(number=1)).form("rounds/1")
    table.second_phone().correct(1, tricks_1=4, tricks_2=3)
    return table.send(old, **mine)


@pytest.fixture
def played(table: Table) -> Table:
    table.new_game()
    table.play_round(**SCORED)
    return table


def test_only_the_cells_that_differ_are_marked(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    assert marked(page) == [
        "bid 3, took 4 total 31",
        "bid 3, took 2 total −30",
        "bid 2, took 3 total 21",
        "bid 2, took 5 total 23",
    ]
    assert "The entries differ for North and East." in page.alerts


def test_it_says_which_phone_recorded_what_is_there_and_when(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    _corner, recorded, mine = page.texts("thead/tr/th")
    assert TIME.sub("…", recorded) == "the other phone recorded at …"
    assert TIME.sub("…", mine) == "This phone entered at …"


def test_it_is_the_phone_that_recorded_the_cells_that_differ(played: Table) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1")
    played.second_phone().correct(1, bid_4=3)
    played.correct(1, bid_3=1)
    page = page_of(played.send(old, **{"bid-4": 2, "bid-3": 1}))
    assert "the other phone" in page.texts("thead/tr/th")[1]


def test_the_totals_are_those_after_every_round(played: Table) -> None:
    old = played.page(played.round_path(number=1)).form("rounds/1")
    played.play_round((1, 1, 1, 1), (7, 1, 1, 1))
    played.correct(1, tricks_1=4, tricks_2=3)
    page = page_of(played.send(old, **{"tricks-1": 2, "tricks-2": 5}))
    before = played.totals
    assert page.texts("tbody/tr[1]/td")[0].endswith(f"total {before[0]}")
    played.send(page.form("rounds/1"))
    assert page.texts("tbody/tr[1]/td")[1].endswith(f"total {played.totals[0]}".replace("-", "−"))


def test_partners_have_their_totals_together(table: Table) -> None:
    table.new_game("partnership")
    table.play_round((3, 4, 3, 2), (3, 4, 3, 3))
    old = table.page(table.round_path(number=1)).form("rounds/1")
    table.correct(1, tricks_1=4, tricks_4=2)
    page = page_of(table.send(old, **{"tricks-1": 2, "tricks-4": 4}))
    assert page.texts("tbody/tr/th") == [
        "North", "South", "North and South", "East", "West", "East and West",
    ]  # fmt: skip
    assert page.texts("tbody/tr[3]/td") == ["total 61", "total −60"]
    assert page.texts("tbody/tr[6]/td") == ["total 60", "total 62"]
    assert len(marked(page)) == 8


def test_the_scores_stay_and_each_choice_says_what_it_leads_to(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    assert page.all("section[@aria-label='Scores']")
    assert page.texts("small[@id='totals-theirs']/span") == ["North 31", "East 21"]
    assert page.texts("small[@id='totals-ours']/span") == ["North −30", "East 23"]


def test_a_scored_round_can_be_entered_again(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    (link,) = [one for one in page.all("a[@href]") if one.text == "Re-enter the round"]
    assert link.get("href") == played.round_path(number=1)


def test_a_round_that_was_taken_back_meanwhile_is_said_to_be_so(played: Table) -> None:
    played.bid(3)
    old = played.page().form("entry")
    played.second_phone().undo()
    page = page_of(played.send(old, seat=2, bid=5))
    assert TIME.sub("…", page.texts("thead/tr/th")[1]) == "the other phone undone at …"
    assert page.texts("tbody/tr[2]/td") == ["– total 22", "bid 5 total 22"]


def test_the_heading_takes_the_focus(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    (heading,) = page.all("h1[@autofocus]")
    assert heading.get("tabindex") == "-1"
