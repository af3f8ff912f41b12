"""Streams of a club night, which tell its desk and its wall that something has changed."""

from flask import Blueprint, Response

from scorekeeper.live import WALL
from scorekeeper.web.club.nights import find_night_or_404
from scorekeeper.web.club.shown import night_by_link
from scorekeeper.web.http.requests import require_phone
from scorekeeper.web.http.streams import club_stream

pages = Blueprint("club_live", __name__, url_prefix="/club")


@pages.get("/<night_id>/events")
def events(night_id: str) -> Response:
    """Tell a desk that something has changed, of all tables at once."""
    return club_stream(find_night_or_404(night_id).table_id, require_phone().id)


@pages.get("/<night_id>/wall/<key>/events")
def wall_events(night_id: str, key: str) -> Response:
    """Tell a wall the same."""
    return club_stream(night_by_link(night_id, ("wall", 0), key).table_id, WALL)
