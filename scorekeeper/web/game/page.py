"""The page of a game: its scoreboard and rounds, undo and redo, the score sheet, the journal.

A page sends the revision that it shows in the `version` field of its forms, and in a header when
its script fetches the page again. It is gone if the journal has no such line any more, as after a
restored backup.
"""

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask_wtf.csrf import generate_csrf

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store import journal
from scorekeeper.store.changes import Way, is_in_history, newest_changes
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import conflicts_of
from scorekeeper.store.games import Game
from scorekeeper.store.journal import UnknownRevision
from scorekeeper.web.game.conflict import conflict_lines
from scorekeeper.web.game.screen import build_screen, facts_for, script_json
from scorekeeper.web.http.forms import Malformed, parse_digits, whole_number
from scorekeeper.web.http.fragments import cached_fragment
from scorekeeper.web.http.requests import (
    Answer,
    database,
    find_game_or_404,
    find_in,
    json_response,
    require_phone,
    store,
    table_left,
    use_zone_of_table,
)
from scorekeeper.web.text.change_lines import changes_by_round, is_correction
from scorekeeper.web.text.wording import title_line

pages = Blueprint("game", __name__, url_prefix="/games")
CORRECTIONS = "corrections"  # the filter of the change log beside the labels of phones


@pages.get("/<game_id>")
def show(game_id: str) -> Answer:
    """Show the game: whose turn it is, the scores, the rounds so far, the winner.

    A phone that kept score of it at a club night goes to its table there once that has ended.
    """
    if number := table_left(game_id):
        return redirect(url_for("club_keeper.tonight", number=number), 303)
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

    def render() -> str:
        state, title = game.state.as_seated, title_line(game)
        return render_template("game/_sheet.html", game=game, state=state, title=title)

    part = cached_fragment("sheets", render, game.id, game.tag, require_phone().zone)
    return render_template("game/sheet.html", part=part)


@pages.get("/<game_id>/changes")
def changes(game_id: str) -> str:
    """Show a page of the journal of a game, or of one of its rounds, the latest round first.

    `only` shows the corrections or what one phone entered.
    """
    game = find_game_or_404(game_id)
    number, before = _number_in_address("round"), _number_in_address("before")
    lines, older = newest_changes(database(), game, number, before)
    only = request.args.get("only", "")
    shown = [
        line
        for line in lines
        if not only or line.phone == only or (only == CORRECTIONS and is_correction(line))
    ]
    return render_template(
        "game/changes.html",
        game=game,
        number=number,
        rounds=changes_by_round(game, shown),
        corrections=sum(map(is_correction, lines)),
        phones=list(dict.fromkeys(line.phone for line in lines if line.phone)),
        only=only,
        older=older,
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
    if message:
        facts["error"] = message
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
            phone=phone,
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
    # A script follows no redirect, to tell one of a login in front of the server.
    return json_response({}) if "fetched" in request.form else answer(game)


def _number_in_address(name: str) -> int | None:
    try:
        return whole_number(request.args, name, most_digits=9) if name in request.args else None
    except Malformed:
        abort(404)


SEEN = "Scorekeeper-Seen"  # request header: the revision on the page
RESTORED = "Scorekeeper-Restored"  # response header: that revision is gone


def seen_version(db: Database, game: Game, field: str = "version") -> int:
    """Return the version of the game that the page of a form showed.

    Raises `UnknownRevision` where that revision is gone.
    """
    version, hash_ = _parse(request.form.get(field, ""))
    if not is_in_history(db, game, version, hash_):
        raise UnknownRevision(game)
    return version


def is_gone(db: Database, game: Game, revision: str) -> bool:
    """Return whether a revision is gone; an empty or malformed one is not."""
    try:
        return bool(revision) and not is_in_history(db, game, *_parse(revision))
    except Malformed:
        return False


def mark_restored(response: Response, db: Database, game: Game) -> None:
    """Set a response header where the revision that the page shows is gone."""
    if is_gone(db, game, request.headers.get(SEEN, "")):
        response.headers[RESTORED] = "1"


def not_recorded() -> str:
    """Return the message for a change that was based on a revision that is gone."""
    return _(
        "The server was reset to an earlier state, probably from a backup, so nothing was "
        "saved. Check the game, then tap again."
    )


def _parse(revision: str) -> tuple[int, str]:
    """Return version and hash of a revision such as `40-9f86d081884c`; the hash may be missing.

    Raises `Malformed` where the version is not a number.
    """
    version, _dash, hash_ = revision.partition("-")
    return parse_digits("version", version, most_digits=9), hash_
