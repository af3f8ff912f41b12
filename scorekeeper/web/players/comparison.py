"""The table that compares players, sorted by any column."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.store.stats.players import Player
from scorekeeper.store.stats.queries import Totals
from scorekeeper.web.players.statistics import has_bags, mean, points_shown_by, share


class PlayerRow(NamedTuple):
    """A player and the text of each column."""

    player: Player
    cells: list[str]


class Column(NamedTuple):
    """A column: its numbers are a part and a whole, shown as a share or as a mean."""

    key: str
    name: str
    parts: Callable[[Totals], tuple[int, int]]
    shown: Callable[[int, int], str]
    low_is_good: bool = False
    is_key: bool = False  # shown on a phone


def columns(rules: str) -> list[Column]:
    """Return the columns of a rule book, or of all, from left to right."""
    found = [
        Column(
            "games", _("Games"), lambda t: (t.begun, 1), lambda part, _one: str(part), is_key=True
        ),
        Column("won", _("Won"), lambda t: (t.wins, t.games), share, is_key=True),
        Column("place", _("Place"), lambda t: (t.places, t.games), mean, low_is_good=True),
        Column(
            "points",
            _("Points per round"),
            lambda t: (t.points, t.point_rounds * points_shown_by(rules)),
            mean,
            is_key=True,
        ),
        Column("made", _("Made"), lambda t: (t.sums.made, t.sums.bids), share),
        Column("exact", _("Exact"), lambda t: (t.sums.exact, t.sums.bids), share),
        Column("bid", _("Bid"), lambda t: (t.sums.bid_tricks, t.sums.bids), mean),
        Column("took", _("Took"), lambda t: (t.sums.taken, t.sums.bids), mean),
        Column("nil", _("Nil made"), lambda t: (t.sums.nils_made, t.sums.nils), share),
        Column("bags", _("Bags per round"), lambda t: (t.sums.bags, t.sums.rounds), mean),
    ]
    return found if has_bags(rules) else found[:-1]


def rows(players: Sequence[tuple[Player, Totals]], by: str, rules: str) -> list[PlayerRow]:
    """Return a row for each player, sorted by the column of a key if there is one."""
    order = {column.key: column for column in columns(rules)}.get(by)
    found = sorted(players, key=lambda one: _sort_key(order, one[1])) if order else players
    return [
        PlayerRow(player, [column.shown(*column.parts(totals)) for column in columns(rules)])
        for player, totals in found
    ]


def _sort_key(column: Column, totals: Totals) -> tuple[bool, float]:
    """Return a key that sorts the best first, and players without numbers last."""
    part, whole = column.parts(totals)
    if not whole:
        return True, 0.0
    return False, part / whole if column.low_is_good else -part / whole
