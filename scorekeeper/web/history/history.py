"""The history: the games of a table searched, removed and restored."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import history
from scorekeeper.store.games import load_game
from scorekeeper.web.history.search import SearchForm
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.text.cards import result_card

pages = Blueprint("history", __name__)
Answer = str | tuple[str, int]


@pages.get("/history")
def index() -> Answer:
    """Show the games that match the search, newest first."""
    phone, form = require_phone(), SearchForm(request.args)
    if not form.validate():
        return _index_page(form, history.Found([], None)), 422 if form.is_malformed else 200
    after = request.args.get("after", "")
    found = history.search(database(), phone.table_id, form.search, after)
    return _index_page(form, found or abort(404))


@pages.get("/history/removed")
def removed() -> str:
    """List the removed games, a page of them at a time."""
    phone, after = require_phone(), request.args.get("after", "")
    games, following = history.removed_games(database(), phone.table_id, after) or abort(404)
    return render_template("history/removed.html", games=games, after=following)


@pages.get("/games/<game_id>/removal")
def removal(game_id: str) -> str:
    """Ask for confirmation before a game is removed."""
    return render_template("history/removal.html", game=find_game_or_404(game_id))


@pages.post("/games/<game_id>/removal")
def remove(game_id: str) -> Response:
    """Remove a game, which can be restored; once more changes nothing."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if game := load_game(db, phone.table_id, game_id):
            history.remove_game(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id, removed=True):
            abort(404)
    return redirect(url_for("history.removed"), 303)


@pages.post("/history/removed/<game_id>")
def bring_back(game_id: str) -> Response:
    """Restore a removed game and go to it; once more changes nothing."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if game := load_game(db, phone.table_id, game_id, removed=True):
            history.bring_back(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id):
            abort(404)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _index_page(form: SearchForm, found: history.Found) -> str:
    results = [result_card(game, with_rules=True) for game in found.games]
    return render_template(
        "history/index.html", form=form, found=found, results=results, presets=PRESETS.values()
    )
