"""A year of a table: its champion, its records and its best pair, as a page, picture and text.

A year is that of its evenings, so the night of New Year’s Eve belongs to the old one.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from flask import Blueprint, Response, abort, render_template, request, url_for
from markupsafe import Markup

from scorekeeper.clock import evening_of, evening_span, this_evening
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.history import Search, games_by_start
from scorekeeper.store.records import Ended, best_pairs, ended_games, moments_of
from scorekeeper.store.statistics import PARTNERS, Selection, Span, people_of
from scorekeeper.store.year import Placed, Step, first_players, first_start, steps_of
from scorekeeper.web.game.result import directed, plain
from scorekeeper.web.game.year_picture import Year, picture_note, picture_title, year_picture
from scorekeeper.web.http.requests import (
    database,
    in_language_of_table,
    require_phone,
    use_zone_of_table,
    wants_names,
)
from scorekeeper.web.players import figures
from scorekeeper.web.players.pairs import pair_row
from scorekeeper.web.players.record_rows import Row, holders, record_row
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import fill, listed

pages = Blueprint("year", __name__, url_prefix="/year")
FIRST, LAST = 1970, 2999
PLAYERS_SHOWN = 10
MOST_CHAMPIONS = 2  # who are named


class Line(NamedTuple):
    """What a player did in a year."""

    one: Placed
    won: str
    luck: str
    ahead: str
    is_ahead: bool


@pages.get("")
def show() -> str:
    """Show a year: that of `year`, or the one of the last game."""
    phone = require_phone()
    use_zone_of_table(phone)
    number, known = _asked(phone.table_id)
    year = _year(phone.table_id, number)
    with_names = wants_names()
    with in_language_of_table(phone.table_id) as spoken:
        told = _year(phone.table_id, number) if spoken else year
        sent = {
            "spoken": spoken,
            "picture_title": picture_title(told, with_names=with_names),
            "text": _text(told),
        }
    return render_template(
        "game/year.html",
        number=number,
        known=known,
        year=year,
        lines=list(map(_line, year.players)),
        note=picture_note(year, with_names=with_names),
        with_names=with_names,
        **sent,
    )


@pages.get("/picture.svg")
def picture_file() -> Response:
    """Return the picture of a year in which a game has ended; with `names=no` one without names."""
    phone = require_phone()
    use_zone_of_table(phone)
    number, _known = _asked(phone.table_id)
    with in_language_of_table(phone.table_id):
        year = _year(phone.table_id, number)
        if not year.steps:
            abort(404)
        picture = year_picture(year, with_names=wants_names())
        page = render_template("game/year_picture.svg", picture=picture)
    return Response(page, content_type="image/svg+xml; charset=utf-8")


def _asked(table_id: str) -> tuple[int, range]:
    """Return the year that is asked for, and all between the first game and the last one.

    Answers 404 for a text that is no year.
    """
    db = database()
    first, newest = first_start(db, table_id), games_by_start(db, table_id, Search(), 1)
    last = (evening_of(newest[0].started) if newest else this_evening()).year
    known = range(evening_of(first).year if first else last, last + 1)
    text = request.args.get("year", "")
    if not text:
        return last, known
    if len(text) != len(str(LAST)) or not (text.isascii() and text.isdigit()):
        abort(404)
    return (int(text), known) if FIRST <= int(text) <= LAST else abort(404)


def _year(table_id: str, number: int) -> Year:
    """Return what a year was."""
    span = Span(evening_span(date(number, 1, 1))[0], evening_span(date(number + 1, 1, 1))[0])
    ended = ended_games(database(), table_id, Selection(span=span))
    steps = steps_of(ended)
    found = first_players(database(), table_id, steps, PLAYERS_SHOWN)
    first = [one for one in found if one.place == 1 and one.luck.shown_ahead > 0]
    champions = [one.player for one in first] if len(first) <= MOST_CHAMPIONS else []
    title = fill(_("The year {year}"), year=number)
    if champions:
        sentence = ngettext(
            "{who} is champion of {year}", "{who} are champions of {year}", len(champions)
        )
        title = fill(sentence, who=listed([one.name for one in champions]), year=number)
    return Year(
        number=number,
        title=title,
        counted=figures.counted(first[0].luck) if len(champions) == 1 else Markup(""),
        about=_about(steps),
        champions=champions,
        players=found,
        steps=steps,
        moments=[*_pair(table_id, number, span), *_records(table_id, steps, ended, span)],
    )


def _about(steps: Sequence[Step]) -> str:
    """Return how many games, evenings and rounds there were."""
    games, rounds = len(steps), sum(step.rounds for step in steps)
    evenings = len({evening_of(step.started) for step in steps})
    return " · ".join(
        [
            ngettext("{n} game", "{n} games", games).format(n=games),
            ngettext("{n} evening", "{n} evenings", evenings).format(n=evenings),
            say("rounds", rounds).format(n=rounds),
        ]
    )


def _records(table_id: str, steps: Sequence[Step], ended: Sequence[Ended], span: Span) -> list[Row]:
    """Return the records; those of points are of the rule book that was played most."""
    db = database()
    played = Counter(step.rules for step in steps if step.rules in PRESETS)
    book = next((key for key, _games in played.most_common(1)), "")
    found = moments_of(db, table_id, ended, Selection(book, span=span))
    people = people_of(db, table_id, holders(found))
    rows = {name: record_row(name, feats, people, book) for name, feats in found.items()}
    if "round" in rows:
        rows["round"] = rows["round"]._replace(label=_("Round of the year"))
    return [*rows.values()]


def _pair(table_id: str, number: int, span: Span) -> list[Row]:
    """Return the pair that is furthest ahead of luck, if one is."""
    together = best_pairs(database(), table_id, Selection(PARTNERS, span=span))[:1]
    since, until = f"{number}-01-01", f"{number}-12-31"
    return [
        Row(
            _("Pair of the year"),
            row.counted,
            row.names,
            row.players,
            row.ahead,
            "",
            url_for("records.show", rules=PARTNERS, since=since, until=until),
        )
        for row in map(pair_row, together)
        if row.is_ahead
    ]


def _line(one: Placed) -> Line:
    luck = one.luck
    return Line(
        one, figures.won(luck), figures.expected(luck), figures.ahead(luck), luck.shown_ahead > 0
    )


def _text(year: Year) -> str:
    """Return the year as plain text, a line for each player and each moment."""
    lines = [plain(year.title), *filter(None, [plain(year.counted)]), year.about, ""]
    for line in map(_line, year.players):
        name = plain(listed([line.one.player.name]))
        lines.append(f"{name} {line.ahead} ({line.won} · {line.luck})")
    lines.append("")
    for row in year.moments:
        held = say("series").join([plain(row.names), f"{row.value} {row.unit}".rstrip()])
        lines.append(f"{row.label}: {held}")
    return "\n".join(map(directed, lines)).rstrip()
