"""What a seat may call, the reason where it may not, and in which order seats are asked."""

import pytest

from scorekeeper.rules.bidding import (
    Bid,
    Nil,
    Table,
    bidding_order,
    blind_bids,
    parse_bid,
    possible_bids,
    refusal,
    zero_as_nil,
)
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP, PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from tests.rules.tables import Row, bids, examples, numbers, pairs, rules_of

NO_BIDS = ("", " ", "3\n", "-1", "+3", "3.0", "100", "３", "٣", "²", "Nil", "blind", "off")


@examples("bidding")
def test_a_call_is_allowed_or_refused(row: Row) -> None:
    seat = int(row["seat"]) - 1
    refused = refusal(
        Table(rules_of(row), numbers(row["totals"])), bids(row["bids"]), seat, parse_bid(row["bid"])
    )
    if row["allowed"] == "yes":
        assert refused is None
    else:
        assert refused is not None
        assert (refused.seat, refused.code) == (seat, row["reason"])
        assert str(refused.sentence) == row["said"]


@pytest.mark.parametrize(
    ("players", "dealer", "order"),
    [(4, 3, (0, 1, 2, 3)), (4, 0, (1, 2, 3, 0)), (3, 1, (2, 0, 1)), (5, 2, (3, 4, 0, 1, 2))],
)
def test_bidding_starts_on_the_dealers_left(
    players: int, dealer: int, order: tuple[int, ...]
) -> None:
    assert bidding_order(players, dealer) == order


def test_bidding_starts_on_the_dealers_right_where_the_deal_goes_round_that_way() -> None:
    assert bidding_order(4, 3, clockwise=False) == (2, 1, 0, 3)
    assert bidding_order(5, 1, clockwise=False) == (0, 4, 3, 2, 1)


@pytest.mark.parametrize(
    ("house", "possible", "blind"),
    [
        ("tricks=3", [Nil.NIL, 1, 2, 3], []),
        ("tricks=3;nil_points=off;minimum_bid=2", [2, 3], []),
        ("tricks=3;blind_nil_points=100", [Nil.NIL, Nil.BLIND, 1, 2, 3], []),
        ("maximum_bid=2;blind_bid_from=1", [Nil.NIL, 1, 2], ["blind 1", "blind 2"]),
    ],
)
def test_the_bids_that_rules_know(house: str, possible: list[Bid], blind: list[str]) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, pairs(house))
    assert possible_bids(rules) == possible
    assert blind_bids(rules) == blind


def test_a_file_writes_the_nil_of_partners_as_nothing() -> None:
    assert [zero_as_nil(PARTNERSHIP, bid) for bid in (0, 1, None)] == [Nil.NIL, 1, None]
    for rules in (CUTTHROAT_LITE, PRESETS["cookout"]):  # all alone, and no Nil
        assert [zero_as_nil(rules, bid) for bid in (0, 1, None)] == [0, 1, None]


def test_a_bid_is_written_as_a_number_or_nil() -> None:
    written = [parse_bid(text) for text in ("3", "13", "nil", "blind nil")]
    assert written == [3, 13, Nil.NIL, Nil.BLIND]


@pytest.mark.parametrize("text", NO_BIDS)
def test_anything_else_is_no_bid(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        parse_bid(text)
