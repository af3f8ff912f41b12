"""Pages that are asked for again while nothing has changed, answered before all else.

Whoever follows a game asks for its page again and again. The very same request, every header
included, gets the very same answer as long as nobody has written to the database; so this module
need not know what a page depends on, provided that it is nothing but these two. Views whose pages
are like that say so. After a minute a page is made anew in any case, and with it its cookie.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from flask import Flask, request
from werkzeug.wsgi import ClosingIterator

from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.store import Store
from scorekeeper.store.lru import Recent

MOST_KEPT = 256  # answers, compressed mostly: about 10 kB each
OLDEST = 60.0  # seconds
SAYS_SO = "scorekeeper.unchanged"
Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Commits = tuple[object, int]  # a connection, and the number it gives what it has seen


class Kept(NamedTuple):
    """An answer, which commits there had been before it was made, and when that was."""

    commits: Commits
    at: float
    status: str
    headers: Headers
    body: bytes


class Unchanged:
    """The application, with what it answered last in front of it."""

    def __init__(self, inner: Callable[..., Iterable[bytes]], store: Store):
        self._inner = inner
        self._store = store
        self._kept: Recent[tuple[Any, ...], Kept] = Recent(MOST_KEPT)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET":
            return self._inner(environ, start_response)
        key = _every_header(environ)
        # Looked at before the answer is made: one that misses a later change is never given again.
        commits, now = self._commits(), time.monotonic()
        kept = self._kept.get(key)
        if kept and commits and kept.commits == commits and now - kept.at < OLDEST:
            start_response(kept.status, list(kept.headers))
            return [kept.body]
        told: list[Any] = []

        def start(status: str, headers: Headers, *error: Any) -> Any:
            told[:] = status, list(headers)
            return start_response(status, headers, *error)

        parts = self._inner(environ, start)
        if commits is None or SAYS_SO not in environ or _sets_cookie(told[1]):
            return parts
        body = b"".join(parts)
        if isinstance(parts, ClosingIterator):
            parts.close()
        status, headers = told
        self._kept.keep(key, Kept(commits, now, status, headers, body))
        return [body]

    def _commits(self) -> Commits | None:
        """Return what differs after every commit of anybody, or None where the database fails.

        The connection writes nothing itself, for its own commits would not count.
        """
        try:
            with self._store.shared_reader() as db:
                return db, int(db.conn.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            return None


def init_app(app: Flask) -> None:
    """Stand before everything else that looks at a request."""
    store = app.extensions["store"]
    app.wsgi_app = Unchanged(app.wsgi_app, store)  # type: ignore[method-assign]  # Flask says so


def until_somebody_writes() -> None:
    """Say that this page follows from its request and the database, and from nothing else."""
    request.environ[SAYS_SO] = True


def _every_header(environ: Environ) -> tuple[Any, ...]:
    """Return the key of an answer: all of a request that the answer to a GET can differ by."""
    return (
        environ["PATH_INFO"],
        environ.get("QUERY_STRING"),
        environ.get("SCRIPT_NAME"),
        environ.get("SERVER_NAME"),  # the host of a request that names none
        environ.get("SERVER_PORT"),
        environ.get("wsgi.url_scheme"),
        environ.get("REMOTE_ADDR"),
        *((name, text) for name, text in environ.items() if name.startswith("HTTP_")),
    )


def _sets_cookie(headers: Headers) -> bool:
    return any(name.lower() == "set-cookie" for name, _text in headers)
