"""The result of a game for sharing, as text and as a picture, in the time zone of its table.

The picture is seen outside of any page, so it has its own colours, the same in dark mode.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
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
from scorekeeper.web.game.charts import (
    MAX_MARKED,
    Frame,
    Point,
    frame_of,
    numbered_rounds,
    points_of,
    totals_by_round,
)
from scorekeeper.web.game.open_round import name_by
from scorekeeper.web.http.requests import (
    database,
    find_game_or_404,
    in_language_of_table,
    require_phone,
    use_zone_of_table,
)
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import END, ISOLATE, cut, cut_names, width, wrapped
from scorekeeper.web.text.wording import (
    bdi,
    day,
    fill,
    lead_line,
    listed,
    minus,
    named,
    payment_lines,
    shown,
    title_line,
    winner_line,
)

pages = Blueprint("result", __name__, url_prefix="/games")


@pages.get("/<game_id>/result")
def show(game_id: str) -> str:
    """Show the result as a picture and as text, to share or to save."""
    game = _shared_game(game_id)
    day = day_in(require_phone().zone, game.started)
    with in_language_of_table(game.table_id) as spoken:
        sent = {
            "spoken": spoken,
            "headline": headline(game),
            "picture": picture(game, _height()),
            "summary": summary(game),
        }
    return render_template(
        "game/result.html",
        game=game,
        **sent,
        file_name=f"{game.rules.key}-{day}-{game.id}",
        kept=(kept := bool(require_phone().home)),
        evening="" if kept else evening_of(database(), game),
    )


@pages.get("/<game_id>/picture.svg")
def picture_file(game_id: str) -> Response:
    """Return the picture; with `format=story` one as high as a phone's screen."""
    game = _shared_game(game_id)
    with in_language_of_table(game.table_id):
        page = render_template("game/picture.svg", picture=picture(game, _height()))
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
    parts = (book_name(game.rules), *([day(game.started)] if dated else []), rounds_played(game))
    if direction() == "ltr":
        return " · ".join(parts)
    return directed(" · ".join(f"{ISOLATE}{part}{END}" for part in parts))


def rounds_played(game: Game) -> str:
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


PRAISING = ("comeback", "exact", "nils_kept", "round")  # shown beside the winner, these alone
MAX_PRAISE = 3


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


def praise_given(given: Sequence[AwardShown]) -> list[AwardShown]:
    """Return which of the awards given stand beside the winner: they praise."""
    return [one for one in given if one.code in PRAISING][:MAX_PRAISE]


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


def turning_round(game: Game) -> int:
    """Return the number of the round that turned a finished game, or 0."""
    return next((turn.number for turn in _turns(game.state)), 0)


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
STEP = 48  # between two lines of small text
SHRUNK = 0.66  # of the smallest font size, for a name that is one long word
MAX_AWARDS = 3
CARD, GAP, IN_A_ROW = 168, 20, 4  # height of a side's card, between two, and how many in a row
QUOTE = 34  # font size of the sentence below the chart
MIN_RACE = 320  # height of the chart; what leaves less is left out
SPARE = 4  # lines that the chart has before awards do
TOTAL_BELOW = 2  # lines of names at most
AXIS = 26  # font size of the numbers at the chart


class Text(NamedTuple):
    """A line of text; `y` is its baseline."""

    y: float
    size: int
    text: str


class PlaceCard(NamedTuple):
    """A side's card in the picture; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    faces: tuple[Face, ...]
    names: str
    total: str


class ChartLine(NamedTuple):
    """A side's line in the chart; `marks` are the points that carry its shape."""

    seat: int
    face: Face
    won: bool
    points: str
    marks: list[Point]
    end: Point


class Picture(NamedTuple):
    """Everything that the picture shows, with its position."""

    title: str
    height: int
    faces: tuple[Face, ...]
    winner_x: int
    winner: list[Text]
    total: Text | None
    summary: list[Text]
    rows: list[PlaceCard]
    frame: Frame
    levels: list[Text]
    numbers: list[tuple[float, int]]
    lines: list[ChartLine]
    quote: list[Text]
    awards: list[Text]


def picture(game: Game, height: int = HEIGHT) -> Picture:
    """Return the picture of a game, finished or not; a winner has a disc with the own shape."""
    faces = game.faces_of(game.state.winning_seats)
    x = MARGIN + (DISC + 56 if faces else 0)
    winner = fitted(plain(headline(game)), MARGIN + 110, (104, 84, 60), 3, WIDTH - MARGIN - x)
    total = _winning_total(game, winner)
    under = (total or winner[-1]).y + 56
    below = _texts(_summary(game, total), max(under, MARGIN + DISC + 72 if faces else 0), 34)
    rows = _cards(game, below[-1].y + 40, game.state.winners if total else ())
    top = (rows[-1].y + CARD if rows else below[-1].y) + 50
    quote = wrapped(_quote(game), ROOM - 80, QUOTE, 3)
    room = int((height - MARGIN - top - MIN_RACE) // STEP) - len(quote)
    quote = quote if room >= 0 else []
    given = _awards(game)[: max(0, min(room - SPARE, MAX_AWARDS))]
    ends = height - MARGIN - 10 - STEP * (len(given) + len(quote)) - (24 if given and quote else 0)
    frame = _frame(game, top, ends - 60)
    return Picture(
        title=f"{plain(headline(game))}: {scores_line(game)}",
        height=height,
        faces=faces,
        winner_x=x,
        winner=winner,
        total=total,
        summary=below,
        rows=rows,
        frame=frame,
        levels=[Text(frame.y(n), AXIS, minus(n)) for n in _levels(game)],
        numbers=numbered_rounds(frame),
        lines=_lines(game, frame),
        quote=[Text(ends + STEP * (n + 0.8), QUOTE, line) for n, line in enumerate(quote)],
        awards=_texts(given, height - MARGIN - 10 - STEP * (len(given) - 0.8), 32),
    )


def _winning_total(game: Game, winner: Sequence[Text]) -> Text | None:
    """Return the total beside the winner's disc; None where the name leaves no room for it."""
    if not game.state.winners or len(winner) > TOTAL_BELOW:
        return None
    total = game.state.standing.totals[game.state.winners[0]]
    last, size = winner[-1], 150 if len(winner) == 1 else 100
    return Text(360 if len(winner) == 1 else last.y + 104, size, minus(total, game.rules.shown_as))


def _summary(game: Game, total: Text | None) -> list[str]:
    """Return what was played, and before it by how much it was won."""
    if game.state.phase != "over":
        return [played_line(game)]
    line = lead_line(game) if total else winner_line(game)
    return [*wrapped(plain(line), ROOM, 34, 2), played_line(game)]


def _quote(game: Game) -> str:
    """Return one sentence about how the game was decided; empty where there is none."""
    is_played = game.state.phase == "over" and game.state.rounds
    found = [*_so_near(game), *turn_lines(game)] if is_played else []
    return plain(found[0]) if found else ""


SO_NEAR = N_("{name} needed {n}, bid {bid} and took {tricks}.")


def _so_near(game: Game) -> list[Markup]:
    """Return who would have reached the target with the last bid but was set, nearest first."""
    state, rules = game.state.as_seated, game.rules
    last = state.rounds[-1]
    found = []
    for side, (seat, *partners) in enumerate(state.sides):
        bid, needed = last.round.bids[seat], (rules.target or 0) - last.before.totals[side]
        if partners or type(bid) is not int or not 0 < needed <= bid * rules.trick_points:
            continue
        if last.scores[side].points < 0:
            found.append((needed, seat, bid))
    return [
        fill(
            _(SO_NEAR.text),
            name=bdi(game.names[seat]),
            n=shown(needed, rules.shown_as),
            bid=bid,
            tricks=(last.round.tricks or ())[seat],
        )
        for needed, seat, bid in sorted(found)
    ]


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


def _cards(game: Game, y: float, left_out: Sequence[int]) -> list[PlaceCard]:
    """Return the cards of all sides but some, best first; where each seat has a total, of all."""
    if game.state.standing.seat_totals:
        left_out = ()
    sides = [side for side, _place in places(game) if side not in left_out]
    in_a_row = min(len(sides), IN_A_ROW)
    found = []
    for n, side in enumerate(sides):
        room = (ROOM - GAP * (in_a_row - 1)) / in_a_row
        row, column = divmod(n, in_a_row)
        found.append(
            PlaceCard(
                MARGIN + column * (room + GAP),
                y + row * (CARD + GAP),
                room,
                game.faces_of(game.state.sides[side]),
                side_names(side_scores(game, side), room - 24, 30),
                minus(game.state.standing.totals[side], game.rules.shown_as),
            )
        )
    return found


def side_names(names: Sequence[str], room: float, size: float) -> str:
    text = plain(listed(names))
    return cut(text, room, size) if width(text, size) <= room else cut_names(names, room, size)


def _levels(game: Game) -> list[int]:
    """Return the totals that the chart has a line for: zero, and the target if there is one."""
    return [0] if game.rules.target is None else [0, game.rules.target]


def _frame(game: Game, top: float, bottom: float) -> Frame:
    """Return the coordinates of the chart, with room for the numbers at its left."""
    label = max(width(minus(n), AXIS) for n in _levels(game))
    return frame_of(game, MARGIN + label + 16, WIDTH - MARGIN - 24, top, bottom)


def _lines(game: Game, frame: Frame) -> list[ChartLine]:
    """Return the line of each side, those of the winners last, as they lie on top."""
    state = game.state
    lines = []
    for side, points in enumerate(points_of(frame, totals_by_round(game))):
        seat = state.sides[side][0]
        marks = points[1:-1] if frame.rounds <= MAX_MARKED else []
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        is_won = side in state.winners
        lines.append(ChartLine(seat, game.shown_faces[seat], is_won, line, marks, points[-1]))
    return sorted(lines, key=lambda line: line.won)


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


def scores_line(game: Game) -> str:
    sides, totals = game.state.sides, game.state.standing.totals
    return say("series").join(
        f"{_names(game, [sides[side]])} {sentence.minus(totals[side], game.rules.shown_as)}"
        for side, _place in places(game)
    )
