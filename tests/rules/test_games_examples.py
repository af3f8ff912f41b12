"""Whole games: totals, bags, the deal, and who has won."""

from operator import itemgetter

import pytest

from scorekeeper.rules.bidding import Table, check_bids, check_tricks
from scorekeeper.rules.explain import round_reasons
from scorekeeper.rules.game import GameState, Outcome, fold, own_scores
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from scorekeeper.rules.ruleset import with_house_rules
from tests.rules.tables import Row, examples, numbers, rounds, rows, rules_of


def state_of(row: Row) -> GameState:
    return fold(
        rules_of(row), int(row["players"]), int(row["first_dealer"]) - 1, rounds(row["rounds"])
    )


def in_words(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None:
        return "", ""
    return "+".join(str(side + 1) for side in outcome.winners) or "tie", outcome.reason


@examples("games")
def test_a_game_stands(row: Row) -> None:
    state = state_of(row)
    assert state.standing.totals == numbers(row["totals"])
    assert state.standing.bags == numbers(row["bags"])
    assert state.dealer + 1 == int(row["dealer"])
    assert state.phase == row["phase"]
    assert in_words(state.outcome) == (row["outcome"], row["reason"])


@examples("games")
def test_the_parts_of_an_example_add_up(row: Row) -> None:
    state = state_of(row)
    for played in state.rounds:
        for one in played.scores:
            earned = one.nil_points + one.contract_points + one.overtrick_points
            assert one.points == earned + one.bag_penalty + one.penalty_points + one.bonus_points
        totals = played.after.seat_totals
        for side, seats in enumerate(state.sides if totals else ()):
            assert played.after.totals[side] == sum(totals[seat] for seat in seats)
        for seat, before in enumerate(played.before.seat_totals):
            own = own_scores(state.rules, played)[seat]
            assert played.after.seat_totals[seat] == before + own.points


@examples("games")
def test_an_example_game_could_be_played(row: Row) -> None:
    rules, played = rules_of(row), [done for done in rounds(row["rounds"]) if done.tricks]
    for number, done in enumerate(played):
        before = fold(rules, int(row["players"]), 0, played[:number])
        assert before.phase != "over"
        own = before.rules_in(number + 1, done)
        assert check_tricks(own, done.tricks or ()) == []
        if any(done.bids):
            empty = before.standing.seats.after(done.notes.substitutes).empty
            assert check_bids(Table(own, before.standing.kept, empty), done.bids) == []


@pytest.mark.parametrize(
    "row", [row for row in rows("games") if row["why"]], ids=itemgetter("sentence")
)
def test_the_last_round_is_explained(row: Row) -> None:
    state = state_of(row)
    sides = range(len(state.sides))
    reasons = [round_reasons(state.rules, state.rounds[-1], side) for side in sides]
    assert " / ".join(" · ".join(map(str, lines)) for lines in reasons) == row["why"]


def test_who_is_asked_for_a_side_is_its_first_seat() -> None:
    rules = with_house_rules(PARTNERSHIP, {"bid_by": "side", "tricks_by": "side"})
    for state in (fold(rules, 4, 1, []), fold(rules, 4, 1, rounds("7/6//"))):
        assert (state.order, state.asked) == ((2, 3, 0, 1), (0, 1))
        assert [state.asked_for(seat) for seat in range(4)] == [0, 1, 0, 1]
        assert [state.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    alone = fold(CUTTHROAT_LITE, 4, 1, [])
    assert alone.asked == (2, 3, 0, 1)
    assert [alone.asked_for(seat) for seat in range(4)] == [0, 1, 2, 3]
