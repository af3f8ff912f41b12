"""What a phone sends tap by tap and gets back as JSON, and the choice between two entries.

The phone has applied each tap to its own facts already. So the answer to a change of the revision
that the phone has is only the new revision; others get the facts of the game, to merge them.
Taps that have waited for one another come in one request, and each is a line of the journal.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, Response, abort, g, request
from werkzeug.routing import IntegerConverter

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.entry import LONGEST_TYPED_REMARK, Refused
from scorekeeper.rules.penalties import MAX_PENALTIES
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.rules.values import MOST_PLAYERS
from scorekeeper.store import journal
from scorekeeper.store.changes import Way
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import Entry, RoundClosed, enter, store_conflict
from scorekeeper.store.games import Game
from scorekeeper.store.tables import Phone
from scorekeeper.web.game.page import seen_version
from scorekeeper.web.game.round_notes import known_spelling, penalty_from, with_remarks
from scorekeeper.web.game.screen import game_facts
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import (
    Malformed,
    bid_of,
    refuse_long_texts,
    text_limits,
    whole_number,
)
from scorekeeper.web.http.metrics import kind_of_tap
from scorekeeper.web.http.requests import database, find_in, json_response, require_phone, store
from scorekeeper.web.http.security import LARGEST_BODY
from scorekeeper.web.http.streams import let_phones_fetch

pages = Blueprint("taps", __name__, url_prefix="/games/<game_id>")
LONGEST_PENALTY = 600  # characters, such as `0:bonus:20:nobody:Lost%20wager` of 60 Hindi letters
LIMITS = {
    "penalties": MAX_PENALTIES * LONGEST_PENALTY,
    "remark": LONGEST_TYPED_REMARK,
    "game_remark": LONGEST_TYPED_REMARK,
}
MOST_TAPS = 12  # in one request; a phone sends the others in the next one
# Changes a game, based on a version that a phone has seen, and returns it after each change.
ApplyChange = Callable[[Database, Game, int, Phone], list[Game]]


class LineNumber(IntegerConverter):
    """The version of a journal's line in a URL: ASCII digits without leading zeros."""

    regex = "[1-9][0-9]{0,8}"


@pages.post("/rounds/<round:number>/sent")
@text_limits(**LIMITS, then=LARGEST_BODY)
def enter_round(game_id: str, number: int) -> Response:
    """Store a round as it is after a tap; sent again, it changes nothing.

    The field `then` may have the forms of the taps after it, encoded as in a URL, with blanks
    between them. One that cannot be stored ends them; it is refused once it comes as the first.
    """

    def enter_all(db: Database, game: Game, seen: int, phone: Phone) -> list[Game]:
        rate_limits.another_round(number)
        form = request.form.to_dict()
        g.taps = []
        games = [_enter(db, game, number, form, seen, phone)]
        if seen < game.version:
            return games  # the others are based on what has changed since
        with suppress(Refused, Malformed):
            for text in form.get("then", "").split()[: MOST_TAPS - 1]:
                later = parse_qsl(text, keep_blank_values=True)
                refuse_long_texts(enter_round, later)
                game, form = games[-1], dict(later)
                games.append(_enter(db, game, number, form, game.version, phone))
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
@text_limits(**LIMITS)
def report_conflict(game_id: str) -> Response:
    """Store the entry with which this phone waits until the players choose, for the other phones.

    The field `round` is its number; without it, no entry of the phone waits any more.
    """
    phone = require_phone()
    try:
        with store().write(phone.table_id) as db:
            game = find_in(db, phone.table_id, game_id) or abort(404)
            conflict = _conflict(db, game, request.form) if "round" in request.form else None
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


def _enter(
    db: Database, game: Game, number: int, form: Mapping[str, str], seen: int, phone: Phone
) -> Game:
    """Store a round as it is after a tap. Raises `Malformed`, or as `enter` does."""
    before, nothing = game.round(number), game.empty_round
    sent = _with_substitutes(db, game, number, _round(form, before), form)
    kind = "removed" if sent == nothing and number >= len(game.rounds) else None
    if form.get("misdeal") == "yes" and sent[:3] == nothing[:3]:
        kind = "misdeal"
    if form.get("end") in ("yes", "keep") and sent.notes.last_round:
        kind = "end"
    try:
        entry = Entry(number, sent, kind, late=True, keeps=form.get("end") == "keep")
        entered = enter(db, game, entry, seen, journal.Who(phone.id, now()))
    except RoundClosed:
        raise Malformed(_("Round {n} hasn’t started yet.").format(n=number)) from None
    g.taps.append(kind_of_tap(before, sent, misdealt=kind == "misdeal"))
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
            seen = seen_version(db, before)
            games = change(db, before, seen, phone)
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


def _conflict(db: Database, game: Game, form: Mapping[str, str]) -> tuple[int, Round] | None:
    """Return the round in a form with its number, or None where the game has it like that.

    Raises `Malformed` for fields that make none, and `Refused` beyond the most rounds.
    """
    number = whole_number(form, "round", most_digits=4)
    if not number:
        raise Malformed(_("Round {n} hasn’t started yet.").format(n=number))
    rate_limits.another_round(number)
    before = game.round(number)
    round_ = _with_substitutes(db, game, number, _round(form, before), form)
    return None if round_ == before else (number, round_)


def _round(form: Mapping[str, str], before: Round) -> Round:
    """Return the round in a form. Raises `Malformed` for fields that make none.

    Notes that the form does not name stay as they were `before`.
    """
    seats = range(1, len(before.bids) + 1)
    noted = with_remarks(before, form)
    if "penalties" in form:
        texts = form["penalties"].split()
        penalties = tuple(penalty_from(text, len(before.bids)) for text in texts)
        noted = noted.noted(penalties=penalties, last_round=form.get("last_round") == "yes")
    if "cards" in form:
        cards = whole_number(form, "cards") if form["cards"] else None
        noted = noted.noted(cards=cards)
    if "start" in form:
        start, bags = (_numbers(form, name) for name in ("start", "start_bags"))
        noted = noted.noted(start=start, start_bags=bags)
    cells = [form.get(f"bid-{n}") for n in seats]
    bids: Bids = tuple(bid_of(cell) if cell else None for cell in cells)
    if any(form.get(f"tricks-{n}") for n in seats):
        tricks = tuple(whole_number(form, f"tricks-{n}") for n in seats)
        return noted._replace(bids=bids, tricks=tricks, tally=None)
    names = [f"tally-{n}" for n in seats]
    tally = tuple(whole_number(form, name) if form.get(name) else None for name in names)
    tally_or_none = None if set(tally) == {None} else tally
    return noted._replace(bids=bids, tricks=None, tally=tally_or_none)


def _numbers(form: Mapping[str, str], name: str) -> tuple[int, ...]:
    """Return the numbers between blanks in a field. Raises `Malformed` for anything else."""
    texts = form.get(name, "").split()
    if not all(re.fullmatch(r"-?[0-9]{1,7}", text, re.ASCII) for text in texts[:MOST_PLAYERS]):
        raise Malformed(_("“{name}” must be whole numbers.").format(name=name))
    return tuple(map(int, texts[:MOST_PLAYERS]))


def _with_substitutes(
    db: Database, game: Game, number: int, round_: Round, form: Mapping[str, str]
) -> Round:
    """Return the round with the players in a form who take a seat, or else as it was before.

    The field `left` has the numbers of the seats that are left empty.
    """
    if "substitute-1" not in form:
        return round_.noted(substitutes=game.round(number).notes.substitutes)
    left = form.get("left", "").split()
    names = {seat: form.get(f"substitute-{seat + 1}") for seat in range(len(game.names))}
    seats = [
        Substitute(seat, known_spelling(db, game.table_id, name) if name else None)
        for seat, name in names.items()
        if name or str(seat + 1) in left
    ]
    return round_.noted(substitutes=tuple(seats))
