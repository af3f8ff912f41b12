"""Pages of a history that is gone: after a backup was restored, open pages show what is not there.

A page names the state that it shows, in the `version` field of its forms and in a header when it
fetches itself. Where the journal has no such line any more, the page is told.
"""

from flask import Response, request
from sqlite_utils import Database

from scorekeeper.i18n import gettext as _
from scorekeeper.store.changes import is_in_history
from scorekeeper.store.games import Game
from scorekeeper.store.journal import UnknownRevision
from scorekeeper.web.http.form_fields import Malformed, seen_of

SEEN = "Scorekeeper-Seen"  # of a request: the revision on the page
RESTORED = "Scorekeeper-Restored"  # of an answer: that revision is gone


def seen_version(db: Database, game: Game) -> int:
    """Return the version of the game that a form was drawn from.

    Raises `UnknownRevision` where it was drawn from a history that is gone.
    """
    seen = seen_of(request.form.get("version", ""))
    if not is_in_history(db, game, *seen):
        raise UnknownRevision(game)
    return seen.version


def is_gone(db: Database, game: Game, revision: str) -> bool:
    """Return whether a revision that somebody saw is gone; one that says nothing is not."""
    try:
        return bool(revision) and not is_in_history(db, game, *seen_of(revision))
    except Malformed:
        return False


def mark_restored(response: Response, db: Database, game: Game) -> None:
    """Tell a page that fetches itself whether what it showed is gone."""
    if is_gone(db, game, request.headers.get(SEEN, "")):
        response.headers[RESTORED] = "1"


def not_recorded() -> str:
    """Return what a page says whose tap was made on a history that is gone."""
    return _(
        "The server went back to an earlier state, perhaps a backup, so nothing was recorded. "
        "Look, then tap again."
    )
