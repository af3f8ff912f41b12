"""What it takes to win is true in every way in which the tricks can fall, and said where it can be.

`TAKES_POSITIONS=200 pytest -m slow tests/rules/test_what_it_takes.py` looks at more positions.
"""

import os
import random
from collections.abc import Iterator

import pytest

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.what_it_takes import MOST_WAYS, Condition, WhatItTakes, what_it_takes
from tests.properties import counts
from tests.rules.certain import Tricks, count_ways, ends, positions
from tests.rules.tables import Row, bids, examples, numbers, rules_of
from tests.rules.test_promises import positions as positions_of_any_rules

FEW, MANY = 3, int(os.environ.get("TAKES_POSITIONS", 15))
FEW_WAYS = 300  # in which the tricks of games with any rules can fall


def state_of(row: Row) -> GameState:
    """Return a game of a row, all bids made."""
    rules, totals = rules_of(row), numbers(row["totals"])
    begun = fold(rules, len(bids(row["bids"])), 0, [Round(bids(row["bids"]))])
    sides = len(begun.sides)
    standing = begun.standing._replace(
        totals=tuple([sum(totals[side::sides]) for side in range(sides)]),
        seat_totals=totals if rules.totals_by == "seat" else (),
        bags=numbers(row["bags"]) if row["bags"] else begun.standing.bags,
    )
    return begun._replace(number=int(row["round"]), standing=standing)


def written(told: WhatItTakes | None) -> str:
    """Return what is told as rows write it: `unless 1:at_least:3 3:nil`."""
    if told is None:
        return ""
    sides = [(told.side, told.how), (told.other, told.how_other)]
    named = [f"{side}{written_how(how)}" for side, how in sides if side is not None]
    return " ".join([told.code, *named])


def written_how(how: Condition | None) -> str:
    return "".join(f":{one}" for one in (how or ()) if one)


@examples("what_it_takes")
def test_two_clauses_tell_who_wins(row: Row) -> None:
    state = state_of(row)
    assert written(what_it_takes(state)) == row["told"]
    check(state)


@pytest.mark.parametrize("key", PRESETS)
@counts("number", FEW, MANY)
def test_rule_books_tell_what_it_takes(key: str, number: int) -> None:
    dice = random.Random(key)
    for _ in range(number):
        for state in positions(PRESETS[key], dice):
            check(state)


@counts("seeds", 30, 40 * MANY)
def test_any_rules_tell_what_it_takes(seeds: int) -> None:
    for seed in range(seeds):
        for state in positions_of_any_rules(seed):
            if count_ways(state) <= FEW_WAYS:
                check(state)


def test_too_many_ways_are_not_tried() -> None:
    rules = PRESETS["cutthroat-lite"]
    state = fold(rules, 6, 0, [Round((1, 1, 1, 1, 1, 1))])
    assert count_ways(state) <= MOST_WAYS
    assert count_ways(fold(PRESETS["wizard"], 6, 0, [])) <= MOST_WAYS


def check(state: GameState) -> None:
    """Compare what is told with every way in which the tricks can fall."""
    told = what_it_takes(state)
    if state.phase != "playing" or state.bids_itself or state.open.notes.penalties:
        assert told is None
        return
    if told:
        for tricks, winners in ends(state):
            assert claimed(told, state, tricks) == winners, f"{told} {tricks} of {state}"
    elif count_ways(state) <= MOST_WAYS:
        assert not can_be_told(state), f"nothing told of {state}"


def claimed(told: WhatItTakes, state: GameState, tricks: Tricks) -> Tricks:
    """Return who wins by the words of what is told."""
    wins = told.how is None or does(state, told.side, told.how, tricks)
    if told.other is None:
        return (told.side,) if wins else ()
    if told.how_other is None:
        return (told.side if wins else told.other,)
    wins_other = does(state, told.other, told.how_other, tricks)
    assert not (told.code == "or" and wins and wins_other)
    return (told.other,) if wins_other else (told.side,) if wins else ()


def does(state: GameState, side: int, how: Condition, tricks: Tricks) -> bool:
    sides = len(state.sides)
    own = [*zip(state.open.bids[side::sides], tricks[side::sides], strict=True)]
    n = sum(taken for _, taken in own)
    nils = [taken for bid, taken in own if isinstance(bid, Nil)]
    if how.code in ("nil", "nil_and"):
        assert len(nils) == 1
        n -= nils[0]
        return not nils[0] and n >= how.low
    return {
        "at_least": n >= how.low,
        "exactly": n == how.low,
        "at_most": n <= how.high,
        "between": how.low <= n <= how.high,
    }[how.code]


def can_be_told(state: GameState) -> bool:
    """Return whether any two clauses tell who wins; ways of the tricks are bits."""
    found = ends(state)
    winners = {winners for _, winners in found}
    alone = [side for winners_ in winners if len(winners_) == 1 for side in winners_]
    if any(len(one) > 1 for one in winners) or not 1 <= len(alone) <= 2:
        return False
    won = {side: bits(winners == (side,) for _, winners in found) for side in alone}
    by_how = {side: {*all_ways_to(state, side)} for side in alone}
    if len(alone) == 1:
        return () not in winners or won[alone[0]] in by_how[alone[0]]
    if () not in winners:
        return any(won[side] in by_how[side] for side in alone)
    return any(
        won[other] in by_how[other] and any(how & ~won[other] == won[side] for how in by_how[side])
        for side, other in (alone, alone[::-1])
    )


def all_ways_to(state: GameState, side: int) -> Iterator[int]:
    """Yield in which ways a side does what a condition says, for all conditions."""
    tricks = range(state.round_rules.tricks + 1)
    nils = [bid for bid in state.open.bids[side :: len(state.sides)] if isinstance(bid, Nil)]
    hows = [Condition("between", low, high) for low in tricks for high in tricks[low:]]
    hows += [Condition("nil_and", low) for low in tricks if len(nils) == 1]
    for how in hows:
        yield bits(does(state, side, how, one) for one, _ in ends(state))


def bits(truths: Iterator[bool]) -> int:
    return sum(1 << n for n, is_true in enumerate(truths) if is_true)
