"""The race of a game as a picture: one line a side, round by round, toward the target."""

import unicodedata

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.sentence import minus
from scorekeeper.store.games import Game
from scorekeeper.web.wording import fill, listed

WIDTH, HEIGHT = 390, 210  # units of the picture, which scales with the page
LEFT, RIGHT, TOP, BOTTOM = 8, 112, 14, 14
LETTER = 7.2  # units a letter of a label takes
WIDE = 13.0  # units a wide one takes
ISOLATE, END = "\u2068", "\u2069"  # a name keeps its own direction of writing to itself
LINE = 15  # units between two labels


def race(game: Game) -> Markup:
    """Return the chart as an inline picture; the same numbers stand in the table of rounds.

    Sides are told apart by colour, dash pattern and the name at the end of their line.
    """
    board = game.board
    totals = [(0,) * len(board.sides), *(round_.after.totals for round_ in board.rounds)]
    low = min(0, *(min(row) for row in totals))
    high = max(game.rules.target, *(max(row) for row in totals))

    def x(round_number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * round_number / max(1, len(totals) - 1)

    def y(points: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / (high - low)

    ends = _apart([y(total) for total in totals[-1]])
    parts = [
        _rule(y(0), "zero"),
        _rule(y(game.rules.target), "target"),
        Markup('<text x="{}" y="{:.1f}" class="axis">{}</text>').format(
            LEFT, y(game.rules.target) - 4, game.rules.target
        ),
    ]
    for side, seats in enumerate(board.sides):
        points = " ".join(f"{x(n):.1f},{y(row[side]):.1f}" for n, row in enumerate(totals))
        parts.append(
            Markup('<polyline class="line-{n} seat-{n}" points="{}"/>').format(
                points, n=seats[0] + 1
            )
        )
        parts.append(
            Markup('<text class="seat-{}" x="{}" y="{:.1f}">{}</text>').format(
                seats[0] + 1, WIDTH - RIGHT + 8, ends[side] + 4, _label(game, side)
            )
        )
    return Markup(
        '<svg class="race" viewBox="0 0 {w} {h}" role="img"><title>{title}</title>{parts}</svg>'
    ).format(w=WIDTH, h=HEIGHT, title=_title(game), parts=Markup("").join(parts))


def _rule(height: float, kind: str) -> Markup:
    return Markup('<line class="{}" x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>').format(
        kind, LEFT, WIDTH - RIGHT, y=height
    )


def _label(game: Game, side: int) -> str:
    """Return a side's names and total, the names cut to the room there is."""
    total = minus(game.board.standing.totals[side])
    room = RIGHT - 8 - LETTER * (len(total) + 1)
    shown = ""
    names = " · ".join(game.side_names(side))
    for character in names:
        if _width(shown + character + "…") > room:
            return f"{ISOLATE}{shown}…{END} {total}"
        shown += character
    return f"{ISOLATE}{shown}{END} {total}"


def _width(text: str) -> float:
    """Return about how many units a text takes; letters of some scripts are twice as wide."""
    return sum(
        WIDE if unicodedata.east_asian_width(c) in "WF" or c in "WMmw@%" else LETTER
        for c in text
        if not unicodedata.combining(c)
    )


def _title(game: Game) -> Markup:
    board = game.board
    scores = Markup(", ").join(
        Markup("{} {}").format(Markup(listed(game.side_names(side))).striptags(), minus(total))
        for side, total in enumerate(board.standing.totals)
    )
    return fill(_("The race after round {n}: {scores}"), n=len(board.rounds), scores=scores)


def _apart(heights: list[float]) -> list[float]:
    """Return the heights pushed apart, in their order, so that no label lies on another."""
    placed: list[float] = [0.0] * len(heights)
    free = TOP + 0.0
    for side in sorted(range(len(heights)), key=lambda side: heights[side]):
        placed[side] = max(heights[side], free)
        free = placed[side] + LINE
    over = max(placed) - (HEIGHT - BOTTOM / 2)
    if over > 0:
        placed = [height - over for height in placed]
    return placed
