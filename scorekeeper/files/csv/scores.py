"""What a side scores in a round, remembered together with its cells as they stand in a file."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import score_side

MOST_REMEMBERED = 1 << 15  # entries of one kind, about half a kilobyte each

Key = tuple[Any, ...]  # a side's bids, then its tricks


class Entry(NamedTuple):
    """One side's round: its points, the change of its bags, the entries it goes on with, and the
    cells of one of its seats, from the bid to the points."""

    points: int
    bags: int
    goes_on_with: "Entries"
    cells: str


class Entries(dict[Key, Entry]):
    """What a side that carries so many bags into a round can score, as one of its seats writes it.

    A long file holds the same few bids, tricks and bags again and again, so each entry is worked
    out when it is first asked for, and looked up from then on.
    """

    def __init__(self, kind: "_Kind", bags: int):
        super().__init__()
        self._kind = kind
        self._bags = bags

    def __missing__(self, key: Key) -> Entry:
        bids, tricks = key[: len(key) // 2], key[len(key) // 2 :]
        score = score_side(self._kind.rules, bids, tricks, self._bags)
        bid, count = bids[self._kind.partner], tricks[self._kind.partner]
        cells = (
            f"{count if bid is None else bid},{count},{score.nil_points},{score.contract_points},"
            f"{score.overtrick_points},{score.bag_penalty},{score.points},"
        )
        goes_on_with = self._kind.carrying(score.bags)
        self._kind.make_room()
        self[key] = entry = Entry(score.points, score.bags - self._bags, goes_on_with, cells)
        return entry


EntriesUnder = Callable[[RuleSet, int], Entries]


class _Kind:
    """All entries under one set of rules, for the first or the second seat of a side."""

    def __init__(self, rules: RuleSet, partner: int):
        self.rules = rules
        self.partner = partner
        self._by_bags: dict[int, Entries] = {}
        self._remembered = 0

    def carrying(self, bags: int) -> Entries:
        """Return the entries of a side that carries so many bags."""
        # Without a limit bags only add up, and change nothing else.
        bags = 0 if self.rules.bag_limit is None else bags
        if bags not in self._by_bags:
            self._by_bags[bags] = Entries(self, bags)
        return self._by_bags[bags]

    def make_room(self) -> None:
        """Forget everything once it is too much, so that memory stays the same."""
        self._remembered += 1
        if self._remembered > MOST_REMEMBERED:
            self._remembered = 0
            for entries in self._by_bags.values():
                entries.clear()


def remembered_entries() -> EntriesUnder:
    """Return what gives the entries of a side without bags, for its first seat (0) or second (1).

    It gives the same ones for the same rules. Each file has its own, so that nothing of it stays
    in memory afterwards.
    """

    @lru_cache(maxsize=16)  # key: the rules, and which of two partners
    def entries_under(rules: RuleSet, partner: int) -> Entries:
        return _Kind(rules, partner).carrying(0)

    return entries_under
