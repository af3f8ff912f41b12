"""The history: every game of the table found again, removed, and brought back."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import history
from scorekeeper.store.games import load_game
from scorekeeper.web.history.search import Asked
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store

pages = Blueprint("history", __name__)
Answer = str | tuple[str, int]


@pages.get("/history")
def index() -> Answer:
    """Show the games that are asked for, the newest first."""
    phone, asked = require_phone(), Asked.read(request.args)
    if not asked.check(database(), phone.table_id):
        return _page(asked, history.Found([], None)), 422 if asked.is_malformed else 200
    after = request.args.get("after", "")
    return _page(asked, history.search(database(), phone.table_id, asked.search, after))


@pages.get("/history/removed")
def removed() -> str:
    """List the games that were removed."""
    phone, after = require_phone(), request.args.get("after", "")
    games, following = history.removed_games(database(), phone.table_id, after) or abort(404)
    return render_template("history/removed.html", games=games, after=following)


@pages.get("/games/<game_id>/removal")
def removal(game_id: str) -> str:
    """Ask whether a game should be removed; nothing happens before that is answered."""
    return render_template("history/removal.html", game=find_game_or_404(game_id))


@pages.post("/games/<game_id>/removal")
def remove(game_id: str) -> Response:
    """Remove a game; it can be brought back."""
    phone = require_phone()
    with store().write() as db:
        if game := load_game(db, phone.table_id, game_id):
            history.remove_game(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id, removed=True):
            abort(404)
    return redirect(url_for("history.removed"), 303)


@pages.post("/history/removed/<game_id>")
def bring_back(game_id: str) -> Response:
    """Bring a removed game back and go to it."""
    phone = require_phone()
    with store().write() as db:
        if game := load_game(db, phone.table_id, game_id, removed=True):
            history.bring_back(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id):
            abort(404)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _page(asked: Asked, found: history.Found | None) -> str:
    return render_template(
        "history/index.html",
        asked=asked,
        found=found or abort(404),
        presets=PRESETS.values(),
    )
