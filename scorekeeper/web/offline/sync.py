"""The phone in the cellar: the shell it falls back on, facts to go on with, what it sends later."""

import json
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import say
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.entry import Refused
from scorekeeper.rules.game import Round
from scorekeeper.rules.offline_rounds import is_reached
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import journal
from scorekeeper.store.game_cache import cached_game
from scorekeeper.store.games import create_game, is_unknown, load_game, recent_games
from scorekeeper.store.idempotency import OtherContent, game_started, remember
from scorekeeper.store.offline_rounds import bring
from scorekeeper.store.tables import hash_of, was_phone
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.csrf import form_token
from scorekeeper.web.http.current import (
    database,
    find_game_or_404,
    require_phone,
    store,
    this_phone,
)
from scorekeeper.web.http.form_fields import Malformed, bid_of, whole_number
from scorekeeper.web.http.restored import is_gone, seen_version
from scorekeeper.web.offline.snapshot import game_facts, owner_of, table_facts

pages = Blueprint("sync", __name__)


@pages.get("/phone")
def shell() -> str:
    """Show what a phone falls back on: nobody's names are in it, the phone fills it in."""
    return render_template("offline/shell.html")


@pages.get("/play-on")
def play_on() -> AnyResponse:
    """Go to the game that was played last, from the icon on the phone's first screen."""
    games = recent_games(database(), require_phone().table_id, 1)
    if games:
        return redirect(url_for("game.show", game_id=games[0].id), 303)
    return redirect(url_for("home.home"), 303)


@pages.get("/phone.json")
def table() -> Response:
    """Send what a phone of this table keeps, unless it has just that.

    A phone that joined after the backup that was restored is told that the server has lost it, so
    that it keeps its games until it joins again; one that was removed is not.
    """
    joined = session.get("phone")
    if joined and this_phone() is None and not was_phone(database(), joined):
        return _answer({"lost": True}, 404)
    return _facts(table_facts(database(), require_phone()))


@pages.get("/games/<game_id>/phone.json")
def game(game_id: str) -> Response:
    """Send the facts of a game, unless the phone has just those.

    `seen` is the revision that the phone knows: it is told where that is gone, as after a restored
    backup, or even the whole game.
    """
    phone, db = require_phone(), database()
    game = cached_game(db, phone.table_id, game_id)
    if game is None:
        return _answer({"lost": is_unknown(db, game_id), "owner": owner_of(phone)}, 404)
    restored = is_gone(db, game, request.args.get("seen", ""))
    return _facts({"owner": owner_of(phone), "game": game_facts(db, game)}, restored=restored)


@pages.post("/phone/games")
def begin() -> Response:
    """Begin a game that was begun without a network; sent again, it is that game again.

    `game_id` names a game that this server had before a backup was restored: whichever phone
    sends it first begins it again, under its old address.
    """
    phone, form = require_phone(), NewGameForm(request.form).new_game()
    if whose_deal := request.form.get("first_dealer_rule"):
        form.house["first_dealer"] = whose_deal  # the field `first_dealer` is a seat of this game
    is_right = form.check()
    form.rules = _named(form.rules, request.form.get("rules_name", ""))
    asked = form.request() if is_right else None
    incomplete = _("This game cannot be begun: it is not complete.")
    if asked is None or form.is_drawn:
        return _answer({"sentence": " ".join(form.errors.values()) or incomplete}, 422)
    at, old_id = now(), request.form.get("game_id") or None
    try:
        with store().write() as db:
            known = old_id and load_game(db, phone.table_id, old_id)
            game_id = known.id if known else game_started(db, phone.table_id, asked)
            if game_id is None:
                if old_id and not is_unknown(db, old_id):
                    raise OtherContent
                rate_limits.another_game(db, phone.table_id)
                dealer, stake = form.first_dealer(), form.stake_value()
                game_id = create_game(
                    db, phone.table_id, form.rules, form.names, dealer, stake, at, old_id
                )
                journal.begin(db, game_id, phone.id, at)
                remember(db, phone.table_id, asked, game_id)
    except OtherContent:
        return _answer({"sentence": incomplete}, 422)
    return _answer({"game": game_facts(database(), find_game_or_404(game_id))})


@pages.post("/games/<game_id>/rounds/<round:number>/sent")
def sent(game_id: str, number: int) -> Response:
    """Record a round that waited on a phone; sent again, it changes nothing.

    What somebody else recorded in its place is answered 409 with the game as it is now.
    """
    phone = require_phone()
    try:
        with store().write() as db:
            game = load_game(db, phone.table_id, game_id) or abort(404)
            rate_limits.another_round(number)
            seen, round_ = seen_version(db, game), _round(len(game.names))
            if not is_reached(game.board, game.rounds, number, round_):
                raise Malformed(_("Round {n} is not reached yet.").format(n=number))
            game = bring(db, game, number, round_, seen, phone.id, now())
    except Refused as refused:
        return _answer({"sentence": " ".join(say(one.sentence) for one in refused.refusals)}, 422)
    except Malformed as wrong:
        return _answer({"sentence": str(wrong)}, 400)
    except journal.Stale as stale:
        restored = {"restored": True} if isinstance(stale, journal.Restored) else {}
        return _answer({"game": {**game_facts(database(), stale.game), **restored}}, 409)
    return _answer({"game": game_facts(database(), game)})


def _named(rules: RuleSet, name: str) -> RuleSet:
    """Return rules under the name by which the phone knows them, if that can be one."""
    try:
        return replace(rules, name=normalize_name(name))
    except NameRefused:
        return rules


def _round(players: int) -> Round:
    """Return the round in a form. Raises `Malformed` for fields that make none."""
    texts = [request.form.get(f"bid-{n}", "") for n in range(1, players + 1)]
    bids: Bids = tuple(bid_of(text) if text else None for text in texts)
    if any(request.form.get(f"tricks-{n}") for n in range(1, players + 1)):
        return Round(
            bids, tuple(whole_number(request.form, f"tricks-{n}") for n in range(1, players + 1))
        )
    names = [f"tally-{n}" for n in range(1, players + 1)]
    tally = tuple(
        whole_number(request.form, name) if request.form.get(name) else None for name in names
    )
    return Round(bids, None, None if set(tally) == {None} else tally)


def _facts(facts: dict[str, Any], *, restored: bool = False) -> Response:
    """Answer with facts and a token to send what waits with; the tag is of the facts alone."""
    tag = hash_of(json.dumps(facts))[:20]
    if request.if_none_match.contains_weak(tag):
        return Response(status=304)
    if restored:
        facts["game"]["restored"] = True
    response = _answer({**facts, "token": form_token()})
    response.set_etag(tag)
    return response


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, content_type="application/json")
