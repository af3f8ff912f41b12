"""Games: starting one, the page of an evening, taking back, playing again, the CSV."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from sqlite_utils import Database
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.gamefile.outgoing import sheet_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import language
from scorekeeper.names import same_name
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.scoresheet.writing import csv_of
from scorekeeper.store import journal
from scorekeeper.store.changes import newest_changes
from scorekeeper.store.games import Game, create_game, known_names, recent_games
from scorekeeper.store.known import known_game
from scorekeeper.store.requests import OtherContent, Request, game_started, remember
from scorekeeper.store.rulesets import kept_rules
from scorekeeper.store.tables import KEY_LENGTH, Phone, random_word
from scorekeeper.store.times import now
from scorekeeper.store.watches import seat_taken
from scorekeeper.web import limits
from scorekeeper.web.again import WAYS, next_seats, the_only_one
from scorekeeper.web.database import database, store
from scorekeeper.web.drawn import drawn_once
from scorekeeper.web.forms import MOST_SEATS, Malformed, NewGame, whole_number
from scorekeeper.web.restored import mark_restored, not_recorded, seen_version
from scorekeeper.web.screen import draw, title_of
from scorekeeper.web.security import keeper
from scorekeeper.web.unchanged import until_somebody_writes
from scorekeeper.web.wording import amount

GAMES_LOOKED_AT = 5  # for one that was started a moment ago
pages = Blueprint("games", __name__, url_prefix="/games")
Answer = str | AnyResponse | tuple[str, int]


@pages.get("/new")
def new() -> str:
    """Ask for rule book, players, dealer and stake, as they were last time.

    The address can choose the rules instead, as pages of rules do.
    """
    phone = keeper()
    last = recent_games(database(), phone.table_id, 1)
    form = NewGame(request_key=random_word(KEY_LENGTH), ours=_our_rules())
    if last:
        form.choose(last[0].rules)
        form.typed = list(last[0].names)
        form.stake = amount(last[0].stake) if last[0].stake else ""
    if request.args.get("rules") in PRESETS | form.ours:
        form.choose_sent(request.args)
    form.typed += [""] * (MOST_SEATS - len(form.typed))
    return _new_page(form)


@pages.post("/new")
def create() -> Answer:
    """Start a game, or show what is wrong beside each field, everything typed kept."""
    phone = keeper()
    form = NewGame.from_form(request.form, _our_rules())
    if move := request.form.get("move"):
        seat, _colon, way = move.partition(":")
        if seat.isascii() and seat.isdigit() and way in ("up", "down"):
            form.move(int(seat[:2]) - 1, -1 if way == "up" else 1)
        return _new_page(form)
    if not form.check():
        return _new_page(form), 422
    dealer = form.first_dealer()

    def is_this(game: Game) -> bool:
        return game.version == 1 and (form.is_drawn or game.first_dealer == dealer)

    stake, request_ = form.stake_value(), form.request()
    return _begin(phone, form.rules, form.names, dealer, stake, is_this, request_)


@pages.get("/<game_id>")
def show(game_id: str) -> Response:
    """Show the game: whose bid it is, the scores, the rounds so far, the winner."""
    game = find(game_id)
    own = seat_taken(database(), game.id, keeper().id)
    seat = request.args.get("seat", "")
    chosen = int(seat) - 1 if seat in {str(n + 1) for n in range(len(game.names))} else None
    every_round = request.args.get("rounds") == "all"
    tag = f"{game.tag}-{own}-{chosen}-{every_round}-{language()}"
    until_somebody_writes()
    if tag in request.if_none_match:
        return Response(status=304)
    response = Response(_page(game, _part(game, chosen, own, every_round=every_round)))
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.post("/<game_id>/undo")
def undo(game_id: str) -> Answer:
    """Take the last change back."""
    return _walk(game_id, back=True)


@pages.post("/<game_id>/redo")
def redo(game_id: str) -> Answer:
    """Bring what was last taken back into force again."""
    return _walk(game_id, back=False)


@pages.post("/<game_id>/again")
def play_again(game_id: str) -> AnyResponse:
    """Start the next game of these players, in one of the ways a table goes on."""
    phone, last = keeper(), find(game_id)
    way = request.form.get("way", "same")
    if way not in WAYS:
        abort(400)
    names, dealer = next_seats(last, way)

    def is_next(game: Game) -> bool:
        return game.started > last.started and game.board.phase != "over"

    return _begin(phone, last.rules, names, dealer, last.stake, is_next, the_only_one(last))


@pages.get("/<game_id>.csv")
def sheet(game_id: str) -> Response:
    """Send the whole game as CSV."""
    game = find(game_id)
    response = Response(b"".join(csv_of([sheet_of(game)])), content_type="text/csv; charset=utf-8")
    name = f"{game.rules.key}-{game.started[:10]}-{game.id}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@pages.get("/<game_id>/sheet")
def paper(game_id: str) -> str:
    """Show the game as the familiar score sheet, for reading and printing."""
    game = find(game_id)
    return render_template("games/sheet.html", game=game, board=game.board, title=title_of(game))


@pages.get("/<game_id>/changes")
def changes(game_id: str) -> str:
    """Show the journal of a game, or of one of its rounds, page by page, newest first."""
    game = find(game_id)
    number, before = _number_in_address("round"), _number_in_address("before")
    lines, older = newest_changes(database(), game.id, number, before)
    return render_template(
        "games/changes.html", game=game, number=number, changes=lines, older=older
    )


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
    at, wanted = now(), (rules, [*map(same_name, names)], stake)
    with store().write() as db:
        recent = recent_games(db, phone.table_id, GAMES_LOOKED_AT)
        alike = [g for g in recent if (g.rules, [*map(same_name, g.names)], g.stake) == wanted]
        same = [g.id for g in alike if is_same(g)]
        if known := _still_on(db, phone.table_id, request_):
            game_id = known
        elif same:
            game_id = same[0]
        else:
            limits.another_game(db, phone.table_id)
            game_id = create_game(db, phone.table_id, rules, names, dealer, stake, at)
            journal.begin(db, game_id, phone.id, at)
        remember(db, phone.table_id, request_, game_id)
    return redirect(url_for("games.show", game_id=game_id), 303)


def _still_on(db: Database, table_id: str, request_: Request | None) -> str | None:
    """Return the game that this very form started, unless that is over, removed, or another.

    A page that was left open, or changed by hand, then deals a game of its own.
    """
    try:
        game_id = game_started(db, table_id, request_)
    except OtherContent:
        return None
    game = known_game(db, table_id, game_id) if game_id else None
    return None if game is None or game.board.phase == "over" else game.id


def find(game_id: str) -> Game:
    """Return a game of this phone's table, or answer 404."""
    game = known_game(database(), keeper().table_id, game_id)
    return game or abort(404)


def answer(game: Game, status: int = 200, message: str = "", seat: int | None = None) -> Answer:
    """Answer a change: the new page part where only that was asked for, else the page again."""
    if status == 200 and "HX-Request" not in request.headers:
        return redirect(url_for("games.show", game_id=game.id), 303)
    own = seat_taken(database(), game.id, keeper().id)
    return _page(game, _part(game, seat, own, message)), status


def _part(
    game: Game,
    chosen: int | None,
    own: int | None,
    message: str = "",
    *,
    every_round: bool = False,
) -> Markup:
    """Return what changes of the page with every tap."""

    def drawn() -> str:
        screen = draw(database(), game, message=message, chosen=chosen, own=own)
        return render_template(template, screen=screen, every_round=every_round)

    template = "games/_game.html"
    if message:
        return Markup(drawn())
    return drawn_once(drawn, game, template, chosen, own, every_round)


def _page(game: Game, part: Markup) -> str:
    """Return the page, or only the part where the page is there already."""
    if "HX-Request" in request.headers:
        return part
    return render_template("games/show.html", part=part, title=title_of(game))


def _walk(game_id: str, back: bool) -> Answer:
    phone = keeper()
    step = journal.undo if back else journal.redo
    try:
        with store().write() as db:
            game = known_game(db, phone.table_id, game_id) or abort(404)
            game = step(db, game, seen_version(db, game), phone.id, now())
    except Malformed as wrong:
        return answer(find(game_id), 400, str(wrong))
    except journal.Restored as restored:
        return answer(restored.game, 409, not_recorded())
    except journal.Stale as stale:
        sentence = _("The game had moved on, so nothing was taken back. Look, then undo again.")
        return answer(stale.game, 409, sentence)
    return answer(game)


def _number_in_address(name: str) -> int | None:
    try:
        return whole_number(request.args, name, most_digits=9) if name in request.args else None
    except Malformed:
        abort(404)


def _our_rules() -> dict[str, RuleSet]:
    return {kept.id: kept.rules for kept in kept_rules(database(), keeper().table_id)}


def _new_page(form: NewGame) -> str:
    names = known_names(database(), keeper().table_id)
    return render_template("games/new.html", form=form, presets=PRESETS, known=names)
