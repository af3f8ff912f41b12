"""Error handlers: every error is answered with a page or a problem document."""

from flask import Flask, current_app, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.wrappers import Response

from scorekeeper.addresses import host_name
from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import (
    CommitUnknown,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreLost,
    StoreUnavailable,
)
from scorekeeper.store.database import StoreRefused
from scorekeeper.store.games import DamagedGame
from scorekeeper.web.api import response
from scorekeeper.web.http.metrics import count_exception, count_refused
from scorekeeper.web.http.rate_limits import ServerFull
from scorekeeper.web.http.requests import error_page, this_phone
from scorekeeper.web.http.security import LARGEST_BODY
from scorekeeper.web.text.wording import day

# States of the database or of the machine, which a traceback does not explain.
OUTAGES = (StoreBusy, StoreDamaged, StoreUnavailable, CommitUnknown)
Answer = tuple[str, int] | tuple[str, int, list[tuple[str, str]]] | Response


def init_app(app: Flask) -> None:
    """Register handlers for HTTP errors, database errors and bugs."""
    app.register_error_handler(CSRFError, _csrf_error)
    app.register_error_handler(SecurityError, _wrong_host)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(StoreRefused, _damaged)
    app.register_error_handler(StoreBusy, _busy)
    app.register_error_handler(DamagedGame, _damaged_game)
    app.register_error_handler(CommitUnknown, _commit_unknown)
    app.register_error_handler(StoreLost, _lost)
    app.register_error_handler(StoreError, _database_error)
    app.register_error_handler(Exception, _internal_error)


def _csrf_error(_error: CSRFError) -> Answer:
    if request.endpoint == "table.accept" and this_phone():
        # A double tap: the first request joined the phone, in a new session with a new token.
        return redirect(url_for("table.invitation", **request.view_args or {}), 303)
    sentence = _(
        "This page was open too long. Go back, reload it and try again. If that doesn’t help, "
        "allow cookies for this site."
    )
    return error_page(400, sentence, _("Page expired"))


def _wrong_host(_error: SecurityError) -> Answer:
    """Refuse a host that is not trusted, as text: the links of a page cannot be built for it."""
    sentence = _("Wrong address. Use the one the server shows at startup.")
    host = request.headers.get("Host", "")
    if host.isascii() and (name := host_name(host)):
        sentence = _(
            "Wrong address. Use the one the server shows at startup, or start it with {setting}."
        ).format(setting=f"SCOREKEEPER_HOSTS={name}")
    if response.wanted():
        return response.problem(400, sentence)
    return Response(sentence, 400, content_type="text/plain; charset=utf-8")


def _http_error(error: HTTPException) -> Answer:
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=list(error.get_headers()))
    if response.wanted():
        return response.problem_of(error)
    sentences = {
        404: _("We can’t find this page. If it’s a game, ask the table for its link."),
        405: _("That’s not possible here. Go back and use the buttons on the page."),
        413: _("That’s more than {limit} kB, which no form here needs.").format(
            limit=(request.max_content_length or LARGEST_BODY) // 1024
        ),
    }
    own = type(error).description != error.description and error.description
    page, status = error_page(
        status,
        sentences.get(status)
        or own
        or _("Invalid request. Go back and use the buttons on the page."),
        _("Server full") if isinstance(error, ServerFull) else None,
    )
    # Headers that HTTP requires: Allow, Retry-After and the like.
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return page, status, headers


def _damaged(refused: StoreRefused) -> Answer:
    """Refuse a change because the database file is damaged; the check has logged it."""
    return _unavailable(str(refused))


def _damaged_game(damaged: DamagedGame) -> Answer:
    """Answer for one game that cannot be read, while the others go on."""
    count_exception(damaged)
    sentence = _(
        "The game started on {day} can’t be read: its data is damaged. All other games are fine "
        "and can be exported from History. Whoever runs the server can find the damage with "
        "{check} and recover the game from a backup with {restore}."
    ).format(day=_day(damaged.started), check="scorekeeper check", restore="scorekeeper restore")
    if response.wanted():
        return response.problem(503, sentence)
    return error_page(503, sentence, _("Game damaged"))


def _day(started: str) -> str:
    try:
        return day(started)
    except ValueError:
        return started[:10]


def _busy(error: Exception) -> Answer:
    _log(error)
    count_refused("busy")
    if response.wanted():
        return _unavailable(_("The server is busy, so nothing was saved. Try again in a moment."))
    return _unavailable(
        _(
            "The server is busy, so nothing was saved. Keep this page open and try again in a "
            "moment."
        )
    )


def _commit_unknown(error: Exception) -> Answer:
    """Answer where a change is saved or not: sent again, it is found or made."""
    _log(error)
    count_exception(error)
    return _unavailable(
        _(
            "The server lost its database, so this may not be saved. Check your last tap, then "
            "try again if it’s missing."
        )
    )


def _unavailable(sentence: str) -> Answer:
    if response.wanted():
        return response.problem(503, sentence)
    return (*error_page(503, sentence), [("Retry-After", response.RETRY_SECONDS)])


def _lost(error: StoreLost) -> Answer:
    """Answer where the files of the database are gone; the first to notice it has logged it."""
    count_exception(error)
    return _unavailable(
        _(
            "The server lost the file with its games, so nothing was saved. Tell whoever runs the "
            "server: its log says what to do. Then try again."
        )
    )


def _database_error(error: Exception) -> Answer:
    _log(error)
    count_exception(error)
    if response.wanted():
        return response.problem(503)
    if isinstance(error, StoreDamaged):
        return _unavailable(
            _(
                "The server’s database is damaged, so nothing was saved. Write down the score and "
                "restart the server; it will tell you how to recover the games."
            )
        )
    return _unavailable(
        _(
            "The server can’t save right now, so nothing was saved. Keep this page open and try "
            "again in a moment. If that doesn’t help, tell whoever runs the server."
        )
    )


def _internal_error(error: Exception) -> Answer:
    _log(error)
    count_exception(error)
    if response.wanted():
        return response.problem(500)
    sentence = _("Something went wrong and nothing was saved. Go back and try again.")
    return error_page(500, sentence)


def _log(error: Exception) -> None:
    if isinstance(error, OUTAGES):
        reason = " ".join(str(error).split())
        current_app.logger.warning("%s: %s", type(error).__name__, reason)
    else:
        current_app.logger.error("%s", type(error).__name__, exc_info=error)
