"""The addresses under /api, and the page /api that describes them."""

from collections.abc import Callable

from flask import Blueprint, Response, abort, current_app, render_template, url_for
from sqlite_utils import Database
from werkzeug.exceptions import BadRequest, Forbidden

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.entry import Refused
from scorekeeper.store import journal
from scorekeeper.store.games import Game, games_by_start, load_game
from scorekeeper.store.tables import make_key, make_table, table_of_key
from scorekeeper.web.api import games, page, request, rounds
from scorekeeper.web.api.body import expect_nothing
from scorekeeper.web.api.document import document
from scorekeeper.web.api.problems import out_of_date, refused_by_rules
from scorekeeper.web.api.response import answer, answer_game, summary
from scorekeeper.web.game.live import stream
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.csrf import csrf
from scorekeeper.web.http.current import database, store

pages = Blueprint("api", __name__, url_prefix="/api")
# A token protects what a cookie may do, and here a cookie may do nothing.
csrf.exempt(pages)
pages.register_error_handler(Refused, refused_by_rules)
pages.register_error_handler(journal.EditConflict, out_of_date)
GAME, ROUND = "/games/<game_id>", "/games/<game_id>/rounds/<round:number>"


@pages.get("")
def describe() -> str:
    """Show the document as a page."""
    return render_template("api/reference.html", api=page.read(document()))


@pages.get("/openapi.json")
def openapi() -> Response:
    """Send the document."""
    return answer(document())


@pages.post("/tables")
def open_table() -> Response:
    """Make a table on a server that is open to all; its key is told this once."""
    if not current_app.config["OPEN"]:
        raise Forbidden(_("This server makes no tables for strangers. Ask its owner for a key."))
    expect_nothing()
    rate_limits.new_table()
    with store().write() as db:
        table_id = make_table(db, now())
        key = make_key(db, table_id, _("made by a program"), now())
    return answer({"id": table_id, "key": key}, 201)


@pages.get("/games")
def list_games() -> Response:
    """List the table's games, the newest first, and where the list goes on."""
    table_id, part = request.table(), request.part()
    last = None if part.after is None else _place(table_id, part.after)
    found = games_by_start(database(), table_id, part.limit + 1, last)
    shown, more = found[: part.limit], found[part.limit :]
    url = url_for("api.list_games", after=shown[-1].id, limit=part.limit) if more else None
    return answer({"games": [summary(game) for game in shown], "next": url})


@pages.post("/games")
def start_game() -> Response:
    """Start a game; sent again with the same key, it leads to the game already started."""
    table_id, form, who = request.table(), request.new_game(), request.label()
    with store().write() as db:
        game = games.start(db, table_id, form, who)
    response = answer_game(game, 201)
    response.headers["Location"] = url_for("api.show_game", game_id=game.id)
    return response


@pages.get(GAME)
def show_game(game_id: str) -> Response:
    """Send a game."""
    return answer_game(load_game(database(), request.table(), game_id) or abort(404))


@pages.get(GAME + "/events")
def events(game_id: str) -> Response:
    """Stream the versions of a game as they come."""
    table_id, key = request.table(), request.key()
    game = load_game(database(), table_id, game_id) or abort(404)
    return stream(game, lambda db: table_of_key(db, key) == table_id)


@pages.put(ROUND)
def put_round(game_id: str, number: int) -> Response:
    """Put bids and tricks in place of what a round holds."""
    table_id, seen, sent = request.table(), request.version_seen(), request.sent_round()
    who = request.label()
    return _change(
        table_id, game_id, lambda db, game: rounds.put(db, game, number, sent, seen, who)
    )


@pages.delete(ROUND)
def delete_round(game_id: str, number: int) -> Response:
    """Take the newest round away; undo brings it back."""
    table_id, seen, who = request.table(), request.version_seen(), request.label()
    expect_nothing()
    return _change(table_id, game_id, lambda db, game: rounds.remove(db, game, number, seen, who))


@pages.post(GAME + "/undo")
def undo(game_id: str) -> Response:
    """Take the last change back."""
    table_id, seen, who = request.table(), request.version_seen(), request.label()
    expect_nothing()
    return _change(
        table_id, game_id, lambda db, game: journal.undo(db, game, seen, None, now(), who)
    )


@pages.post(GAME + "/redo")
def redo(game_id: str) -> Response:
    """Bring what was last taken back into force again."""
    table_id, seen, who = request.table(), request.version_seen(), request.label()
    expect_nothing()
    return _change(
        table_id, game_id, lambda db, game: journal.redo(db, game, seen, None, now(), who)
    )


def _place(table_id: str, cursor: str) -> Game:
    """Return the game after which a list goes on; it keeps its place when it is removed."""
    found = (load_game(database(), table_id, cursor, removed=gone) for gone in (False, True))
    game = next(filter(None, found), None)
    if game is None:
        raise BadRequest(_("“after” is no place in this list: take it from “next”."))
    return game


def _change(table_id: str, game_id: str, step: Callable[[Database, Game], Game]) -> Response:
    """Change a game in one transaction and answer with the game after it."""
    with store().write() as db:
        game = step(db, load_game(db, table_id, game_id) or abort(404))
    return answer_game(game)
