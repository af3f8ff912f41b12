"""Which trick counts a round can have."""

from scorekeeper.rules.bidding import check_tricks
from tests.rules.tables import Row, examples, numbers, rules_of, said


@examples("tricks")
def test_trick_counts_are_accepted_or_refused(row: Row) -> None:
    refused = check_tricks(rules_of(row), numbers(row["tricks"]))
    assert {refusal.code for refusal in refused} == ({row["reason"]} - {""})
    assert said(refused) == row["said"]
