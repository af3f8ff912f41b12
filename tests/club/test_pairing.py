"""Pairing: what is closest, criterion by criterion, held to a brute force; and brackets."""

import random
import time
from itertools import combinations

import pytest

from scorekeeper.club.match import BYE, Seating, history_of
from scorekeeper.club.pairing import (
    all_play_all,
    bracket,
    closest,
    halves,
    knock_out,
    knock_out_slots,
    swiss,
)
from tests.club.laws import pairings
from tests.properties import counts

FEW, MANY = 60, 2_000
ANA, BEN, CY, DANA, EVE, FAY = range(6)  # each with a partner


def seating(*pairs: tuple[int, int], byes: tuple[int, ...] = ()) -> Seating:
    """Return a match of teams."""
    return Seating(tuple(((one,), (other,)) for one, other in pairs), byes)


@counts("cases", FEW, MANY)
def test_the_closest_pairs_are_those_that_a_brute_force_finds(cases: int) -> None:
    for case in range(cases):
        dice = random.Random(case)
        entries = [*range(dice.randint(2, 8))]
        nodes = [BYE, *entries]
        most = [dice.choice([1, 3, 40]) for _criterion in range(dice.randint(1, 4))]
        told = {
            pair: tuple(dice.randint(0, high) for high in most) for pair in combinations(nodes, 2)
        }

        def cost(pairs: list[tuple[int, int]], told: object = told) -> list[int]:
            assert isinstance(told, dict)
            rows = [told[min(pair), max(pair)] for pair in pairs]
            return [sum(column) for column in zip(*rows, strict=True)]

        found = closest(entries, lambda one, other, told=told: told[one, other])
        assert cost(found) == min(map(cost, pairings(entries))), case


def test_winners_meet_winners_whom_they_have_not_met() -> None:
    played = [seating((ANA, BEN), (CY, DANA))]
    points = {ANA: 2, CY: 2, BEN: 0, DANA: 0}
    now = swiss([ANA, CY, BEN, DANA], points, history_of(played))
    assert now == seating((ANA, CY), (BEN, DANA))
    played.append(now)
    points = {ANA: 4, CY: 2, BEN: 2, DANA: 0}
    assert swiss([ANA, CY, BEN, DANA], points, history_of(played)) == seating(
        (ANA, DANA), (CY, BEN)
    )


def test_close_match_points_come_before_close_places() -> None:
    order, points = [ANA, BEN, CY, DANA, EVE, FAY], [6, 4, 4, 2, 2, 0]
    history = history_of([seating((ANA, BEN)), seating((BEN, DANA))])
    now = swiss(order, dict(zip(order, points, strict=True)), history)
    assert now == seating((ANA, CY), (BEN, EVE), (DANA, FAY))


def test_the_last_sits_out_but_nobody_twice_before_all_have() -> None:
    played: list[Seating] = []
    for _match in range(5):
        entries = [ANA, BEN, CY, DANA, EVE]
        played.append(swiss(entries, dict.fromkeys(entries, 0), history_of(played)))
    assert played[0].byes == (EVE,)
    assert sorted(one for match in played for one in match.byes) == [ANA, BEN, CY, DANA, EVE]
    assert max(history_of(played).met.values()) == 1


def test_two_halves_meet_within_one_only_where_somebody_would_sit_out() -> None:
    assert halves([ANA, None, CY, DANA], history_of([])) == seating((CY, DANA), byes=(ANA,))
    assert halves([ANA, None, CY, None], history_of([])) == seating((ANA, CY))


def test_who_left_all_play_all_is_a_bye_and_who_comes_takes_the_place() -> None:
    with_a_gap: list[int | None] = [ANA, BEN, CY, None]
    assert all_play_all(with_a_gap, history_of([])) == seating((BEN, CY), byes=(ANA,))
    assert all_play_all([ANA, BEN, CY, EVE], history_of([])) == seating((ANA, EVE), (BEN, CY))


def test_the_best_two_of_a_bracket_could_meet_last() -> None:
    assert bracket(2) == [0, 1]
    assert bracket(16)[:4] == [0, 15, 7, 8]
    for size in (4, 8, 16, 32):
        order = bracket(size)
        while len(order) > 1:  # the better of two goes on
            assert {sum(two) for two in zip(order[::2], order[1::2], strict=True)} == {
                len(order) - 1
            }
            order = [min(two) for two in zip(order[::2], order[1::2], strict=True)]


def test_byes_of_a_knock_out_go_to_the_best() -> None:
    slots = knock_out_slots([ANA, BEN, CY, DANA, EVE])
    assert slots == [ANA, None, DANA, EVE, BEN, None, CY, None]
    assert knock_out(slots) == seating((DANA, EVE), byes=(ANA, BEN, CY))


@pytest.mark.slow
def test_160_entries_are_paired_in_seconds() -> None:
    dice, played = random.Random(1), list[Seating]()
    entries, points = [*range(160)], dict.fromkeys(range(160), 0)
    for _match in range(3):
        began = time.monotonic()
        played.append(swiss(entries, points, history_of(played)))
        assert time.monotonic() - began < 20  # one second on a quiet machine
        for table in played[-1].tables:
            points[dice.choice(table)[0]] += 2
        entries.sort(key=lambda entry: -points[entry])
