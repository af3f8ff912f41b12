"""SVG charts of a player's last games: places, points per round, bids and tricks."""

from collections.abc import Sequence

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import OTHER_POINTS
from scorekeeper.rules.sentence import minus
from scorekeeper.store.stats.queries import ALL, Played
from scorekeeper.web.players.statistics import mean, points_shown_by
from scorekeeper.web.text.svg_text import apart

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

    Over all rules it leaves out games whose points are worth something else.
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
        (1, _("took {n}"), [game.taken for game in bid]),
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
    line = Markup('<polyline class="line-{n} seat-{n}" points="{}"/>').format(
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
