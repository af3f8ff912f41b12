"""Load shedding, so that games in progress stay quick.

Streams are refused first, and phones that poll are told to ask later. New tables come next. A tap
is never refused here: it fails only where it cannot be saved in time.
"""

import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, current_app
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.i18n import gettext as _
from scorekeeper.live.streams import Live
from scorekeeper.store.database.store import Store
from scorekeeper.web.http.metrics import count_refused
from scorekeeper.web.http.static_files import version

MAX_WAITING = 16  # writers in the queue, each of which takes some milliseconds
MAX_LAG = 0.1  # seconds; a tap then waits for about as long before it is looked at
RETRY_SECONDS = 60
TICK = 0.05  # seconds between two measurements
WEIGHT = 0.1  # of the newest measurement in the average
STREAM = re.compile(r"/(games|watch)/[^/]+/events")
POLL = re.compile(r"/games/[^/]+/phone\.json")
Environ = dict[str, Any]


class Overloaded(ServiceUnavailable):
    """A new table is refused for now."""


class Lag:
    """How many seconds too late this process wakes a thread, on average over half a second.

    Under gevent, a request waits as long for its turn as a greenlet whose sleep has ended.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def is_high(self) -> bool:
        return self.seconds > MAX_LAG

    def add(self, seconds: float) -> None:
        """Take a measurement into the average."""
        self.seconds += WEIGHT * (seconds - self.seconds)

    def measure_while(self, is_needed: Callable[[], bool]) -> None:
        """Measure in a thread of its own as long as that is needed, or the lag is high."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._measure, args=[is_needed], name="lag", daemon=True
                )
                self._thread.start()

    def _measure(self, is_needed: Callable[[], bool]) -> None:
        while True:
            due = time.monotonic() + TICK
            time.sleep(TICK)
            self.add(time.monotonic() - due)
            with self._lock:
                if not (is_needed() or self.is_high):
                    self._thread = None
                    return


class LoadShedding:
    """WSGI middleware that refuses streams and polls of an open server while its lag is high.

    Neither reaches the application, as answering a poll takes as long as saving a tap. A phone that
    polls gets 204 and keeps the game as it knows it; an error would look like a lost connection.
    """

    def __init__(self, app: Flask, wsgi_app: Callable[..., Iterable[bytes]]):
        self._app = app
        self._wsgi_app = wsgi_app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        reason = _refusable(environ) if self._app.config["OPEN"] else None
        if reason is None:
            return self._wsgi_app(environ, start_response)
        lag, live = self._app.extensions["lag"], self._app.extensions["live"]
        lag.measure_while(lambda: live.open_streams > 0)
        if not is_overloaded(self._app):
            return self._wsgi_app(environ, start_response)
        with self._app.app_context():
            count_refused(reason)
        headers = [("Cache-Control", "no-store"), ("Scorekeeper", version())]
        if reason == "polls":
            start_response("204 No Content", headers)
        else:
            start_response("503 Service Unavailable", [*headers, ("Content-Length", "0")])
        return []


def is_overloaded(app: Flask) -> bool:
    """Return whether this process cannot keep up with requests, or with the database."""
    store: Store = app.extensions["store"]
    return app.extensions["lag"].is_high or store.writers_waiting > MAX_WAITING


def init_app(app: Flask) -> None:
    """Refuse what can wait while the server is overloaded."""
    app.extensions["lag"] = Lag()
    app.wsgi_app = LoadShedding(app, app.wsgi_app)  # type: ignore[method-assign]  # Flask says so


def refuse_under_load() -> None:
    """Raise `Overloaded` where this process has no stream left, or cannot keep up with requests."""
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    if live.is_full or is_overloaded(current_app):
        count_refused("new_tables")
        raise Overloaded(
            _("The server is full right now. Try again in a few minutes."),
            retry_after=RETRY_SECONDS,
        )


def _refusable(environ: Environ) -> str | None:
    """Return the reason that a refusal of a request is counted under; None if it must be answered.

    A phone that polls names what it has seen; its first request is always answered.
    """
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] != "GET":
        return None
    if STREAM.fullmatch(path):
        return "streams"
    if POLL.fullmatch(path) and environ.get("QUERY_STRING", "").startswith("seen="):
        return "polls"
    return None
