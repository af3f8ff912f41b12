"""Players compared in a table: a column for each statistic that the chosen games share."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.store.players import Player
from scorekeeper.store.statistics import Counts, Group, Standing
from scorekeeper.web.players.figures import (
    ahead,
    asks_for_exact_bids,
    beaten,
    has_bags,
    mean,
    points_shown_by,
    share,
    tenth,
    wins,
)
from scorekeeper.web.text.sentences import say

Parts = Callable[[Counts], tuple[Fraction | int, int]]


class PlayerRow(NamedTuple):
    """A player and the text of each column."""

    player: Player
    cells: list[str]


class Column(NamedTuple):
    """A column: its text, and the part and the whole by which players are sorted."""

    key: str
    name: str
    parts: Parts
    shown: Callable[[Counts], str]
    is_key: bool = False  # shown on a phone


def group_of(players: Sequence[Standing]) -> Group | None:
    """Return the one group that all players' games are of, or None for several or none."""
    groups = {group for one in players for group in one.totals.scored}
    return groups.pop() if len(groups) == 1 else None


def columns(group: Group | None) -> list[Column]:
    """Return the columns from left to right: of games, and of rounds where these are alike."""
    return [*_of_games(), *(_of_rounds(group.rules) if group else [])]


def _of_games() -> list[Column]:
    return [
        Column("games", _("Games"), lambda t: (t.begun, 1), lambda t: str(t.begun), is_key=True),
        Column("won", _("Won"), lambda t: (t.luck.wins, 1), lambda t: wins(t.luck.wins)),
        Column(
            "luck",
            _("Luck"),
            lambda t: (t.luck.expected, 1),
            lambda t: tenth(t.luck.expected),
        ),
        Column(
            "ahead",
            _("Against luck"),
            lambda t: (t.luck.ahead, 1),
            lambda t: ahead(t.luck),
            is_key=True,
        ),
        Column(
            "beaten",
            _("Others beaten"),
            lambda t: (t.luck.beaten, t.luck.games),
            lambda t: beaten(t.luck),
            is_key=True,
        ),
    ]


def _of_rounds(rules: str) -> list[Column]:
    is_exact = asks_for_exact_bids(rules)
    unit = points_shown_by(rules)
    found = [
        _part("points", _("Points per round"), lambda t: (t.sums.points, t.sums.rounds * unit)),
        _part("made", _("Contracts made"), lambda t: (t.sums.made, t.sums.bids), share),
        _part("exact", _("Exact"), lambda t: (t.sums.exact, t.sums.bids), share),
        _part("bid", _("Bid"), lambda t: (t.sums.bid_tricks, t.sums.bids)),
        _part("took", _("Tricks taken"), lambda t: (t.sums.taken, t.sums.bids)),
        _part("nil", say("nil_made"), lambda t: (t.sums.nils_made, t.sums.nils), share),
        _part("bags", _("Bags per round"), lambda t: (t.sums.bags, t.sums.rounds)),
    ]
    unused = {"made", "nil"} if is_exact else set()
    unused |= set() if has_bags(rules) else {"bags"}
    return [column for column in found if column.key not in unused]


def _part(
    key: str,
    name: str,
    parts: Callable[[Counts], tuple[int, int]],
    shown: Callable[[int, int], str] = mean,
) -> Column:
    return Column(key, name, parts, lambda counts: shown(*parts(counts)))


def rows(players: Sequence[Standing], by: str, shown: Sequence[Column]) -> list[PlayerRow]:
    """Return a row for each player, sorted by the column of a key if there is one."""
    order = {column.key: column for column in shown}.get(by)
    found = sorted(players, key=lambda one: _sort_key(order, one)) if order else players
    return [
        PlayerRow(one.player, [column.shown(one.totals.alike) for column in shown]) for one in found
    ]


def _sort_key(order: Column, one: Standing) -> tuple[bool, Fraction]:
    """Return a key that sorts the best first, and players without numbers last."""
    part, whole = order.parts(one.totals.alike)
    return (False, -Fraction(part) / whole) if whole else (True, Fraction(0))
