"""Who meets whom where results or arrivals decide it: the closest pairs, and brackets.

What two entries cost together is told by criteria, the weightiest first. A pairing with less in an
earlier criterion is better, whatever it has in later ones.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from scorekeeper.club.match import BYE, History, Pair, Seating, pair_of
from scorekeeper.club.movements import circle_match, halves_match

Costs = tuple[int, ...]  # whole numbers from 0, by criterion


def closest(entries: Sequence[int], costs: Callable[[int, int], Costs]) -> list[Pair]:
    """Return all entries in pairs that cost least together, criterion by criterion.

    One of an odd number is paired with `BYE`, which comes first in its pair. `costs` is asked for
    each pair, the lower number first.
    """
    nodes = sorted(entries) if len(entries) % 2 == 0 else [BYE, *sorted(entries)]
    told = {pair: costs(*pair) for pair in combinations(nodes, 2)}
    if len(nodes) < 2:
        return []
    factors = _factors(
        len(nodes) // 2, [max(column) for column in zip(*told.values(), strict=True)]
    )
    weights = {
        pair: -sum(factor * cost for factor, cost in zip(factors, own, strict=True))
        for pair, own in told.items()
    }
    return sorted(_heaviest(weights))


def _factors(pairs: int, most: Sequence[int]) -> list[int]:
    """Return a factor for each criterion, larger than all that later ones can come to together."""
    factors: list[int] = []
    later = 0
    for highest in reversed(most):
        factors.append(pairs * later + 1)
        later += factors[-1] * highest
    return factors[::-1]


def _heaviest(weights: Mapping[Pair, int]) -> list[Pair]:
    """Return the pairs of greatest weight among those that leave nobody out."""
    from networkx import Graph, max_weight_matching  # a third of a second, and only when it pairs

    graph = Graph()
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in weights.items())
    matched: set[Pair] = max_weight_matching(graph, maxcardinality=True)
    return [pair_of(*pair) for pair in matched]


def seated(pairs: Sequence[Pair], order: Sequence[int]) -> Seating:
    """Return pairs at tables, in the order of the entry that comes first in `order`."""
    places = {entry: place for place, entry in enumerate(order)}
    tables = [sorted(pair, key=lambda entry: places[entry]) for pair in pairs if BYE not in pair]
    tables.sort(key=lambda table: places[table[0]])
    return Seating(
        tuple([((one,), (other,)) for one, other in tables]),
        tuple([other for one, other in pairs if one == BYE]),
    )


def swiss(standings: Sequence[int], points: Mapping[int, int], history: History) -> Seating:
    """Return the next match of a Swiss evening; `standings` are the entries, the first ahead.

    In this order: nobody meets again; nobody sits out again; match points are close; so are places.
    A gap costs its square, as two gaps of one are better than one of two. Who sits out meets the
    last place after all, with the fewest match points.
    """
    places = {entry: place for place, entry in enumerate(standings)} | {BYE: len(standings)}
    scored = {**points, BYE: min((points[entry] for entry in standings), default=0)}

    def costs(one: int, other: int) -> Costs:
        gap, places_apart = scored[one] - scored[other], places[one] - places[other]
        return *_again(history, one, other), gap * gap, places_apart * places_apart

    return seated(closest(standings, costs), standings)


def _again(history: History, one: int, other: int) -> tuple[int, int]:
    """Return how often two have met, and how often one has sat out that does so again."""
    return (0, history.byes[other]) if one == BYE else (history.met[one, other], 0)


def all_play_all(places: Sequence[int | None], history: History) -> Seating:
    """Return the next match where all play all; places that nobody has are None.

    The circle's as long as all can play who meet in it. Where somebody came late or left, in this
    order: nobody meets again; nobody sits out again; the pairs of this match, of one that was
    missed, of a later one.
    """
    size = len(places) + len(places) % 2
    due = history.matches % (size - 1) + 1
    return _moved(places, history, lambda one, other: _late(circle_match(size, one, other), due))


def halves(places: Sequence[int | None], history: History) -> Seating:
    """Return the next match where A stays and B moves; places that nobody has are None.

    Two of one half meet only where somebody would sit out without it.
    """
    tables = (len(places) + 1) // 2
    due = history.matches % tables + 1
    return _moved(places, history, lambda one, other: _late(halves_match(tables, one, other), due))


def _late(scheduled: int, due: int) -> int:
    """Return what a pair of a movement costs: 0 when due, 1 when missed, 2 when later, 3 never."""
    if scheduled == 0:
        return 3
    return 0 if scheduled == due else 1 if scheduled < due else 2


def _moved(
    places: Sequence[int | None], history: History, late: Callable[[int, int], int]
) -> Seating:
    at = {entry: place for place, entry in enumerate(places) if entry is not None}
    empty = [place for place, entry in enumerate(places) if entry is None] or [len(places)]

    def costs(one: int, other: int) -> Costs:
        if one == BYE:
            return *_again(history, one, other), min(late(at[other], place) for place in empty)
        return *_again(history, one, other), late(at[one], at[other])

    return seated(closest([*at], costs), [*at])


def bracket(size: int) -> list[int]:
    """Return seeds, counted from 0, in the order of a knock-out for `size`, a power of two.

    Neighbours meet, then the winners of neighbours; the best two could meet last.

    >>> bracket(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def knock_out_slots(seeds: Sequence[int]) -> list[int | None]:
    """Return the slots of a knock-out, of which the best have an empty one beside theirs."""
    size = 1 << (len(seeds) - 1).bit_length()
    return [seeds[seed] if seed < len(seeds) else None for seed in bracket(size)]


def knock_out(slots: Sequence[int | None]) -> Seating:
    """Return the match of a knock-out in which neighbours meet; one beside an empty slot waits."""
    pairs = [(one, other) for one, other in zip(slots[::2], slots[1::2], strict=True)]
    tables, byes = [], []
    for one, other in pairs:
        if one is not None and other is not None:
            tables.append(((one,), (other,)))
        else:
            byes += [entry for entry in (one, other) if entry is not None]
    return Seating(tuple(tables), tuple(byes))
