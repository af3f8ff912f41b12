"""Results of a club night: standings with their reasons, files, and what is printed."""

from collections.abc import Sequence

from flask import Blueprint, Response, redirect, render_template, request, url_for

from scorekeeper.clock import day_in, now
from scorekeeper.club.events import SINGLES, Event, LinkEnded
from scorekeeper.files.club import (
    RESULTS,
    STANDINGS,
    night_json,
    read_night,
    results_rows,
    standings_rows,
)
from scorekeeper.files.exports import csv_rows
from scorekeeper.files.imports import LARGEST_UPLOAD
from scorekeeper.files.strict_json import InvalidValue
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import ClubNight, add_night, night_document
from scorekeeper.store.club_links import Kind, end_keepers, link_key
from scorekeeper.store.connection import Database
from scorekeeper.store.journal import Who
from scorekeeper.web.club.nights import act, find_night_or_404, happen
from scorekeeper.web.club.shown import overview, page
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import whole_number
from scorekeeper.web.http.language import list_separator
from scorekeeper.web.http.requests import Answer, require_phone, secret, store
from scorekeeper.web.http.templates import SharedLink, shared_link

pages = Blueprint("club_results", __name__, url_prefix="/club")
SAVED = {"standings": (STANDINGS, standings_rows), "results": (RESULTS, results_rows)}


@pages.url_value_preprocessor
def _allow_uploads(endpoint: str | None, _values: object) -> None:
    if endpoint == "club_results.add":
        request.max_content_length = LARGEST_UPLOAD + (1 << 16)


@pages.get("/<night_id>/results")
def show(night_id: str) -> str:
    """Show the standings and results to a director."""
    back = url_for("club.desk", night_id=night_id)
    return overview(find_night_or_404(night_id), back, is_director=True)


@pages.get("/<night_id>/<any(standings, results):what>.csv")
def saved(night_id: str, what: str) -> Response:
    """Send the standings or the results as CSV."""
    club = find_night_or_404(night_id)
    (columns, rows_of), excel = SAVED[what], list_separator()
    pieces = csv_rows(columns, rows_of(club.night, "," if excel == ";" else "."), excel)
    return _file(club, b"".join(pieces), f"{what}-", "csv", "text/csv; charset=utf-8")


@pages.get("/<night_id>.json")
def exported(night_id: str) -> Response:
    """Send an evening as JSON, to move to another Scorekeeper."""
    club = find_night_or_404(night_id)
    return _file(club, night_json(night_document(club)), "", "json", "application/json")


def _file(club: ClubNight, data: bytes, begins: str, ends: str, kind: str) -> Response:
    day = day_in(require_phone().zone, club.lines[0].at)
    response = Response(data, content_type=kind)
    name = f"club-night-{begins}{day}-{club.id}.{ends}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@pages.get("/import")
def choose() -> str:
    """Ask for the file of an evening."""
    require_phone()
    return _choose("")


@pages.post("/import")
def add() -> Answer:
    """Add the evening of a file, and show it."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    sent = request.files.get("file")
    if not sent:
        return _choose(_("Choose a file first.")), 422
    try:
        document = read_night(sent.read(LARGEST_UPLOAD + 1))
    except InvalidValue as wrong:
        return _choose(str(wrong)), 422
    with store().write(phone.table_id) as db:
        club = add_night(db, phone.table_id, document, Who(phone.id, now()))
    return redirect(url_for(".show", night_id=club.id), 303)


def _choose(error: str) -> str:
    return render_template("club/import.html", error=error)


@pages.get("/<night_id>/links")
def links(night_id: str) -> str:
    """Show the links for the wall and for players, and a card to print for each table number."""
    return _links(find_night_or_404(night_id))


@pages.post("/<night_id>/links")
def replace_link(night_id: str) -> Answer:
    """End the link for the wall, for players, or of a table number; another one takes its place.

    That of a table number takes the rights of the phones that have it along.
    """

    def decide(*_now: object) -> list[Event]:
        if "number" in request.form:
            return [LinkEnded("slip", whole_number(request.form, "number"))]
        return [LinkEnded("wall" if request.form.get("kind") == "wall" else "poster")]

    def do(db: Database, club: ClubNight, ended: Sequence[Event], who: Who, seen: int) -> None:
        happen(db, club, ended, who, seen)
        if "number" in request.form:
            end_keepers(db, club, whole_number(request.form, "number"), who.at)

    return act(night_id, decide, _links, do, then="club_results.links")


def _links(club: ClubNight, refused: str = "") -> str:
    night = club.night
    seats = 4 if night.plan.format in SINGLES else 2
    tables = [-(-len(night.present) // seats), *(len(one.numbers) for one in night.matches)]
    return page(
        "links",
        club,
        refused=refused,
        wall=_link(club, "wall"),
        poster=_link(club, "poster"),
        slips=[_link(club, "slip", number) for number in range(1, max(tables) + 1)],
    )


def _link(club: ClubNight, kind: Kind, number: int = 0) -> SharedLink:
    paths = {"slip": f"tables/{number}", "wall": "wall", "poster": "players"}
    key = link_key(club, (kind, number), secret())
    desk = url_for("club.desk", night_id=club.id)
    return shared_link(f"{desk}/{paths[kind]}/{key}")
