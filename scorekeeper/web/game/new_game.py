"""Starting a game: from the form, as a rematch, through the API or by offline sync."""

import secrets
from collections.abc import Callable
from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.free_text import LONGEST_TYPED, name_key
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import (
    GameSetup,
    OtherContent,
    StartRequest,
    create_game,
    game_started,
    remember,
)
from scorekeeper.store.games import Game, games_tonight, known_players, load_game, recent_games
from scorekeeper.store.journal import Who
from scorekeeper.store.players import next_faces
from scorekeeper.store.tables import KEY_LENGTH, list_saved_rules, owner_of, random_word
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.game.rematch import (
    WAYS,
    Seating,
    asked,
    read_order,
    running_game,
    seating,
)
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import LONGEST, MAX_SEATS, text_limits
from scorekeeper.web.http.requests import (
    Answer,
    database,
    find_game_or_404,
    find_in,
    require_phone,
    store,
)
from scorekeeper.web.text.wording import amount

pages = Blueprint("new_game", __name__, url_prefix="/games")


@pages.get("/new")
def new() -> str:
    """Show the form of a new game, filled in with the values of the last one.

    The query of the address may name other rules, as the links on pages of rules do.
    """
    phone = require_phone()
    last = recent_games(database(), phone.table_id, 1)
    form = NewGameForm(ours=_our_rules(), request_key=random_word(KEY_LENGTH))
    if last:
        seats = last[0].state.seats
        form.choose(last[0].rules, len(last[0].names))
        form.names.data = [seats.names[seat] for seat in seats.taken]
        form.seats.data = str(len(seats.taken))
        form.stake.data = amount(last[0].stake) if last[0].stake else ""
    if request.args.get("rules") in PRESETS | form.ours:
        form.choose_from_query(request.args)
        if (size := request.args.get("seats", "")) in map(str, range(2, MAX_SEATS + 1)):
            form.seats.data = size
    form.names.data += [""] * (MAX_SEATS - len(form.names.data))
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
        is_new = game.version == 1 + bool(setup.start) and game.round(1).notes.start == setup.start
        return is_new and (is_drawn or game.first_dealer == setup.first_dealer)

    return _start(setup, form.game.request(), is_this)


@pages.post("/<game_id>/again")
def play_again(game_id: str) -> Answer:
    """Start the next game of the same players, seated in one of `WAYS`.

    Where they have another game running, it asks first; the answer names that game (`beside`).
    """
    last = find_game_or_404(game_id)
    # The evening begins the next match, also for a page that was open before.
    if number := games_tonight(database(), last.table_id).get(last.id):
        return redirect(url_for("club_keeper.tonight", number=number), 303)
    way = request.form.get("way", "same")
    order = read_order(last, request.form.get("order", "")) if way == "draw" else ()
    if way not in WAYS or order is None:
        abort(400)
    beside = find_in(database(), last.table_id, request.form.get("beside", ""))
    setup, key = _rematch(last, seating(last, way, order)), rematch_key(last, beside)

    def is_next(game: Game) -> bool:
        return not beside and game.started > last.started and game.state.phase != "over"

    begun = started_by_page(database(), last.table_id, setup, key, is_next)
    other = find_in(database(), last.table_id, begun or "")
    if other is None:
        running = running_game(database(), last.table_id, last)
        other = running if running and not (beside and running.id == beside.id) else None
    elif beside or not other.state.rounds:
        other = None  # it is what was asked for
    if other:
        return render_template("game/rematch.html", game=last, asked=asked(last, other, way, order))
    return _start(setup, key, is_next)


def _rematch(last: Game, chosen: Seating) -> GameSetup:
    """Return the next game in the seats that are chosen, with a dealer by chance if none is."""
    names = tuple(last.names[seat] for seat in chosen.seats)
    dealer = secrets.randbelow(len(names)) if chosen.dealer is None else chosen.dealer
    return GameSetup(last.rules, names, dealer, last.stake)


def rematch_key(last: Game, beside: Game | None = None) -> StartRequest:
    """Return the request for the rematch of a game, which all phones share to start only one.

    It is another one `beside` a game that is running.
    """
    return StartRequest(f"after-{last.id}" + (f"-beside-{beside.id}" if beside else ""), "")


def _start(
    setup: GameSetup, request_: StartRequest | None, is_same: Callable[[Game], bool]
) -> AnyResponse:
    """Start a game unless this page has started it before, and go to it."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        started = started_by_page(db, phone.table_id, setup, request_, is_same)
        game_id = start_game(
            db, phone.table_id, setup, Start(request_, started), Who(phone.id, now())
        )
    return redirect(url_for("game.show", game_id=game_id), 303)


def _our_rules() -> dict[str, RuleSet]:
    table_id = require_phone().table_id
    return {saved.id: saved.rules for saved in list_saved_rules(database(), table_id)}


def _new_page(form: NewGameForm) -> str:
    table_id = require_phone().table_id
    form.names.data = [name[:LONGEST_TYPED] for name in form.names.data]
    return render_template(
        "game/new.html",
        form=form,
        presets=PRESETS,
        known=known_players(database(), table_id),
        new_faces=next_faces(database(), table_id, MAX_SEATS),
        owner=owner_of(require_phone()),
    )


GAMES_LOOKED_AT = 5  # for one that was started a moment ago


def started_by_page(
    db: Database,
    table_id: str,
    setup: GameSetup,
    request: StartRequest | None,
    is_same: Callable[[Game], bool],
) -> str | None:
    """Return the game that a page started before, or None.

    It is the game of the page's request, unless that game is over, was removed or has another
    setup: a page that was left open then starts a new one. Otherwise it is a recent game of the
    same setup that `is_same` accepts, as a double tap without a request key must not start two.
    """
    try:
        game_id = game_started(db, table_id, request)
    except OtherContent:
        game_id = None
    game = load_game(db, table_id, game_id) if game_id else None
    if game and game.state.phase != "over":
        return game.id
    wanted = setup.rules, [*map(name_key, setup.names)], setup.stake
    recent = recent_games(db, table_id, GAMES_LOOKED_AT)
    alike = [g for g in recent if (g.rules, [*map(name_key, g.starters)], g.stake) == wanted]
    return next((game.id for game in alike if is_same(game)), None)


class Start(NamedTuple):
    """A request that starts a game, the id of the game that it has started before, if it has.

    `game_id` is that of a new one; None is a random one.
    """

    request: StartRequest | None
    started: str | None
    game_id: str | None = None


def start_game(
    db: Database,
    table_id: str,
    setup: GameSetup,
    start: Start,
    who: Who,
) -> str:
    """Return the id of the game that a request starts, or of the one that it has started before.

    The request leads to that game when it is sent again. Raises 422 where the table has too many
    games.
    """
    started = start.started
    if started is None:
        rate_limits.another_game(db, table_id)
        started = create_game(db, table_id, setup, who, start.game_id)
    remember(db, table_id, start.request, started)
    return started
