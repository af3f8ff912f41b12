"""Routes of the API: games and rounds, and the page that describes it."""

from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, url_for
from flask import request as flask_request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.entry import Refused, end_now, kept_tally
from scorekeeper.rules.round import NOTES, Round, note_kind
from scorekeeper.rules.sentence import N_, Refusal
from scorekeeper.store import journal
from scorekeeper.store.changes import Way
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import Entry, OtherContent, RoundClosed, enter, game_started
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.history import bring_back, games_by_start, remove_game
from scorekeeper.store.journal import Who, check_version
from scorekeeper.store.tables import hash_of, make_join_key, make_table
from scorekeeper.web.api import document, request
from scorekeeper.web.api.request import expect_no_members, read_object, refused, round_of
from scorekeeper.web.api.response import (
    game_response,
    game_summary,
    out_of_date,
    refused_by_rules,
)
from scorekeeper.web.game import new_game
from scorekeeper.web.game.new_game_form import NewGame
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import database, json_response, store
from scorekeeper.web.http.security import csrf
from scorekeeper.web.http.static_files import send_shared
from scorekeeper.web.http.streams import stream, table_stream

pages = Blueprint("api", __name__, url_prefix="/api")
# CSRF tokens protect requests that a cookie authenticates; the API ignores cookies.
csrf.exempt(pages)
pages.register_error_handler(Refused, refused_by_rules)
pages.register_error_handler(journal.EditConflict, out_of_date)
GAME, ROUND = "/games/<game_id>", "/games/<game_id>/rounds/<round:number>"


@pages.get("")
def describe() -> Response:
    return send_shared(lambda: render_template("api/reference.html", **document.context()))


@pages.get("/openapi.json")
def openapi() -> Response:
    return send_shared(
        lambda: document.text(url_for("api.describe").removesuffix("/api")), "application/json"
    )


@pages.post("/tables")
def open_table() -> Response:
    """Make a table on an open server. The response is the only one that holds its key."""
    if not current_app.config["OPEN"]:
        raise Forbidden(_("This server doesn’t let you create tables. Ask its owner for a key."))
    expect_no_members()
    rate_limits.new_table()
    with store().write() as db:
        table_id = make_table(db, now())
        key = make_join_key(db, table_id, _("created through the API"), now())
    return json_response({"id": table_id, "key": key}, 201)


@pages.get("/games")
def list_games() -> Response:
    """Return a page of the games that a query chooses, newest first, and the URL of the next."""
    table_id, (limit, after, wanted) = request.table_id(), request.list_query()
    last = None if after is None else _cursor(table_id, after)
    found = games_by_start(database(), table_id, wanted, limit + 1, last)
    listed, more = found[:limit], found[limit:]
    following: dict[str, Any] = {**flask_request.args, "limit": limit}
    url = url_for("api.list_games", **following | {"after": listed[-1].id}) if more else None
    return json_response({"games": [game_summary(game) for game in listed], "next": url})


def _cursor(table_id: str, game_id: str) -> Game:
    """Return the game that a page of the list follows; a removed game keeps its place."""
    found = (load_game(database(), table_id, game_id, removed=gone) for gone in (False, True))
    game = next(filter(None, found), None)
    if game is None:
        raise BadRequest(_("“after” isn’t valid. Use the value from “next”."))
    return game


@pages.post("/games")
def start_game() -> Response:
    """Start a game, or return the one that was started with the same Idempotency-Key."""
    table_id, form, label = request.table_id(), request.new_game(), request.key_label()
    with store().write(table_id) as db:
        game = start(db, table_id, form, label)
    response = game_response(game, 201)
    response.headers["Location"] = url_for("api.show_game", game_id=game.id)
    return response


def start(db: Database, table_id: str, form: NewGame, label: str) -> Game:
    """Start a game, or return the one that the same request started before.

    Raises `Problem` where its key came with another body, or that game was removed since.
    """
    request = form.request()
    try:
        started = game_started(db, table_id, request)
    except OtherContent:
        sentence = _("This Idempotency-Key was used with a different body. Use a new one.")
        raise refused("idempotency_key", sentence) from None
    game_id = new_game.start_game(
        db, table_id, form.setup(), new_game.Start(request, started), Who(None, now(), label)
    )
    game = load_game(db, table_id, game_id)
    if game is None:
        sentence = _("The game started with this Idempotency-Key has been deleted.")
        raise refused("removed", sentence)
    return game


@pages.get(GAME)
def show_game(game_id: str) -> Response:
    return game_response(_game(database(), request.table_id(), game_id))


@pages.delete(GAME)
def delete_game(game_id: str) -> Response:
    """Delete a game, which can be restored here and in the history."""
    change = request.change()
    expect_no_members()
    with store().write(change.table_id) as db:
        game = _game(db, change.table_id, game_id)
        check_version(game, change.version)
        remove_game(db, game, None, now())
    return Response(status=204)


@pages.post(GAME + "/restore")
def restore_game(game_id: str) -> Response:
    """Restore a deleted game; one that is there stays as it is."""
    table_id = request.table_id()
    expect_no_members()
    with store().write(table_id) as db:
        if removed := load_game(db, table_id, game_id, removed=True):
            bring_back(db, removed, None, now())
        game = _game(db, table_id, game_id)
    return game_response(game)


@pages.get("/events")
def table_events() -> Response:
    """Stream what happens at the table as server-sent events."""
    return table_stream(request.table_id(), hash_of(request.bearer_token()))


@pages.get(GAME + "/events")
def events(game_id: str) -> Response:
    """Stream each new version of a game as a server-sent event."""
    table_id, key = request.table_id(), request.bearer_token()
    game = _game(database(), table_id, game_id)
    return stream(game, hash_of(key))


@pages.put(ROUND)
def put_round(game_id: str, number: int) -> Response:
    """Record or replace the bids and tricks of a round."""
    change = request.change()
    body = read_object(("bids", "tricks"), [*NOTES])
    with store().write(change.table_id) as db:
        game = _game(db, change.table_id, game_id)
        game = put(db, game, number, body, change)
    return game_response(game)


def put(
    db: Database, game: Game, number: int, body: dict[str, Any], change: request.ChangeRequest
) -> Game:
    """Replace a round by the bids and tricks of a body; the same ones change nothing.

    Raises `BadRequest` for a list of the wrong length, `NotFound` for a round not reached
    yet, `Refused` for one against the rules, and `EditConflict` where the game is at another
    version than that of the `change`.
    """
    before = game.round(number)
    sent = round_of(body, game.rules, before, game.table_id)
    if sent.tricks is None:
        sent = sent._replace(tally=kept_tally(game.state, number, before, sent))
    if sent != before:
        check_version(game, change.version)
        rate_limits.another_round(number)
    who = Who(None, now(), change.label)
    try:
        return enter(db, game, Entry(number, sent, _kind(before, sent)), change.version, who)
    except RoundClosed as closed:
        raise _refusal(game, number, closed) from None


def _refusal(game: Game, number: int, closed: RoundClosed) -> Exception:
    """Return what is answered for a round that cannot be played."""
    if closed.why == "not reached":
        return NotFound(_("Round {n} hasn’t started yet.").format(n=number))
    counted = len(game.state.rounds)
    sentence = N_("The game ended after round {n}. Undo to continue.", n=counted)
    return Refused([Refusal(None, "over", sentence)])


def _kind(before: Round, sent: Round) -> str | None:
    """Return what the journal calls a change that the round alone does not tell."""
    if before.tricks or sent.tricks:
        return None
    if sent.notes != before.notes:
        return note_kind(before.notes, sent.notes)
    return "misdeal" if sent.bids == (None,) * len(sent.bids) else None


@pages.delete(ROUND)
def delete_round(game_id: str, number: int) -> Response:
    change = request.change()
    expect_no_members()
    with store().write(change.table_id) as db:
        game = _game(db, change.table_id, game_id)
        game = remove(db, game, number, change.version, Who(None, now(), change.label))
    return game_response(game)


def remove(db: Database, game: Game, number: int, seen: int, who: Who) -> Game:
    """Remove the newest round. Raises `NotFound`, `EditConflict`, or `Refused` for an older one."""
    newest = len(game.rounds)
    if number > newest:
        raise NotFound
    check_version(game, seen)
    if number < newest:
        sentence = N_("Only the latest round, round {n}, can be deleted.", n=newest)
        raise Refused([Refusal(None, "newest", sentence)])
    notes = game.round(number).notes
    left = game.empty_round.noted(
        game_remark=notes.game_remark, start=notes.start, start_bags=notes.start_bags
    )
    return enter(db, game, Entry(number, left, "removed", late=True), seen, who)


@pages.post(GAME + "/undo")
def undo(game_id: str) -> Response:
    """Undo the last change."""
    return _undo_or_redo(game_id, "undo")


@pages.post(GAME + "/redo")
def redo(game_id: str) -> Response:
    """Redo the change that was undone last."""
    return _undo_or_redo(game_id, "redo")


@pages.post(GAME + "/end")
def end_game(game_id: str) -> Response:
    """End the game with its newest scored round."""
    change = request.change()
    expect_no_members()
    with store().write(change.table_id) as db:
        game = _game(db, change.table_id, game_id)
        game = end(db, game, change.version, Who(None, now(), change.label))
    return game_response(game)


def end(db: Database, game: Game, seen: int, who: Who) -> Game:
    """End a game with its newest scored round; one that has ended so already stays as it is.

    Raises `Refused` where it cannot, and `EditConflict` where the game is at another
    version than that of the `change`.
    """
    number = len(game.state.rounds)
    if number and game.state.phase == "over" and game.round(number).notes.last_round:
        return game
    check_version(game, seen)
    last = end_now(game.state, number, game.round(max(number, 1)))
    return enter(db, game, Entry(number, last, "end"), seen, who)


def _undo_or_redo(game_id: str, way: Way) -> Response:
    change = request.change()
    expect_no_members()
    with store().write(change.table_id) as db:
        game = _game(db, change.table_id, game_id)
        who = Who(None, now(), change.label)
        game = journal.undo_or_redo(db, game, way, change.version, who)
    return game_response(game)


def _game(db: Database, table_id: str, game_id: str) -> Game:
    return load_game(db, table_id, game_id) or abort(404)
