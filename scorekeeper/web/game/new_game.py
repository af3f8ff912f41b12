"""Starting a game: from the form, or again with the players of the last one."""

from collections.abc import Callable

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.player_names import LONGEST_TYPED
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.store.games import Game, known_names, recent_games
from scorekeeper.store.idempotency import StartRequest
from scorekeeper.store.new_games import GameSetup
from scorekeeper.store.saved_rules import list_saved_rules
from scorekeeper.store.tables import KEY_LENGTH, random_word
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.game.rematch import WAYS, next_seats, rematch_key
from scorekeeper.web.game.start import start_game, started_by_page
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.http.form_fields import LONGEST, MAX_SEATS, text_limits
from scorekeeper.web.text.wording import amount

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
        seats = last[0].state.seats
        form.players.data = [seats.names[seat] for seat in seats.taken]
        form.seats.data = str(len(seats.taken))
        form.stake.data = amount(last[0].stake) if last[0].stake else ""
    if request.args.get("rules") in PRESETS | form.ours:
        form.choose_from_query(request.args)
    form.players.data += [""] * (MAX_SEATS - len(form.players.data))
    return _new_page(form)


@pages.post("/new")
@text_limits(filled_in=len(HOUSE_RULES) * (LONGEST + 40))
def create() -> Answer:
    """Start a game, or show the form again with what is wrong beside each field.

    Enter in a field sends `next`: while a seat is empty, the form comes back with the focus there.
    """
    form = NewGameForm(request.form, _our_rules())
    if move := request.form.get("move"):
        form.swap_seats(move)
        return _new_page(form)
    if "next" in request.form and form.empty_seat:
        return _new_page(form)
    if not form.validate():
        return _new_page(form), 422
    setup, is_drawn = form.game.setup(), form.game.is_drawn

    def is_this(game: Game) -> bool:
        return game.version == 1 and (is_drawn or game.first_dealer == setup.first_dealer)

    return _start(setup, form.game.request(), is_this)


@pages.post("/<game_id>/again")
def play_again(game_id: str) -> AnyResponse:
    """Start the next game of the same players, seated in one of `WAYS`."""
    last = find_game_or_404(game_id)
    way = request.form.get("way", "same")
    if way not in WAYS:
        abort(400)
    names, dealer = next_seats(last, way)

    def is_next(game: Game) -> bool:
        return game.started > last.started and game.state.phase != "over"

    return _start(GameSetup(last.rules, names, dealer, last.stake), rematch_key(last), is_next)


def _start(
    setup: GameSetup, request_: StartRequest | None, is_same: Callable[[Game], bool]
) -> AnyResponse:
    """Start a game unless this page has started it before, and go to it."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        started = started_by_page(db, phone.table_id, setup, request_, is_same)
        game_id = start_game(db, phone.table_id, setup, request_, started, phone_id=phone.id)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _our_rules() -> dict[str, RuleSet]:
    table_id = require_phone().table_id
    return {saved.id: saved.rules for saved in list_saved_rules(database(), table_id)}


def _new_page(form: NewGameForm) -> str:
    names = known_names(database(), require_phone().table_id)
    form.players.data = [name[:LONGEST_TYPED] for name in form.players.data]
    return render_template("game/new.html", form=form, presets=PRESETS, known=names)
