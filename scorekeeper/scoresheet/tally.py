"""The running sums of a game, round by round, with the text of every part beside them."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import Outcome, outcome_of, sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import score_side

Tricks = tuple[int, ...]


class Entry(NamedTuple):
    """One side's round: its points, the bags after it, and for each seat the cells from the bid
    to the bags, as they stand in a file."""

    points: int
    bags: int
    cells: tuple[str, ...]


class Tally:
    """Every side's total and bags after the rounds added so far."""

    def __init__(self, rules: RuleSet, players: int):
        self.rules = rules
        self.sides = sides_of(rules, players)
        self.totals = [0] * len(self.sides)
        self.bags = [0] * len(self.sides)
        self.number = 0
        self.outcome: Outcome | None = None
        self._entry = _entries(rules)
        self._seats = [slice(seats[0], seats[-1] + 1, len(self.sides)) for seats in self.sides]

    @property
    def winner(self) -> int | None:
        """The side that has won, or None while the game is on."""
        return self.outcome and self.outcome.winner

    def add(self, bids: Bids, tricks: Tricks) -> list[Entry]:
        """Add a round and return each side's entry."""
        totals, bags, entry = self.totals, self.bags, self._entry
        entries = []
        for side, seats in enumerate(self._seats):
            made = entry(bids[seats], tricks[seats], bags[side])
            totals[side] += made.points
            bags[side] = made.bags
            entries.append(made)
        self.number += 1
        self.outcome = outcome_of(self.rules, totals)
        return entries


@lru_cache(maxsize=16)
def _entries(rules: RuleSet) -> Callable[[Bids, Tricks, int], Entry]:
    """Return what makes entries under these rules.

    It remembers them, because the same few bids, counts and bags fill a long file; the limit
    keeps the memory small where a file holds every combination there is.
    """

    @lru_cache(maxsize=1 << 14)
    def entry(bids: Bids, tricks: Tricks, bags_before: int) -> Entry:
        score = score_side(rules, bids, tricks, bags_before)
        parts = (
            f"{score.nil_points},{score.contract_points},{score.overtrick_points},"
            f"{score.bag_penalty},{score.points},{score.bags}"
        )
        cells = tuple(
            f"{count if bid is None else bid},{count},{parts}"
            for bid, count in zip(bids, tricks, strict=True)
        )
        return Entry(score.points, score.bags, cells)

    return entry
