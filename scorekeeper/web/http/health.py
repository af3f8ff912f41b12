"""For programs that watch over the server: one word when all is well."""

from flask import Blueprint, Response

from scorekeeper.i18n import gettext as _
from scorekeeper.store.maintenance.health import trouble
from scorekeeper.web.http.current import store

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def healthz() -> Response:
    """Say whether games can be kept just now: 200, or 503 with the reason."""
    if store().file_check.sentence:  # which names files, and here anybody may ask
        wrong = _("The file of games is damaged, so nothing is saved. The log says what to do.")
    else:
        wrong = trouble(store().path)
    answer = Response(f"{wrong or 'ok'}\n", 503 if wrong else 200)
    answer.content_type = "text/plain; charset=utf-8"
    return answer
