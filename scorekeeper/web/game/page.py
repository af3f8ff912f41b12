"""The page of a game: the scoreboard with its keypad, undo and redo, the CSV, the journal."""

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.files.csv.writer import csv_of
from scorekeeper.files.exports import sheet_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import language
from scorekeeper.store import journal
from scorekeeper.store.changes import newest_changes
from scorekeeper.store.game_cache import cached_game
from scorekeeper.store.games import Game
from scorekeeper.store.watch_links import claimed_seat
from scorekeeper.web.game.screen import build_screen, title_of
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.http.form_fields import Malformed, whole_number
from scorekeeper.web.http.fragment_cache import cached_fragment
from scorekeeper.web.http.restored import mark_restored, not_recorded, seen_version

pages = Blueprint("game", __name__, url_prefix="/games")
Answer = str | AnyResponse | tuple[str, int]


@pages.get("/<game_id>")
def show(game_id: str) -> Response:
    """Show the game: whose turn it is, the scores, the rounds so far, the winner."""
    game = find_game_or_404(game_id)
    own = claimed_seat(database(), game.id, require_phone().id)
    seat = request.args.get("seat", "")
    chosen = int(seat) - 1 if seat in {str(n + 1) for n in range(len(game.names))} else None
    every_round = request.args.get("rounds") == "all"
    tag = f"{game.tag}-{own}-{chosen}-{every_round}-{language()}"
    if tag in request.if_none_match:
        return Response(status=304)
    response = Response(_page(game, _part(game, chosen, own, every_round=every_round)))
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.post("/<game_id>/undo")
def undo(game_id: str) -> Answer:
    return _undo_or_redo(game_id, back=True)


@pages.post("/<game_id>/redo")
def redo(game_id: str) -> Answer:
    return _undo_or_redo(game_id, back=False)


@pages.get("/<game_id>.csv")
def sheet(game_id: str) -> Response:
    game = find_game_or_404(game_id)
    response = Response(b"".join(csv_of([sheet_of(game)])), content_type="text/csv; charset=utf-8")
    name = f"{game.rules.key}-{game.started[:10]}-{game.id}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@pages.get("/<game_id>/sheet")
def score_sheet(game_id: str) -> str:
    """Show the game as a score sheet, for reading and printing."""
    game = find_game_or_404(game_id)
    return render_template("game/sheet.html", game=game, state=game.state, title=title_of(game))


@pages.get("/<game_id>/changes")
def changes(game_id: str) -> str:
    """Show a page of the journal of a game, or of one of its rounds, newest first."""
    game = find_game_or_404(game_id)
    number, before = _number_in_address("round"), _number_in_address("before")
    lines, older = newest_changes(database(), game.id, number, before)
    return render_template(
        "game/changes.html", game=game, number=number, changes=lines, older=older
    )


def answer(game: Game, status: int = 200, message: str = "", seat: int | None = None) -> Answer:
    """Return the response to a change: the fragment for htmx, else a redirect or the page."""
    if status == 200 and "HX-Request" not in request.headers:
        return redirect(url_for("game.show", game_id=game.id), 303)
    own = claimed_seat(database(), game.id, require_phone().id)
    return _page(game, _part(game, seat, own, message)), status


def _part(
    game: Game,
    chosen: int | None,
    own: int | None,
    message: str = "",
    *,
    every_round: bool = False,
) -> Markup:
    """Return the fragment of the page that changes with every entry."""

    def render() -> str:
        screen = build_screen(database(), game, message=message, chosen=chosen, own=own)
        return render_template(template, screen=screen, every_round=every_round)

    template = "game/_game.html"
    if message:
        return Markup(render())
    return cached_fragment(render, game, template, chosen, own, every_round)


def _page(game: Game, part: Markup) -> str:
    """Return the page, or only the fragment for htmx."""
    if "HX-Request" in request.headers:
        return part
    return render_template("game/show.html", part=part, title=title_of(game))


def _undo_or_redo(game_id: str, back: bool) -> Answer:
    phone = require_phone()
    step = journal.undo if back else journal.redo
    try:
        with store().write() as db:
            game = cached_game(db, phone.table_id, game_id) or abort(404)
            game = step(db, game, seen_version(db, game), phone.id, now())
    except Malformed as wrong:
        return answer(find_game_or_404(game_id), 400, str(wrong))
    except journal.UnknownRevision as restored:
        return answer(restored.game, 409, not_recorded())
    except journal.EditConflict as conflict:
        sentence = _("The game had moved on, so nothing was taken back. Look, then undo again.")
        return answer(conflict.game, 409, sentence)
    return answer(game)


def _number_in_address(name: str) -> int | None:
    try:
        return whole_number(request.args, name, most_digits=9) if name in request.args else None
    except Malformed:
        abort(404)
