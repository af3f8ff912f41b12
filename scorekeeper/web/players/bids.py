"""What became of a player's bids of each number, in games that are comparable."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.player_games import Tried
from scorekeeper.store.statistics import Group, Totals
from scorekeeper.web.players import figures
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import fill

FEW = 12  # bids below which a share tells nothing
OFF = Fraction(1, 2)  # tricks from the bid, on average, that are worth a sentence


class Bar(NamedTuple):
    """A bid with the percentage that was made, and what is said of it.

    `counted` is empty where the value is the counts, as few bids have no share.
    """

    bid: str
    percent: int
    value: str
    counted: str

    @property
    def is_few(self) -> bool:
        """Return whether there are too few bids for a share."""
        return not self.counted


class Bids(NamedTuple):
    """The bids of a player: of which games, one bar for each number, and sentences about them."""

    games: str
    bars: list[Bar]
    sentences: list[Markup]


def bids_made(found: Mapping[Group, Mapping[int, Tried]], totals: Totals) -> Bids | None:
    """Return the bids in the comparable games of which there are most, or None without any."""
    counts = {group: _number_of_bids(totals, group) for group in totals.groups}
    group = max(counts, key=lambda one: counts[one], default=None)
    if group is None or not counts[group] or group.rules not in PRESETS:
        return None
    by_number = found.get(group, {})
    bars = [*_bars(by_number, totals, group)]
    return Bids(_games(group), bars, [*_sentences(by_number, bars, group)])


def _number_of_bids(totals: Totals, group: Group) -> int:
    sums = totals.groups[group].sums
    return sums.bids + sums.nils + sums.blind_nils


def _games(group: Group) -> str:
    book = PRESETS[group.rules]
    name = book_name(book)
    return name if book.partnerships else f"{name}, {figures.sides_said(group.sides)}"


def _bars(by_number: Mapping[int, Tried], totals: Totals, group: Group) -> Iterator[Bar]:
    for number, tried in by_number.items():
        yield _bar(str(number), tried.made, tried.times)
    sums = totals.groups[group].sums
    if sums.nils:
        yield _bar(say("nil"), sums.nils_made, sums.nils)
    if sums.blind_nils:
        yield _bar(say("blind nil"), sums.blind_nils_made, sums.blind_nils)


def _bar(bid: str, made: int, times: int) -> Bar:
    counted = _("{n} of {whole}").format(n=made, whole=times)
    percent = round(100 * made / times)
    if times < FEW:
        return Bar(bid, percent, counted, "")
    return Bar(bid, percent, figures.share(made, times), counted)


def _sentences(by_number: Mapping[int, Tried], bars: list[Bar], group: Group) -> Iterator[Markup]:
    """Yield which number is bid too high or too low by most, and how the bars are read."""
    means = {
        number: Fraction(tried.over, tried.times)
        for number, tried in by_number.items()
        if tried.times >= FEW
    }
    if means:
        yield from _misjudged(means)
    if PRESETS[group.rules].partnerships:
        yield fill(_("With partners, made is the side’s contract."))
    if any(bar.is_few for bar in bars):
        yield fill(_("Striped: under {n} bids, so no share."), n=FEW)


def _misjudged(means: Mapping[int, Fraction]) -> Iterator[Markup]:
    low, high = max(means, key=lambda n: means[n]), min(means, key=lambda n: means[n])
    if means[high] <= -OFF:
        sentence = _("Bids of {n} are too high: {mean} tricks fewer than bid, on average.")
        yield fill(sentence, n=high, mean=figures.tenth(-means[high]))
    if means[low] >= OFF:
        sentence = _("Bids of {n} are too low: {mean} tricks more than bid, on average.")
        yield fill(sentence, n=low, mean=figures.tenth(means[low]))
    if all(abs(mean) < OFF for mean in means.values()):
        yield fill(_("No bid is much too high or too low on average."))
