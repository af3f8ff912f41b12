"""The result of a game for sharing, as text and as a picture, in the time zone of its table.

The picture is seen outside of any page, so it has its own colours, the same in dark mode.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import chain
from typing import NamedTuple

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from scorekeeper.clock import day_in
from scorekeeper.i18n import by_number, direction, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules import sentence
from scorekeeper.rules.faces import Face
from scorekeeper.rules.payments import stake_balances
from scorekeeper.rules.result import Alternative, TrickChange, alternatives, awards
from scorekeeper.rules.sentence import N_
from scorekeeper.store.games import Game
from scorekeeper.store.history import evening_of
from scorekeeper.web.game.charts import Frame, frame_of, points_of, totals_by_round
from scorekeeper.web.game.open_round import name_by
from scorekeeper.web.http.requests import (
    database,
    find_game_or_404,
    require_phone,
    use_zone_of_table,
)
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import END, ISOLATE, apart, cut, cut_names, width, wrapped
from scorekeeper.web.text.wording import (
    bdi,
    day,
    fill,
    listed,
    minus,
    named,
    payment_lines,
    title_line,
    winner_line,
)

pages = Blueprint("result", __name__, url_prefix="/games")


@pages.get("/<game_id>/result")
def show(game_id: str) -> str:
    """Show the result as a picture and as text, to share or to save."""
    game = _shared_game(game_id)
    day = day_in(require_phone().zone, game.started)
    return render_template(
        "game/result.html",
        game=game,
        headline=headline(game),
        picture=picture(game, _height()),
        summary=summary(game),
        file_name=f"{game.rules.key}-{day}-{game.id}",
        evening=evening_of(database(), game),
    )


@pages.get("/<game_id>/picture.svg")
def picture_file(game_id: str) -> Response:
    """Return the picture; with `format=story` one as high as a phone's screen."""
    shown = picture(_shared_game(game_id), _height())
    page = render_template("game/picture.svg", picture=shown)
    return Response(page, content_type="image/svg+xml; charset=utf-8")


def _height() -> int:
    return STORY if request.args.get("format") == "story" else HEIGHT


def _shared_game(game_id: str) -> Game:
    """Return a game, whose days are in the time zone of its table, as all see the same."""
    game = find_game_or_404(game_id)
    use_zone_of_table(require_phone())
    return game


def summary(game: Game) -> str:
    """Return the result as plain text: the winner, the totals round by round, the awards.

    In a right-to-left language each line begins with a mark that gives it this direction, as most
    apps take that of a line from its first letter.
    """
    state = game.state
    lines = [plain(headline(game))]
    if state.phase == "over":
        lines.append(plain(winner_line(game)))
    lines += [played_line(game), *([game.remark] if game.remark else []), ""]
    for side, place in places(game):
        race = " · ".join(
            minus(played.after.totals[side], game.rules.shown_as)
            for played in state.as_seated.rounds
        )
        name = plain(listed(side_scores(game, side)))
        lines.append(
            f"{place}. {name} {minus(state.standing.totals[side], game.rules.shown_as)} ({race})"
        )
    given = awards_given(game) if state.phase == "over" else []
    if given:
        lines.append("")
    lines += [f"{award.title}: {plain(award.names)} ({award.why})" for award in given]
    due = payments_due(game) if state.phase == "over" else []
    notes = [plain(line) for line in (*due, *turn_lines(game))]
    return "\n".join(map(directed, [*lines, *([""] if notes else []), *notes]))


def side_scores(game: Game, side: int) -> list[str]:
    """Return the names of a side, each with the own total where every player has one."""
    names, totals = game.side_names(side), game.state.standing.seat_totals
    if not totals:
        return names
    seats = game.state.sides[side]
    return [
        f"{name} {minus(totals[seat], game.rules.shown_as)}"
        for name, seat in zip(names, seats, strict=True)
    ]


RIGHT_TO_LEFT_MARK = "\N{RIGHT-TO-LEFT MARK}"


def headline(game: Game) -> Markup:
    """Return who won, or after which round an unfinished game is."""
    if game.state.phase == "over":
        return title_line(game)
    return fill(_("After round {n}"), n=len(game.state.rounds))


def played_line(game: Game, *, dated: bool = True) -> str:
    """Return what was played, when, and for how many rounds."""
    parts = (game.rules.name, *([day(game.started)] if dated else []), _rounds_played(game))
    if direction() == "ltr":
        return " · ".join(parts)
    return directed(" · ".join(f"{ISOLATE}{part}{END}" for part in parts))


def _rounds_played(game: Game) -> str:
    rounds = len(game.state.rounds)
    return say("rounds", rounds).format(n=rounds)


def places(game: Game) -> list[tuple[int, int]]:
    """Return each side with its place, best first."""
    return sorted(enumerate(game.state.places), key=lambda line: line[1])


def plain(text: Markup) -> str:
    """Return a sentence without markup; names of the other direction stay isolated."""
    marked = re.sub("<bdi[^>]*>", ISOLATE, str(text)).replace("</bdi>", END)
    return re.sub(f"{ISOLATE}([^{END}]*){END}", _isolated, Markup(marked).striptags())


def _isolated(name: re.Match[str]) -> str:
    other = ("L",) if direction() == "rtl" else ("R", "AL")
    turns_around = any(unicodedata.bidirectional(c) in other for c in name[1])
    return name[0] if turns_around else name[1]


def directed(line: str) -> str:
    """Return a line of plain text that begins in the direction of its language."""
    is_turned = direction() == "rtl" and line and not line.startswith(RIGHT_TO_LEFT_MARK)
    return f"{RIGHT_TO_LEFT_MARK}{line}" if is_turned else line


class AwardShown(NamedTuple):
    """An award as it is written, with the names and faces of those who share it."""

    color: int
    code: str
    faces: tuple[Face, ...]
    title: str
    names: Markup
    why: str


def awards_given(game: Game) -> list[AwardShown]:
    """Return the awards of a game."""
    return [
        AwardShown(
            game.shown_faces[award.seats[0][0]].color,
            award.code,
            game.faces_of(chain.from_iterable(award.seats)),
            translate(award.title),
            named(game, award.seats),
            translate(award.why),
        )
        for award in awards(game.state)
    ]


# What would have changed a game, by what changes and how it ends then. The number decides how many
# have won, and `n` is the round.
TURNS = {
    "trick_goes_on": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, the game would have gone on."
    ),
    "trick_wins_earlier": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won in "
        "round {last}, {total} to {second}.",
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won in "
        "round {last}, {total} to {second}.",
    ),
    "trick_wins": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won, "
        "{total} to {second}.",
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won, "
        "{total} to {second}.",
    ),
    "bid_goes_on": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, the game would have gone on."
    ),
    "bid_wins_earlier": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won in round "
        "{last}, {total} to {second}.",
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won in round "
        "{last}, {total} to {second}.",
    ),
    "bid_wins": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won, {total} "
        "to {second}.",
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won, {total} "
        "to {second}.",
    ),
}
# Every phone requests the page of a finished game, and a game of ten rounds takes 11 ms, some 23.
# No row of the benchmark shows such a page. Key: the state, on which alone they depend.
_turns = lru_cache(maxsize=128)(alternatives)


def payments_due(game: Game) -> list[Markup]:
    """Return who pays whom after a finished game; nothing where nobody has staked anything."""
    balances = stake_balances(game.state, game.stake) if game.stake else ()
    return payment_lines(game.names, balances)


def turn_lines(game: Game) -> list[Markup]:
    """Return the sentences about what would have changed a game, two at most."""
    return [_turn_line(game, turn) for turn in _turns(game.state)]


def _turn_line(game: Game, turn: Alternative) -> Markup:
    change, rules, totals = turn.change, game.rules, sorted(turn.totals, reverse=True)
    if isinstance(change, TrickChange):
        name, other = (
            name_by(game, seat, rules.tricks_by) for seat in (change.to, change.instead_of)
        )
        gaps = {"name": bdi(name), "other": bdi(other)}
    else:
        gaps = {"name": bdi(name_by(game, change.seat, rules.bid_by))}
        gaps |= {"bid": Markup(change.bid), "old": Markup(change.instead_of)}
    winners = [name for side in turn.winners for name in game.side_names(side)]
    sentence = TURNS[_turn_code(game, turn)]
    return fill(
        by_number(sentence.text, len(winners)) if winners else _(sentence.text),
        n=turn.number,
        last=turn.last,
        names=listed(winners) if winners else "",
        total=minus(totals[0], game.rules.shown_as),
        second=minus(totals[1], game.rules.shown_as),
        **gaps,
    )


def _turn_code(game: Game, turn: Alternative) -> str:
    kind = "trick" if isinstance(turn.change, TrickChange) else "bid"
    if not turn.winners:
        return f"{kind}_goes_on"
    return f"{kind}_wins_earlier" if turn.last < len(game.state.rounds) else f"{kind}_wins"


WIDTH, HEIGHT, MARGIN = 1080, 1350, 64
STORY = 1920  # height of the other format
DISC = 300  # of the winner's shape, beside the name
ROOM = WIDTH - 2 * MARGIN
ROW = 76  # between two sides in the ranking
STEP = 48  # between two lines of small text
LABEL = 150  # width of the shape and the total at the end of a line
SHRUNK = 0.66  # of the smallest font size, for a name that is one long word
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
    face: Face
    place: int
    names: str
    total: str


class ChartLine(NamedTuple):
    """A side's line in the chart, with the position of its shape and its total."""

    seat: int
    face: Face
    points: str
    y: float
    total: str


class Picture(NamedTuple):
    """Everything that the picture shows, with its position."""

    title: str
    height: int
    faces: tuple[Face, ...]
    winner_x: int
    winner: list[Text]
    summary: list[Text]
    rows: list[PlaceRow]
    frame: Frame
    target: int | None
    lines: list[ChartLine]
    awards: list[Text]


def picture(game: Game, height: int = HEIGHT) -> Picture:
    """Return the picture of a game, finished or not; a winner has a disc with the own shape."""
    faces = game.faces_of(game.state.winning_seats)
    x = MARGIN + (DISC + 56 if faces else 0)
    winner = fitted(plain(headline(game)), MARGIN + 110, (104, 84, 60), 3, WIDTH - MARGIN - x)
    summary = [played_line(game)]
    if game.state.phase == "over":
        summary = [*wrapped(plain(winner_line(game)), ROOM, 34, 2), *summary]
    below = _texts(summary, max(winner[-1].y + 56, MARGIN + DISC + 72 if faces else 0), 34)
    rows = _rows(game, below[-1].y + 40, ROOM, ROW)
    top = rows[-1].y + 60
    room = int((height - MARGIN - top - MIN_RACE) // STEP)
    given = _awards(game)[: max(0, min(room, MAX_AWARDS))]
    bottom = height - MARGIN - STEP * len(given)
    frame = frame_of(game, MARGIN, WIDTH - MARGIN - LABEL, top, bottom - 30)
    return Picture(
        title=f"{plain(headline(game))}: {_scores(game)}",
        height=height,
        faces=faces,
        winner_x=x,
        winner=winner,
        summary=below,
        rows=rows,
        frame=frame,
        target=game.rules.target,
        lines=_lines(game, frame),
        awards=_texts(given, bottom + STEP, 32),
    )


def fitted(text: str, y: float, sizes: tuple[int, ...], lines: int, room: int) -> list[Text]:
    """Return a text in the largest size in which it fits on a line, else wrapped in the smallest.

    A word that is too long for a line makes it smaller still, by `SHRUNK`, before it is broken.
    """
    size = next((size for size in sizes if width(text, size) <= room), sizes[-1])
    longest = max(width(word, 1) for word in text.split(" "))
    size = min(size, max(int(sizes[-1] * SHRUNK), int(room / longest)))
    step = size * 1.15
    found = wrapped(text, room, size, lines)
    return [Text(y + size * 0.4 + n * step, size, line) for n, line in enumerate(found)]


def _texts(texts: list[str], y: float, size: int) -> list[Text]:
    return [Text(y + n * STEP, size, cut(text, ROOM, size)) for n, text in enumerate(texts)]


def _rows(game: Game, y: float, room: float, step: float) -> list[PlaceRow]:
    found = []
    for n, (side, place) in enumerate(places(game)):
        total = sentence.minus(game.state.standing.totals[side], game.rules.shown_as)
        names = _side_names(side_scores(game, side), room - 150 - width(total, 56), 44)
        face = game.shown_faces[game.state.sides[side][0]]
        found.append(PlaceRow(y + step * (n + 0.7), face, place, names, total))
    return found


def _side_names(names: Sequence[str], room: float, size: float) -> str:
    text = plain(listed(names))
    return cut(text, room, size) if width(text, size) <= room else cut_names(names, room, size)


def _lines(game: Game, frame: Frame) -> list[ChartLine]:
    totals = totals_by_round(game)
    ends = apart([frame.y(total) for total in totals[-1]], 46, frame.top, frame.bottom)
    return [
        ChartLine(
            game.state.sides[side][0],
            game.shown_faces[game.state.sides[side][0]],
            " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
            ends[side],
            sentence.minus(totals[-1][side], game.rules.shown_as),
        )
        for side, points in enumerate(points_of(frame, totals))
    ]


def _awards(game: Game) -> list[str]:
    given = awards(game.state) if game.state.phase == "over" else []
    found = []
    for award in given:
        title, why = f"{translate(award.title)}: ", say("series") + translate(award.why)
        names = cut(_names(game, award.seats), ROOM - width(title + why, 32), 32)
        found.append(title + names + why)
    return found


def _names(game: Game, groups: Sequence[Sequence[int]]) -> str:
    return plain(named(game, groups))


def _scores(game: Game) -> str:
    sides, totals = game.state.sides, game.state.standing.totals
    return say("series").join(
        f"{_names(game, [sides[side]])} {sentence.minus(totals[side], game.rules.shown_as)}"
        for side, _place in places(game)
    )


CARD_WIDTH, CARD_HEIGHT = 1200, 630  # what chats show of a link without cutting it
RANKING = 530  # where the ranking begins, right of the winner


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
        title=f"{plain(headline(game))}: {_scores(game)}",
        faces=game.faces_of(game.state.winning_seats),
        total=total,
        winner=fitted(plain(headline(game)), 360, (76, 62, 50), 3, room),
        summary=[
            Text(532, 30, cut(game.rules.name, room, 30)),
            Text(576, 30, cut(_rounds_played(game), room, 30)),
        ],
        rows=[row._replace(y=top + step * (n + 0.66)) for n, row in enumerate(rows)],
    )


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
