"""Health check for monitoring."""

import time

from flask import Blueprint, Response, current_app

from scorekeeper.i18n import gettext as _
from scorekeeper.store.maintenance.health import DatabaseState, database_state, storage_problem
from scorekeeper.web.http.current import store

pages = Blueprint("health", __name__)
FRESH = 1.0  # seconds that a good result is used again, as each check takes the lock of writers


@pages.get("/healthz")
def healthz() -> Response:
    """Answer 200 and which database has the games if they can be saved, else 503 with the reason.

    The lines after the first are `database: sqlite`, or `database: postgresql, primary` with a line
    such as `standby walreceiver: 0 bytes behind` for each standby.
    """
    problem = health = ""
    if store().file_check.sentence:  # not shown, as it names files and anybody may ask here
        problem = _("The database is damaged, so nothing is saved. See the log for what to do.")
    else:
        problem, health = _health()
    answer = Response(f"{problem or health}\n", 503 if problem else 200)
    answer.content_type = "text/plain; charset=utf-8"
    return answer


def _health() -> tuple[str, str]:
    """Return why games cannot be saved, or else the description, which may be a moment old."""
    extensions = current_app.extensions
    until, health = extensions.get("healthy", (0.0, ""))
    if time.monotonic() < until:
        return "", health
    if problem := storage_problem(store()):
        return problem, ""
    health = _described(database_state(store()))
    extensions["healthy"] = time.monotonic() + FRESH, health
    return "", health


def _described(database: DatabaseState) -> str:
    role = ", primary" if database.kind == "postgresql" else ""
    behind = [f"standby {name}: {size} bytes behind" for name, size in database.standbys]
    return "\n".join(["ok", f"database: {database.kind}{role}", *behind])
