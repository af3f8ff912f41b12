"""Few requests of one visitor at a time under gevent, where all share one processor.

Five hundred pages asked for at once would each begin, and a tap of another table would wait among
them, and for a connection to the database. Those beyond `AT_ONCE` wait before they begin. With
threads they would hold these, so the built-in server lets them begin.
"""

import sys
import threading

from flask import Flask, Response, g, request

from scorekeeper.store.connection import StoreBusy
from scorekeeper.web.http.budget import NOT_COUNTED
from scorekeeper.web.http.rate_limits import visitor
from scorekeeper.web.http.requests import device

AT_ONCE = 2
PATIENCE = 30.0  # seconds


class Crowds:
    """Places of visitors, by who they are."""

    def __init__(self) -> None:
        self._places: dict[str, threading.Semaphore] = {}
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def enter(self, who: str) -> None:
        """Wait for a place. Raises `StoreBusy` where none becomes free."""
        with self._lock:
            place = self._places.setdefault(who, threading.Semaphore(AT_ONCE))
            self._counts[who] = self._counts.get(who, 0) + 1
        if not place.acquire(timeout=PATIENCE):
            self._forget(who)
            raise StoreBusy("too many requests of one visitor")

    def leave(self, who: str) -> None:
        """Give a place to the next."""
        self._places[who].release()
        self._forget(who)

    def _forget(self, who: str) -> None:
        with self._lock:
            self._counts[who] -= 1
            if not self._counts[who]:
                del self._counts[who], self._places[who]


def init_app(app: Flask) -> None:
    """Let pages of each visitor begin a few at a time, where greenlets answer them."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("threading"):
        return
    crowds = Crowds()

    def enter() -> None:
        who = device() or visitor()
        if who and request.method == "GET" and request.endpoint not in NOT_COUNTED:
            crowds.enter(who)
            g.in_crowd = who

    def leave() -> None:
        if who := g.pop("in_crowd", None):
            crowds.leave(who)

    def leave_with(response: Response) -> Response:
        leave()
        return response

    app.before_request(enter)
    app.after_request(leave_with)
    app.teardown_request(lambda _error: leave())
