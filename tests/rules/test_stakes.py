"""Stakes: what everybody wins or loses, and who pays whom with the fewest payments."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.payments import MOST_PAYERS, payments, stake_balances, stakes_paid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from tests.web.offline.luck import Luck

OH_HELL = replace(PRESETS["oh-hell"], cards="5")
LITE = replace(PRESETS["cutthroat-lite"], target=30)
PAIRS = replace(PRESETS["partnership-500"], target=50)
CALL_BREAK = replace(PRESETS["call-break"], rounds=1, negative_doubles=True)
ONE_ROUND = [Round((2, 1, 0), (2, 2, 1))]  # 12, 2 and 1 points
SET_ONCE = [Round((4, 3, 3, 5), (4, 3, 3, 3))]  # 4.0, 3.0, 3.0 and −5.0 points


def played(rules: RuleSet, rounds: Sequence[Round]) -> GameState:
    state = fold(rules, len(rounds[0].bids), 0, rounds)
    assert state.phase == "over"
    return state


@pytest.mark.parametrize(
    ("rules", "rounds", "stake", "expected"),
    [
        (OH_HELL, ONE_ROUND, 100, (200, -100, -100)),
        (replace(OH_HELL, stake_by="points"), ONE_ROUND, 100, (2100, -900, -1200)),
        (replace(OH_HELL, stake_by="rank"), ONE_ROUND, 100, (300, -100, -200)),
        (OH_HELL, [Round((2, 2, 0), (2, 2, 1))], 25, (13, 12, -25)),
        (replace(OH_HELL, stake_by="rank"), [Round((2, 2, 0), (2, 2, 1))], 25, (25, 25, -50)),
        (replace(LITE, stake_by="rank"), [Round((4, 3, 2, 1), (4, 3, 2, 1))], 50,
         (300, -50, -100, -150)),
        (PAIRS, [Round((5, 4, 2, 1), (6, 4, 2, 1))], 100, (100, -100, 100, -100)),
        (replace(PAIRS, stake_by="points"), [Round((5, 4, 2, 1), (6, 4, 2, 1))], 1,
         (42, -42, 42, -42)),
        (replace(PAIRS, stake_by="rank"), [Round((5, 4, 2, 1), (6, 4, 2, 1))], 100,
         (100, -100, 100, -100)),
        (CALL_BREAK, SET_ONCE, 10, (40, -10, -10, -20)),
        (replace(CALL_BREAK, stake_by="points"), SET_ONCE, 10, (200, 150, 150, -500)),
        (replace(CALL_BREAK, stake_by="rank"), SET_ONCE, 10, (80, -10, -10, -60)),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_stakes_are_paid_by_the_rules(
    rules: RuleSet, rounds: list[Round], stake: int, expected: tuple[int, ...]
) -> None:
    assert stake_balances(played(rules, rounds), stake) == expected


def test_a_fraction_of_the_smallest_coin_is_not_paid() -> None:
    rules = replace(CALL_BREAK, stake_by="points", negative_doubles=False)
    state = played(rules, [Round((4, 3, 3, 2), (5, 3, 3, 2))])  # 4.1, 3.0, 3.0 and 2.0 points
    assert stake_balances(state, 1) == (4, 0, 0, -4)


@given(
    st.integers(0, 10_000), st.integers(1, 9_999_999), st.sampled_from(["winner", "points", "rank"])
)
def test_nobody_wins_what_nobody_loses(seed: int, stake: int, by: str) -> None:
    case = Luck(seed).case()
    state = fold(replace(case.rules, stake_by=by), case.players, case.first_dealer, case.rounds)
    if state.phase != "over":
        return
    balances = stake_balances(state, stake)
    assert sum(balances) == 0
    assert all(paid >= 0 for paid in stakes_paid(state, stake))
    settled = payments(balances)
    assert settle(balances, settled) == [0] * case.players


@pytest.mark.parametrize(
    ("balances", "expected"),
    [
        ((), []),
        ((0, 0), []),
        ((21, -9, -12), [(1, 0, 9), (2, 0, 12)]),
        ((10, -10, 10, -10), [(1, 0, 10), (3, 2, 10)]),
        # The largest first would need four payments.
        ((5, 4, -6, -3, 0), [(2, 0, 5), (2, 1, 1), (3, 1, 3)]),
        ((6, 3, 3, -5, -4, -3), [(3, 0, 5), (4, 0, 1), (4, 1, 3), (5, 2, 3)]),
    ],
)
def test_who_pays_whom(balances: tuple[int, ...], expected: list[tuple[int, int, int]]) -> None:
    assert payments(balances) == expected


@given(st.lists(st.integers(-6, 6), max_size=7))
def test_no_fewer_payments_would_do(amounts: list[int]) -> None:
    balances = [*amounts, -sum(amounts)]
    found = payments(balances)
    assert settle(balances, found) == [0] * len(balances)
    owing = [one for one in balances if one]
    assert len(found) == len(owing) - most_groups(owing)


@given(st.lists(st.integers(-50, 50), min_size=MOST_PAYERS, max_size=MOST_PAYERS + 8))
def test_a_large_evening_is_settled_with_fewer_payments_than_people(amounts: list[int]) -> None:
    balances = [*amounts, -sum(amounts)]
    found = payments(balances)
    assert settle(balances, found) == [0] * len(balances)
    assert len(found) < len(balances)


def settle(balances: Sequence[int], settled: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the balances after payments, each of which must be above zero."""
    left = list(balances)
    for payer, payee, amount in settled:
        assert amount > 0
        left[payer] += amount
        left[payee] -= amount
    return left


def most_groups(amounts: list[int]) -> int:
    """Return into how many groups that sum to zero amounts can be divided, trying all."""
    if not amounts:
        return 0
    first, *others = amounts
    return max(
        1 + most_groups([one for n, one in enumerate(others) if n not in chosen])
        for size in range(len(amounts))
        for chosen in combinations(range(len(others)), size)
        if first + sum(others[n] for n in chosen) == 0
    )
