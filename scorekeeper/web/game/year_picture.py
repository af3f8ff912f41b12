"""The year of a table as one picture to send, with or without names.

It is seen outside of any page, so it has its own colors, the same in dark mode.
"""

from collections.abc import Sequence
from datetime import date
from math import ceil, floor
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.clock import evening_of, midnight
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import Face
from scorekeeper.store.players import Player
from scorekeeper.store.year import Placed, Step
from scorekeeper.web.game.charts import Frame
from scorekeeper.web.game.result import DISC, HEIGHT, MARGIN, ROOM, WIDTH, Text, fitted, plain
from scorekeeper.web.players import figures
from scorekeeper.web.players.record_rows import Row
from scorekeeper.web.text.svg_text import apart, cut, width
from scorekeeper.web.text.wording import day, names_note, signed

MOST_LINES = 6
LABEL = 320  # width of the shape, the name and the wins at the end of a line
BOXES, BOX_WIDTH, BOX_HEIGHT, GAP = 4, 466, 150, 20
MOST_GRID_LINES = 6


class Year(NamedTuple):
    """What a year was: who won most against luck, all its finished games, and its records."""

    number: int
    title: Markup
    counted: Markup
    about: str
    champions: Sequence[Player]
    players: Sequence[Placed]
    steps: Sequence[Step]
    moments: Sequence[Row]


class Line(NamedTuple):
    """A player's line in the chart, with the position of its shape and its label."""

    face: Face
    points: str
    y: float
    label: str


class Box(NamedTuple):
    """A moment of the year at its position."""

    x: float
    y: float
    faces: Sequence[Face]
    label: str
    value: str
    below: str


class Grid(NamedTuple):
    """A horizontal line of the chart with its number."""

    y: float
    number: str


class YearPicture(NamedTuple):
    """Everything that the picture shows, with its position."""

    title: str
    faces: Sequence[Face]
    winner_x: int
    winner: Sequence[Text]
    summary: Sequence[Text]
    frame: Frame
    grid: Sequence[Grid]
    lines: Sequence[Line]
    days: tuple[str, str]
    boxes: Sequence[Box]


def picture_title(year: Year, *, with_names: bool) -> str:
    """Return what the picture of a year is called, which is written on it too."""
    if year.champions and not with_names:
        return _("The champion of {year}").format(year=year.number)
    return plain(year.title)


def picture_note(year: Year, *, with_names: bool) -> Markup:
    """Return which names the picture of a year shows to those who get it."""
    people = [*year.champions, *(one.player for one in year.players[:MOST_LINES])]
    people += [one for row in year.moments[:BOXES] for one in row.players]
    return names_note([one.name for one in people] if with_names else [])


def year_picture(year: Year, *, with_names: bool) -> YearPicture:
    """Return the picture of a year in which a game has ended."""
    title = picture_title(year, with_names=with_names)
    x = MARGIN + (DISC + 56 if year.champions else 0)
    winner = fitted(title, MARGIN + 110, (104, 84, 60), 3, WIDTH - MARGIN - x)
    summary = [text for text in (plain(year.counted), year.about) if text]
    y = max(winner[-1].y + 60, MARGIN + DISC + 72 if year.champions else 0)
    below = [Text(y + n * 48, 34, cut(text, ROOM, 34)) for n, text in enumerate(summary)]
    boxes = _boxes(year.moments[:BOXES], with_names=with_names)
    bottom = (boxes[0].y if boxes else HEIGHT - MARGIN) - 70
    shown = year.players[:MOST_LINES]
    rows = _race(year.steps, [one.player.id for one in shown])
    frame = _frame(rows, below[-1].y + 50, bottom)
    first, last = (evening_of(year.steps[n].started) for n in (0, -1))
    return YearPicture(
        title=title,
        faces=[one.face for one in year.champions],
        winner_x=x,
        winner=winner,
        summary=below,
        frame=frame,
        grid=_grid(frame),
        lines=_lines(frame, shown, rows, with_names=with_names),
        days=(_day(first), _day(last)),
        boxes=boxes,
    )


def _day(on: date) -> str:
    return cut(day(midnight(on)), ROOM, 26)


def _race(steps: Sequence[Step], player_ids: Sequence[int]) -> list[list[float]]:
    """Return the wins above luck of some players, before the first evening and after each."""
    rows: dict[object, list[float]] = {None: [0.0] * len(player_ids)}
    ahead = dict.fromkeys(player_ids, 0.0)
    for step in steps:
        for player_id, wins in step.ahead.items():
            if player_id in ahead:
                ahead[player_id] += wins
        rows[evening_of(step.started)] = [*ahead.values()]
    return [*rows.values()]


def _frame(rows: Sequence[Sequence[float]], top: float, bottom: float) -> Frame:
    wins = [one for row in rows for one in row]
    low, high = min(-1, floor(min(wins, default=0))), max(1, ceil(max(wins, default=0)))
    return Frame(MARGIN + 70, WIDTH - MARGIN - LABEL, top, bottom, len(rows) - 1, low, high)


def _grid(frame: Frame) -> list[Grid]:
    step = ceil((frame.high - frame.low) / MOST_GRID_LINES)
    numbers = [n for n in range(frame.low, frame.high + 1) if n % step == 0]
    return [Grid(frame.y(n), signed(n) if n else "0") for n in numbers]


def _lines(
    frame: Frame,
    shown: Sequence[Placed],
    rows: Sequence[Sequence[float]],
    *,
    with_names: bool,
) -> list[Line]:
    """Return the lines of players, the champion's last so that it lies over the others."""
    ends = apart([frame.y(one) for one in rows[-1]], 44, frame.top, frame.bottom)
    found = []
    for n, one in enumerate(shown):
        wins = figures.ahead(one.luck)
        name = cut(one.player.name, LABEL - 66 - width(f" {wins}", 32), 32) if with_names else ""
        heights = frame.down([row[n] for row in rows])
        points = " ".join(f"{frame.x(k):.1f},{y:.1f}" for k, y in enumerate(heights))
        found.append(Line(one.player.face, points, ends[n], f"{name} {wins}".strip()))
    return found[::-1]


def _boxes(moments: Sequence[Row], *, with_names: bool) -> list[Box]:
    """Return the moments in two columns at the bottom of the picture."""
    top = HEIGHT - MARGIN + GAP - (BOX_HEIGHT + GAP) * ceil(len(moments) / 2)
    found = []
    for n, row in enumerate(moments):
        faces = [one.face for one in row.players[:2]]
        room = BOX_WIDTH - 56 - 56 * len(faces)
        below = plain(row.names) if with_names else row.day
        found.append(
            Box(
                MARGIN + (BOX_WIDTH + GAP) * (n % 2),
                top + (BOX_HEIGHT + GAP) * (n // 2),
                faces,
                cut(row.label, BOX_WIDTH - 48, 24),
                cut(f"{row.value} {row.unit}".strip(), room, 38),
                cut(below, room, 28),
            )
        )
    return found
