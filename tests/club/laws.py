"""What must be true of every match as it starts, and of the standings, told in another way."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

import networkx

from scorekeeper.club.events import SINGLES
from scorekeeper.club.match import Match, Seating
from scorekeeper.club.night import Night, order_of, standings_of
from scorekeeper.club.standings import Record, Scoring, losers_in, ranks_at

SMALL = 8  # teams among whom every pairing is tried
Pairs = list[tuple[int, int]]


def holds_at_the_start(night: Night) -> None:
    """Assert what must be true of the match that has just started."""
    match, before = night.begun[-1], night.begun[:-1]
    if night.knock_out:
        nobody_plays_on_who_has_lost(night)
    elif night.plan.format in SINGLES:
        singles_wait_in_turn(match, before)
        if night.plan.format == "progressive":
            partners_part(night)
        elif not night.plan.alone:
            partners_are_new_where_they_can_be(match, before)
    else:
        nobody_meets_again_without_need(match, before)
        if len(match.seating.entries) <= SMALL and night.plan.format == "swiss":
            no_other_pairing_is_closer(night)
    assert sorted(match.seating.entries) == sorted({*match.seating.entries})


def met_in(matches: Sequence[Match]) -> tuple[Counter[frozenset[int]], Counter[int]]:
    """Return how often two teams have met, and each has sat out."""
    met, out = Counter[frozenset[int]](), Counter[int]()
    for match in matches:
        out.update(match.seating.byes)
        met.update(frozenset({one, other}) for (one,), (other,) in match.seating.tables)
    return met, out


def nobody_meets_again_without_need(match: Match, before: Sequence[Match]) -> None:
    """Assert that no other pairing has fewer meet again, nor, with as few, sit out again."""
    met, out = met_in(before)
    seating = match.seating
    assert len(seating.byes) == len(seating.entries) % 2
    again = sum(met[frozenset({one, other})] for (one,), (other,) in seating.tables)
    if again:
        assert again == fewest_again(seating.entries, met, len(seating.byes))
    for bye in seating.byes:
        for other in seating.entries:
            if out[other] < out[bye]:
                left = [entry for entry in seating.entries if entry != other]
                assert fewest_again(left, met, 0) > again, f"{other} should sit out, not {bye}"


def fewest_again(entries: Sequence[int], met: Counter[frozenset[int]], out: int) -> int:
    """Return how few meet again at best, if so many sit out."""
    graph = networkx.Graph()
    for one, other in combinations(entries, 2):
        graph.add_edge(one, other, weight=-met[frozenset({one, other})])
    if out:
        graph.add_weighted_edges_from((-1, entry, 0) for entry in entries)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return -sum(graph.edges[pair]["weight"] for pair in matching)


def pairings(entries: Sequence[int]) -> Iterator[Pairs]:
    """Yield every way to put entries in pairs; the last of an odd number is paired with -1."""
    if len(entries) % 2:
        entries = [*entries, -1]
    if not entries:
        yield []
        return
    first, rest = entries[0], entries[1:]
    for other in rest:
        for pairs in pairings([entry for entry in rest if entry != other]):
            yield [(first, other), *pairs]


def no_other_pairing_is_closer(night: Night) -> None:
    """Assert that of all pairings of a Swiss match none is better in any criterion's turn."""
    match, before = night.begun[-1], night.begun[:-1]
    met, out = met_in(before)
    points = {row.record.entry: row.record.match_points for row in standings_of(night)}
    order = [entry for entry in order_of(night) if entry in match.seating.entries]
    places = {entry: place for place, entry in enumerate(order)}
    points[-1], places[-1] = min(points[entry] for entry in order), len(order)

    def cost(pairs: Pairs) -> tuple[int, ...]:
        return (
            sum(met[frozenset(pair)] for pair in pairs),
            sum(out[one] for one, other in pairs if other < 0),
            sum((points[one] - points[other]) ** 2 for one, other in pairs),
            sum((places[one] - places[other]) ** 2 for one, other in pairs),
        )

    chosen = [(one, other) for (one,), (other,) in match.seating.tables]
    chosen += [(bye, -1) for bye in match.seating.byes]
    assert cost(chosen) == min(map(cost, pairings(sorted(match.seating.entries))))


def singles_wait_in_turn(match: Match, before: Sequence[Match]) -> None:
    """Assert that as few wait as must, and nobody again before all others have."""
    _met, out = Counter[int](), Counter[int]()
    for one in before:
        out.update(one.seating.byes)
    seating = match.seating
    playing = {*seating.entries} - {*seating.byes}
    assert len(seating.byes) == len(seating.entries) % 4
    if seating.byes and playing:
        assert max(out[bye] for bye in seating.byes) <= min(out[one] for one in playing)


def partners_of(seating: Seating) -> set[frozenset[int]]:
    """Return the pairs of partners of a match."""
    return {frozenset(side) for table in seating.tables for side in table if len(side) > 1}


def partners_part(night: Night) -> None:
    """Assert that nobody has the same partner in two matches of Progressive in a row."""
    if len(night.begun) > 1:
        last, now = (partners_of(match.seating) for match in night.begun[-2:])
        assert not last & now


def partners_are_new_where_they_can_be(match: Match, before: Sequence[Match]) -> None:
    """Assert that no more are partners again than must be among those who play."""
    met = Counter(pair for one in before for pair in partners_of(one.seating))
    again = sum(met[pair] for pair in partners_of(match.seating))
    if again:
        playing = {*match.seating.entries} - {*match.seating.byes}
        assert again == fewest_again(sorted(playing), met, 0)


def nobody_plays_on_who_has_lost(night: Night) -> None:
    """Assert that who plays in a knock-out has gone on from the match before, unless told."""
    assert night.knock_out
    begun = night.begun
    if len(begun) <= night.knock_out.first or night.told:
        return
    before, now = begun[-2:]
    lost = losers_in(before.number, night.penalties)
    through = {*before.seating.byes}
    for number in before.numbers:
        for side, rank in enumerate(ranks_at(before, number, lost)):
            if rank == 1:
                through.update(before.seating.tables[number - 1][side])
    assert {*now.seating.entries} <= through


def standings_are_right(night: Night) -> None:
    """Assert that the standings equal a recount, and that each reason in them is true."""
    rows = standings_of(night)
    assert sorted(row.record.entry for row in rows) == sorted(night.entries)
    told = {row.record.entry: row.record for row in rows}
    for entry, (match_points, points, bags) in recount(night).items():
        record = told[entry]
        assert (record.match_points, record.points, record.bags) == (match_points, points, bags)
    for at, row in enumerate(rows):
        assert row.place == (at + 1 if at == 0 or row.why else rows[at - 1].place)
        if at and row.why:
            is_told_truly(night, rows[at - 1].record, row.record, row.why.code)


def is_told_truly(night: Night, ahead: Record, behind: Record, code: str) -> None:
    """Assert that one is ahead by a criterion, and that none before it decides between them."""
    numbers = {"match_points": 1, "wins": 1, "points": 1, "difference": 1, "bags": -1}
    if code in ("knock_out", "first_phase"):
        return
    for criterion in ("match_points", *night.plan.scoring.criteria):
        if criterion in numbers:
            sign = numbers[criterion]
            values = [sign * getattr(record, criterion) for record in (ahead, behind)]
            if criterion == code:
                assert values[0] > values[1]
            else:
                assert values[0] == values[1], (criterion, code)
        if criterion == code:
            return
    raise AssertionError(f"{code} is no criterion")


def recount(night: Night) -> dict[int, tuple[int, int, int]]:
    """Return each entry's half match points, points and bags, counted anew."""
    totals = {entry: [0, 0, 0] for entry in night.entries}
    first = night.knock_out.first if night.knock_out else 1
    for match in night.matches:
        if match.state == "closed" and (first == 1 or match.number < first):
            for entry, *parts in parts_of(night, match):
                for at, part in enumerate(parts):
                    totals[entry][at] += part
    return {entry: (one[0], one[1], one[2]) for entry, one in totals.items()}


def parts_of(night: Night, match: Match) -> Iterator[tuple[int, int, int, int]]:
    """Yield half match points, points and bags that entries have from a match or lose in it."""
    scoring, fines = night.plan.scoring, [p for p in night.penalties if p.match == match.number]
    lost = {one.entry for one in fines if one.kind == "match"}
    results = [result for number in match.numbers if (result := match.at(number).counted)]
    best = [s for result in results for s in result.scores if s == max(result.scores)]
    usual = floor(Fraction(sum(best), len(best) or 1) + Fraction(1, 2))
    usual = usual if scoring.bye_score is None else scoring.bye_score
    size = len(match.seating.tables[0]) if match.seating.tables else 2
    for entry in match.seating.byes:
        yield entry, scoring.bye * (size - 1), usual, 0
    for number, table in enumerate(match.seating.tables, 1):
        result = match.at(number).counted
        fallen = [bool(lost & {*side}) for side in table]
        scores = result.scores if result else (usual,) * size
        for side, entries in enumerate(table):
            points = 0 if fallen[side] and not result else scores[side]
            bags = result.bags[side] if result and result.bags else 0
            for entry in entries:
                yield entry, taken(scores, fallen, side, scoring), points, bags
    for one in fines:
        yield one.entry, -one.amount * (one.kind == "match_points"), 0, 0
        yield one.entry, 0, -one.amount * (one.kind == "points"), 0


def taken(scores: Sequence[int], fallen: Sequence[bool], side: int, scoring: Scoring) -> int:
    """Return the half match points of a side: of more than two, two for each one behind it."""
    keys = [(not lost, score) for lost, score in zip(fallen, scores, strict=True)]
    behind = sum(key < keys[side] for key in keys)
    level = keys.count(keys[side]) - 1
    if len(keys) > 2:
        return 0 if fallen[side] else 2 * behind + level
    if fallen[side] or not behind + level:
        return scoring.loss
    return scoring.win if behind else scoring.draw
