"""Standings: match points, criteria in their order, and why one is ahead of another."""

import random
from itertools import pairwise, permutations
from typing import cast

import pytest

from scorekeeper.club.match import Match, Reports, Result, Seating
from scorekeeper.club.standings import (
    CRITERIA,
    Criterion,
    Penalty,
    Record,
    Scoring,
    Ties,
    Why,
    standings,
    tally_of,
)
from tests.properties import counts

ANA, BEN, CY, DANA, EVE = range(5)  # each with a partner, but in the tests of singles
NAMES = "ABCD"
FEW, MANY = 100, 5_000
PLAIN = Scoring()
Score = tuple[int, int, int, int]  # two teams and their points


def match(*scores: Score, number: int = 1, byes: tuple[int, ...] = ()) -> Match:
    """Return a match that is closed."""
    tables = tuple(((one,), (other,)) for one, other, _mine, _yours in scores)
    reports = {
        at: Reports(Result((mine, yours))) for at, (_a, _b, mine, yours) in enumerate(scores, 1)
    }
    return Match(number, Seating(tables, byes), "closed", reports)


def told(
    played: list[Match], *criteria: str, seed: int = 0, play_offs: tuple[tuple[int, ...], ...] = ()
) -> str:
    """Return the standings in a line, as `A > points C`, where C is behind by points."""
    tally = tally_of(played, range(4), PLAIN)
    chosen = cast("tuple[Criterion, ...]", criteria)
    ties = Ties(chosen, tally.duels, seed, play_offs)
    line = ""
    for row in standings(tally.records.values(), ties):
        behind = f" > {row.why.code} " if row.why else " = " if line else ""
        line += behind + NAMES[row.record.entry]
    return line


@pytest.mark.parametrize(
    ("mine", "yours", "taken"), [(251, 114, (2, 0)), (114, 251, (0, 2)), (90, 90, (1, 1))]
)
def test_a_win_is_a_point_and_a_draw_half_a_point(
    mine: int, yours: int, taken: tuple[int, int]
) -> None:
    records = tally_of([match((ANA, BEN, mine, yours))], [ANA, BEN], PLAIN).records
    assert (records[ANA].match_points, records[BEN].match_points) == taken
    assert records[ANA].points == records[BEN].against == mine
    assert records[ANA].difference == mine - yours


def test_match_points_can_be_set() -> None:
    scoring = Scoring(win=6, draw=2, loss=1, bye=4)
    played = [match((ANA, BEN, 9, 3), (CY, DANA, 5, 5), byes=(EVE,))]
    records = tally_of(played, range(5), scoring).records
    assert [records[entry].match_points for entry in range(5)] == [6, 1, 2, 2, 4]


def test_a_bye_scores_what_the_average_winner_of_the_match_scores() -> None:
    played = match((ANA, BEN, 251, 114), (CY, DANA, 100, 90), byes=(EVE,))
    eve = tally_of([played], range(5), PLAIN).records[EVE]
    assert eve == Record(EVE, 2, wins=1, byes=1, points=176, against=102)
    fixed = tally_of([played], range(5), Scoring(bye=1, bye_score=150)).records[EVE]
    assert fixed == Record(EVE, 1, wins=0, byes=1, points=150)


def test_players_alone_have_a_point_for_each_behind_them_and_ties_share() -> None:
    table = tuple((entry,) for entry in (ANA, BEN, CY, DANA))
    result = Reports(Result((40, 70, 40, -5), (1, 2, 3, 4)))
    played = Match(1, Seating((table,), (EVE,)), "closed", {1: result})
    records = tally_of([played], range(5), PLAIN).records
    assert [records[entry].match_points for entry in range(5)] == [3, 6, 3, 0, 6]
    assert [records[entry].wins for entry in range(5)] == [0, 1, 0, 0, 1]
    assert [records[entry].difference for entry in range(4)] == [-30, 30, -30, -75]
    assert records[CY].bags == 3


def test_a_late_side_loses_the_match_or_points() -> None:
    played = [match((ANA, BEN, 251, 114))]
    late = tally_of(played, [ANA, BEN], PLAIN, [Penalty(ANA, 1, "match")]).records
    assert late[ANA] == Record(ANA, 0, losses=1, points=251, against=114)
    assert late[BEN] == Record(BEN, 2, wins=1, points=114, against=251)
    fined = [Penalty(ANA, 1, "points", 50), Penalty(ANA, 1, "match_points", 1)]
    ana = tally_of(played, [ANA, BEN], PLAIN, fined).records[ANA]
    assert (ana.match_points, ana.wins, ana.points) == (1, 1, 201)


def test_who_does_not_appear_loses_a_match_without_a_result() -> None:
    played = match((ANA, BEN, 251, 114))
    seating = Seating((*played.seating.tables, ((CY,), (DANA,))))
    absent = Match(1, seating, "closed", played.reports)
    records = tally_of([absent], range(4), PLAIN, [Penalty(DANA, 1, "match")]).records
    assert records[CY] == Record(CY, 2, wins=1, points=251)
    assert records[DANA] == Record(DANA, 0, losses=1, against=251)
    both = [Penalty(CY, 1, "match"), Penalty(DANA, 1, "match")]
    records = tally_of([absent], range(4), PLAIN, both).records
    assert [records[entry].match_points for entry in (CY, DANA)] == [0, 0]


LEAD = [match((ANA, BEN, 300, 200), (CY, DANA, 250, 10))]
CIRCLE = [  # of Ana, Ben and Cy, who all beat Dana
    match((ANA, BEN, 20, 10), (CY, DANA, 20, 10)),
    match((BEN, CY, 30, 10), (ANA, DANA, 20, 10), number=2),
    match((CY, ANA, 40, 10), (BEN, DANA, 20, 10), number=3),
]
LINE = [  # Ben beats Ana, Cy beats Dana
    match((BEN, ANA, 20, 10), (CY, DANA, 20, 10)),
    match((ANA, DANA, 90, 10), (BEN, CY, 10, 20), number=2),
]


@pytest.mark.parametrize(
    ("played", "criteria", "expected"),
    [
        (LEAD, "wins points", "A > points C > match_points B > points D"),
        (LEAD, "difference", "C > difference A > match_points B > difference D"),
        (LEAD, "", "A = C > match_points B = D"),
        (LEAD, "head_to_head points", "A > points C > match_points B > points D"),
        (LINE, "head_to_head", "C > match_points B > head_to_head A > match_points D"),
        (CIRCLE, "head_to_head", "A = B = C > match_points D"),
        (CIRCLE, "head_to_head points", "C > points B > points A > match_points D"),
    ],
    ids=[
        "match points, wins, then points",
        "the difference if that was chosen",
        "who ties in all shares a place",
        "head to head needs that they have met",
        "head to head",
        "no head to head in a circle",
        "a circle, then points",
    ],
)
def test_who_is_ahead_and_why(played: list[Match], criteria: str, expected: str) -> None:
    assert told(played, *criteria.split()) == expected


def test_a_play_off_decides_among_those_who_played_it() -> None:
    line = told(LEAD, "play_off", play_offs=((BEN, DANA), (CY, ANA)))
    assert line == "C > play_off A > match_points B > play_off D"
    tally = tally_of(LEAD, range(4), PLAIN)
    rows = standings(
        tally.records.values(), Ties(("play_off",), tally.duels, 0, ((ANA, CY), (CY, ANA)))
    )
    assert rows[1].why == Why("play_off", 1, 2)


def test_a_lot_falls_the_same_way_for_the_same_seed() -> None:
    lines = [told(LEAD, "lot", seed=seed) for seed in range(20)]
    assert lines == [told(LEAD, "lot", seed=seed) for seed in range(20)]
    assert {*lines} == {
        f"{first} > match_points {second}"
        for first in ("A > lot C", "C > lot A")
        for second in ("B > lot D", "D > lot B")
    }


@counts("cases", FEW, MANY)
def test_every_criterion_decides_in_its_turn(cases: int) -> None:
    """The standings are one of all orders of up to six entries that a plain reading allows."""
    for case in range(cases):
        dice = random.Random(case)
        plain: tuple[Criterion, ...] = ("wins", "points", "difference", "bags")
        criteria = tuple(dice.sample(plain, dice.randint(0, 4)))
        records = [
            Record(entry, *(dice.randint(0, 2) for _count in range(8)))
            for entry in range(dice.randint(2, 6))
        ]

        def key(record: Record, criteria: tuple[Criterion, ...] = criteria) -> list[int]:
            told = [getattr(record, one) * (-1 if one == "bags" else 1) for one in criteria]
            return [record.match_points, *told]

        allowed = [
            order
            for order in permutations(records)
            if all(key(a) >= key(b) for a, b in pairwise(order))
        ]
        rows = standings(records, Ties(criteria, {}))
        assert tuple(row.record for row in rows) in allowed, case
        for at, row in enumerate(rows):
            assert row.place == 1 + sum(key(one) > key(row.record) for one in records)
            assert (row.why is None) == (at == 0 or key(rows[at - 1].record) == key(row.record))


@counts("cases", FEW, MANY)
def test_head_to_head_never_puts_anybody_behind_whom_they_beat(cases: int) -> None:
    for case in range(cases):
        dice = random.Random(case)
        duels: dict[tuple[int, int], int] = {}
        entries = range(dice.randint(2, 6))
        for one in entries:
            for other in range(one):
                if dice.random() < 0.9:
                    taken = dice.choice([0, 1, 2])
                    duels |= {(one, other): taken, (other, one): 2 - taken}
        rows = standings(map(Record, entries), Ties(("head_to_head",), duels))
        for at, row in enumerate(rows):
            for behind in rows[at + 1 :]:
                if row.place < behind.place:
                    assert duels[row.record.entry, behind.record.entry] >= 1, case


def test_every_criterion_is_in_a_test() -> None:
    assert {*CRITERIA} == {
        "wins", "points", "difference", "bags", "head_to_head", "play_off", "lot",
    }  # fmt: skip
