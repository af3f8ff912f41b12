"""The page of two entries: what differs, from whom and when, and the totals either way."""

import re

import pytest
from werkzeug.test import TestResponse

from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.page import Page, text_of
from tests.web.play import AT, Table, page_of
from tests.web.taps import FINE, OTHER, facts_of, report, send

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
    assert page.texts("a/small/span") == ["North 31", "East 21"]
    assert page.texts("button/small/span") == ["North −30", "East 23"]


def test_a_scored_round_can_be_entered_again(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    (link,) = [one for one in page.all("a[@href]") if one.text == "Re-enter the round"]
    assert link.get("href") == played.round_path(number=1)


def test_a_round_that_was_taken_back_meanwhile_is_said_to_be_so(played: Table) -> None:
    played.bid(3)
    old = played.round_form()
    played.second_phone().undo()
    page = page_of(played.send(old, **{"bid-2": 5}))
    assert TIME.sub("…", page.texts("thead/tr/th")[1]) == "the other phone undone at …"
    assert page.texts("tbody/tr[2]/td") == ["– total 22", "bid 5 total 22"]


def test_the_heading_takes_the_focus(played: Table) -> None:
    page = page_of(corrected_twice(played, **{"tricks-1": 2, "tricks-2": 5}))
    (heading,) = page.all("h1[@autofocus]")
    assert heading.get("tabindex") == "-1"


# What the other phones of the table see of an entry that waits for the choice

NOTE = [
    "For round 1, the other phone has another entry.",
    "Saved: North bid 3, took 3 · East bid 2, took 4",
    "Not saved: North bid 3, took 4 · East bid 2, took 3",
]


def notes(table: Table) -> list[str]:
    """Return the lines of the notes on the page of the game."""
    return table.page().texts("details[@class='message tie clash']/*")


@pytest.fixture
def other(played: Table) -> Table:
    """Another phone, which waits with an entry that differs from the one that is saved."""
    other = played.second_phone()
    assert report(other, 1, **OTHER).status_code == 200
    return other


def test_the_other_phones_see_both_entries(played: Table, other: Table) -> None:
    for phone in (played, played.second_phone()):
        assert notes(phone) == NOTE
        assert facts_of(phone)["conflicts"] == [
            {
                "phone": "the other phone",
                "own": False,
                "n": 1,
                "round": {"bids": [3, 2, "nil", 4], "tricks": [4, 3, 0, 3], "tally": None},
            }
        ]
    assert notes(other) == []
    assert [one["own"] for one in facts_of(other)["conflicts"]] == [True]


def test_an_entry_that_waits_changes_no_score(played: Table) -> None:
    before = played.game
    report(played.second_phone(), 1, **OTHER)
    assert played.game == before


def test_no_other_table_sees_an_entry(played: Table, other: Table) -> None:
    guest = Table(played.app)
    guest.join()
    guest.game_id = played.game_id
    assert guest.get(f"{guest.path}/phone.json").status_code == 404
    token = {"csrf_token": guest.token(), "round": 1}
    assert guest.post(f"{guest.path}/conflict", token).status_code == 404
    guest.begin()
    assert facts_of(guest)["conflicts"] == []


@pytest.mark.parametrize(
    "ends",
    ["chose the saved one", "chose its own", "was corrected alike", "was removed", "gave it up"],
)
def test_it_goes_once_the_entry_does_not_wait_any_more(
    played: Table, other: Table, ends: str
) -> None:
    if ends == "chose its own":
        assert send(other, 1, **OTHER).status_code == 200
    elif ends == "was corrected alike":
        played.correct(1, tricks_1=4, tricks_2=3)
    elif ends == "was removed":
        with played.store.write() as db:
            remove_phone(db, played.id, other.session["phone"][:SHORT], AT)
    elif ends == "gave it up":
        assert report(other).status_code == 200
    else:
        assert report(other, 1, **SCORED).status_code == 200
    assert notes(played) == []


def test_a_phone_waits_with_one_entry_at_a_time(played: Table, other: Table) -> None:
    played.bid(3)
    assert report(other, 2, bids=("", 5, "", "")).status_code == 200
    assert notes(played)[0] == "For round 2, the other phone has another entry."
    assert len(facts_of(played)["conflicts"]) == 1


def test_each_phone_waits_with_its_own_entry(played: Table, other: Table) -> None:
    third = played.second_phone()
    report(third, 1, bids=(1, 2, "nil", 4), tricks=(3, 4, 0, 3))
    assert len(notes(played)) == 6
    assert len(notes(third)) == 3


def test_a_phone_without_an_entry_is_shown_as_such(played: Table) -> None:
    report(played.second_phone(), 1, bids=("", "", "", ""))
    assert notes(played)[2].endswith(": North – · East – · South – · West –")


def test_an_entry_is_in_the_change_of_its_facts(played: Table) -> None:
    path = f"{played.path}/phone.json"
    tag = played.get(path).headers["ETag"]
    other = played.second_phone()
    for number, entry in ((1, OTHER), (None, {})):
        report(other, number, **entry)
        answer = played.get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        tag = answer.headers["ETag"]
        report(other, number, **entry)  # again
        assert played.get(path, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    ("number", "entry", "status"),
    [
        ("", OTHER, 400),
        ("0", OTHER, 400),
        ("-1", OTHER, 400),
        ("x" * 600, OTHER, 400),
        ("201", OTHER, 422),
        ("9" * 9, OTHER, 400),
        ("1", {"bids": ("many", 2, "nil", 4)}, 400),
        ("1", {"bids": (3, 2, "nil", "4" * 5000)}, 400),
        ("1", {"bids": (3, 2, "nil", 4), "tricks": (3, "x", 0, 3)}, 400),
        ("1", {"bids": (3, 2, "nil", 4), "tricks": (1e9, 0, 0, 0)}, 400),
        ("1", {"bids": (3, 2, "nil", 4), "penalties": [{**FINE, "seat": 9}]}, 400),
        ("1", {"bids": (3, 2, "nil", 4), "penalties": [FINE] * 200}, 400),
        ("1", {"bids": (3, 2, "nil", 4), "substitutes": [{"seat": 1, "player": "x" * 400}]}, 400),
    ],
)
def test_what_is_no_entry_is_refused(
    played: Table, other: Table, number: str, entry: dict[str, object], status: int
) -> None:
    assert report(other, number, **entry).status_code == status
    assert notes(played) == NOTE


def test_the_entry_of_a_round_that_is_not_reached_is_shown(played: Table, other: Table) -> None:
    report(other, 5, **OTHER)
    assert notes(played)[0] == "For round 5, the other phone has another entry."
