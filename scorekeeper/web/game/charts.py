"""Charts of a game with one line a side: the totals by round, and the bags."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState
from scorekeeper.rules.scoring import SideScore
from scorekeeper.rules.sentence import minus
from scorekeeper.store.games import Game
from scorekeeper.web.text import wording
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import apart, cut, width
from scorekeeper.web.text.wording import fill, listed, series, signed

WIDTH, HEIGHT = 390, 210  # units of the SVG, which scales with the page
LEFT, RIGHT, TOP, BOTTOM = 8, 112, 14, 14
PARTNERS = 124  # in place of RIGHT, where sides have several names
AXIS = 12  # units below a chart of totals, for the numbers of rounds
SIZE = 12  # font size of a label
LINE = 15  # units between two labels
MARK = 11  # units, of a shape
APART = 3  # units between lines that coincide
MAX_MARKED = 15  # rounds; in longer games the shapes would cover the lines
MOST_NUMBERS = 16  # of rounds below a chart of totals
NEAR = 4  # units between two points of a line at least: two thirds of a millimetre on a phone
Point = tuple[float, float]


class Frame(NamedTuple):
    """The coordinates of rounds and values: from `left` to `right` and `top` to `bottom`."""

    left: float
    right: float
    top: float
    bottom: float
    rounds: int
    low: int
    high: int

    def x(self, round_number: int) -> float:
        return self.left + (self.right - self.left) * round_number / max(1, self.rounds)

    def y(self, figure: float) -> float:
        return self.down([figure])[0]

    def down(self, figures: Iterable[float]) -> list[float]:
        """Return the y coordinates of many values."""
        top, high = self.top, self.high
        each = (self.bottom - top) / max(1, high - self.low)
        return [top + (high - figure) * each for figure in figures]


def race(game: Game, turn: int = 0) -> Markup:
    """Return the chart of totals as inline SVG; the table of rounds has the same numbers.

    Sides differ in colour, dash pattern, the shape at each round, and the name at the end of their
    line; that of who has won is strong. `turn` is the number of the round that is marked, if any.
    """
    totals = totals_by_round(game)
    frame = frame_of(game, LEFT, WIDTH - _right(game), TOP, HEIGHT - BOTTOM - AXIS)
    parts = [
        _rule(frame, 0, "zero"),
        *([] if game.rules.target is None else [_rule(frame, game.rules.target, "target")]),
        *_round_numbers(frame, turn),
        *lines_of_sides(game, points_of(frame, totals), mark_of(frame, "mark")),
        *_labels(game, frame, totals[-1], game.rules.shown_as),
    ]
    scores = _scores(game, totals[-1], game.rules.shown_as)
    title = fill(say("race_after"), n=len(game.state.rounds), scores=scores)
    return _picture(title, parts)


def bags(game: Game) -> Markup:
    """Return the chart of bags; empty where there are none, or where they cost nothing.

    A line that reaches the limit is marked with its seat's shape and falls to the bags left.
    """
    state, limit = game.state.as_seated, game.rules.bag_limit
    taken = sum(score.overtricks for played in state.rounds for score in played.scores)
    if limit is None or not taken:
        return Markup()
    right = WIDTH - _right(game)
    frame = Frame(LEFT, right, TOP, HEIGHT - BOTTOM, len(state.rounds), 0, limit)
    lines: list[list[Point]] = [
        [(frame.x(0), frame.y(count))] for count in state.rounds[0].before.bags
    ]
    marks: list[Markup] = []
    for played in state.rounds:
        x, beside = frame.x(played.number), 0
        for side, score in enumerate(played.scores):
            if score.bag_penalty:
                lines[side].append((x, frame.y(limit)))
                face = game.shown_faces[state.sides[side][0]]
                marks.append(_mark(face, x - MARK * beside, frame.y(limit)))
                beside += 1
            lines[side].append((x, frame.y(score.bags)))
    parts = [
        _rule(frame, 0, "zero"),
        _rule(frame, limit, "target"),
        *lines_of_sides(game, lines),
        *marks,
        *_labels(game, frame, state.standing.bags),
    ]
    shown = _scores(game, state.standing.bags)
    return _picture(fill(say("bags_after"), n=len(state.rounds), bags=shown), parts)


def totals_by_round(game: Game) -> list[tuple[int, ...]]:
    """Return every side's total before the first round and after each."""
    rounds = game.state.as_seated.rounds
    start = rounds[0].before.totals if rounds else game.state.standing.totals
    return [start, *(played.after.totals for played in rounds)]


def frame_of(game: Game, left: float, right: float, top: float, bottom: float) -> Frame:
    """Return the coordinates for the totals of a game, with zero and the target in range."""
    totals = list(chain.from_iterable(totals_by_round(game)))
    low, high = min(0, min(totals)), max(game.rules.target or 1, max(totals))
    return Frame(left, right, top, bottom, len(game.state.rounds), low, high)


def mark_of(frame: Frame, name: str) -> str:
    """Return the name of the shapes at the rounds of a chart; empty where these are too many."""
    return name if frame.rounds <= MAX_MARKED else ""


def points_of(frame: Frame, rows: Sequence[Sequence[int]]) -> list[list[Point]]:
    """Return the points of each side's line; `rows` holds the values of all sides by round.

    Where points would be closer than `NEAR`, some are left out, but never the last.
    """
    last = len(rows) - 1
    step = max(1, round(NEAR * last / (frame.right - frame.left)))
    shown = [*range(0, last, step), last]
    places = [frame.x(n) for n in shown]
    figures = zip(*(frame.down(rows[n]) for n in shown), strict=True)
    return [[*zip(places, each, strict=True)] for each in spread([*figures])]


def numbered_rounds(frame: Frame) -> list[tuple[float, int]]:
    """Return the rounds whose numbers stand below a chart, each with its x coordinate."""
    step = max(1, -(-frame.rounds // MAX_MARKED))
    return [(frame.x(n), n) for n in range(step, frame.rounds + 1, step)]


def spread(lines: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the heights of lines, those that coincide side by side.

    Lines coincide where they share a height and the one before or after it.
    """
    return [
        [height + _shift(lines, side, n) for n, height in enumerate(line)]
        for side, line in enumerate(lines)
    ]


def _shift(lines: Sequence[Sequence[float]], side: int, n: int) -> float:
    own = lines[side]
    beside = [at for at in (n - 1, n + 1) if 0 <= at < len(own)]
    mates = [
        other
        for other, line in enumerate(lines)
        if line[n] == own[n] and any(line[at] == own[at] for at in beside)
    ]
    return APART * (mates.index(side) - (len(mates) - 1) / 2) if mates else 0.0


def lines_of_sides(
    game: Game, lines: Sequence[Sequence[Point]], mark: str = ""
) -> Iterator[Markup]:
    """Return one polyline a side; its classes name the first seat of the side and its color.

    With `mark`, which no other chart of a page may have, its points get the seat's shape.
    """
    marker = Markup(
        '<marker id="{mark}-{n}" class="seat-{color}" overflow="visible">'
        '<use href="#seat-{shape}" x="-2" y="-2" width="4" height="4"/></marker>'
    )
    marked = Markup(' marker-mid="url(#{mark}-{n})" marker-end="url(#{mark}-{n})"')
    line = Markup('<polyline class="line-{n} tint-{color}{won}" points="{points}"{marked}/>')
    winners = game.state.winning_seats
    for (first, *_others), points in zip(game.state.sides, lines, strict=True):
        won = " strong-line" if first in winners else ""
        about = {"n": first + 1, "mark": mark, "won": won, **game.shown_faces[first]._asdict()}
        if mark:
            yield marker.format(**about)
        places = " ".join([f"{x:.1f},{y:.1f}" for x, y in points])
        yield line.format(points=places, marked=marked.format(**about) if mark else "", **about)


def _rule(frame: Frame, figure: int, kind: str) -> Markup:
    """Return a horizontal line across the chart with its value."""
    y = frame.y(figure)
    line = Markup('<line class="{}" x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>').format(
        kind, frame.left, frame.right, y=y
    )
    text = Markup('<text class="axis" x="{}" y="{:.1f}">{}</text>')
    return line + text.format(frame.left, y - 4, figure)


def _round_numbers(frame: Frame, turn: int) -> Iterator[Markup]:
    """Return the numbers of the rounds below a chart, and a line through the one that is marked."""
    if turn:
        yield Markup('<line class="turn" x1="{x:.1f}" x2="{x:.1f}" y1="{}" y2="{}"/>').format(
            frame.top, frame.bottom, x=frame.x(turn)
        )
    step = -(-frame.rounds // MOST_NUMBERS)
    number = Markup('<text class="axis{}" x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
    for n in range(1, frame.rounds + 1):
        if n == turn or (n % step == 0 and not 0 < abs(n - turn) < step):
            yield number.format(" turn" if n == turn else "", frame.x(n), HEIGHT - 4, n)


def _mark(face: Face, x: float, y: float) -> Markup:
    return Markup(
        '<use href="#seat-{}" class="seat-{}" x="{:.1f}" y="{:.1f}" width="{m}" height="{m}"/>'
    ).format(*face, x - MARK / 2, y - MARK / 2, m=MARK)


def _labels(
    game: Game, frame: Frame, figures: Sequence[int], shown_as: str = "points"
) -> list[Markup]:
    """Return each side's names, one a line and cut to fit, and its value after the first one."""
    lines = _most_names(game)
    top, bottom = TOP + LINE * (lines - 1) / 2, HEIGHT - LINE * lines / 2
    heights = apart([frame.y(figure) for figure in figures], LINE * lines, top, bottom)
    found = []
    for side, figure in enumerate(figures):
        names = game.side_names(side)
        color = game.shown_faces[game.state.sides[side][0]].color
        for at, name in enumerate(names):
            shown = "" if at else f" {minus(figure, shown_as)}"
            room = _right(game) - 8 - width(shown, SIZE)
            y = heights[side] + 4 + LINE * (at - (len(names) - 1) / 2)
            found.append(
                Markup('<text class="seat-{}" x="{}" y="{:.1f}">{}{}</text>').format(
                    color, frame.right + 8, y, cut(name, room, SIZE), shown
                )
            )
    return found


def _most_names(game: Game) -> int:
    return max(map(len, game.state.sides))


def _right(game: Game) -> int:
    """Return the units beside the lines: names of partners are seldom short both."""
    return RIGHT if _most_names(game) == 1 else PARTNERS


def _scores(game: Game, figures: Sequence[int], shown_as: str = "points") -> Markup:
    return series(
        Markup("{} {}").format(
            Markup(listed(game.side_names(side))).striptags(), wording.minus(figure, shown_as)
        )
        for side, figure in enumerate(figures)
    )


def _picture(title: Markup, parts: Sequence[Markup]) -> Markup:
    # Left to right in any language, as time does in a chart and as labels follow their lines.
    return Markup(
        '<svg class="race" viewBox="0 0 {w} {h}" role="img" direction="ltr">'
        "<title>{title}</title>{parts}</svg>"
    ).format(w=WIDTH, h=HEIGHT, title=title, parts=Markup("").join(parts))


class SideHead(NamedTuple):
    """The head of a side's column, with the face of its first seat."""

    shape: int
    color: int
    names: Markup


class BagsCell(NamedTuple):
    """A side's overtricks in a round, the penalty if it paid one, and the bags it has then."""

    overtricks: str
    penalty: str
    bags: int


class BagsRow(NamedTuple):
    """The bags of a round; `game_id` is empty where the round is not linked to."""

    game_id: str
    number: int
    cells: list[BagsCell]


class BagsTaken(NamedTuple):
    """The bags of a game, the newest round first."""

    chart: Markup
    sides: list[SideHead]
    rows: list[BagsRow]


def bags_taken(game: Game, *, linked: bool = True) -> BagsTaken | None:
    """Return the bags of a game; None where there are none, or where they cost nothing."""
    state, chart = game.state.as_seated, bags(game)
    if not chart:
        return None
    return BagsTaken(
        chart,
        [
            SideHead(*game.shown_faces[seats[0]], listed(game.side_names(side)))
            for side, seats in enumerate(state.sides)
        ],
        [
            BagsRow(game.id if linked else "", played.number, [*map(_cell, played.scores)])
            for played in reversed(state.rounds)
        ],
    )


def _cell(score: SideScore) -> BagsCell:
    penalty = signed(score.bag_penalty) if score.bag_penalty else ""
    return BagsCell(signed(score.overtricks), penalty, score.bags)


def stairs(state: GameState) -> Markup:
    """Return the cards of all rounds as steps, of which the one that is played stands out."""
    plan = state.rules.plan(state.players)
    most, now = max(plan), (state.number - 1) % len(plan)
    is_listed = state.number <= (state.rules.length(state.players) or 0)
    steps = [f"M{at} {most}v-{n}h.8v{n}z" for at, n in enumerate(plan)]
    return Markup(
        '<svg class="stairs" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="{}"/><path class="step" d="{}"/></svg>'
    ).format(len(plan), most, "".join(steps), steps[now] if is_listed else "")
