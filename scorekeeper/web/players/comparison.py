"""The players of a table side by side, in the order of any column."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.store.stats.players import Player
from scorekeeper.store.stats.queries import Totals
from scorekeeper.web.players.statistics import mean, share


class Row(NamedTuple):
    """A player and what stands in each column."""

    player: Player
    cells: list[str]


class Column(NamedTuple):
    """What is compared: a part of a whole, shown as a share or as a mean."""

    key: str
    name: str
    parts: Callable[[Totals], tuple[int, int]]
    shown: Callable[[int, int], str]
    low_is_good: bool = False


def columns() -> list[Column]:
    """Return what is compared, in this order."""
    return [
        Column("games", _("Games"), lambda t: (t.begun, 1), lambda part, _one: str(part)),
        Column("won", _("Won"), lambda t: (t.wins, t.games), share),
        Column("place", _("Place"), lambda t: (t.places, t.games), mean, low_is_good=True),
        Column("points", _("Points a round"), lambda t: (t.sums.points, t.sums.rounds), mean),
        Column("made", _("Made"), lambda t: (t.sums.made, t.sums.bids), share),
        Column("exact", _("Exactly"), lambda t: (t.sums.exact, t.sums.bids), share),
        Column("bid", _("Bid"), lambda t: (t.sums.bid_tricks, t.sums.bids), mean),
        Column("took", _("Took"), lambda t: (t.sums.taken, t.sums.bids), mean),
        Column("nil", _("Nil made"), lambda t: (t.sums.nils_made, t.sums.nils), share),
        Column("bags", _("Bags a round"), lambda t: (t.sums.bags, t.sums.rounds), mean),
    ]


def rows(players: Sequence[tuple[Player, Totals]], by: str) -> list[Row]:
    """Return a row for each player, in the order of a column; of none, as they come."""
    order = {column.key: column for column in columns()}.get(by)
    found = sorted(players, key=lambda one: _rank(order, one[1])) if order else players
    return [
        Row(player, [column.shown(*column.parts(totals)) for column in columns()])
        for player, totals in found
    ]


def _rank(column: Column, totals: Totals) -> tuple[bool, float]:
    """Return what sorts the best first, and those of whom nothing is known last."""
    part, whole = column.parts(totals)
    if not whole:
        return True, 0.0
    return False, part / whole if column.low_is_good else -part / whole
