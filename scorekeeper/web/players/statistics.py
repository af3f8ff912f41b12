"""Statistics as text: shares and means, each with its name and an explanation."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext
from scorekeeper.rules.presets import OTHER_POINTS, PRESETS
from scorekeeper.store.stats.queries import ALL, Record, Totals
from scorekeeper.web.text.numbers import decimal
from scorekeeper.web.text.wording import fill, listed

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
    return _("{n}%").format(n=round(100 * part / whole)) if whole else NOTHING


def mean(total: int, count: int) -> str:
    """Return a mean with one decimal, or a dash of nothing."""
    if not count:
        return NOTHING
    shown = f"{total / count:.1f}".replace("-0.0", "0.0").replace("-", MINUS)
    return isolate_sign(decimal(shown))


def points_shown_by(rules: str) -> int:
    """Return what the points of a rule book are divided by where people see them."""
    book = PRESETS.get(rules)
    return 10 if book and book.shown_as == "tenths" else 1


def has_bags(rules: str) -> bool:
    """Return whether a rule book counts overtricks toward a penalty; true for all rules."""
    return rules not in PRESETS or PRESETS[rules].bag_limit is not None


def left_out(rules: str) -> Markup:
    """Return which rule books the points of all rules leave out; empty for a single one."""
    if rules != ALL:
        return Markup()
    sentence = _("Points and best comeback leave out {books}, which score on a different scale.")
    return fill(sentence, books=listed([PRESETS[key].name for key in OTHER_POINTS]))


def headline(totals: Totals) -> str:
    """Return how many games and rounds were counted."""
    rounds = totals.sums.rounds
    return _(", ").join(
        [
            ngettext("{n} game", "{n} games", totals.begun).format(n=totals.begun),
            _("{n} finished").format(n=totals.games),
            ngettext("{n} round", "{n} rounds", rounds).format(n=rounds),
        ]
    )


def key_figures(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    """Return the statistics that matter most, those without numbers left out."""
    won, finish, streak, _comeback = _of_games(totals, record, rules)
    made, *_rest, nil = _of_bids(totals)[:6]
    found = [won, finish, _of_rounds(totals, rules)[0], made, nil, streak]
    return [one for one in found if one.value not in (NOTHING, "0")]


def statistics(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    """Return all statistics of a player under a rule book or all, those of whole games first."""
    return [*_of_games(totals, record, rules), *_of_bids(totals), *_of_rounds(totals, rules)]


def _share_of(name: str, meaning: str, part: int, whole: int) -> Statistic:
    counted = _("{n} of {whole}").format(n=part, whole=whole) if whole else ""
    return Statistic(name, meaning, share(part, whole), counted)


def _of_games(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    games, wins, unit = totals.games, totals.wins, points_shown_by(rules)
    return [
        _share_of(
            _("Won"),
            _("Finished games only. A partnership’s win counts for both partners."),
            wins,
            games,
        ),
        Statistic(
            _("Average finish"),
            _("1 is the winner. Tied players share the better place."),
            mean(totals.places, games),
        ),
        Statistic(
            _("Longest winning streak"),
            _("Games won in a row, in the order they were started."),
            str(record.run),
        ),
        Statistic(
            _("Best comeback"),
            _("Largest deficit after any round of a game the player still won."),
            str(record.comeback) if unit == 1 else mean(record.comeback, unit),
        ),
    ]


def _of_bids(totals: Totals) -> list[Statistic]:
    sums = totals.sums
    been_set = sums.bids - sums.made
    found = [
        _share_of(
            _("Contracts made"),
            _("Share of rounds with a number bid in which the side made its contract."),
            sums.made,
            sums.bids,
        ),
        _share_of(_("Made exactly"), _("Made without overtricks."), sums.exact, sums.bids),
        _share_of(
            _("Set"), _("Rounds in which the side missed its contract."), been_set, sums.bids
        ),
        Statistic(
            _("Average bid"),
            _("The player’s number bids, or the side’s where partners make one bid."),
            mean(sums.bid_tricks, sums.bids),
        ),
        Statistic(
            _("Average tricks"),
            _(
                "The player’s tricks in those rounds, or the side’s where they are counted "
                "together."
            ),
            mean(sums.taken, sums.bids),
        ),
        _share_of(_("Nil made"), _("Share of the player’s Nil bids."), sums.nils_made, sums.nils),
    ]
    if sums.blind_nils:
        found.append(
            _share_of(
                _("Blind Nil made"),
                _("Share of the player’s blind Nil bids."),
                sums.blind_nils_made,
                sums.blind_nils,
            )
        )
    return found


def _of_rounds(totals: Totals, rules: str) -> list[Statistic]:
    sums = totals.sums
    points = Statistic(
        _("Points per round"),
        _("Points scored by the side, including penalties."),
        mean(totals.points, totals.point_rounds * points_shown_by(rules)),
    )
    if not has_bags(rules) and not sums.penalties:
        return [points]
    return [
        points,
        Statistic(_("Bags per round"), _("The side’s overtricks."), mean(sums.bags, sums.rounds)),
        Statistic(
            _("Bag penalties"),
            _("Rounds in which the side paid a bag penalty."),
            str(sums.penalties),
        ),
    ]
