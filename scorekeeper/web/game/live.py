"""Live updates, the page for watchers, and the seats that phones have claimed."""

from collections.abc import Mapping
from typing import Any
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
from scorekeeper.i18n import language
from scorekeeper.live.streams import Caps, Listener, Live, TooManyStreams
from scorekeeper.store.games import Game
from scorekeeper.store.tables import hash_of
from scorekeeper.store.watch_links import (
    SeatClaim,
    claim_seat,
    end_watch_link,
    make_watch_link,
    own_seat,
    release_seat,
    seat_claims,
    watch_key,
    watched_game,
)
from scorekeeper.web.game.board import build_board
from scorekeeper.web.game.clock import clock_of
from scorekeeper.web.game.screen import build_screen
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database, find_game_or_404, find_in, require_phone, store
from scorekeeper.web.http.error_page import error_page
from scorekeeper.web.http.form_fields import Malformed, seat_of
from scorekeeper.web.http.fragment_cache import cached_fragment
from scorekeeper.web.http.metrics import count_refused
from scorekeeper.web.http.qr_codes import shared_link
from scorekeeper.web.http.restored import mark_restored

pages = Blueprint("live", __name__)
ASK_AGAIN = 5  # seconds until a client that got no stream may try again
Answer = str | AnyResponse | tuple[str, int]


@pages.get("/games/<game_id>/events")
def events(game_id: str) -> Response:
    """Stream the changes of a game to a phone of its table."""
    phone = require_phone()
    game = find_game_or_404(game_id)
    return stream(game, phone.id, watches=False)


@pages.get("/watch/<key>/events")
def watch_events(key: str) -> Response:
    """Stream the game's versions to a watcher."""
    game = _watched(key)
    if game is None:
        rate_limits.wrong_key()
        abort(404)
    return stream(game, hash_of(key))


@pages.get("/watch/<key>")
def watch(key: str) -> Answer:
    """Show a game to watchers, who cannot change it; with `part=1` only what changes in it."""
    game = _watched(key)
    if game is None:
        rate_limits.wrong_key()
        sentence = _("This live link has been turned off. Ask the table for a new one.")
        return error_page(404, sentence, _("Link not valid"))
    every_round = request.args.get("rounds") == "all"
    is_part = request.args.get("part") == "1"
    clock = clock_of(game, now())
    left = clock.left if clock and not is_part else None  # scripts count the minutes by themselves
    link = shared_link(url_for("live.watch", key=key))
    host = urlsplit(link.url).netloc  # of the code on big screens
    tag = f"{game.tag}-{every_round}-{language()}-{left}-{host}"
    if tag in request.if_none_match:
        return Response(status=304)

    def render() -> str:
        return render_template(
            template,
            screen=build_screen(database(), game),
            board=None if every_round else build_board(game),
            code=link.code,
            obstacle=link.obstacle,
            watching=True,
            key=key,
            every_round=every_round,
        )

    template = "game/_watch_game.html"
    page: str = cached_fragment(
        render, game, template, link.url or link.obstacle, every_round, left
    )
    if not is_part:
        page = render_template("game/watch.html", part=page, clock=clock)
    response = Response(page)
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.get("/games/<game_id>/share")
def share(game_id: str) -> str:
    """Show the watch link as text and QR code, and the seats that phones have claimed."""
    game = find_game_or_404(game_id)
    own = own_seat(database(), game, require_phone().id)
    key = watch_key(database(), game, _secret())
    link = shared_link(url_for("live.watch", key=key)) if key else None
    return render_template(
        "game/share.html",
        game=game,
        link=link,
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


def let_phones_fetch(game: Game) -> None:
    """End the streams of a game, so that its phones fetch whose seat is whose, and conflicts."""
    _live().followed_games.end((game.table_id, game.id))


def _live() -> Live:
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    return live


def stream(game: Game, who: str, *, watches: bool = True) -> Response:
    """Answer with a stream of a game's events, or 503 where there are too many: clients poll then.

    The stream ends when a phone or link, named by its id or by the hash of its key, is removed.
    Clients that are no phone of the table watch: they are told only versions.
    """
    # A browser that connects again repeats the address; the header has what it has seen since.
    last = request.headers.get("Last-Event-ID") or request.args.get("seen", "")
    version, _dash, hash_ = last.partition("-")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    # Streams are counted by URL: each watch link has its own, all phones of a table share one.
    gone = request.environ.get("waitress.client_disconnected")
    address = rate_limits.visitor()
    listener = Listener(who, gone, link=request.path, address=address, watches=watches)
    try:
        body = _live().stream((game.table_id, game.id), seen, listener, hash_)
    except TooManyStreams:
        count_refused("streams")
        return Response(status=503, headers={"Retry-After": str(ASK_AGAIN)})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(body, content_type="text/event-stream", headers=headers)


def caps(config: Mapping[str, Any]) -> Caps:
    """Return the limits of streams in the settings."""
    return Caps(config["STREAMS"], config["STREAMS_PER_LINK"], config["STREAMS_PER_ADDRESS"])


def _watched(key: str) -> Game | None:
    found = watched_game(database(), key)
    return find_in(database(), *found) if found else None


def _secret() -> str:
    return str(current_app.config["SECRET_KEY"])
