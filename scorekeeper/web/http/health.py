"""Health check for monitoring."""

import time

from flask import Blueprint, Response, current_app

from scorekeeper.i18n import gettext as _
from scorekeeper.store.maintenance.health import storage_problem
from scorekeeper.web.http.current import store

pages = Blueprint("health", __name__)
FRESH = 1.0  # seconds that a good result is used again, as each check takes the lock of writers


@pages.get("/healthz")
def healthz() -> Response:
    """Answer 200 if games can be saved, else 503 with the reason."""
    if store().file_check.sentence:  # not shown, as it names files and anybody may ask here
        problem = _("The database is damaged, so nothing is saved. See the log for what to do.")
    else:
        problem = _storage_problem()
    answer = Response(f"{problem or 'ok'}\n", 503 if problem else 200)
    answer.content_type = "text/plain; charset=utf-8"
    return answer


def _storage_problem() -> str:
    """Return why games cannot be saved, or an empty text where they could a moment ago."""
    extensions = current_app.extensions
    if time.monotonic() < extensions.get("healthy_until", 0.0):
        return ""
    problem = storage_problem(store())
    if not problem:
        extensions["healthy_until"] = time.monotonic() + FRESH
    return problem
