"""Routes of the API about a whole table: players and statistics, house rules, files."""

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, abort, url_for
from flask import request as flask_request
from werkzeug.exceptions import BadRequest

from scorekeeper.clock import now
from scorekeeper.files.exports import ROWS, csv_pieces, games_csv_pieces, json_pieces
from scorekeeper.files.imports import LARGEST_UPLOAD, import_failure, read_upload
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import players, statistics
from scorekeeper.store.connection import Database
from scorekeeper.store.imports import InvalidJournal, add_new
from scorekeeper.store.journal import Who
from scorekeeper.store.player_games import Tried
from scorekeeper.store.players import Player
from scorekeeper.store.statistics import Group, Totals
from scorekeeper.store.tables import (
    MAX_SAVED_RULES,
    NameTaken,
    SavedRules,
    TooMany,
    change_saved_rules,
    find_saved_rules,
    list_saved_rules,
    remove_saved_rules,
    save_rules,
)
from scorekeeper.web.api import request
from scorekeeper.web.api.response import Problem, house_rules_json
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import database, json_response, store
from scorekeeper.web.http.security import csrf

pages = Blueprint("api_table", __name__, url_prefix="/api")
csrf.exempt(pages)  # as the other routes of the API
Json = dict[str, Any]


@pages.get("/players")
def list_players() -> Response:
    """Return a page of the players by wins against luck, and the URL of the next page."""
    table_id, query = request.table_id(), request.query(("after", *request.COUNTED))
    after = request.player_id(query["after"]) if "after" in query else None
    found = statistics.players_of(database(), table_id, request.counted(query), after)
    if found is None:
        raise BadRequest(_("“after” isn’t valid. Use the value from “next”."))
    shown, last = found
    following: dict[str, Any] = {**query, "after": last}
    url = url_for("api_table.list_players", **following) if last else None
    listed = [
        {**_player(one.player), "place": one.place, **_statistics(one.totals)} for one in shown
    ]
    return json_response({"players": listed, "next": url})


@pages.get("/players/<player_id>")
def show_player(player_id: str) -> Response:
    """Return the statistics of a player; for one who was merged, those of the other player."""
    table_id, db = request.table_id(), database()
    wanted = request.counted(request.query(request.COUNTED))
    now = players.player_now(db, table_id, request.player_id(player_id))
    player = players.find_player(db, table_id, now) or abort(404)
    standings = statistics.standings(db, table_id, wanted)
    places = {one: (place, totals) for one, place, totals in standings}
    place, totals = places.get(player.id, (None, statistics.NONE))
    return json_response(
        {
            **_player(player),
            "place": place,
            **_statistics(totals),
            "bids": _bids(statistics.bids_of(db, table_id, player.id, wanted)),
            "records": statistics.record_of(db, table_id, player.id, wanted)._asdict(),
            "others": [
                {**pair._asdict(), "other": _player(pair.other)}
                for pair in statistics.pairs_of(db, table_id, player.id, wanted)
            ],
        }
    )


def _player(player: Player) -> Json:
    url = url_for("api_table.show_player", player_id=player.id)
    return {"id": player.id, "name": player.name, "url": url}


def _bids(found: Mapping[Group, Mapping[int, Tried]]) -> list[Json]:
    """Return what became of the bids of each number, by rule book and number of sides."""
    return [
        {**group._asdict(), "bid": number, **tried._asdict()}
        for group, bids in found.items()
        for number, tried in bids.items()
    ]


def _statistics(totals: Totals) -> Json:
    """Return totals and those by rule book, as the schema PlayerInList describes them."""
    by_rules = [
        {**group._asdict(), "statistics": one.numbers} for group, one in totals.groups.items()
    ]
    return {"statistics": {"begun": totals.begun, **totals.luck.numbers}, "by_rules": by_rules}


@pages.get("/rules")
def list_rules() -> Response:
    """Return the house rules that the table has saved, by name."""
    saved = list_saved_rules(database(), request.table_id())
    return json_response({"rules": [_rules(one) for one in saved]})


@pages.post("/rules")
def add_rules() -> Response:
    """Save house rules under a name; the same ones are saved once."""
    table_id, rules = request.table_id(), request.rules_to_save()
    with store().write(table_id) as db:
        try:
            saved = _saved(db, table_id, save_rules(db, table_id, rules))
        except NameTaken:
            raise _name_taken() from None
        except TooMany:
            sentence = _("A table can save at most {most} sets of rules. Delete one first.")
            raise request.refused("too_many", sentence.format(most=MAX_SAVED_RULES)) from None
    response = _rules_response(saved, 201)
    response.headers["Location"] = url_for("api_table.show_rules", rules_id=saved.id)
    return response


@pages.get("/rules/<rules_id>")
def show_rules(rules_id: str) -> Response:
    """Return saved house rules."""
    return _rules_response(_saved(database(), request.table_id(), rules_id))


@pages.put("/rules/<rules_id>")
def change_rules(rules_id: str) -> Response:
    """Replace saved house rules; the same ones change nothing, and games keep theirs."""
    change, rules = request.change(), request.rules_to_save()
    with store().write(change.table_id) as db:
        saved = _saved(db, change.table_id, rules_id)
        if saved.rules != rules:
            _check_version(saved, change.version)
            _replace(db, change.table_id, saved, rules)
            saved = _saved(db, change.table_id, rules_id)
    return _rules_response(saved)


@pages.delete("/rules/<rules_id>")
def delete_rules(rules_id: str) -> Response:
    """Delete saved house rules; games that are played by them keep them."""
    change = request.change()
    request.expect_no_members()
    with store().write(change.table_id) as db:
        saved = _saved(db, change.table_id, rules_id)
        _check_version(saved, change.version)
        remove_saved_rules(db, change.table_id, saved.id)
    return Response(status=204)


def _saved(db: Database, table_id: str, rules_id: str) -> SavedRules:
    return find_saved_rules(db, table_id, rules_id) or abort(404)


def _replace(db: Database, table_id: str, saved: SavedRules, rules: RuleSet) -> None:
    try:
        change_saved_rules(db, table_id, saved, rules)
    except NameTaken:
        raise _name_taken() from None


def _name_taken() -> Problem:
    return request.refused(
        "name", _("This table already has rules with that name. Choose another.")
    )


def _check_version(saved: SavedRules, seen: int) -> None:
    """Raise a `Problem` with the rules as they are now unless that is the version seen."""
    if saved.version != seen:
        sentence = _(
            "The rules have changed since then, so nothing was saved. Get the current version and "
            "send again."
        )
        raise Problem(412, "stale", sentence, rules=_rules(saved))


def _rules_response(saved: SavedRules, status: int = 200) -> Response:
    response = json_response(_rules(saved), status)
    response.set_etag(str(saved.version))
    return response


def _rules(saved: SavedRules) -> Json:
    """Return saved rules as the schema SavedRules describes them."""
    return {
        "id": saved.id,
        "url": url_for("api_table.show_rules", rules_id=saved.id),
        "version": saved.version,
        "name": saved.rules.name,
        "rules": saved.rules.key,
        "house_rules": house_rules_json(saved.rules),
    }


@pages.url_value_preprocessor
def _allow_files(endpoint: str | None, _values: object) -> None:
    """Raise the limit of the body where a file is sent; it must be set before it is read."""
    if endpoint == "api_table.import_games":
        flask_request.max_content_length = LARGEST_UPLOAD


@pages.post("/import")
def import_games() -> Response:
    """Add the games of a CSV or JSON file that the table does not have yet, or none of them."""
    table_id = request.table_id()
    rate_limits.import_file(table_id)
    data, rules_key = request.file_to_import()
    upload = read_upload(data, rules_key)
    if upload.faults:
        raise request.refused("file", *map(str, upload.faults))
    try:
        counts = add_new(
            store(), table_id, upload.games, Who(None, now()),
            allow=lambda db, new: rate_limits.another_game(db, table_id, new),
        )  # fmt: skip
    except InvalidJournal:
        raise request.refused("file", import_failure()) from None
    return json_response(
        {
            "imported": counts["new"],
            "present": counts["same"],
            "deleted": counts["removed"],
            "different": counts["other"],
            "notices": upload.notices,
        }
    )


@pages.get("/games.csv")
def games_csv() -> Response:
    """Stream the games as a CSV file, with commas and without a byte order mark."""
    table_id, query = request.table_id(), request.query((*request.SELECTION, "rows"))
    written = games_csv_pieces if _rows_of(query) == "games" else csv_pieces
    pieces = written(store(), table_id, request.selection(query), skips_damaged=True)
    return _file(pieces, "text/csv; charset=utf-8", "games.csv")


@pages.get("/games.json")
def games_json() -> Response:
    """Stream the games as a JSON file, each with its whole journal."""
    table_id, wanted = request.table_id(), request.selection(request.query(request.SELECTION))
    pieces = json_pieces(store(), table_id, wanted, skips_damaged=True)
    return _file(pieces, "application/json", "games.json")


def _rows_of(sent: Mapping[str, str]) -> str:
    """Return what a row of a CSV file is: “rounds” or “games”. Raises `BadRequest`."""
    if (wanted := sent.get("rows", ROWS[0])) not in ROWS:
        raise BadRequest(_("“rows” must be “rounds” or “games”."))
    return wanted


def _file(pieces: Iterator[bytes], content_type: str, name: str) -> Response:
    response = Response(pieces, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
