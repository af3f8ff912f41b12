"""What a chat shows of the link of a finished game: a picture of the result."""

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from scorekeeper.rules import sentence
from scorekeeper.rules.faces import Face
from scorekeeper.store.games import Game
from scorekeeper.web.game.result import (
    MARGIN,
    Text,
    fitted,
    headline,
    places,
    plain,
    rounds_played,
    scores_line,
    side_names,
    side_scores,
)
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.svg_text import cut, width

CARD_WIDTH, CARD_HEIGHT = 1200, 630  # what chats show of a link without cutting it
RANKING = 530  # where the ranking begins, right of the winner


class PlaceRow(NamedTuple):
    """A side's row in the ranking."""

    y: float
    face: Face
    place: int
    names: str
    total: str


class Card(NamedTuple):
    """What a chat shows of the link of a finished game, with its position."""

    title: str
    faces: tuple[Face, ...]
    total: Text
    winner: list[Text]
    summary: list[Text]
    rows: list[PlaceRow]


def card(game: Game) -> Card:
    """Return what a chat shows of a finished game: who won, what was played, the totals."""
    rows = _rows(game, 0, CARD_WIDTH - MARGIN - RANKING, 0)
    step = min(92, (CARD_HEIGHT - 2 * MARGIN) / len(rows))
    top = (CARD_HEIGHT - step * len(rows)) / 2
    room = RANKING - MARGIN - 40
    (total,) = fitted(rows[0].total, 176, (84, 66, 52), 1, RANKING - 372)
    return Card(
        title=f"{plain(headline(game))}: {scores_line(game)}",
        faces=game.faces_of(game.state.winning_seats),
        total=total,
        winner=fitted(plain(headline(game)), 360, (76, 62, 50), 3, room),
        summary=[
            Text(532, 30, cut(book_name(game.rules), room, 30)),
            Text(576, 30, cut(rounds_played(game), room, 30)),
        ],
        rows=[row._replace(y=top + step * (n + 0.66)) for n, row in enumerate(rows)],
    )


def _rows(game: Game, y: float, room: float, step: float) -> list[PlaceRow]:
    found = []
    for n, (side, place) in enumerate(places(game)):
        total = sentence.minus(game.state.standing.totals[side], game.rules.shown_as)
        names = side_names(side_scores(game, side), room - 150 - width(total, 56), 44)
        face = game.shown_faces[game.state.sides[side][0]]
        found.append(PlaceRow(y + step * (n + 0.7), face, place, names, total))
    return found


# Fonts that servers have; the first that is there is drawn with, and others for what it lacks.
SVG = "http://www.w3.org/2000/svg"
FONTS = "system-ui, DejaVu Sans, Noto Sans, Liberation Sans, Arial, sans-serif"
MAX_DRAWN = 64  # each about 40 kB


@cache
def draws_pictures() -> bool:
    """Return whether this server can draw: it has the extra `preview`, and a font for it."""
    if find_spec("resvg_py") is None:
        return False
    sign = (
        f'<svg xmlns="{SVG}" width="9" height="9" font-family="{FONTS}"><text y="9">%s</text></svg>'
    )
    return draw(sign % "8") != draw(sign % "")


@lru_cache(maxsize=MAX_DRAWN)
def draw(svg: str) -> bytes:
    """Return a picture as PNG. It takes a tenth of a second, in which nobody else is answered."""
    import resvg_py  # an extra; with it alone, as no other page needs it

    return resvg_py.svg_to_bytes(svg_string=svg)
