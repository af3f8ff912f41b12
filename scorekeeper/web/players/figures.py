"""Statistics of a player as text."""

from fractions import Fraction
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext
from scorekeeper.rules.luck import Luck, tenths
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.statistics import Counts, Record, Totals
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import decimal, fill

NOTHING = "–"
MINUS = "\N{MINUS SIGN}"


class Statistic(NamedTuple):
    """One statistic: its name and explanation, its value, and the counts that it comes from."""

    name: str
    meaning: str
    value: str
    counted: str = ""
    is_good: bool = False


def share(part: Fraction | int, whole: int) -> str:
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
    """Return whether a rule book counts overtricks toward a penalty; true for several."""
    return rules not in PRESETS or PRESETS[rules].bag_limit is not None


def asks_for_exact_bids(rules: str) -> bool:
    """Return whether a rule book has only exact bids made, as Oh Hell; false for several."""
    return rules in PRESETS and PRESETS[rules].made == "exactly"


def sides_said(number: int) -> str:
    """Return a number of players who play alone."""
    return ngettext("{n} player", "{n} players", number).format(n=number)


def tenth(number: Fraction) -> str:
    """Return a number of wins with one decimal."""
    return decimal(f"{float(tenths(number)):.1f}")


def wins(number: Fraction) -> str:
    """Return wins, with one decimal where some were shared."""
    return str(number) if number.denominator == 1 else tenth(number)


def ahead(luck: Luck) -> str:
    """Return the wins above what luck would give, with their sign."""
    shown = luck.shown_ahead
    sign = "+" if shown > 0 else MINUS if shown < 0 else ""
    return isolate_sign(sign + decimal(f"{float(abs(shown)):.1f}"))


def won(luck: Luck) -> str:
    """Return how many of the finished games were won."""
    return _("{n} of {whole}").format(n=wins(luck.wins), whole=luck.games)


def expected(luck: Luck) -> str:
    """Return the wins that luck would give."""
    return _("luck {n}").format(n=tenth(luck.expected))


def counted(luck: Luck) -> Markup:
    """Return how many games were won and how many luck would give, in a sentence."""
    sentence = ngettext(
        "Won {won} of {n} game. Luck would give {luck}.",
        "Won {won} of {n} games. Luck would give {luck}.",
        luck.games,
    )
    return fill(
        sentence,
        won=wins(luck.wins),
        n=luck.games,
        luck=tenth(luck.expected),
    )


def beaten(luck: Luck) -> str:
    """Return the share of the others who were beaten in an average game."""
    return share(luck.beaten, luck.games)


def headline(totals: Totals) -> str:
    """Return how many games and rounds were counted."""
    rounds = sum(one.sums.rounds for one in totals.groups.values())
    return say("series").join(
        [
            ngettext("{n} game", "{n} games", totals.begun).format(n=totals.begun),
            _("{n} finished").format(n=totals.luck.games),
            say("rounds", rounds).format(n=rounds),
        ]
    )


def key_figures(totals: Totals) -> list[Statistic]:
    """Return the figures that matter most, which may be added over several rule books."""
    luck = totals.luck
    if not luck.games:
        return []
    return [
        Statistic(_("Wins against luck"), "", ahead(luck), is_good=luck.shown_ahead > 0),
        Statistic(_("Others beaten, on average"), "", beaten(luck)),
        *_nils(totals),
    ]


def _nils(totals: Totals) -> list[Statistic]:
    """Return the Nils that were made, where any was bid, and the blind ones."""
    sums = [one.sums for one in totals.groups.values()]
    bid, made = sum(one.nils for one in sums), sum(one.nils_made for one in sums)
    blind, blind_made = (
        sum(one.blind_nils for one in sums),
        sum(one.blind_nils_made for one in sums),
    )
    if not bid + blind:
        return []
    said = _("{n} of {whole}")
    counted = _("blind Nil: {n} of {whole}").format(n=blind_made, whole=blind) if blind else ""
    return [Statistic(say("nil_made"), "", said.format(n=made, whole=bid), counted)]


def statistics(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    """Return all statistics of a player, those of whole games first.

    Contracts, tricks and points are left out where the games are not comparable.
    """
    games = _of_games(totals.luck, record, rules)
    counts = totals.alike
    if not counts.sums.rounds:
        return games
    rules = totals.scored[0].rules
    return [
        *games,
        *_of_contracts(counts, rules),
        *_of_tricks(counts),
        *_of_nils(counts, rules),
        *_of_rounds(counts, rules),
    ]


def _share_of(name: str, meaning: str, part: int, whole: int) -> Statistic:
    counted = _("{n} of {whole}").format(n=part, whole=whole) if whole else ""
    return Statistic(name, meaning, share(part, whole), counted)


def _of_games(luck: Luck, record: Record, rules: str) -> list[Statistic]:
    unit = points_shown_by(rules)
    comeback = Statistic(
        _("Best comeback"),
        _("Largest deficit after any round of a game the player still won."),
        str(record.comeback) if unit == 1 else mean(record.comeback, unit),
    )
    return [
        Statistic(
            _("Won"),
            _("Finished games only. A win that sides share counts in equal parts."),
            share(luck.wins, luck.games),
            won(luck) if luck.games else "",
        ),
        Statistic(
            _("Wins against luck"),
            _("Games won, less those that an equal table would give."),
            ahead(luck),
            expected(luck),
        ),
        Statistic(
            _("Others beaten"),
            _("Average place as a share of the table: 0% is last, 100% first."),
            beaten(luck),
        ),
        Statistic(
            _("Longest winning streak"),
            _("Games won in a row, in the order they were started."),
            str(record.run),
        ),
        *([comeback] if rules in PRESETS else []),
    ]


def _of_contracts(counts: Counts, rules: str) -> list[Statistic]:
    sums = counts.sums
    been_set = sums.bids - sums.made
    if asks_for_exact_bids(rules):
        meaning = _("Share of rounds in which the player took exactly the tricks bid.")
        return [_share_of(_("Exact bids"), meaning, sums.made, sums.bids)]
    return [
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
    ]


def _of_tricks(counts: Counts) -> list[Statistic]:
    sums = counts.sums
    return [
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
    ]


def _of_nils(counts: Counts, rules: str) -> list[Statistic]:
    sums = counts.sums
    if asks_for_exact_bids(rules) and not sums.nils:
        return []
    found = [
        _share_of(say("nil_made"), _("Share of the player’s Nil bids."), sums.nils_made, sums.nils)
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


def _of_rounds(counts: Counts, rules: str) -> list[Statistic]:
    sums = counts.sums
    points = Statistic(
        _("Points per round"),
        _("Points scored by the side, including penalties."),
        mean(sums.points, sums.rounds * points_shown_by(rules)),
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
