"""Layout of the picture of a result: the winner, the ranking, the chart of totals, the awards.

The picture is seen outside of any page, so it has its own colours, the same in dark mode.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.awards import awards
from scorekeeper.rules.sentence import minus
from scorekeeper.store.games import Game
from scorekeeper.web.game.charts import Frame, frame_of, points_of, totals_by_round
from scorekeeper.web.game.summary import headline, places, plain, played_line
from scorekeeper.web.text.svg_text import apart, cut, width, wrapped
from scorekeeper.web.text.wording import listed, named, winner_line

WIDTH, HEIGHT, MARGIN = 1080, 1350, 60
ROOM = WIDTH - 2 * MARGIN
ROW = 76  # between two sides in the ranking
STEP = 48  # between two lines of small text
LABEL = 150  # width of the shape and the total at the end of a line
MAX_AWARDS = 3
MIN_RACE = 300  # height of the chart; long names leave room for fewer awards


class Text(NamedTuple):
    """A line of text; `y` is its baseline."""

    y: float
    size: int
    text: str


class PlaceRow(NamedTuple):
    """A side's row in the ranking."""

    y: float
    seat: int
    place: int
    names: str
    total: str


class ChartLine(NamedTuple):
    """A side's line in the chart, with the position of its shape and its total."""

    seat: int
    points: str
    y: float
    total: str


class Picture(NamedTuple):
    """Everything that the picture shows, with its position."""

    title: str
    winner: list[Text]
    summary: list[Text]
    rows: list[PlaceRow]
    frame: Frame
    target: int | None
    lines: list[ChartLine]
    awards: list[Text]


def picture(game: Game) -> Picture:
    """Return the picture of a game, finished or not."""
    winner = _fitted(plain(headline(game)), MARGIN + 70, (104, 84, 60), 3)
    summary = [played_line(game)]
    if game.state.phase == "over":
        summary = [*wrapped(plain(winner_line(game)), ROOM, 34, 2), *summary]
    below = _texts(summary, winner[-1].y + 56, 34)
    rows = _rows(game, below[-1].y + 40)
    top = rows[-1].y + 60
    room = int((HEIGHT - MARGIN - top - MIN_RACE) // STEP)
    given = _awards(game)[: max(0, min(room, MAX_AWARDS))]
    bottom = HEIGHT - MARGIN - STEP * len(given)
    frame = frame_of(game, MARGIN, WIDTH - MARGIN - LABEL, top, bottom - 30)
    return Picture(
        title=f"{plain(headline(game))}: {_scores(game)}",
        winner=winner,
        summary=below,
        rows=rows,
        frame=frame,
        target=game.rules.target,
        lines=_lines(game, frame),
        awards=_texts(given, bottom + STEP, 32),
    )


def _fitted(text: str, y: float, sizes: tuple[int, ...], lines: int) -> list[Text]:
    """Return a text in the largest size in which it fits, wrapped and cut in the smallest."""
    size = next((size for size in sizes if width(text, size) <= ROOM), sizes[-1])
    step = size * 1.15
    found = wrapped(text, ROOM, size, lines)
    return [Text(y + size * 0.4 + n * step, size, line) for n, line in enumerate(found)]


def _texts(texts: list[str], y: float, size: int) -> list[Text]:
    return [Text(y + n * STEP, size, cut(text, ROOM, size)) for n, text in enumerate(texts)]


def _rows(game: Game, y: float) -> list[PlaceRow]:
    found = []
    for n, (side, place) in enumerate(places(game)):
        total = minus(game.state.standing.totals[side], game.rules.shown_as)
        room = ROOM - 150 - width(total, 56)
        names = cut(plain(listed(game.side_names(side))), room, 44)
        found.append(PlaceRow(y + ROW * (n + 0.7), game.state.sides[side][0], place, names, total))
    return found


def _lines(game: Game, frame: Frame) -> list[ChartLine]:
    totals = totals_by_round(game)
    ends = apart([frame.y(total) for total in totals[-1]], 46, frame.top, frame.bottom)
    return [
        ChartLine(
            game.state.sides[side][0],
            " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
            ends[side],
            minus(totals[-1][side], game.rules.shown_as),
        )
        for side, points in enumerate(points_of(frame, totals))
    ]


def _awards(game: Game) -> list[str]:
    given = awards(game.state) if game.state.phase == "over" else []
    found = []
    for award in given:
        title, why = f"{translate(award.title)}: ", _(", ") + translate(award.why)
        names = cut(_names(game, award.seats), ROOM - width(title + why, 32), 32)
        found.append(title + names + why)
    return found


def _names(game: Game, groups: Sequence[Sequence[int]]) -> str:
    return plain(named(game, groups))


def _scores(game: Game) -> str:
    sides, totals = game.state.sides, game.state.standing.totals
    return _(", ").join(
        f"{_names(game, [sides[side]])} {minus(totals[side], game.rules.shown_as)}"
        for side, _place in places(game)
    )
