"""Offline use: the page shell, the snapshots of a table and a game, and games begun on phones."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import i18n
from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import is_unknown, is_unknown_at, load_game, recent_games
from scorekeeper.store.idempotency import OtherContent, StartRequest, game_started
from scorekeeper.store.new_games import GameSetup
from scorekeeper.store.tables import Phone, hash_of, was_phone
from scorekeeper.web.game.facts import facts_for, game_facts, owner_of
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.game.start import start_game
from scorekeeper.web.game.taps import answer
from scorekeeper.web.http.csrf import form_token
from scorekeeper.web.http.current import (
    database,
    find_game_or_404,
    find_in,
    require_phone,
    store,
    this_phone,
)
from scorekeeper.web.http.restored import is_gone
from scorekeeper.web.http.static_files import send_drawn
from scorekeeper.web.offline.snapshot import table_facts

pages = Blueprint("sync", __name__)
MAX_AGE = 604_800  # seconds: a week without the server


@pages.get("/phone", defaults={"words": "bid"})
@pages.get("/phone/<any(call):words>")
def shell(words: str) -> Response:
    """Show the page that a phone keeps for offline use; it holds no data of a table.

    `words` is the word for a bid.
    """
    i18n.use_words(words)
    return send_drawn(lambda: render_template("offline/shell.html"))


@pages.get("/play-on")
def play_on() -> AnyResponse:
    """Go to the game that was played last: the start URL of the installed app's shortcut."""
    games = recent_games(database(), require_phone().table_id, 1)
    if games:
        return redirect(url_for("game.show", game_id=games[0].id), 303)
    return redirect(url_for("home.home"), 303)


@pages.get("/phone.json")
def table() -> Response:
    """Send the snapshot of the phone's table, or 304 where the phone has it.

    A phone that joined after a backup was made which has been restored is answered that it is lost:
    it then keeps its games until it joins again. A phone that was removed gets a plain 404.
    """
    joined = session.get("phone")
    if joined and this_phone() is None and not was_phone(database(), joined):
        return answer({"lost": True}, 404)
    return _facts(table_facts(database(), require_phone()))


@pages.get("/games/<game_id>/phone.json")
def game(game_id: str) -> Response:
    """Send the snapshot of a game, or 304 where the phone has it.

    `seen` is the revision that the phone knows. The answer says where the server does not have it,
    or has no such game, as after a restored backup.
    """
    phone, db = require_phone(), database()
    game = find_in(db, phone.table_id, game_id)
    if game is None:
        is_lost = is_unknown_at(db, phone.table_id, game_id)
        return answer({"lost": is_lost, "owner": owner_of(phone)}, 404)
    restored = is_gone(db, game, request.args.get("seen", ""))
    return _facts(facts_for(db, phone, game), restored=restored)


@pages.post("/phone/games")
def begin() -> Response:
    """Start a game that was started offline; sent again, the request leads to the same game.

    `owner` is the table that the game belongs to, which the phone may have left since. `game_id` is
    that of a game which a restored backup does not have: the first phone that sends it starts it
    again, under its old address. `age` is how many seconds ago the game was started, as the
    clock of the phone may be wrong.
    """
    phone, form = require_phone(), NewGameForm(request.form).new_game()
    if request.form.get("owner", owner_of(phone)) != owner_of(phone):
        return answer({}, 404)
    if whose_deal := request.form.get("first_dealer_rule"):
        form.house["first_dealer"] = whose_deal  # the field `first_dealer` is a seat of this game
    is_right = form.check()
    form.rules = _named(form.rules, request.form.get("rules_name", ""))
    sent = form.request() if is_right else None
    incomplete = _("This game can’t be started: something is missing.")
    if sent is None or form.is_drawn:
        return answer({"sentence": " ".join(form.errors.values()) or incomplete}, 422)
    try:
        game_id = _start(phone, form.setup(), sent, request.form.get("game_id") or None, _began())
    except OtherContent:
        return answer({"sentence": incomplete}, 422)
    return answer({"game": game_facts(database(), find_game_or_404(game_id), phone.zone)})


def _began() -> datetime:
    """Return when a phone started a game; the present where `age` is missing or malformed."""
    age = request.form.get("age", "")
    is_number = age.isascii() and age.isdecimal() and len(age) < 10
    return now() - timedelta(seconds=min(int(age), MAX_AGE) if is_number else 0)


def _start(
    phone: Phone, setup: GameSetup, sent: StartRequest, old_id: str | None, began: datetime
) -> str:
    """Return the id of the game that a phone started. Raises `OtherContent`."""
    with store().write(phone.table_id) as db:
        restored = old_id and load_game(db, phone.table_id, old_id)
        started = restored.id if restored else game_started(db, phone.table_id, sent)
        if started is None and old_id and not is_unknown(db, old_id):
            raise OtherContent
        return start_game(
            db, phone.table_id, setup, sent, started, phone_id=phone.id, game_id=old_id, at=began
        )


def _named(rules: RuleSet, name: str) -> RuleSet:
    """Return rules under the name that the phone has for them, if that is a valid name."""
    try:
        return replace(rules, name=normalize_name(name))
    except NameRefused:
        return rules


def _facts(facts: dict[str, Any], *, restored: bool = False) -> Response:
    """Answer with facts, their ETag, and a CSRF token to send what was recorded offline."""
    tag = hash_of(json.dumps(facts))[:20]
    if request.if_none_match.contains_weak(tag):
        return Response(status=304)
    if restored:
        facts["game"]["restored"] = True
    response = answer({**facts, "token": form_token()})
    response.set_etag(tag)
    return response
