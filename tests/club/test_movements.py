"""Movements: who meets whom, and the laws of the starter tables for every number that has one."""

from collections import Counter
from itertools import combinations

import pytest

from scorekeeper.club.match import Seating, history_of
from scorekeeper.club.movements import (
    STARTERS,
    Quality,
    change_partners,
    circle_match,
    climb,
    halves_match,
    parted,
    quality_of,
    search,
)
from scorekeeper.club.pairing import all_play_all, halves

SEED = 7
ANA, BEN, CY, DANA, EVE, FAY, GUS, HAL = range(8)


@pytest.mark.parametrize("teams", [4, 6, 8, 10, 24, 40])
def test_all_meet_all_once_where_all_play_all(teams: int) -> None:
    met = Counter[int]()
    for one, other in combinations(range(teams), 2):
        met[circle_match(teams, one, other)] += 1
    assert met == dict.fromkeys(range(1, teams), teams // 2)


@pytest.mark.parametrize("teams", range(2, 13))
def test_an_evening_of_all_play_all_has_everybody_meet_and_wait_once(teams: int) -> None:
    played: list[Seating] = []
    for _number in range(teams - 1 + teams % 2):
        played.append(all_play_all(range(teams), history_of(played)))
    history = history_of(played)
    assert {history.met[pair] for pair in combinations(range(teams), 2)} == {1}
    assert {history.byes[team] for team in range(teams)} == {teams % 2}


@pytest.mark.parametrize("teams", range(2, 13))
def test_a_stays_b_moves_and_nobody_meets_twice_in_as_many_matches_as_tables(teams: int) -> None:
    played: list[Seating] = []
    tables = (teams + 1) // 2
    for _number in range(tables):
        played.append(halves(range(teams), history_of(played)))
    history = history_of(played)
    a, b = range(0, teams, 2), range(1, teams, 2)
    assert history.met == Counter(tuple(sorted((one, other))) for one in a for other in b)
    stays = [[sorted(table)[0] for table in seating.tables] for seating in played]
    assert all(len({*row}) == len(row) for row in stays)


def test_a_of_table_t_meets_b_of_t_minus_r() -> None:
    tables = 5
    for match in range(tables):
        for table in range(tables):
            a, b = 2 * table, 2 * ((table - match) % tables) + 1
            assert halves_match(tables, a, b) == match + 1


@pytest.mark.parametrize("players", STARTERS)
def test_in_a_whole_starter_table_all_are_partners_once_and_opponents_twice(players: int) -> None:
    modulus = STARTERS[players][0]
    plan = change_partners(players, modulus, SEED)
    history = history_of(plan)
    pairs = [*combinations(range(players), 2)]
    assert {history.partners[pair] for pair in pairs} == {1}
    assert {history.met[pair] for pair in pairs} == {3}
    assert {history.byes[one] for one in range(players)} == {players % 4}
    assert all(sorted(seating.entries) == [*range(players)] for seating in plan)
    assert quality_of(plan) == Quality(partners=1, met=3, often=len(pairs))


@pytest.mark.parametrize(
    ("players", "matches"),
    [(16, 1), (16, 4), (16, 5), (20, 5), (24, 5), (28, 7), (32, 6), (40, 8), (64, 8), (160, 8)],
)
def test_nobody_meets_twice_where_it_can_be_avoided(players: int, matches: int) -> None:
    plan = change_partners(players, matches, SEED)
    assert quality_of(plan).met == quality_of(plan).partners == 1


@pytest.mark.parametrize("players", [6, 7, 8, 9, 10, 11, 12, 14, 18, 21])
def test_a_search_tells_its_quality_and_nobody_partners_twice(players: int) -> None:
    plan = change_partners(players, 5, SEED)
    history, quality = history_of(plan), quality_of(plan)
    assert quality.partners == max(history.partners.values()) == 1
    assert quality.met == max(history.met.values()) <= 3
    assert quality.often == [*history.met.values()].count(quality.met)
    waits = [history.byes[one] for one in range(players)]
    assert max(waits) - min(waits) <= 1


def test_the_first_five_of_the_table_for_sixteen_would_let_seven_pairs_meet_three_times() -> None:
    assert quality_of(change_partners(16, 15, SEED)[:5]) == Quality(1, 3, 7)


def test_a_search_finds_the_same_again() -> None:
    history = history_of(change_partners(13, 4, SEED))
    assert search(range(13), history, SEED) == search(range(13), history, SEED)
    assert search(range(13), history, SEED) != search(range(13), history, SEED + 1)


def test_winners_go_up_and_the_losers_of_the_top_go_to_the_last() -> None:
    assert climb([((ANA, BEN), (CY, DANA)), ((EVE, FAY), (GUS, HAL))]) == [
        (ANA, BEN), (EVE, FAY), (GUS, HAL), (CY, DANA),
    ]  # fmt: skip
    assert climb([((ANA, BEN), (CY, DANA))]) == [(ANA, BEN), (CY, DANA)]


def test_partners_part_and_prefer_whom_they_did_not_have() -> None:
    before = Seating((((ANA, BEN), (CY, DANA)),)), Seating((((ANA, CY), (BEN, DANA)),))
    last = history_of(before[1:]).partners
    ((one, other),) = parted([ANA, CY, BEN, DANA], last, history_of(before), SEED)
    assert {frozenset(one), frozenset(other)} == {frozenset({ANA, DANA}), frozenset({BEN, CY})}
