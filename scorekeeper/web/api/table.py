"""Routes of the API about a whole table: its players and their statistics, and its files."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any

from flask import Blueprint, Response, abort, url_for
from werkzeug.exceptions import BadRequest

from scorekeeper.clock import find_zone, stamp
from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import players, statistics
from scorekeeper.store.history import END, Search
from scorekeeper.store.players import Player
from scorekeeper.store.statistics import ALL, Totals
from scorekeeper.store.tables import zone_of_table
from scorekeeper.web.api import request
from scorekeeper.web.http.requests import database, json_response, store
from scorekeeper.web.http.security import csrf

pages = Blueprint("api_table", __name__, url_prefix="/api")
csrf.exempt(pages)  # as the other routes of the API
Json = dict[str, Any]


@pages.get("/players")
def list_players() -> Response:
    """Return a page of the players, those with most games first, and the URL of the next page."""
    table_id, query = request.table_id(), request.query(("after", "rules"))
    rules = query.get("rules", ALL)
    if rules not in (ALL, *PRESETS):
        raise BadRequest(_("“rules” must be “all” or the key of a rule book."))
    after = _player_id(query["after"]) if "after" in query else None
    found = statistics.players_of(database(), table_id, rules, after)
    if found is None:
        raise BadRequest(_("“after” isn’t valid. Use the value from “next”."))
    shown, last = found
    url = url_for("api_table.list_players", after=last, rules=rules) if last else None
    listed = [{**_player(player), "statistics": _statistics(totals)} for player, totals in shown]
    return json_response({"players": listed, "next": url})


@pages.get("/players/<player_id>")
def show_player(player_id: str) -> Response:
    """Return the statistics of a player; for one who was merged, those of the other player."""
    table_id, db = request.table_id(), database()
    now = players.player_now(db, table_id, _player_id(player_id))
    player = players.find_player(db, table_id, now) or abort(404)
    totals = statistics.totals_of(db, table_id, player.id)
    return json_response(
        {
            **_player(player),
            "statistics": _statistics(totals.get(ALL, statistics.NONE)),
            "by_rules": [
                {"rules": key, "statistics": _statistics(one)}
                for key, one in totals.items()
                if key != ALL
            ],
            "records": statistics.record_of(db, table_id, player.id)._asdict(),
            "others": [
                {**pair._asdict(), "other": _player(pair.other)}
                for pair in statistics.pairs_of(db, table_id, player.id)
            ],
        }
    )


def _player_id(text: str) -> int:
    """Return the id of a player; 0, which nobody has, for a text that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _player(player: Player) -> Json:
    url = url_for("api_table.show_player", player_id=player.id)
    return {"id": player.id, "name": player.name, "url": url}


def _statistics(totals: Totals) -> Json:
    """Return totals as the schema Statistics describes them."""
    games = {"begun": totals.begun, "games": totals.games, "wins": totals.wins}
    points = {"places": totals.places, "point_rounds": totals.point_rounds}
    return games | totals.sums._asdict() | points | {"points": totals.points}


@pages.get("/games.csv")
def games_csv() -> Response:
    """Stream the games as a CSV file, with commas and without a byte order mark."""
    table_id, wanted = request.table_id(), _search()
    pieces = csv_pieces(store(), table_id, wanted, skips_damaged=True)
    return _file(pieces, "text/csv; charset=utf-8", "games.csv")


@pages.get("/games.json")
def games_json() -> Response:
    """Stream the games as a JSON file, each with its whole journal."""
    table_id, wanted = request.table_id(), _search()
    pieces = json_pieces(store(), table_id, wanted, skips_damaged=True)
    return _file(pieces, "application/json", "games.json")


def _search() -> Search:
    """Return the search for games since a day, as it begins in the time zone of the table."""
    query = request.query(("since",))
    if "since" not in query:
        return Search()
    try:
        day = datetime.combine(date.fromisoformat(query["since"]), time())
    except ValueError:
        raise BadRequest(_("“since” must be a day such as 2026-01-31.")) from None
    zone = find_zone(zone_of_table(database(), request.table_id()))
    with suppress(OverflowError, ValueError):  # at the ends of the calendar
        return Search(since=stamp(day.replace(tzinfo=zone) if zone else day.astimezone()))
    return Search(since=END if day.year > 2000 else "")


def _file(pieces: Iterator[bytes], content_type: str, name: str) -> Response:
    response = Response(pieces, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
