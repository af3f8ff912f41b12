"""Health check for monitoring."""

from flask import Blueprint, Response

from scorekeeper.i18n import gettext as _
from scorekeeper.store.maintenance.health import storage_problem
from scorekeeper.web.http.current import store

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def healthz() -> Response:
    """Answer 200 if games can be saved, else 503 with the reason."""
    if store().file_check.sentence:  # not shown, as it names files and anybody may ask here
        problem = _("The file of games is damaged, so nothing is saved. The log says what to do.")
    else:
        problem = storage_problem(store().path)
    answer = Response(f"{problem or 'ok'}\n", 503 if problem else 200)
    answer.content_type = "text/plain; charset=utf-8"
    return answer
