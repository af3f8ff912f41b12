"""What a phone sends tap by tap and gets back as JSON, and the choice between two entries.

The phone has applied each tap to its own facts already. So the answer to a change of the revision
that the phone has is only the new revision; others get the facts of the game, to merge them.
Taps that have waited for one another come in one request, and each is a line of the journal.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, abort, g, request
from werkzeug.routing import IntegerConverter

from scorekeeper.clock import now
from scorekeeper.files.round_json import read_round
from scorekeeper.files.strict_json import InvalidValue, parse, word_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.entry import Refused
from scorekeeper.rules.round import Round
from scorekeeper.store import journal
from scorekeeper.store.changes import Way
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import Entry, RoundClosed, enter, store_conflict
from scorekeeper.store.games import Game
from scorekeeper.store.players import with_known_names
from scorekeeper.store.tables import Phone
from scorekeeper.web.game.page import seen_version
from scorekeeper.web.game.screen import game_facts
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Malformed, text_limits, whole_number
from scorekeeper.web.http.metrics import kind_of_tap
from scorekeeper.web.http.requests import (
    change_nothing_new,
    database,
    find_in,
    json_response,
    require_phone,
    store,
)
from scorekeeper.web.http.security import LARGEST_BODY
from scorekeeper.web.http.streams import let_phones_fetch

pages = Blueprint("taps", __name__, url_prefix="/games/<game_id>")
# Of a tap; an end of the game may keep what others have entered of the round that it leaves out.
KINDS = ("misdeal", "end", "end_keeping")
MOST_TAPS = 12  # in one request; a phone sends the others in the next one
# Changes a game, based on a version that a phone has seen, and returns it after each change.
ApplyChange = Callable[[Database, Game, int, Phone], list[Game]]


class LineNumber(IntegerConverter):
    """The version of a journal's line in a URL: ASCII digits without leading zeros."""

    regex = "[1-9][0-9]{0,8}"


@pages.post("/rounds/<round:number>/sent")
@text_limits(rounds=LARGEST_BODY)
def enter_round(game_id: str, number: int) -> Response:
    """Store a round as it is after each of some taps; sent again, it changes nothing.

    The field `rounds` is a JSON list of them. One that cannot be stored ends them; it is refused
    once it comes as the first.
    """

    def enter_all(db: Database, game: Game, seen: int, _phone: Phone) -> list[Game]:
        rate_limits.another_round(number)
        g.taps = []
        first, *others = _sent_rounds()
        games = [_enter(db, game, number, first, seen)]
        if seen < game.version:
            return games  # the others are based on what has changed since
        with suppress(Refused, Malformed):
            for sent in others:
                game = games[-1]
                games.append(_enter(db, game, number, sent, game.version))
        return games

    return _change(game_id, enter_all)


@pages.post("/lines/<line:line>/undo")
def undo(game_id: str, line: int) -> Response:
    """Undo the change that a line of the journal made; sent again, it changes nothing."""
    return _undo_or_redo(game_id, "undo", line)


@pages.post("/lines/<line:line>/redo")
def redo(game_id: str, line: int) -> Response:
    """Redo the change that a line of the journal made; sent again, it changes nothing."""
    return _undo_or_redo(game_id, "redo", line)


@pages.post("/conflict")
@text_limits(rounds=LARGEST_BODY)
def report_conflict(game_id: str) -> Response:
    """Store the entry with which this phone waits until the players choose, for the other phones.

    The field `round` is its number, `rounds` has it alone; without them, no entry of the phone
    waits any more.
    """
    phone = require_phone()
    try:
        with store().write(phone.table_id) as db:
            game = find_in(db, phone.table_id, game_id) or abort(404)
            conflict = _conflict(db, game) if "round" in request.form else None
            change_nothing_new()
            is_new = store_conflict(db, game, phone.id, conflict, now())
    except (Refused, Malformed) as wrong:
        return _refusal(wrong)
    if is_new:
        let_phones_fetch(game)
    return json_response({})


def _undo_or_redo(game_id: str, way: Way, line: int) -> Response:
    def step(db: Database, game: Game, seen: int, phone: Phone) -> list[Game]:
        who = journal.Who(phone.id, now())
        return [journal.undo_or_redo_line(db, game, (way, line), seen, who)]

    return _change(game_id, step)


def _enter(db: Database, game: Game, number: int, sent: Any, seen: int) -> Game:
    """Store a round as it is after a tap. Raises `Malformed`, or as `enter` does."""
    before, nothing = game.round(number), game.empty_round
    round_, kind = _read(db, game, number, sent)
    keeps = kind == "end_keeping"
    if kind is not None:
        kind = "misdeal" if kind == "misdeal" else "end"
    if not (round_.notes.last_round if kind == "end" else round_[:3] == nothing[:3]):
        kind = None
    if kind is None and round_ == nothing and number >= len(game.rounds):
        kind = "removed"
    try:
        entry = Entry(number, round_, kind, late=True, keeps=keeps)
        entered = enter(db, game, entry, seen, journal.Who(require_phone().id, now()))
    except RoundClosed:
        raise Malformed(_("Round {n} hasn’t started yet.").format(n=number)) from None
    g.taps.append(kind_of_tap(before, round_, misdealt=kind == "misdeal"))
    return entered


def _change(game_id: str, change: ApplyChange) -> Response:
    """Make changes, and answer with the new revision or with what the phone does not know.

    The answer to several names the line of the journal of each. It has the game too where a change
    has changed more than its round, as the end of a game does. Where the first cannot be made on
    the game as it is now, the answer is 409 with the game.
    """
    phone = require_phone()
    try:
        with store().write(phone.table_id) as db:
            before = find_in(db, phone.table_id, game_id) or abort(404)
            seen = seen_version(db, before, "seen" if "rounds" in request.form else "version")
            games = change(db, before, seen, phone)
            if games[-1].version != before.version:
                change_nothing_new()
    except (Refused, Malformed) as wrong:
        return _refusal(wrong)
    except journal.EditConflict as conflict:
        restored = {"restored": True} if isinstance(conflict, journal.UnknownRevision) else {}
        return json_response(
            {"game": {**game_facts(database(), conflict.game, phone.zone), **restored}}, 409
        )
    if seen != before.version:
        return json_response({"game": game_facts(database(), games[-1], phone.zone)})
    last = games[-1]
    told: dict[str, Any] = {"revision": last.revision}
    if len(games) > 1:
        told["lines"] = [game.version for game in games]
    if last.version > before.version + len(games):
        told["game"] = game_facts(database(), last, phone.zone)
    return json_response(told)


def _refusal(wrong: Refused | Malformed) -> Response:
    if isinstance(wrong, Refused):
        return json_response(
            {"sentence": " ".join(translate(one.sentence) for one in wrong.refusals)}, 422
        )
    return json_response({"sentence": str(wrong)}, 400)


def _conflict(db: Database, game: Game) -> tuple[int, Round] | None:
    """Return the round in the form with its number, or None where the game has it like that.

    Raises `Malformed` for fields that make none, and `Refused` beyond the most rounds.
    """
    number = whole_number(request.form, "round", most_digits=4)
    if not number:
        raise Malformed(_("Round {n} hasn’t started yet.").format(n=number))
    rate_limits.another_round(number)
    round_, _kind = _read(db, game, number, _sent_rounds()[0])
    return None if round_ == game.round(number) else (number, round_)


def _sent_rounds() -> list[Any]:
    """Return what is sent of a round, once for each tap. Raises `Malformed` if it is no list.

    Scripts of an earlier version send fields for it. They keep what they cannot send, and the
    scripts of this version send it once the page is loaded again.
    """
    if "bid-1" in request.form and "rounds" not in request.form:
        abort(503, _("Scorekeeper has been updated. Reload this page to save what you entered."))
    try:
        found = parse(request.form.get("rounds", "").encode())
    except InvalidValue as wrong:
        raise Malformed(str(wrong)) from None
    if not isinstance(found, list) or not found:
        raise Malformed(_("Invalid request. Go back and use the buttons on the page."))
    return found[:MOST_TAPS]


def _read(db: Database, game: Game, number: int, sent: Any) -> tuple[Round, str | None]:
    """Return a round as it is after a tap, and the kind of the tap. Raises `Malformed`.

    Notes that it does not name stay as they are.
    """
    before = game.round(number)
    kind = sent.pop("kind", None) if isinstance(sent, dict) else None
    try:
        round_ = read_round(sent, len(before.bids), before.notes)
        known = None if kind is None else word_of(kind, "kind", KINDS)
    except InvalidValue as wrong:
        raise Malformed(str(wrong)) from None
    return with_known_names(db, game.table_id, round_), known
