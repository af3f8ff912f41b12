"""Files of games and statistics, and the page from which they are saved."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.exceptions import UnprocessableEntity

from scorekeeper.clock import day_in, now, stamp, this_evening
from scorekeeper.files.exports import (
    ROWS,
    csv_of,
    csv_pieces,
    games_csv_pieces,
    json_pieces,
    sheet_of,
    statistics_csv,
)
from scorekeeper.files.json import json_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.history import Search
from scorekeeper.store.journal import game_record
from scorekeeper.store.statistics import ALL, Counted, Selection, Span, counted_rows, rule_books_of
from scorekeeper.web.history import Chip, SearchForm
from scorekeeper.web.http.language import list_separator
from scorekeeper.web.http.requests import (
    Answer,
    database,
    find_game_or_404,
    require_phone,
    store,
)
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.wording import listed

pages = Blueprint("export", __name__)
DAYS = ("from", "to")
FILES = {"rounds": "spades", "games": "games"}  # by what a row is: how names of files begin
FOUND_BY = ("player", "winner", "partners", "note")  # what statistics are not searched by


@pages.get("/export")
def index() -> Answer:
    """Show which files there are of the games of a search, each a link that saves it."""
    form = SearchForm(request.args)
    if not form.validate():
        return _page(form, []), 422
    return _page(form, _files(form))


class File(NamedTuple):
    """A file that can be saved: what it is, what it has in it, how many rows, and its address."""

    name: str
    about: str
    size: str
    path: str


def _page(form: SearchForm, files: list[File]) -> str:
    phone = require_phone()
    today = this_evening()
    days: list[tuple[str, Mapping[str, str]]] = [
        (_("All time"), {}),
        (_("Today"), {"from": today.isoformat()}),
        (_("This month"), {"from": today.replace(day=1).isoformat()}),
        (_("This year"), {"from": today.replace(month=1, day=1).isoformat()}),
    ]
    books: list[tuple[str, Mapping[str, str]]] = [(_("All rules"), {})]
    for key in rule_books_of(database(), phone.table_id):
        books.append((book_name(PRESETS[key]), {"rules": key}))
    found_by = [form.filters[name] for name in FOUND_BY if name in form.filters]
    return render_template(
        "history/export.html",
        form=form,
        files=files,
        days=[_chip(form, DAYS, label, chosen) for label, chosen in days],
        books=[_chip(form, ("rules",), label, chosen) for label, chosen in books],
        found_by=listed(found_by) if found_by else "",
    )


def _chip(form: SearchForm, names: tuple[str, ...], label: str, chosen: Mapping[str, str]) -> Chip:
    """Return a filter that sets some fields of a search and leaves the others."""
    others = {name: value for name, value in form.filters.items() if name not in names}
    filters = {**others, **chosen}
    return Chip(label, filters, filters == form.filters, "export.index")


def _files(form: SearchForm) -> list[File]:
    """Return the files of a search, with the number of their rows where days and rules choose."""
    wanted: dict[str, Any] = {**form.filters}
    search = form.search
    span, rules = Span(search.since, search.until), form.rules.data or ALL
    counted = counted_rows(database(), require_phone().table_id, rules, span)
    shown = Counted(None, None, counted.players) if set(wanted) & set(FOUND_BY) else counted
    of_players: dict[str, Any] = {
        name: value for name, value in wanted.items() if name not in FOUND_BY
    }
    return [
        File(
            _("Games"),
            _("Who played, place, points, won, stake: one row each. Opens in Excel."),
            _rows(shown.games),
            url_for("export.history_csv", rows="games", **wanted),
        ),
        File(
            _("Every round"),
            _("All bids and tricks: one row for each round and player."),
            _rows(shown.rounds),
            url_for("export.history_csv", **wanted),
        ),
        File(
            _("Statistics"),
            _("The totals of each player under each rule book."),
            ngettext("{n} player", "{n} players", counted.players).format(n=counted.players),
            url_for("export.statistics_file", **of_players),
        ),
        File(
            _("Everything"),
            _("As JSON, to move to another Scorekeeper. Always complete."),
            "",
            url_for("export.history_json"),
        ),
    ]


def _rows(n: int | None) -> str:
    return "" if n is None else ngettext("{n} row", "{n} rows", n).format(n=f"{n:,}")


@pages.get("/games/<game_id>.json")
def game_json(game_id: str) -> Response:
    """Send a game with its whole journal as JSON."""
    game = find_game_or_404(game_id)
    data = b"".join(json_of([game_record(database(), game)]))
    return _file(data, f"{game.rules.key}-{_day(game.started)}-{game.id}.json")


@pages.get("/games/<game_id>.csv")
def game_csv(game_id: str) -> Response:
    """Send the scored rounds of a game as CSV."""
    game = find_game_or_404(game_id)
    data = b"".join(csv_of([sheet_of(database(), game)], list_separator()))
    return _file(data, f"{game.rules.key}-{_day(game.started)}-{game.id}.csv")


@pages.get("/history.csv")
def history_csv() -> Response:
    """Stream the games that match a search as CSV: a row for each round and seat, or each game."""
    table_id, search = _search()
    rows = request.args.get("rows", "rounds")
    if rows not in ROWS:
        raise UnprocessableEntity(_("“rows” must be “rounds” or “games”."))
    written = games_csv_pieces if rows == "games" else csv_pieces
    pieces = written(store(), table_id, search, list_separator(), skips_damaged=True)
    return _file(pieces, f"{FILES[rows]}-{_day(stamp(now()))}.csv")


@pages.get("/history.json")
def history_json() -> Response:
    """Stream the games that match a search as JSON, each with its whole journal."""
    table_id, search = _search()
    pieces = json_pieces(store(), table_id, search, skips_damaged=True)
    return _file(pieces, f"spades-{_day(stamp(now()))}.json")


@pages.get("/statistics.csv")
def statistics_file() -> Response:
    """Send the statistics of the players as CSV, of the days and the rule book of a search."""
    table_id, search = _search()
    wanted = Selection(search.rules or ALL, span=Span(search.since, search.until))
    data = b"".join(statistics_csv(database(), table_id, wanted, list_separator()))
    return _file(data, f"statistics-{_day(stamp(now()))}.csv")


def _search() -> tuple[str, Search]:
    """Return the table of this phone and the search in the query; answers 422 for a wrong one."""
    phone, form = require_phone(), SearchForm(request.args)
    if not form.validate():
        raise UnprocessableEntity(" ".join(form.messages.values()))
    return phone.table_id, form.search


def _day(moment: str) -> str:
    """Return the day of a stored time in the time zone of the table, for the name of a file."""
    return day_in(require_phone().zone, moment)


def _file(data: bytes | Iterator[bytes], name: str) -> Response:
    """Return an answer that browsers save as a file of this name."""
    kind = "text/csv; charset=utf-8" if name.endswith(".csv") else "application/json"
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
