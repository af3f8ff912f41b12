"""Error handlers: every error is answered with a page or a problem document."""

from flask import Flask, current_app, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.pool import Busy
from scorekeeper.store.database.store import StoreRefused
from scorekeeper.web.api import problems
from scorekeeper.web.http.current import this_phone
from scorekeeper.web.http.error_page import error_page
from scorekeeper.web.http.metrics import count_exception, count_refused
from scorekeeper.web.http.overload import Overloaded
from scorekeeper.web.http.security import LARGEST_BODY

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
Answer = tuple[str, int] | tuple[str, int, list[tuple[str, str]]] | Response


def init_app(app: Flask) -> None:
    """Register handlers for HTTP errors, database errors and bugs."""
    app.register_error_handler(CSRFError, _csrf_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(StoreRefused, _damaged)
    app.register_error_handler(Busy, _busy)
    app.register_error_handler(sqlite3.Error, _database_error)
    app.register_error_handler(Exception, _internal_error)


def _csrf_error(_error: CSRFError) -> Answer:
    if request.endpoint == "home.accept" and this_phone():
        # A double tap: the first request joined the phone, in a new session with a new token.
        return redirect(url_for("home.invitation", **request.view_args or {}), 303)
    sentence = _(
        "This page no longer knows this phone. Go back, load the page again and repeat the last "
        "step; if that fails, allow cookies for this address."
    )
    return error_page(400, sentence, _("Page out of date"))


def _http_error(error: HTTPException) -> Answer:
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=list(error.get_headers()))
    if problems.wanted():
        return problems.problem_of(error)
    sentences = {
        404: _("There is no such page here, or this phone has not joined the table it belongs to."),
        405: _("This address does not take that. Go back and use the buttons of the page."),
        413: _("That is more than {limit} kB, which no form here needs. Send less.").format(
            limit=(request.max_content_length or LARGEST_BODY) // 1024
        ),
    }
    own = type(error).description != error.description and error.description
    page, status = error_page(
        status,
        sentences.get(status)
        or own
        or _("This request cannot be understood. Go back and use the buttons of the page."),
        _("No new tables just now") if isinstance(error, Overloaded) else None,
    )
    # Headers that HTTP requires: Allow, Retry-After and the like.
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return page, status, headers


def _damaged(refused: StoreRefused) -> Answer:
    """Refuse a change because the database file is damaged; the check has logged it."""
    return _unavailable(str(refused))


def _busy(error: Exception) -> Answer:
    _log(error)
    count_refused("busy")
    if problems.wanted():
        sentence = _(
            "The server is busy just now, so nothing was saved. Send it again in a moment."
        )
    else:
        sentence = _(
            "The server is busy just now, so nothing was saved. Keep this page open and send it "
            "again in a moment."
        )
    return _unavailable(sentence)


def _unavailable(sentence: str) -> Answer:
    return problems.problem(503, sentence) if problems.wanted() else error_page(503, sentence)


def _database_error(error: Exception) -> Answer:
    _log(error)
    count_exception(error)
    if problems.wanted():
        return problems.problem(503)
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
        sentence = _(
            "The server's file of games is damaged, so nothing was saved. Write the score down, "
            "and start the server again: it says then how to get the games back."
        )
    else:
        sentence = _(
            "The server cannot write its data just now, so nothing was saved. Keep this page "
            "open, see that its disk is not full, and send it again."
        )
    return error_page(503, sentence)


def _internal_error(error: Exception) -> Answer:
    _log(error)
    count_exception(error)
    if problems.wanted():
        return problems.problem(500)
    sentence = _("Something went wrong here, and nothing was saved. Go back and try again.")
    return error_page(500, sentence)


def _log(error: Exception) -> None:
    current_app.logger.error("%s", type(error).__name__, exc_info=error)
