"""What one side scores in one round."""

from scorekeeper.rules.scoring import Hand, score_side
from tests.rules.tables import Row, bids, examples, numbers, rules_of

PARTS = ("nil_points", "contract_points", "overtrick_points", "bag_penalty", "points")


@examples("scoring")
def test_a_round_is_scored(row: Row) -> None:
    hand = Hand(bids(row["bids"]), numbers(row["tricks"]), int(row["bags_before"]))
    score = score_side(rules_of(row), hand)
    assert {part: getattr(score, part) for part in PARTS} == {p: int(row[p]) for p in PARTS}
    assert score.bags == int(row["bags_after"])
