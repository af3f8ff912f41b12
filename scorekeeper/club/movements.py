"""Who plays with and against whom where no result decides it, and in Progressive where one does.

Places and players are counted from 0 here, matches from 1.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.club.match import (
    History,
    Pair,
    Seating,
    Side,
    Table,
    drawn,
    history_of,
    lot,
    pair_of,
)

FOUR = 4  # players at a table


def circle_match(places: int, one: int, other: int) -> int:
    """Return in which match two places meet when all play all: 1 to `places` - 1.

    `places` is even. The last stays, and the others turn by one after each match.

    >>> [circle_match(4, 0, 3), circle_match(4, 1, 2), circle_match(4, 1, 3)]
    [1, 1, 2]
    """
    turning = places - 1
    if other == turning or one == turning:
        return min(one, other) + 1
    return (one + other) * (turning + 1) // 2 % turning + 1


def halves_match(tables: int, one: int, other: int) -> int:
    """Return in which match two places meet where A stays and B moves: 1 to `tables`; 0 if never.

    Even places are A's, odd ones B's, so that who comes late joins the smaller half. At table t of
    match r, counted from 0, A(t) meets B((t - r) mod `tables`).
    """
    if one % 2 == other % 2:
        return 0
    stays, moves = (one, other) if one % 2 == 0 else (other, one)
    return (stays // 2 - moves // 2) % tables + 1


# Change partners, by the number of players: the modulus, and the first match, to whose numbers 1
# is added for each match after it. Where players are even, the last of them stays.
Four = tuple[int, int, int, int]  # the first two against the others
STARTERS: dict[int, tuple[int, tuple[Four, ...]]] = {
    4: (3, ((3, 0, 1, 2),)),
    5: (5, ((1, 4, 2, 3),)),
    8: (7, ((7, 0, 1, 3), (2, 6, 4, 5))),
    12: (11, ((11, 0, 1, 3), (2, 9, 6, 7), (4, 10, 5, 8))),
    13: (13, ((1, 4, 2, 7), (3, 12, 6, 8), (5, 11, 9, 10))),
    16: (15, ((15, 0, 1, 2), (3, 6, 9, 11), (4, 13, 8, 12), (5, 10, 7, 14))),
    17: (17, ((1, 2, 3, 8), (4, 15, 10, 12), (5, 9, 6, 13), (7, 16, 11, 14))),
}
# The lines of the affine plane of order 4: in these five matches nobody meets twice.
PLANE = (15, ((15, 0, 5, 10), (1, 2, 4, 8), (6, 7, 9, 13), (11, 12, 14, 3)))
PLANE_MATCHES = 5


def started_from(starter: tuple[int, tuple[Four, ...]], players: int, number: int) -> Seating:
    """Return a match of a starter table."""
    modulus, first = starter
    rows = [[(n + number - 1) % modulus if n < modulus else n for n in four] for four in first]
    seated = {n for row in rows for n in row}
    return Seating(
        tuple([((a, b), (c, d)) for a, b, c, d in rows]),
        tuple(n for n in range(players) if n not in seated),
    )


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a plan of changing partners is: the most matches in which two share a table.

    `partners` is the most as partners, `met` the most in all, `often` how many pairs do it.
    """

    partners: int
    met: int
    often: int


def quality_of(seatings: Sequence[Seating]) -> Quality:
    """Return the quality of some matches."""
    history = history_of(seatings)
    most = max(history.met.values(), default=0)
    often = sum(n == most for n in history.met.values())
    return Quality(max(history.partners.values(), default=0), most, often)


@lru_cache(maxsize=64)
def change_partners(players: int, matches: int, seed: int) -> tuple[Seating, ...]:
    """Return a plan of matches for single players, who change partners.

    A whole starter table, where there is one for the players and the matches: all are partners
    once and opponents twice. Else the best of some plans, by how few are partners, then meet,
    again: the first matches of a starter table, and what searches find.
    """
    starter = STARTERS.get(players)
    if players == FOUR * FOUR and matches <= PLANE_MATCHES:
        starter = PLANE
    if starter is None:
        plans = []
    else:
        numbers = range(1, min(matches, starter[0]) + 1)
        table = tuple([started_from(starter, players, number) for number in numbers])
        if matches == starter[0] or starter is PLANE:
            return table
        plans = [_searched(table, players, matches, seed)]
    for attempt in range(PLANS):
        plans.append(_searched((), players, matches, lot(seed, attempt)))
        if _repeats(plans[-1]) == (0, 0):
            break
    return min(plans, key=_repeats)


def _searched(
    plan: tuple[Seating, ...], players: int, matches: int, seed: int
) -> tuple[Seating, ...]:
    """Return a plan with as many matches added by a search as there are too few."""
    while len(plan) < matches:
        plan += (search(range(players), history_of(plan), seed),)
    return plan


def _repeats(plan: Sequence[Seating]) -> tuple[int, int]:
    """Return how often two are partners again, and how unevenly they meet again."""
    history = history_of(plan)
    again = sum(n - 1 for n in history.partners.values())
    return again, sum(n * (n - 1) for n in history.met.values())


AGAIN = 10**6  # what partners cost who were partners before; to meet again costs far less in all
STARTS, STEPS = 2, 40  # of a search: orders to begin with, and exchanges made in each
PLANS = 3  # that are searched for a whole evening, of which the best is taken


def search(players: Sequence[int], history: History, seed: int) -> Seating:
    """Return a match in which few are partners again, and few meet who have met.

    Those sit out who have done so least often. Deterministic: the search has a limit of steps, and
    its dice begin with the seed.
    """
    out = len(players) % FOUR
    waiting = sorted(drawn(seed, players, history.matches), key=lambda one: history.byes[one])[:out]
    playing = [one for one in players if one not in waiting]
    costs, dice = _Costs(playing, history), random.Random(f"{seed} {history.matches}")
    order = _stepped(len(playing), history.matches)
    best = costs.improved(order, dice)
    for _start in range(STARTS):
        if costs.of(best) == 0:
            break
        dice.shuffle(order)
        best = min(best, costs.improved(order, dice), key=costs.of)
    fours = [[playing[n] for n in best[at : at + FOUR]] for at in range(0, len(best), FOUR)]
    return Seating(tuple([((a, b), (c, d)) for a, b, c, d in fours]), tuple(sorted(waiting)))


def _stepped(players: int, steps: int) -> list[int]:
    """Return players in the order of tables when seat s has moved on by s tables in each match.

    With 5, 7, 11 or 13 tables nobody meets twice in as many matches.
    """
    tables = players // FOUR
    moved = {
        ((place // FOUR + place % FOUR * steps) % tables, place % FOUR): place
        for place in range(players)
    }
    return [moved[seat] for seat in sorted(moved)]


class _Costs:
    """What an order of players costs, four by four the first two against the others."""

    def __init__(self, players: Sequence[int], history: History) -> None:
        pairs = [[pair_of(one, other) for other in players] for one in players]
        self.against = [[history.met[pair] for pair in row] for row in pairs]
        self.together = [
            [history.met[pair] + AGAIN * history.partners[pair] for pair in row] for row in pairs
        ]

    def of(self, order: Sequence[int]) -> int:
        """Return what all tables cost."""
        return sum(self.table(order, at) for at in range(0, len(order), FOUR))

    def table(self, order: Sequence[int], at: int) -> int:
        """Return what the table costs whose first player is `at` this place of an order."""
        a, b, c, d = order[at : at + FOUR]
        one, other = self.against[a], self.against[b]
        return self.together[a][b] + self.together[c][d] + one[c] + one[d] + other[c] + other[d]

    def improved(self, order: Sequence[int], dice: random.Random) -> list[int]:
        """Return the best order seen while players of a table that costs something change places.

        Each step makes the exchange of one of its four that is best, even where it costs more; who
        has just moved stays.
        """
        now, moved = [*order], -1
        best, least = [*now], self.of(now)
        for _step in range(STEPS):
            dear = [at for at in range(0, len(now), FOUR) if self.table(now, at)]
            if not dear:
                break
            at = dice.choice(dear)
            places = [place for place in range(at, at + FOUR) if now[place] != moved]
            pairs = [(one, other) for one in places for other in range(len(now)) if one != other]
            one, other = min(pairs, key=lambda pair: self._change(now, *pair))
            moved = now[one]
            now[one], now[other] = now[other], now[one]
            if (cost := self.of(now)) < least:
                best, least = [*now], cost
        return best

    def _change(self, order: list[int], one: int, other: int) -> int:
        """Return by how much an exchange of two players changes what their tables cost."""
        tables = {one - one % FOUR, other - other % FOUR}
        before = sum(self.table(order, at) for at in tables)
        order[one], order[other] = order[other], order[one]
        change = sum(self.table(order, at) for at in tables) - before
        order[one], order[other] = order[other], order[one]
        return change


def climb(tables: Sequence[tuple[Side, Side]]) -> list[Side]:
    """Return two pairs of players for each table, after winners go up in Progressive.

    Each table gives its winners, then its losers; the first is the top. Its losers go to the last,
    other losers stay, the winners of the top stay too.

    >>> climb([((1, 2), (3, 4)), ((5, 6), (7, 8)), ((9, 10), (11, 12))])
    [(1, 2), (5, 6), (7, 8), (9, 10), (11, 12), (3, 4)]
    """
    winners, losers = [won for won, _lost in tables], [lost for _won, lost in tables]
    pairs = [winners[0]]
    for table in range(1, len(tables)):
        pairs += [winners[table], losers[table]]
    return [*pairs, losers[0]]


def parted(
    people: Sequence[int], last: Collection[Pair], history: History, seed: int
) -> tuple[Table, ...]:
    """Return people at tables, in their order, none with the partner of the last match.

    Who were partners less often are preferred; then a lot decides.
    """

    def part(four: Sequence[int]) -> Table:
        a, b, c, d = drawn(seed, four, history.matches)
        ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        return min(
            ways,
            key=lambda way: [
                sum(pair_of(*side) in last for side in way),
                sum(history.partners[pair_of(*side)] for side in way),
            ],
        )

    return tuple([part(people[at : at + FOUR]) for at in range(0, len(people), FOUR)])
