"""The revision of a game that a page shows, and whether the server still has it.

A page sends it in the `version` field of its forms, and in a header when its script fetches the
page again. It is gone if the journal has no such line any more, as after a restored backup.
"""

from flask import Response, request

from scorekeeper.i18n import gettext as _
from scorekeeper.store.changes import is_in_history
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.journal import UnknownRevision
from scorekeeper.web.http.forms import Malformed, parse_digits

SEEN = "Scorekeeper-Seen"  # request header: the revision on the page
RESTORED = "Scorekeeper-Restored"  # response header: that revision is gone


def seen_version(db: Database, game: Game) -> int:
    """Return the version of the game that the page of a form showed.

    Raises `UnknownRevision` where that revision is gone.
    """
    version, hash_ = _parse(request.form.get("version", ""))
    if not is_in_history(db, game, version, hash_):
        raise UnknownRevision(game)
    return version


def is_gone(db: Database, game: Game, revision: str) -> bool:
    """Return whether a revision is gone; an empty or malformed one is not."""
    try:
        return bool(revision) and not is_in_history(db, game, *_parse(revision))
    except Malformed:
        return False


def mark_restored(response: Response, db: Database, game: Game) -> None:
    """Set a response header where the revision that the page shows is gone."""
    if is_gone(db, game, request.headers.get(SEEN, "")):
        response.headers[RESTORED] = "1"


def not_recorded() -> str:
    """Return the message for a change that was based on a revision that is gone."""
    return _(
        "The server was reset to an earlier state, probably from a backup, so nothing was "
        "saved. Check the game, then tap again."
    )


def _parse(revision: str) -> tuple[int, str]:
    """Return version and hash of a revision such as `40-9f86d081884c`; the hash may be missing.

    Raises `Malformed` where the version is not a number.
    """
    version, _dash, hash_ = revision.partition("-")
    return parse_digits("version", version, most_digits=9), hash_
