"""Statistics as people read them: shares, means, and what each of them means."""

from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext
from scorekeeper.store.stats.queries import Record, Totals
from scorekeeper.web.text.numbers import decimal

NOTHING = "–"
MINUS = "\N{MINUS SIGN}"


class Figure(NamedTuple):
    """One line of statistics: its name, what it means, the figure, and what it was counted from."""

    name: str
    meaning: str
    value: str
    counted: str = ""


def share(part: int, whole: int) -> str:
    """Return a share as a percentage."""
    return _("{n} %").format(n=round(100 * part / whole)) if whole else NOTHING


def mean(total: int, count: int) -> str:
    """Return a mean with one decimal."""
    if not count:
        return NOTHING
    shown = f"{total / count:.1f}".replace("-0.0", "0.0").replace("-", MINUS)
    return isolate_sign(decimal(shown))


def part_of(part: int, whole: int) -> str:
    """Return how many of how many."""
    return _("{n} of {whole}").format(n=part, whole=whole) if whole else ""


def headline(totals: Totals) -> str:
    """Return how many games and rounds the figures stand on."""
    rounds = totals.sums.rounds
    return _(", ").join(
        [
            ngettext("{n} game", "{n} games", totals.begun).format(n=totals.begun),
            _("{n} played to the end").format(n=totals.games),
            ngettext("{n} round", "{n} rounds", rounds).format(n=rounds),
        ]
    )


def figures(totals: Totals, record: Record) -> list[Figure]:
    """Return all figures of a player, the outcome of games first."""
    return [*_of_games(totals, record), *_of_bids(totals), *_of_rounds(totals)]


def _of_games(totals: Totals, record: Record) -> list[Figure]:
    games, wins = totals.games, totals.wins
    return [
        Figure(
            _("Won"),
            _("Games played to the end; a partnership’s win is a win for both."),
            share(wins, games),
            part_of(wins, games),
        ),
        Figure(
            _("Average place"),
            _("1 is the winner; players who tie share the better place."),
            mean(totals.places, games),
        ),
        Figure(
            _("Longest winning run"),
            _("Games won in a row, by the order in which they began."),
            str(record.run),
        ),
        Figure(
            _("Best comeback"),
            _("The most points behind the leader, after any round, in a game won all the same."),
            str(record.comeback),
        ),
    ]


def _of_bids(totals: Totals) -> list[Figure]:
    sums = totals.sums
    been_set = sums.bids - sums.made
    found = [
        Figure(
            _("Contracts made"),
            _("Of the rounds with a bid of a number: the side took at least its contract."),
            share(sums.made, sums.bids),
            part_of(sums.made, sums.bids),
        ),
        Figure(
            _("Made exactly"),
            _("Made without an overtrick."),
            share(sums.exact, sums.bids),
            part_of(sums.exact, sums.bids),
        ),
        Figure(
            _("Set"),
            _("The side took fewer tricks than its contract."),
            share(been_set, sums.bids),
            part_of(been_set, sums.bids),
        ),
        Figure(
            _("Bid on average"),
            _("The player’s own bids of a number."),
            mean(sums.bid_tricks, sums.bids),
        ),
        Figure(
            _("Took on average"),
            _("The player’s own tricks in those same rounds."),
            mean(sums.taken, sums.bids),
        ),
        Figure(
            _("Nil made"),
            _("Of the times the player called Nil."),
            share(sums.nils_made, sums.nils),
            part_of(sums.nils_made, sums.nils),
        ),
    ]
    if sums.blind_nils:
        found.append(
            Figure(
                _("Blind Nil made"),
                _("Of the times the player called it blind."),
                share(sums.blind_nils_made, sums.blind_nils),
                part_of(sums.blind_nils_made, sums.blind_nils),
            )
        )
    return found


def _of_rounds(totals: Totals) -> list[Figure]:
    sums = totals.sums
    return [
        Figure(
            _("Points a round"),
            _("What the side scored, penalties included."),
            mean(sums.points, sums.rounds),
        ),
        Figure(_("Bags a round"), _("The side’s overtricks."), mean(sums.bags, sums.rounds)),
        Figure(
            _("Bag penalties"),
            _("Rounds in which the side paid for too many bags."),
            str(sums.penalties),
        ),
    ]
