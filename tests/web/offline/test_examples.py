"""The example tables, row by row, on the phone."""

from typing import Any

import pytest

from scorekeeper.rules.game import Outcome
from tests.rules.tables import Row, bids, examples, numbers, rounds, rules_of
from tests.rules.test_bidding_examples import NO_BIDS
from tests.rules.test_games_examples import in_words
from tests.rules.test_scoring_examples import PARTS
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts, plain


@pytest.fixture
def call(ask: Ask) -> Any:
    """Call a function of the phone's rules."""
    return lambda *name_and_values: ask("call", [plain(list(name_and_values))])[0]


@examples("scoring")
def test_a_round_is_scored(row: Row, call: Any) -> None:
    asked = rules_of(row), bids(row["bids"]), numbers(row["tricks"]), int(row["bags_before"])
    score = call("scoreSide", *asked)
    assert {part: score[part] for part in PARTS} == {part: int(row[part]) for part in PARTS}
    assert score["bags"] == int(row["bags_after"])


@examples("bidding")
def test_a_call_is_allowed_or_refused(row: Row, call: Any) -> None:
    seat, bid = int(row["seat"]) - 1, call("parseBid", row["bid"])
    refused = call("refusal", rules_of(row), bids(row["bids"]), seat, bid, numbers(row["totals"]))
    if row["allowed"] == "yes":
        assert refused is None
    else:
        assert (refused["seat"], refused["code"]) == (seat, row["reason"])


@examples("tricks")
def test_trick_counts_are_accepted_or_refused(row: Row, call: Any) -> None:
    refused = call("checkTricks", rules_of(row), numbers(row["tricks"]))
    assert {one["code"] for one in refused} == {row["reason"]} - {""}


@examples("games")
def test_a_game_stands(row: Row, ask: Ask) -> None:
    players, dealer = int(row["players"]), int(row["first_dealer"]) - 1
    game = facts(rules_of(row), players, dealer, rounds(row["rounds"]))
    state = ask("game", [{**game, "entries": [], "tally": None}])[0]["state"]
    assert state["standing"]["totals"] == list(numbers(row["totals"]))
    assert state["standing"]["bags"] == list(numbers(row["bags"]))
    assert state["dealer"] + 1 == int(row["dealer"])
    assert state["phase"] == row["phase"]
    outcome = Outcome(**state["outcome"]) if state["outcome"] else None
    assert in_words(outcome) == (row["outcome"], row["reason"])


@pytest.mark.parametrize("text", NO_BIDS)
def test_anything_else_is_no_bid(text: str, call: Any) -> None:
    assert call("parseBid", text) == "RangeError"


def test_a_game_that_cannot_be_is_no_game(call: Any) -> None:
    lite = rules_of({"rules": "cutthroat-lite", "house_rules": ""})
    assert call("fold", lite, 6, 0, []) == "RangeError"
    assert call("fold", lite, 3, 0, rounds("1/2/ ; 1/2/3 : 4/3/3")) == "RangeError"
    assert call("scoreSide", lite, [3, None], [3, 4], 0) == "RangeError"
    assert call("scoreSide", lite, [3], [3, 4], 0) == "RangeError"
