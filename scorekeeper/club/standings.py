"""Who is ahead in a club night, and why: match points, then criteria in the order of the plan.

Match points are counted in halves of a point, so that all are whole numbers.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import permutations
from typing import Literal, get_args

from scorekeeper.club.match import BYE, Match, lot, opponents

Criterion = Literal["wins", "points", "difference", "bags", "head_to_head", "play_off", "lot"]
Code = Literal["match_points", "knock_out", "first_phase"] | Criterion
FEWER = {"bags", "play_off"}  # is better
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scoring:
    """What a match scores where two sides play, and in which order criteria decide ties.

    `bye_score` is what sitting out scores as points; None: what the average winner of that match
    has. Of more sides, each has a match point for each side behind it, and ties share theirs.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    bye_score: int | None = None
    criteria: tuple[Criterion, ...] = ("wins", "points")


@dataclass(frozen=True, slots=True)
class Penalty:
    """What an organiser takes from an entry in a match.

    "match" loses it, with no points where there is no result; others take an amount of points, or
    of match points in halves. A negative amount gives.
    """

    entry: int
    match: int
    kind: Literal["match", "points", "match_points"]
    amount: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What an entry has come to: match points in halves, matches, and points of its games."""

    entry: int
    match_points: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    points: int = 0
    against: int = 0
    bags: int = 0

    @property
    def difference(self) -> int:
        """The points ahead of the opponents, of more than one of the best of them."""
        return self.points - self.against


COUNTED = [one.name for one in fields(Record)][1:]


@dataclass(frozen=True, slots=True)
class Why:
    """Why an entry is behind the one before: a criterion, and the values of both.

    Head to head they are half match points among those who were tied, of a play-off the places, of
    a knock-out the matches that both have won; a lot and the first phase have none.
    """

    code: Code
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Row:
    """A place in the standings. Without `why` it is the first, or shared with the row before."""

    place: int
    record: Record
    why: Why | None = None


Duels = Mapping[tuple[int, int], int]  # what the first has from meeting the second: 2 a win, 1, 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The record of every entry, and what each has from meeting another."""

    records: Mapping[int, Record]
    duels: Duels


def tally_of(
    matches: Sequence[Match],
    entries: Sequence[int],
    scoring: Scoring,
    penalties: Sequence[Penalty] = (),
) -> Tally:
    """Return what entries have from matches, by the results that count."""
    records = {entry: Record(entry) for entry in entries}
    duels: dict[tuple[int, int], int] = {}
    fines = [one for one in penalties if one.entry in records]
    for match in matches:
        losers = losers_in(match.number, penalties)
        parts = [*_parts(match, scoring, losers), *_fines(match.number, fines)]
        for part in parts:
            if part.entry in records:
                records[part.entry] = _sum(records[part.entry], part)
        for mine, yours, taken in _duels(match, losers):
            duels[mine, yours] = duels.get((mine, yours), 0) + taken
    return Tally(records, duels)


def losers_in(number: int, penalties: Sequence[Penalty]) -> set[int]:
    """Return who loses a match by a penalty."""
    return {one.entry for one in penalties if one.kind == "match" and one.match == number}


def ranks_at(match: Match, number: int, losers: Collection[int]) -> tuple[int, ...]:
    """Return the rank of each side at a table, 1 for the best; empty while it has no result.

    Sides with as many points share a rank, and those with a loser are last whatever they have.
    """
    table, result = match.seating.tables[number - 1], match.at(number).counted
    by_rules = result.lost if result else ()
    lost = [
        at in by_rules or any(entry in losers for entry in side) for at, side in enumerate(table)
    ]
    if result is None and not any(lost):
        return ()
    scores = result.scores if result else (0,) * len(table)
    left = [score for score, is_lost in zip(scores, lost, strict=True) if not is_lost]
    return tuple(
        len(table) if is_lost else 1 + sum(other > score for other in left)
        for score, is_lost in zip(scores, lost, strict=True)
    )


def _parts(match: Match, scoring: Scoring, losers: Collection[int]) -> Iterator[Record]:
    """Yield what each entry has from a match, but for tables that have no result yet."""
    points, against = _average_win(match, scoring)
    for number, table in enumerate(match.seating.tables, 1):
        ranks, result = ranks_at(match, number, losers), match.at(number).counted
        scores = result.scores if result else [points if rank == 1 else 0 for rank in ranks]
        for side, rank in enumerate(ranks):
            part = Record(
                BYE,
                _match_points(scoring, ranks, rank),
                wins=int(rank == 1 == ranks.count(1)),
                draws=int(rank == 1 < ranks.count(1)),
                losses=int(rank > 1),
                points=scores[side],
                against=_best_of_others(scores, side),
                bags=result.bags[side] if result and result.bags else 0,
            )
            yield from (replace(part, entry=entry) for entry in table[side])
    sides = max(map(len, match.seating.tables), default=2)
    is_win = int(scoring.bye >= scoring.win)
    for entry in match.seating.byes:
        yield Record(
            entry, scoring.bye * (sides - 1), is_win, byes=1, points=points, against=against
        )


def _average_win(match: Match, scoring: Scoring) -> tuple[int, int]:
    """Return what sitting out scores, and the points against it."""
    if scoring.bye_score is not None:
        return scoring.bye_score, 0
    results = [match.at(number).counted for number in match.numbers]
    won = [(result.scores, side) for result in results if result for side in result.winners]
    return (
        _average([scores[side] for scores, side in won]),
        _average([_best_of_others(scores, side) for scores, side in won]),
    )


def _average(numbers: Sequence[int]) -> int:
    """Return the average, halves rounded up; 0 of nothing."""
    count = len(numbers)
    return (2 * sum(numbers) + count) // (2 * count) if count else 0


def _best_of_others(scores: Sequence[int], side: int) -> int:
    return max([*scores[:side], *scores[side + 1 :]])


def _match_points(scoring: Scoring, ranks: Sequence[int], rank: int) -> int:
    equal = ranks.count(rank)
    if len(ranks) > 2:
        return max(0, 2 * (len(ranks) - rank) - (equal - 1))
    return scoring.loss if rank > 1 else scoring.win if equal == 1 else scoring.draw


def _fines(number: int, penalties: Sequence[Penalty]) -> Iterator[Record]:
    for one in penalties:
        if one.match == number:
            yield Record(
                one.entry,
                -one.amount if one.kind == "match_points" else 0,
                points=-one.amount if one.kind == "points" else 0,
            )


def _sum(record: Record, part: Record) -> Record:
    own = [getattr(record, name) + getattr(part, name) for name in COUNTED]
    return Record(record.entry, *own)


def _duels(match: Match, losers: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """Yield what entries have from meeting each other, from both sides."""
    for number, table in enumerate(match.seating.tables, 1):
        if ranks := ranks_at(match, number, losers):
            for one, other, mine, yours in opponents(table):
                taken = 1 + (ranks[one] < ranks[other]) - (ranks[one] > ranks[other])
                yield mine, yours, taken
                yield yours, mine, 2 - taken


@dataclass(frozen=True, slots=True)
class Ties:
    """What decides between entries with as many match points."""

    criteria: tuple[Criterion, ...]
    duels: Duels
    seed: int = 0
    play_offs: tuple[tuple[int, ...], ...] = ()  # the order in which each left those who played it

    def values(self, criterion: Criterion, group: Sequence[Record]) -> Sequence[int] | None:
        """Return a value for each of a group, more being better; None if it decides nothing.

        Head to head needs that all have met, and that nobody is behind somebody beaten: then the
        values are what each has from the others. Of play-offs that all were in, the last counts.
        """
        entries = [record.entry for record in group]
        if criterion == "head_to_head":
            return self._head_to_head(entries)
        if criterion == "play_off":
            orders = [order for order in self.play_offs if {*entries} <= {*order}]
            return [-1 - orders[-1].index(one) for one in entries] if orders else None
        if criterion == "lot":
            return [lot(self.seed, entry) for entry in entries]
        if criterion == "bags":
            return [-record.bags for record in group]  # fewer are better
        return [getattr(record, criterion) for record in group]

    def _head_to_head(self, entries: Sequence[int]) -> list[int] | None:
        pairs = [*permutations(entries, 2)]
        if not all(pair in self.duels for pair in pairs):
            return None
        own = {one: sum(self.duels[one, two] for two in entries if two != one) for one in entries}
        won = [(one, two) for one, two in pairs if self.duels[one, two] > self.duels[two, one]]
        is_line = all(own[one] > own[two] for one, two in won)
        return [own[entry] for entry in entries] if is_line else None


def standings(records: Iterable[Record], ties: Ties) -> list[Row]:
    """Return entries in their places, each with why it is behind the one before.

    Those whom no criterion separates share a place, in the order of their numbers.
    """
    group = sorted(records, key=lambda record: record.entry)
    values = [record.match_points for record in group]
    rows: list[Row] = []
    for tied, why in _split(group, "match_points", values, ties):
        place = len(rows) + 1
        rows += [Row(place, record, None if at else why) for at, record in enumerate(tied)]
    return rows


Group = tuple[list[Record], Why | None]  # with why it is behind the group before


def _split(
    group: Sequence[Record], code: Code, values: Sequence[int], ties: Ties
) -> Iterator[Group]:
    """Yield the groups of those with the same value, best first, each split by later criteria."""
    before: int | None = None
    for value in sorted(set(values), reverse=True):
        tied = [record for record, own in zip(group, values, strict=True) if own == value]
        why = None if before is None else _why(code, before, value)
        for at, (records, own_why) in enumerate(_separated(tied, ties)):
            yield records, own_why if at else why
        before = value


def _why(code: Code, ahead: int, behind: int) -> Why:
    if code == "lot":
        return Why(code, 0, 0)
    return Why(code, -ahead, -behind) if code in FEWER else Why(code, ahead, behind)


def _separated(tied: list[Record], ties: Ties) -> Iterator[Group]:
    if len(tied) == 1 or not ties.criteria:
        yield tied, None
        return
    criterion, later = ties.criteria[0], replace(ties, criteria=ties.criteria[1:])
    values = ties.values(criterion, tied)
    if values is None or len(set(values)) == 1:
        yield from _separated(tied, later)
    else:
        yield from _split(tied, criterion, values, later)
