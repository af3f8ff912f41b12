"""An evening of a table as one picture to send, with or without names.

It is seen outside of any page, so it has its own colors, the same in dark mode.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import Face
from scorekeeper.rules.payments import Payment, payments
from scorekeeper.store.games import Game
from scorekeeper.store.players import Player
from scorekeeper.store.statistics import Standing
from scorekeeper.web.game.result import DISC, HEIGHT, MARGIN, ROOM, WIDTH, Text, fitted, plain
from scorekeeper.web.players import figures
from scorekeeper.web.players.record_rows import Row
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import cut, cut_names, width
from scorekeeper.web.text.wording import minus, money, names_note, winner_names

MOST_ROWS, HIGHEST_ROW = 6, 92
MOST_GAMES, GAME_WIDTH, GAME_HEIGHT = 6, 466, 76
BOX_HEIGHT, BID_WIDTH, MONEY_WIDTH = 150, 372, 560
MOST_PAYMENTS, PAYMENT = 5, 36  # and the height of a line
GAP = 20
TITLED = 76  # from the line with the day to the ranking, with its heading between
MOST_FACES = 2


class Evening(NamedTuple):
    """What an evening was: its players by wins against luck, its games, and what people owe."""

    day: date
    title: Markup
    about: str
    winners: Sequence[Player]
    standings: Sequence[Standing]
    games: Sequence[Game]
    moments: Sequence[Row]
    balances: Mapping[str, int]

    @property
    def ended(self) -> list[Game]:
        """The finished games."""
        return [game for game in self.games if game.state.phase == "over"]

    @property
    def payments(self) -> list[Payment]:
        """Who pays whom, by the order of the balances."""
        return payments([*self.balances.values()])


class Place(NamedTuple):
    """A player's row in the ranking, with its baseline."""

    y: float
    face: Face
    name: str
    counted: str
    ahead: str


class Won(NamedTuple):
    """A finished game at its position: the winners, the rule book, and the winning total."""

    x: float
    y: float
    faces: Sequence[Face]
    title: str
    book: str
    total: str


class Bid(NamedTuple):
    """The highest bid made, in a box that is wide where there is no other."""

    width: int
    faces: Sequence[Face]
    label: str
    value: str
    names: str


class Paid(NamedTuple):
    """A line of who pays whom: the faces and names of both, and the amount."""

    y: float
    faces: tuple[Face, Face]
    names: tuple[str, str]
    amount: str


class EveningPicture(NamedTuple):
    """Everything that the picture shows, with its position."""

    title: str
    faces: Sequence[Face]
    winner_x: int
    winner: Sequence[Text]
    about: Text
    heading: Text
    size: int
    places: Sequence[Place]
    games: Sequence[Won]
    top: float
    height: float
    bid: Bid | None
    paid: Sequence[Paid]
    payee_x: float
    more_paid_y: float


def picture_title(evening: Evening, *, with_names: bool) -> str:
    """Return what the picture of an evening is called, which is written on it too."""
    return plain(evening.title) if with_names or not evening.winners else _("An evening")


def picture_note(evening: Evening, *, with_names: bool) -> Markup:
    """Return which names the picture of an evening shows to those who get it."""
    if not with_names:
        return names_note([])
    owing = [*evening.balances]
    return names_note(
        [
            *(one.name for one in evening.winners),
            *(one.player.name for one in evening.standings[:MOST_ROWS]),
            *(name for game in _games_shown(evening) for name in winner_names(game)),
            *(one.name for row in evening.moments for one in row.players),
            *(owing[n] for one in _payments_shown(evening) for n in (one.payer, one.payee)),
        ]
    )


def _games_shown(evening: Evening) -> list[Game]:
    return evening.ended[-MOST_GAMES:]


def _payments_shown(evening: Evening) -> list[Payment]:
    """Return who pays whom; where not all have room, one line is left to say so."""
    due = evening.payments
    return due if len(due) <= MOST_PAYMENTS else due[: MOST_PAYMENTS - 1]


def evening_picture(evening: Evening, *, with_names: bool) -> EveningPicture:
    """Return the picture of an evening in which a game has ended."""
    title = picture_title(evening, with_names=with_names)
    x = MARGIN + (DISC + 56 if evening.winners else 0)
    winner = fitted(title, MARGIN + 110, (84, 60), 3, WIDTH - MARGIN - x)
    y = max(winner[-1].y + 60, MARGIN + DISC + 72 if evening.winners else 0)
    lines = min(len(evening.payments), MOST_PAYMENTS)
    height = max(BOX_HEIGHT, 64 + PAYMENT * lines) if evening.moments or lines else 0
    top = HEIGHT - MARGIN + GAP - height
    games = _games(_games_shown(evening), top - GAP, with_names=with_names)
    shown = evening.standings[:MOST_ROWS]
    amount = max((width(money(one.amount), 26) for one in evening.payments), default=0)
    room = (MONEY_WIDTH - 180 - amount) / 2 if with_names else 0
    paid = _paid(evening, room)
    row = min(HIGHEST_ROW, (games[0].y - GAP - y - TITLED) / max(1, len(shown)))
    size = int(min(44, row * 0.8))
    return EveningPicture(
        title=title,
        faces=[one.face for one in evening.winners],
        winner_x=x,
        winner=winner,
        about=Text(y, 34, cut(evening.about, ROOM, 34)),
        heading=Text(y + 58, 28, cut(_("Wins against luck"), ROOM, 28)),
        size=size,
        places=[
            _place(one, y + TITLED + row * (n + 0.7), size, with_names=with_names)
            for n, one in enumerate(shown)
        ],
        games=games,
        top=top,
        height=height,
        bid=_bid(evening.moments[0], BID_WIDTH if paid else ROOM, with_names=with_names)
        if evening.moments
        else None,
        paid=paid,
        payee_x=102 + room,
        more_paid_y=82 + PAYMENT * len(paid) if len(paid) < len(evening.payments) else 0,
    )


def _place(one: Standing, y: float, size: int, *, with_names: bool) -> Place:
    luck = one.totals.luck
    counted = f"{figures.won(luck)} · {figures.expected(luck)}"
    room = ROOM - 66 - width(counted, 28) - 190
    name = cut(one.player.name, room, size) if with_names else ""
    return Place(y, one.player.face, name, cut(counted, ROOM, 28), figures.ahead(luck))


def _games(games: Sequence[Game], bottom: float, *, with_names: bool) -> list[Won]:
    """Return the finished games in two columns that end at a height."""
    top = bottom - (GAME_HEIGHT + 12) * ceil(len(games) / 2) + 12
    found = []
    for n, game in enumerate(games):
        state = game.state
        faces = game.faces_of(state.winning_seats)[:MOST_FACES]
        total = minus(state.standing.totals[state.winners[0]], game.rules.shown_as)
        room = GAME_WIDTH - 72 - 44 * len(faces) - width(total, 34)
        rounds = say("rounds", len(state.rounds)).format(n=len(state.rounds))
        title = cut_names(winner_names(game), room, 28) if with_names else cut(rounds, room, 28)
        found.append(
            Won(
                MARGIN + (GAME_WIDTH + GAP) * (n % 2),
                top + (GAME_HEIGHT + 12) * (n // 2),
                faces,
                title,
                cut(book_name(game.rules), room, 22),
                total,
            )
        )
    return found


def _bid(row: Row, box: int, *, with_names: bool) -> Bid:
    faces = [one.face for one in row.players[:MOST_FACES]]
    names = cut(plain(row.names), box - 48, 26) if with_names else ""
    return Bid(box, faces, cut(row.label, box - 48, 24), row.value, names)


def _paid(evening: Evening, room: float) -> list[Paid]:
    """Return who pays whom, with as much of the names as there is room for."""
    names = [*evening.balances]
    faces = {
        name: face
        for game in evening.games
        for name, face in zip(game.names, game.shown_faces, strict=True)
    }
    faces |= {one.player.name: one.player.face for one in evening.standings}
    found = []
    for n, one in enumerate(_payments_shown(evening)):
        payer, payee = names[one.payer], names[one.payee]
        told = (cut(payer, room, 26), cut(payee, room, 26)) if room else ("", "")
        found.append(Paid(82 + PAYMENT * n, (faces[payer], faces[payee]), told, money(one.amount)))
    return found
