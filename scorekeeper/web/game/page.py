"""The page of a game: its scoreboard and rounds, undo and redo, the score sheet, the journal."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_wtf.csrf import generate_csrf

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store import journal
from scorekeeper.store.changes import newest_changes
from scorekeeper.store.entry import conflicts_of
from scorekeeper.store.games import Game
from scorekeeper.store.undo import Way
from scorekeeper.store.watch_links import own_seat
from scorekeeper.web.game.conflict import conflict_lines
from scorekeeper.web.game.revision import not_recorded, seen_version
from scorekeeper.web.game.round_notes import known_players
from scorekeeper.web.game.screen import build_screen, facts_for, script_json
from scorekeeper.web.http.forms import Malformed, whole_number
from scorekeeper.web.http.requests import (
    Answer,
    database,
    find_game_or_404,
    find_in,
    require_phone,
    store,
    use_zone_of_table,
)
from scorekeeper.web.text.wording import title_line

pages = Blueprint("game", __name__, url_prefix="/games")


@pages.get("/<game_id>")
def show(game_id: str) -> str:
    """Show the game: whose turn it is, the scores, the rounds so far, the winner."""
    game = find_game_or_404(game_id)
    return _page(game, every_round=request.args.get("rounds") == "all")


@pages.post("/<game_id>/undo")
def undo(game_id: str) -> Answer:
    """Undo the last change."""
    return _undo_or_redo(game_id, "undo")


@pages.post("/<game_id>/redo")
def redo(game_id: str) -> Answer:
    """Redo the change that was undone last."""
    return _undo_or_redo(game_id, "redo")


@pages.get("/<game_id>/sheet")
def score_sheet(game_id: str) -> str:
    """Show the game as a score sheet, for reading and printing, in the time zone of the table."""
    game = find_game_or_404(game_id)
    use_zone_of_table(require_phone())
    state, title = game.state.as_seated, title_line(game)
    return render_template("game/sheet.html", game=game, state=state, title=title)


@pages.get("/<game_id>/changes")
def changes(game_id: str) -> str:
    """Show a page of the journal of a game, or of one of its rounds, newest first."""
    game = find_game_or_404(game_id)
    number, before = _number_in_address("round"), _number_in_address("before")
    lines, older = newest_changes(database(), game, number, before)
    return render_template(
        "game/changes.html", game=game, number=number, changes=lines, older=older
    )


def answer(game: Game, status: int = 200, message: str = "") -> Answer:
    """Return the response to a form: a redirect, or the page with a message."""
    if status == 200:
        return redirect(url_for("game.show", game_id=game.id), 303)
    return _page(game, message), status


def _page(game: Game, message: str = "", *, every_round: bool = False) -> str:
    """Return the page, with the facts from which a phone draws it from now on."""
    phone = require_phone()
    facts = {"token": generate_csrf(), **facts_for(database(), phone, game)}
    conflicts = [
        conflict_lines(game, one)
        for one in conflicts_of(database(), game)
        if one.phone_id != phone.id and one.entry != game.round(one.number)
    ]
    return render_template(
        "game/show.html",
        screen=build_screen(
            database(),
            game,
            message=message,
            own=own_seat(database(), game, phone.id),
            known=known_players(game),
        ),
        conflicts=conflicts,
        every_round=every_round,
        facts=script_json(facts),
    )


def _undo_or_redo(game_id: str, way: Way) -> Answer:
    phone = require_phone()
    try:
        with store().write(phone.table_id) as db:
            game = find_in(db, phone.table_id, game_id) or abort(404)
            seen = seen_version(db, game)
            game = journal.undo_or_redo(db, game, way, seen, journal.Who(phone.id, now()))
    except Malformed as wrong:
        return answer(find_game_or_404(game_id), 400, str(wrong))
    except journal.UnknownRevision as restored:
        return answer(restored.game, 409, not_recorded())
    except journal.EditConflict as conflict:
        sentence = _("The game has changed, so nothing was undone. Check it, then undo again.")
        return answer(conflict.game, 409, sentence)
    return answer(game)


def _number_in_address(name: str) -> int | None:
    try:
        return whole_number(request.args, name, most_digits=9) if name in request.args else None
    except Malformed:
        abort(404)
