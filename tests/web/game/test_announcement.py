"""What a screen reader is told after each change, and what the phone's voice then says."""

from collections.abc import Sequence

import pytest
from flask import Flask

from tests.web.play import Table

FOUR = ("North", "East", "South", "West")


@pytest.fixture
def table(app: Flask) -> Table:
    table = Table(app)
    table.join()
    table.new_game(players=FOUR, target=60)
    return table


def said(table: Table) -> str:
    (text,) = table.page().texts("*[@id='said']")
    return text


def news(table: Table) -> str | None:
    return table.page().one("*[@id='said']").get("data-news")


def test_the_next_bidder_is_named_and_what_was_bid_before(table: Table) -> None:
    heard = [said(table)]
    for bid in (3, "nil", 4):
        table.bid(bid)
        heard.append(said(table))
    assert heard == [
        "Round 1: North bids.",
        "North bid 3. East bids.",
        "East bid Nil. South bids.",
        "South bid 4. West bids.",
    ]


def test_every_trick_count_changes_what_is_said(table: Table) -> None:
    table.bid_round(3, 2, 1, 3)
    heard = [said(table)]
    for count in (3, 2, 1):
        table.take(count)
        heard.append(said(table))
    assert heard == [
        "Bids total 9 of 10. How many tricks did North take?",
        "North took 3 · 3 of 10 tricks. How many tricks did East take?",
        "East took 2 · 5 of 10 tricks. How many tricks did South take?",
        "Round 1 is ready to score: South took 1 · All 10 counted · West took the other 4.",
    ]


def test_what_it_takes_to_win_is_heard_after_the_last_bid(table: Table) -> None:
    table.play_round((1, 1, 1, 4), (1, 1, 1, 7))
    table.bid_round("nil", 1, 2, 1)
    assert said(table) == "North wins with Nil · Bids total 4 of 10. How many tricks did East take?"
    table.take(0)
    assert said(table).startswith("East took 0 · ")


def test_a_correction_names_whose_bid_has_changed(table: Table) -> None:
    table.bid(2)
    table.bid(3)
    table.bid(4, seat=1)
    assert said(table) == "North bid 4. South bids."
    table.bid(9, seat=4)
    assert said(table) == "West bid 9. South bids."


def test_a_penalty_is_said(table: Table) -> None:
    table.bid(2)
    penalty = {"seat": "2", "size": "3", "what": "books:nobody", "reason": "renege"}
    table.post(table.round_path("penalties"), table.fresh(**penalty))
    assert said(table) == "East – Renege: 3 tricks taken away · North bid 2. East bids."
    assert news(table) == "penalty"


def test_who_leaves_a_tie_is_said_and_the_tie_is_over(table: Table) -> None:
    table.play_round((3, 3, 1, 1), (3, 3, 2, 2))
    table.play_round((3, 3, 1, 1), (3, 3, 2, 2))
    table.post(table.round_path("seats"), table.fresh(seat="1", leaves="yes"))
    assert said(table) == "North leaves · Round 3: South bids."
    assert table.page().texts("*[@id='tie']") == []


@pytest.mark.parametrize(
    ("rounds", "sentence", "kind"),
    [
        (
            [((3, 2, 1, 3), (3, 2, 1, 4))],
            "Round 1 is scored: North 30, East 20, South 10, West 31. "
            "North deals, East bids first.",
            None,
        ),
        (
            [((1, 1, 1, 1), (7, 1, 1, 1))],
            (
                "Round 1 is scored: North 5, East 10, South 10, West 10. Bags cost North "
                "10 points. North deals, East bids first."
            ),
            "penalty",
        ),
        (
            [((3, 2, 1, 3), (3, 2, 1, 4)), ((3, 2, 1, 2), (3, 2, 1, 4))],
            "North wins with 60. Round 2 is scored: North 60, East 40, South 20, West 53.",
            "winner",
        ),
    ],
    ids=["a round", "a bag penalty", "the winner"],
)
def test_after_a_round_totals_penalties_and_the_winner_are_said(
    table: Table, rounds: Sequence[tuple[Sequence[int], Sequence[int]]], sentence: str, kind: str
) -> None:
    for bids, tricks in rounds:
        table.play_round(bids, tricks)
    assert said(table) == sentence
    assert news(table) == kind


def test_a_tie_at_the_target_is_said(table: Table) -> None:
    table.play_round((3, 3, 1, 1), (3, 3, 2, 2))
    table.play_round((3, 3, 1, 1), (3, 3, 2, 2))
    assert "North and East are tied at 60. Play another round. East deals" in said(table)
