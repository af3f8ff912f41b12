"""Whole games: totals, bags, the deal, and who has won."""

from scorekeeper.rules.bidding import check_bids, check_tricks
from scorekeeper.rules.game import GameState, Outcome, fold
from tests.rules.tables import Row, examples, numbers, rounds, rules_of


def state_of(row: Row) -> GameState:
    return fold(
        rules_of(row), int(row["players"]), int(row["first_dealer"]) - 1, rounds(row["rounds"])
    )


def in_words(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None:
        return "", ""
    return "tie" if outcome.winner is None else str(outcome.winner + 1), outcome.reason


@examples("games")
def test_a_game_stands(row: Row) -> None:
    state = state_of(row)
    assert state.standing.totals == numbers(row["totals"])
    assert state.standing.bags == numbers(row["bags"])
    assert state.dealer + 1 == int(row["dealer"])
    assert state.phase == row["phase"]
    assert in_words(state.outcome) == (row["outcome"], row["reason"])


@examples("games")
def test_an_example_game_could_be_played(row: Row) -> None:
    rules, played = rules_of(row), [done for done in rounds(row["rounds"]) if done.tricks]
    for number, done in enumerate(played):
        before = fold(rules, int(row["players"]), 0, played[:number])
        assert before.phase != "over"
        assert check_tricks(rules, done.tricks or ()) == []
        if any(done.bids):
            assert check_bids(rules, done.bids, before.standing.kept) == []
