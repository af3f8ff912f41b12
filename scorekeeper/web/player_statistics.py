"""Statistics of a player as text, and as charts in SVG."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext
from scorekeeper.rules.presets import OTHER_POINTS, PRESETS
from scorekeeper.rules.sentence import minus
from scorekeeper.store.statistics import ALL, Played, Record, Totals
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import apart
from scorekeeper.web.text.wording import decimal, fill, listed

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
    """Return whether a rule book counts overtricks toward a penalty; true for All rules."""
    return rules not in PRESETS or PRESETS[rules].bag_limit is not None


def asks_for_exact_bids(rules: str) -> bool:
    """Return whether a rule book has only exact bids made, as Oh Hell; false for All rules."""
    return rules in PRESETS and PRESETS[rules].made == "exactly"


def left_out(rules: str) -> Markup:
    """Return which rule books the points of All rules leave out; empty for a single one."""
    if rules != ALL:
        return Markup()
    sentence = _("Points and best comeback leave out {books}, which score on a different scale.")
    return fill(sentence, books=listed([PRESETS[key].name for key in OTHER_POINTS]))


def headline(totals: Totals) -> str:
    """Return how many games and rounds were counted."""
    rounds = totals.sums.rounds
    return say("series").join(
        [
            ngettext("{n} game", "{n} games", totals.begun).format(n=totals.begun),
            _("{n} finished").format(n=totals.games),
            say("rounds", rounds).format(n=rounds),
        ]
    )


def key_figures(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    """Return the statistics that matter most, those without numbers left out."""
    won, finish, streak, _comeback = _of_games(totals, record, rules)
    made, nils = _of_contracts(totals, rules)[0], _of_nils(totals, rules)[:1]
    found = [won, finish, _of_rounds(totals, rules)[0], made, *nils, streak]
    return [one for one in found if one.value not in (NOTHING, "0")]


def statistics(totals: Totals, record: Record, rules: str) -> list[Statistic]:
    """Return all statistics of a player under a rule book or all, those of whole games first."""
    return [
        *_of_games(totals, record, rules),
        *_of_contracts(totals, rules),
        *_of_tricks(totals),
        *_of_nils(totals, rules),
        *_of_rounds(totals, rules),
    ]


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


def _of_contracts(totals: Totals, rules: str) -> list[Statistic]:
    sums = totals.sums
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


def _of_tricks(totals: Totals) -> list[Statistic]:
    sums = totals.sums
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


def _of_nils(totals: Totals, rules: str) -> list[Statistic]:
    sums = totals.sums
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


WIDTH, HEIGHT = 390, 150  # units of the picture, which scales with the page
LEFT, RIGHT, TOP, BOTTOM = 20, 8, 14, 14
LABEL = 92  # units for the words at the end of a line
LINE = 15  # units between two labels
Points = list[tuple[float, float]]


def places(games: Sequence[Played]) -> Markup:
    """Return a chart of the places in finished games, oldest first; empty for fewer than two."""
    ended = [(game.place, game.sides) for game in games if game.place is not None]
    if len(ended) < 2:
        return Markup()
    lowest = max(sides for _place, sides in ended)

    def y(place: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (place - 1) / max(1, lowest - 1)

    parts = [_grid_line(y(place), str(place), RIGHT) for place in range(1, lowest + 1)]
    points = [(_x(n, len(ended), RIGHT), y(place)) for n, (place, _sides) in enumerate(ended)]
    parts.append(_line(points, 1))
    return _svg("places", _("Finishes in recent games, newest on the right"), parts)


def points(games: Sequence[Played], rules: str) -> Markup:
    """Return a chart of the mean points per round in each game, oldest first.

    Over All rules it leaves out games whose points are worth something else.
    """
    games = [game for game in games if rules != ALL or game.rules not in OTHER_POINTS]
    means = [
        game.points / game.rounds / points_shown_by(game.rules) for game in games if game.rounds
    ]
    if len(means) < 2:
        return Markup()
    low, high = min(0.0, *means), max(0.0, *means)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / ((high - low) or 1)

    last = games[-1]
    parts = [
        _grid_line(y(value), minus(round(value)), LABEL)
        for value in (high, 0.0, low)
        if value == 0 or abs(y(value) - y(0)) > LINE
    ]
    parts.append(_line([(_x(n, len(means), LABEL), y(one)) for n, one in enumerate(means)], 1))
    parts += _labels(
        [(y(means[-1]), 1, mean(last.points, last.rounds * points_shown_by(last.rules)))]
    )
    title = _("Points per round in recent games, newest on the right")
    return _svg("points", title, parts)


def bids(games: Sequence[Played]) -> Markup:
    """Return a chart of the mean bid and the mean tricks in each game, oldest first."""
    bid = [game for game in games if game.bids]
    if len(bid) < 2:
        return Markup()
    most = max(max(game.bid_tricks, game.taken) / game.bids for game in bid)
    top = max(2, int(most) + 1)

    def y(tricks: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (top - tricks) / top

    parts = [_grid_line(y(n), str(n), LABEL) for n in range(0, top + 1, 1 if top < 6 else 2)]
    ends = []
    for number, word, totals in (
        (2, _("bid {n}"), [game.bid_tricks for game in bid]),
        (1, say("took"), [game.taken for game in bid]),
    ):
        points = [
            (_x(n, len(bid), LABEL), y(total / bid[n].bids)) for n, total in enumerate(totals)
        ]
        parts.append(_line(points, number))
        ends.append((points[-1][1], number, word.format(n=mean(totals[-1], bid[-1].bids))))
    parts += _labels(ends)
    title = _("Average bid and average tricks taken in recent games, newest on the right")
    return _svg("bids", title, parts)


def _x(n: int, count: int, right: int) -> float:
    return LEFT + 6 + (WIDTH - LEFT - 6 - right - 6) * n / max(1, count - 1)


def _grid_line(height: float, word: str, right: int) -> Markup:
    return Markup(
        '<line x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>'
        '<text class="axis" x="2" y="{below:.1f}">{}</text>'
    ).format(LEFT, WIDTH - right, word, y=height, below=height + 4)


def _line(points: Points, number: int) -> Markup:
    """Return a line with a mark for each game, as a line of one point would not show."""
    marks = Markup("").join(
        Markup('<circle class="seat-{}" cx="{:.1f}" cy="{:.1f}" r="4"/>').format(number, *point)
        for point in points
    )
    line = Markup('<polyline class="line-{n} tint-{n}" points="{}"/>').format(
        " ".join(f"{x:.1f},{y:.1f}" for x, y in points), n=number
    )
    return line + marks


def _labels(ends: Sequence[tuple[float, int, str]]) -> list[Markup]:
    """Return the labels at the ends of lines, moved apart where they overlap."""
    heights = apart([height for height, *_rest in ends], LINE, TOP, HEIGHT - BOTTOM)
    return [
        Markup('<text class="seat-{}" x="{}" y="{:.1f}">{}</text>').format(
            number, WIDTH - LABEL + 6, height + 4, word
        )
        for height, (_y, number, word) in zip(heights, ends, strict=True)
    ]


def _svg(name: str, title: str, parts: Sequence[Markup]) -> Markup:
    return Markup(
        '<svg class="race" viewBox="0 0 {w} {h}" role="img" direction="ltr" '
        'aria-labelledby="{id}-title"><title id="{id}-title">{title}</title>{parts}</svg>'
    ).format(w=WIDTH, h=HEIGHT, id=name, title=title, parts=Markup("").join(parts))
