"""Refusal of new tables under load, so that tables that play stay quick.

Streams are refused first, new tables next, and a tap of a table never.
"""

from flask import current_app
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.i18n import gettext as _
from scorekeeper.live import Live
from scorekeeper.web.http.current import store
from scorekeeper.web.http.metrics import count_refused

MAX_WAITING = 16  # writers in the queue, each of which takes some milliseconds
RETRY_SECONDS = 60


class Overloaded(ServiceUnavailable):
    """A new table is refused for now."""


def refuse_under_load() -> None:
    """Raise `Overloaded` where this process has no stream left, or many requests wait to write."""
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    if live.is_full or store().writers_waiting > MAX_WAITING:
        count_refused("new_tables")
        raise Overloaded(
            _("The server is full right now. Try again in a few minutes."),
            retry_after=RETRY_SECONDS,
        )
