"""Errors as problem details (RFC 9457)."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from flask import Response, request
from werkzeug.exceptions import HTTPException

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.entry import Refused
from scorekeeper.store.journal import EditConflict
from scorekeeper.web.api.response import dump, game_json
from scorekeeper.web.http.security import LARGEST_BODY

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = "5"


class Problem(HTTPException):
    """An error with further members; its type is `/api#kind`, which the page /api explains."""

    def __init__(self, status: int, kind: str, detail: str, **members: Any):
        super().__init__(detail)
        self.code = status
        self.kind = kind
        self.members = members


def wanted() -> bool:
    """Return whether an error of this request is to be a problem document, not a page."""
    return request.path.startswith("/api/")


def problem_of(error: HTTPException) -> Response:
    """Return the problem document of an error, with the headers of the error such as Allow."""
    status = error.code or 500
    headers = [pair for pair in error.get_headers() if pair[0].lower() != "content-type"]
    detail = error.description if error.description != type(error).description else None
    if isinstance(error, Problem):
        return _answer(status, error.description, f"/api#{error.kind}", headers, error.members)
    return _answer(status, detail or _sentence(status), headers=headers)


def problem(status: int, sentence: str = "") -> Response:
    """Return the problem document of a status, with its default sentence unless one is given."""
    headers = [("Retry-After", RETRY_SECONDS)] if status == 503 else []
    return _answer(status, sentence or _sentence(status), headers=headers)


def refused_by_rules(refused: Refused) -> Response:
    """Return the problem document of an entry that the rules refuse: 422, each error by seat."""
    errors = [
        {
            "seat": None if one.seat is None else one.seat + 1,
            "code": one.code,
            "detail": translate(one.sentence),
        }
        for one in refused.refusals
    ]
    sentence = _("The rules of this game don’t allow this.")
    return problem_of(Problem(422, "refused", sentence, errors=errors))


def out_of_date(stale: EditConflict) -> Response:
    """Return the problem document of a change that came too late, with the game as it is now."""
    sentence = _(
        "The game has changed since then, so nothing was saved. Get the current "
        "version and send again."
    )
    return problem_of(Problem(412, "stale", sentence, game=game_json(stale.game)))


def _answer(
    status: int,
    detail: str | None,
    kind: str = "about:blank",
    headers: Iterable[tuple[str, str]] = (),
    members: dict[str, Any] | None = None,
) -> Response:
    document = {
        "type": kind,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **(members or {}),
    }
    response = Response(dump(document), status, content_type=MEDIA_TYPE)
    response.headers.extend(headers)
    return response


def _sentence(status: int) -> str:
    sentences = {
        404: _("Not found, or this key has no access to it."),
        405: _("Method not allowed. See the Allow header."),
        411: _("Send the length of the body in a Content-Length header."),
        413: _("The body is larger than the limit of {limit} kB.").format(
            limit=LARGEST_BODY // 1024
        ),
        500: _("Something went wrong and nothing was saved. Try again."),
        503: _("The server can’t save right now. Make sure its disk isn’t full and try again."),
    }
    return sentences.get(status) or _("Invalid request.")
