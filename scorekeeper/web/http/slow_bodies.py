"""An end for bodies that come too slowly, each of which holds a connection."""

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from flask import request
from werkzeug.exceptions import RequestTimeout

GRACE = 20.0  # seconds, as nginx waits between two parts
RATE = 4096  # bytes a second that a body may take beside; a bad line brings more
CHUNK = 16 * 1024  # bytes


def seconds_for(received: int) -> float:
    """Return how long a request may take that has come to so many bytes."""
    return GRACE + received / RATE


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class TimedBody:
    """The body of a request under gevent; reading it raises `RequestTimeout` where it is too slow.

    gunicorn itself waits for ever. The built-in server reads bodies before it calls the program.
    """

    def __init__(self, body: Readable) -> None:
        self._body = body
        self._began: float | None = None
        self._received = 0

    def read(self, size: int = CHUNK) -> bytes:
        """Return the next bytes, at most `CHUNK`."""
        if self._began is None:
            self._began = time.monotonic()
        left = self._began + seconds_for(self._received) - time.monotonic()
        with _timeout(max(left, 0.001)):
            part = self._body.read(min(size, CHUNK) if size >= 0 else CHUNK)
        self._received += len(part)
        return part


def end_slow_body() -> None:
    """Limit the time for the body of this request."""
    if request.content_length:
        request.environ["wsgi.input"] = TimedBody(request.environ["wsgi.input"])


def _timeout(seconds: float) -> AbstractContextManager[Any]:
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("socket"):
        return nullcontext()
    timeout: AbstractContextManager[Any] = sys.modules["gevent"].Timeout(seconds, RequestTimeout())
    return timeout
