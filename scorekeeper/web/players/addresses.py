"""Players in addresses of pages."""

from flask import abort, redirect, url_for
from werkzeug.wrappers import Response

from scorekeeper.store import players
from scorekeeper.store.players import Player
from scorekeeper.web.http.requests import database, require_phone


def find(player_id: str) -> Player:
    """Return a player of this phone's table or the one they were merged into, or answer 404."""
    if not is_number(player_id):
        abort(404)
    table_id = require_phone().table_id
    now = players.player_now(database(), table_id, int(player_id))
    return players.find_player(database(), table_id, now) or abort(404)


def to_player(player: Player) -> Response:
    """Go to the page of a player."""
    return redirect(url_for("players.show", player_id=player.id), 303)


def is_number(text: str) -> bool:
    """Return whether a text is a number as ids are written."""
    return text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text
