"""Live streams of the events of a game or a table, for phones, watchers and programs."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Response, current_app, request

from scorekeeper.live import Caps, Listener, Live, TooManyStreams
from scorekeeper.store.games import Game
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.metrics import count_refused


def caps(config: Mapping[str, Any]) -> Caps:
    """Return the limits of streams in the settings."""
    return Caps(config["STREAMS"], config["STREAMS_PER_LINK"], config["STREAMS_PER_ADDRESS"])


ASK_AGAIN = 5  # seconds until a client that got no stream may try again


def stream(game: Game, who: str, *, to_phone: bool = False) -> Response:
    """Answer with a stream of a game's events, or 503 where there are too many: clients poll then.

    The stream ends when a phone or link, named by its id or by the hash of its key, is removed.
    Clients other than a phone of the table (`to_phone`) are told only versions.
    """
    # A browser that connects again repeats the address; the header has what it has seen since.
    last = _last_event_id() or request.args.get("seen", "")
    version, _dash, hash_ = last.partition("-")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    listener = _listener(who, request.path, is_watcher=not to_phone)
    return _response(lambda: live().stream((game.table_id, game.id), seen, listener, hash_))


def table_stream(table_id: str, who: str) -> Response:
    """Answer with a stream of what happens at a table, as `stream` does.

    It goes on after the event that the client has seen last, and ends with the key of a hash `who`.
    """
    listener = _listener(who, f"{request.path} {table_id}")
    return _response(lambda: live().table_stream(table_id, _last_event_id(), listener))


AGAIN = 300.0  # seconds after which desks and walls ask again, and show that they still may


def club_stream(table_id: str, who: str) -> Response:
    """Answer with a stream that tells a desk, or a wall, each time that something has changed.

    Some are left for them where all others are taken.
    """
    listener, end = _listener(who, request.path), time.monotonic() + AGAIN
    is_gone = listener.gone or (lambda: False)
    asked = listener._replace(gone=lambda: time.monotonic() > end or is_gone())
    return _response(lambda: live().club_stream(table_id, asked))


def _last_event_id() -> str:
    return request.headers.get("Last-Event-ID", "")


def _listener(who: str, link: str, *, is_watcher: bool = False) -> Listener:
    """Return the client of this request.

    Streams are counted by URL: each watch link has its own, all phones of a table share one.
    """
    gone = request.environ.get("waitress.client_disconnected")
    return Listener(who, gone, link=link, address=rate_limits.visitor(), is_watcher=is_watcher)


def _response(begin: Callable[[], Iterator[bytes]]) -> Response:
    try:
        body = begin()
    except TooManyStreams:
        count_refused("streams")
        return Response(status=503, headers={"Retry-After": str(ASK_AGAIN)})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(body, content_type="text/event-stream", headers=headers)


def let_phones_fetch(game: Game) -> None:
    """End the streams of a game, so that its phones fetch whose seat is whose, and conflicts."""
    live().followed_games.end((game.table_id, game.id))


def live() -> Live:
    found = current_app.extensions["live"]
    assert isinstance(found, Live)
    return found
