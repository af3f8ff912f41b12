"""Who sees a game besides its phones: live links, the page for watchers, and claimed seats."""

from typing import NamedTuple
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import language, ngettext, speaking
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.games import Game
from scorekeeper.store.phones import language_of_table
from scorekeeper.store.tables import (
    SeatClaim,
    claim_seat,
    end_watch_link,
    hash_of,
    make_watch_link,
    own_seat,
    release_seat,
    seat_claims,
    watch_key,
    watched_game,
)
from scorekeeper.web.game.board import build_board
from scorekeeper.web.game.card import FONTS, card, draw, draws_pictures
from scorekeeper.web.game.page import mark_restored
from scorekeeper.web.game.result import headline, places, plain, played_line
from scorekeeper.web.game.scoreboard import clock_of
from scorekeeper.web.game.screen import build_screen
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Malformed, seat_of
from scorekeeper.web.http.fragments import cached_fragment
from scorekeeper.web.http.requests import (
    Answer,
    database,
    error_page,
    find_game_or_404,
    find_in,
    in_language_of_table,
    require_phone,
    store,
)
from scorekeeper.web.http.static_files import static_url
from scorekeeper.web.http.streams import let_phones_fetch, stream
from scorekeeper.web.http.templates import shared_link
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.wording import listed, minus

pages = Blueprint("live", __name__)


@pages.get("/games/<game_id>/events")
def events(game_id: str) -> Response:
    """Stream the changes of a game to a phone of its table."""
    phone = require_phone()
    game = find_game_or_404(game_id)
    return stream(game, phone.id, to_phone=True)


@pages.get("/watch/<key>/events")
def watch_events(key: str) -> Response:
    """Stream the game's versions to a watcher."""
    return stream(_watched_or_404(key), hash_of(key))


@pages.get("/watch/<key>")
def watch(key: str) -> Answer:
    """Show a game to watchers, who cannot change it; with `part=1` only what changes in it."""
    game = _watched(key)
    if game is None:
        return _turned_off()
    every_round = request.args.get("rounds") == "all"
    is_part = request.args.get("part") == "1"
    clock = clock_of(game, now())
    names = request.args.get("preview") == "names"
    spoken = "" if is_part else language_of_table(database(), game.table_id)
    left = clock.left if clock and not is_part else None  # scripts count the minutes by themselves
    link = shared_link(url_for("live.watch", key=key))
    host = urlsplit(link.url).netloc  # of the code on big screens
    tag = f"{game.tag}-{every_round}-{language()}-{spoken}-{left}-{host}-{names}"
    if tag in request.if_none_match:
        return Response(status=304)

    def render() -> str:
        return render_template(
            template,
            screen=build_screen(database(), game),
            board=None if every_round else build_board(game),
            code=link.code,
            watching=True,
            key=key,
            every_round=every_round,
        )

    template = "game/_watch_game.html"
    page: str = cached_fragment(
        "watchers", render, game.id, game.tag, template, link.url, every_round, left
    )
    if not is_part:
        with speaking(spoken):  # what chats show, and titles
            title, shown = _title(game), _preview(game, key)
        page = render_template("game/watch.html", part=page, clock=clock, title=title, shown=shown)
    response = Response(page)
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.get("/watch/<key>/overlay")
def overlay(key: str) -> Answer:
    """Show scores and bids on nothing, to lie over the picture of a video stream."""
    return _bare(key, "game/_overlay.html")


@pages.get("/watch/<key>/compact")
def compact(key: str) -> Answer:
    """Show scores and bids on a small area, such as a card of a dashboard that frames this page."""
    return _bare(key, "game/_compact.html")


def _bare(key: str, template: str) -> Answer:
    """Show what a template has of a game, without menus; with `part=1` nothing around it."""
    game = _watched(key)
    if game is None:
        return _turned_off()
    tag = f"{template}-{game.tag}-{language()}"
    if tag in request.if_none_match:
        return Response(status=304)

    def render() -> str:
        screen = build_screen(database(), game)
        return render_template(template, screen=screen, board=build_board(game), key=key)

    page: str = cached_fragment("watchers", render, game.id, game.tag, template, key)
    if request.args.get("part") != "1":
        page = render_template("game/bare.html", part=page)
    response = Response(page)
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.get("/watch/<key>/result.png")
def result_picture(key: str) -> Response:
    """Show chats the result of a finished game as a picture, where the server can draw it."""
    game = _watched_or_404(key)
    if not _has_picture(game):
        abort(404)
    with in_language_of_table(game.table_id):
        tag = f"picture-{game.tag}-{language()}"
        if tag in request.if_none_match:
            return Response(status=304)
        rate_limits.picture(game.table_id)
        drawn = draw(render_template("game/card.svg", card=card(game), fonts=FONTS))
    response = Response(drawn, content_type="image/png")
    response.set_etag(tag)
    return response


def _has_picture(game: Game) -> bool:
    return game.state.phase == "over" and draws_pictures()


def _turned_off() -> Answer:
    rate_limits.wrong_key()
    sentence = _("This live link has been turned off. Ask the table for a new one.")
    return error_page(404, sentence, _("This link no longer works"))


class Preview(NamedTuple):
    """What a chat shows of a link; `picture` is a URL, empty where others reach no address."""

    title: str
    text: str
    picture: str


def _preview(game: Game, key: str) -> Preview:
    """Return what a chat shows of a game: who played only if the link says that it may be told."""
    rounds = len(game.state.rounds)
    card = static_url("screenshots/share.png")
    if request.args.get("preview") == "names" and rounds:
        picture = url_for("live.result_picture", key=key) if _has_picture(game) else card
        return Preview(plain(headline(game)), _scores(game), shared_link(picture).url)
    text = _("Follow a game of Spades live, on a phone or a big screen.")
    if game.state.phase == "over":
        text = ngettext("Finished · {n} round", "Finished · {n} rounds", rounds).format(n=rounds)
    return Preview(_title(game), text, shared_link(card).url)


def _title(game: Game) -> str:
    """Return the title of a live page, which names nobody: own rules may be named after people."""
    book = book_name(PRESETS[game.rules.key])
    return book if game.state.phase == "over" else _("Live: {book}").format(book=book)


def _scores(game: Game) -> str:
    totals = game.state.standing.totals
    scores = [
        f"{plain(listed(game.side_names(side)))} {minus(totals[side], game.rules.shown_as)}"
        for side, _place in places(game)
    ]
    played = [played_line(game, dated=False)] if game.state.phase == "over" else []
    return " · ".join([*scores, *played])


BARE = ("overlay", "compact")  # views behind a live link


@pages.get("/games/<game_id>/share")
def share(game_id: str) -> str:
    """Show the watch link as text and QR code, and the seats that phones have claimed.

    The table chooses with `preview=names` whether chats may name its players; the link says so.
    """
    game = find_game_or_404(game_id)
    own = own_seat(database(), game, require_phone().id)
    key = watch_key(database(), game, _secret())
    names = request.args.get("preview") == "names"
    address = url_for("live.watch", key=key, preview="names" if names else None) if key else ""
    link = shared_link(address) if key else None
    views = {name: shared_link(url_for(f"live.{name}", key=key)) for name in BARE} if key else {}
    return render_template(
        "game/share.html",
        game=game,
        link=link,
        views={name: view.url or view.here for name, view in views.items()},
        names=names,
        claims=seat_claims(database(), game),
        own_seat=own and own.seat,
    )


@pages.post("/games/<game_id>/watching")
def watching(game_id: str) -> AnyResponse:
    """Switch the watch link on or off."""
    game = find_game_or_404(game_id)
    with store().write(game.table_id) as db:
        if request.form.get("on") == "yes":
            make_watch_link(db, game, _secret(), now())
        else:
            end_watch_link(db, game, now())
    return redirect(url_for("live.share", game_id=game.id), 303)


@pages.post("/games/<game_id>/seat")
def seat(game_id: str) -> Answer:
    """Claim a seat for this phone, or release it when no seat is named.

    Where another phone plays for the seat, this asks first whether to take it over; the answer
    names that claim by its number.
    """
    phone, game = require_phone(), find_game_or_404(game_id)
    try:
        chosen = seat_of(request.form, len(game.names)) if request.form.get("seat") else None
    except Malformed as wrong:
        return error_page(400, str(wrong))
    with store().write(game.table_id) as db:
        claim = None if chosen is None else seat_claims(db, game).get(chosen)
        if claim and not _may_take(claim, phone.id):
            return render_template("game/take_over.html", game=game, seat=chosen, claim=claim), 409
        if chosen is None:
            release_seat(db, game, phone.id)
        elif claim is None or claim.phone_id != phone.id:
            claim_seat(db, game, chosen, phone.id)
    let_phones_fetch(game)
    return redirect(url_for("game.show", game_id=game.id), 303)


def _may_take(claim: SeatClaim, phone_id: str) -> bool:
    return phone_id == claim.phone_id or request.form.get("instead_of") == str(claim.number)


def _watched(key: str) -> Game | None:
    found = watched_game(database(), key)
    return find_in(database(), *found) if found else None


def _watched_or_404(key: str) -> Game:
    game = _watched(key)
    if game is None:
        rate_limits.wrong_key()
        abort(404)
    return game


def _secret() -> str:
    return str(current_app.config["SECRET_KEY"])
