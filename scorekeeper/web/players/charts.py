"""Trends of a player as charts in SVG: of one rule book, by date, in the color of the player."""

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import Face
from scorekeeper.rules.sentence import minus
from scorekeeper.store.statistics import Played
from scorekeeper.web.players.figures import mean, points_shown_by
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import apart
from scorekeeper.web.text.wording import day

WIDTH, HEIGHT = 390, 170  # units of the picture, which scales with the page
LEFT, RIGHT, TOP, BOTTOM = 20, 8, 14, 34
LABEL = 92  # units for the words at the end of a line
LINE = 15  # units between two labels
MARK = 11  # units of a shape
Points = list[tuple[float, float]]


def points(games: Sequence[Played], face: Face) -> Markup:
    """Return a chart of the mean points per round in each game; empty for fewer than two.

    The games are of one rule book, oldest first.
    """
    means = [one.points / one.rounds / points_shown_by(one.rules) for one in games]
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
    xs = _xs(games)
    parts.append(_line([(x, y(one)) for x, one in zip(xs, means, strict=True)], face))
    shown = mean(last.points, last.rounds * points_shown_by(last.rules))
    parts += _labels([(y(means[-1]), face.color, shown)])
    title = _("Points per round in recent games, newest on the right")
    return _svg("points", title, [*parts, *_days(games)])


def bids(games: Sequence[Played], face: Face) -> Markup:
    """Return a chart of the mean bid, a broken line, and the mean tricks in each game."""
    bid = [game for game in games if game.bids]
    if len(bid) < 2:
        return Markup()
    most = max(max(game.bid_tricks, game.taken) / game.bids for game in bid)
    top = max(2, int(most) + 1)

    def y(tricks: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (top - tricks) / top

    parts = [_grid_line(y(n), str(n), LABEL) for n in range(0, top + 1, 1 if top < 6 else 2)]
    ends, xs = [], _xs(bid)
    for word, totals, is_broken in (
        (_("bid {n}"), [game.bid_tricks for game in bid], True),
        (say("took"), [game.taken for game in bid], False),
    ):
        heights = [y(total / game.bids) for game, total in zip(bid, totals, strict=True)]
        parts.append(_line([*zip(xs, heights, strict=True)], face, is_broken=is_broken))
        ends.append((heights[-1], face.color, word.format(n=mean(totals[-1], bid[-1].bids))))
    title = _("Average bid and average tricks taken in recent games, newest on the right")
    return _svg("bids", title, [*parts, *_labels(ends), *_days(bid)])


def _xs(games: Sequence[Played]) -> list[float]:
    """Return where games stand from left to right by the time they began."""
    begun = [datetime.fromisoformat(game.started).timestamp() for game in games]
    first, length = begun[0], begun[-1] - begun[0]
    room = WIDTH - LEFT - 6 - LABEL - 6
    if not length:
        return [LEFT + 6 + room * n / max(1, len(games) - 1) for n in range(len(games))]
    return [LEFT + 6 + room * (one - first) / length for one in begun]


def _days(games: Sequence[Played]) -> list[Markup]:
    """Return the days of the first and the last game, below them."""
    text = Markup('<text class="axis" x="{:.0f}" y="{}" text-anchor="{}">{}</text>')
    return [
        text.format(LEFT, HEIGHT - 6, "start", day(games[0].started)),
        text.format(WIDTH - LABEL, HEIGHT - 6, "end", day(games[-1].started)),
    ]


def _grid_line(height: float, word: str, right: int) -> Markup:
    return Markup(
        '<line x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>'
        '<text class="axis" x="2" y="{below:.1f}">{}</text>'
    ).format(LEFT, WIDTH - right, word, y=height, below=height + 4)


def _line(points: Points, face: Face, *, is_broken: bool = False) -> Markup:
    """Return a line, with the shape of the player for each game unless it is broken."""
    marks = Markup("").join(
        Markup(
            '<use class="seat-{}" href="#seat-{}" x="{:.1f}" y="{:.1f}" width="{w}" height="{w}"/>'
        ).format(face.color, face.shape, x - MARK / 2, y - MARK / 2, w=MARK)
        for x, y in points
    )
    line = Markup('<polyline class="line-1 tint-{n}{}" points="{}"/>').format(
        " broken" if is_broken else "",
        " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        n=face.color,
    )
    return line if is_broken else line + marks


def _labels(ends: Sequence[tuple[float, int, str]]) -> list[Markup]:
    """Return the labels at the ends of lines, moved apart where they overlap."""
    heights = apart([height for height, *_rest in ends], LINE, TOP, HEIGHT - BOTTOM)
    return [
        Markup('<text class="seat-{}" x="{}" y="{:.1f}">{}</text>').format(
            number, WIDTH - LABEL + 8, height + 4, word
        )
        for height, (_y, number, word) in zip(heights, ends, strict=True)
    ]


def _svg(name: str, title: str, parts: Sequence[Markup]) -> Markup:
    return Markup(
        '<svg class="race" viewBox="0 0 {w} {h}" role="img" direction="ltr" '
        'aria-labelledby="{id}-title"><title id="{id}-title">{title}</title>{parts}</svg>'
    ).format(w=WIDTH, h=HEIGHT, id=name, title=title, parts=Markup("").join(parts))
