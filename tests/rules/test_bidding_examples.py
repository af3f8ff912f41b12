"""What a seat may call, the reason where it may not, and in which order seats are asked."""

import pytest

from scorekeeper.rules.bidding import Nil, bidding_order, parse_bid, refusal
from tests.rules.tables import Row, bids, examples, numbers, rules_of

NO_BIDS = ("", " ", "3\n", "-1", "+3", "3.0", "100", "３", "٣", "²", "Nil", "blind", "off")


@examples("bidding")
def test_a_call_is_allowed_or_refused(row: Row) -> None:
    seat = int(row["seat"]) - 1
    refused = refusal(
        rules_of(row), bids(row["bids"]), seat, parse_bid(row["bid"]), numbers(row["totals"])
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


def test_a_bid_is_written_as_a_number_or_nil() -> None:
    written = [parse_bid(text) for text in ("3", "13", "nil", "blind nil")]
    assert written == [3, 13, Nil.NIL, Nil.BLIND]


@pytest.mark.parametrize("text", NO_BIDS)
def test_anything_else_is_no_bid(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        parse_bid(text)
