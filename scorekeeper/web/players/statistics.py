"""Statistics as text: shares and means, each with its name and an explanation."""

from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext
from scorekeeper.store.stats.queries import Record, Totals
from scorekeeper.web.text.numbers import decimal

NOTHING = "–"
MINUS = "\N{MINUS SIGN}"


class Statistic(NamedTuple):
    """One statistic: its name and explanation, its value, and the counts that it comes from."""

    name: str
    meaning: str
    value: str
    counted: str = ""


def share(part: int, whole: int) -> str:
    """Return a share as a percentage, or a dash of nothing."""
    return _("{n} %").format(n=round(100 * part / whole)) if whole else NOTHING


def mean(total: int, count: int) -> str:
    """Return a mean with one decimal, or a dash of nothing."""
    if not count:
        return NOTHING
    shown = f"{total / count:.1f}".replace("-0.0", "0.0").replace("-", MINUS)
    return isolate_sign(decimal(shown))


def headline(totals: Totals) -> str:
    """Return how many games and rounds were counted."""
    rounds = totals.sums.rounds
    return _(", ").join(
        [
            ngettext("{n} game", "{n} games", totals.begun).format(n=totals.begun),
            _("{n} played to the end").format(n=totals.games),
            ngettext("{n} round", "{n} rounds", rounds).format(n=rounds),
        ]
    )


def statistics(totals: Totals, record: Record) -> list[Statistic]:
    """Return all statistics of a player, those of whole games first."""
    return [*_of_games(totals, record), *_of_bids(totals), *_of_rounds(totals)]


def _share_of(name: str, meaning: str, part: int, whole: int) -> Statistic:
    counted = _("{n} of {whole}").format(n=part, whole=whole) if whole else ""
    return Statistic(name, meaning, share(part, whole), counted)


def _of_games(totals: Totals, record: Record) -> list[Statistic]:
    games, wins = totals.games, totals.wins
    return [
        _share_of(
            _("Won"),
            _("Games played to the end; a partnership’s win is a win for both."),
            wins,
            games,
        ),
        Statistic(
            _("Average place"),
            _("1 is the winner; players who tie share the better place."),
            mean(totals.places, games),
        ),
        Statistic(
            _("Longest winning run"),
            _("Games won in a row, by the order in which they began."),
            str(record.run),
        ),
        Statistic(
            _("Best comeback"),
            _("The most points behind the leader, after any round, in a game won all the same."),
            str(record.comeback),
        ),
    ]


def _of_bids(totals: Totals) -> list[Statistic]:
    sums = totals.sums
    been_set = sums.bids - sums.made
    found = [
        _share_of(
            _("Contracts made"),
            _("Of the rounds with a bid of a number: the side took at least its contract."),
            sums.made,
            sums.bids,
        ),
        _share_of(_("Made exactly"), _("Made without an overtrick."), sums.exact, sums.bids),
        _share_of(
            _("Set"), _("The side took fewer tricks than its contract."), been_set, sums.bids
        ),
        Statistic(
            _("Bid on average"),
            _("The player’s own bids of a number."),
            mean(sums.bid_tricks, sums.bids),
        ),
        Statistic(
            _("Took on average"),
            _("The player’s own tricks in those same rounds."),
            mean(sums.taken, sums.bids),
        ),
        _share_of(
            _("Nil made"), _("Of the times the player called Nil."), sums.nils_made, sums.nils
        ),
    ]
    if sums.blind_nils:
        found.append(
            _share_of(
                _("Blind Nil made"),
                _("Of the times the player called it blind."),
                sums.blind_nils_made,
                sums.blind_nils,
            )
        )
    return found


def _of_rounds(totals: Totals) -> list[Statistic]:
    sums = totals.sums
    return [
        Statistic(
            _("Points a round"),
            _("What the side scored, penalties included."),
            mean(sums.points, sums.rounds),
        ),
        Statistic(_("Bags a round"), _("The side’s overtricks."), mean(sums.bags, sums.rounds)),
        Statistic(
            _("Bag penalties"),
            _("Rounds in which the side paid for too many bags."),
            str(sums.penalties),
        ),
    ]
