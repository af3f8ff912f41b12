"""Starting a game: from the form, or again with the players of the last one."""

from collections.abc import Callable, Sequence

from flask import Blueprint, abort, redirect, render_template, request, url_for
from sqlite_utils import Database
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.player_names import name_key
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import journal
from scorekeeper.store.game_cache import cached_game
from scorekeeper.store.games import Game, create_game, known_names, recent_games
from scorekeeper.store.idempotency import OtherContent, Request, game_started, remember
from scorekeeper.store.rulesets import kept_rules
from scorekeeper.store.tables import KEY_LENGTH, Phone, random_word
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.game.rematch import WAYS, next_seats, rematch_key
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.http.form_fields import MOST_SEATS
from scorekeeper.web.text.wording import amount

GAMES_LOOKED_AT = 5  # for one that was started a moment ago
pages = Blueprint("new_game", __name__, url_prefix="/games")
Answer = str | AnyResponse | tuple[str, int]


@pages.get("/new")
def new() -> str:
    """Show the form of a new game, filled in with the values of the last one.

    The query of the address may name other rules, as the links on pages of rules do.
    """
    phone = require_phone()
    last = recent_games(database(), phone.table_id, 1)
    form = NewGameForm(ours=_our_rules(), request_key=random_word(KEY_LENGTH))
    if last:
        form.choose(last[0].rules)
        form.players.data = list(last[0].names)
        form.stake.data = amount(last[0].stake) if last[0].stake else ""
    if request.args.get("rules") in PRESETS | form.ours:
        form.choose_from_query(request.args)
    form.players.data += [""] * (MOST_SEATS - len(form.players.data))
    return _new_page(form)


@pages.post("/new")
def create() -> Answer:
    """Start a game, or show the form again with what is wrong beside each field."""
    phone = require_phone()
    form = NewGameForm(request.form, _our_rules())
    if move := request.form.get("move"):
        form.swap_seats(move)
        return _new_page(form)
    if not form.validate():
        return _new_page(form), 422
    wanted = form.game
    dealer = wanted.first_dealer()

    def is_this(game: Game) -> bool:
        return game.version == 1 and (wanted.is_drawn or game.first_dealer == dealer)

    stake, request_ = wanted.stake_value(), wanted.request()
    return _begin(phone, wanted.rules, wanted.names, dealer, stake, is_this, request_)


@pages.post("/<game_id>/again")
def play_again(game_id: str) -> AnyResponse:
    """Start the next game of the same players, seated in one of `WAYS`."""
    phone, last = require_phone(), find_game_or_404(game_id)
    way = request.form.get("way", "same")
    if way not in WAYS:
        abort(400)
    names, dealer = next_seats(last, way)

    def is_next(game: Game) -> bool:
        return game.started > last.started and game.board.phase != "over"

    return _begin(phone, last.rules, names, dealer, last.stake, is_next, rematch_key(last))


def _begin(
    phone: Phone,
    rules: RuleSet,
    names: Sequence[str],
    dealer: int,
    stake: int | None,
    is_same: Callable[[Game], bool],
    request_: Request | None = None,
) -> AnyResponse:
    """Start a game and go to it; where it was started already, by a double tap, go to that one."""
    at, wanted = now(), (rules, [*map(name_key, names)], stake)
    with store().write() as db:
        recent = recent_games(db, phone.table_id, GAMES_LOOKED_AT)
        alike = [g for g in recent if (g.rules, [*map(name_key, g.names)], g.stake) == wanted]
        same = [g.id for g in alike if is_same(g)]
        if known := _still_on(db, phone.table_id, request_):
            game_id = known
        elif same:
            game_id = same[0]
        else:
            rate_limits.another_game(db, phone.table_id)
            game_id = create_game(db, phone.table_id, rules, names, dealer, stake, at)
            journal.begin(db, game_id, phone.id, at)
        remember(db, phone.table_id, request_, game_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _still_on(db: Database, table_id: str, request_: Request | None) -> str | None:
    """Return the game that this very form started, unless that is over, removed, or another.

    A page that was left open, or changed by hand, then deals a game of its own.
    """
    try:
        game_id = game_started(db, table_id, request_)
    except OtherContent:
        return None
    game = cached_game(db, table_id, game_id) if game_id else None
    return None if game is None or game.board.phase == "over" else game.id


def _our_rules() -> dict[str, RuleSet]:
    return {kept.id: kept.rules for kept in kept_rules(database(), require_phone().table_id)}


def _new_page(form: NewGameForm) -> str:
    names = known_names(database(), require_phone().table_id)
    return render_template("game/new.html", form=form, presets=PRESETS, known=names)
