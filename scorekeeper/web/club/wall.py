"""The screen on the wall of a club night: who sits where, how it stands, and the clock."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, request, url_for

from scorekeeper.live import WALL
from scorekeeper.store.club import ClubNight
from scorekeeper.web.club.shown import closed_in, lines_of, live, night_by_link, page, seats_of
from scorekeeper.web.http.streams import club_stream

pages = Blueprint("club_wall", __name__, url_prefix="/club")
NAMES, TABLES, PLACES = 48, 20, 24  # on a screen


class Screen(NamedTuple):
    """What fits the screen at a time: names, tables or places."""

    kind: str
    rows: Sequence[Any]


@pages.get("/<night_id>/wall/<key>")
def wall(night_id: str, key: str) -> str:
    """Show one screen of an evening, of those that take turns; with `part=1` only what changes."""
    club = night_by_link(night_id, ("wall", 0), key)
    screens = _screens(club)
    count = len(screens)
    at = request.args.get("screen", 0, type=int) % count
    here, following = (
        url_for(".wall", night_id=night_id, key=key, screen=one) for one in (at, (at + 1) % count)
    )
    return page(
        "wall",
        club,
        screen=screens[at],
        at=at,
        count=count,
        here=here,
        following=following,
        events=url_for(".events", night_id=night_id, key=key),
    )


@pages.get("/<night_id>/wall/<key>/events")
def events(night_id: str, key: str) -> Response:
    """Tell a wall each time that something has changed."""
    return club_stream(night_by_link(night_id, ("wall", 0), key).table_id, WALL)


def _screens(club: ClubNight) -> list[Screen]:
    """Return what takes turns: seats until rounds are scored, then tables, and the standings."""
    night, found = club.night, list[Screen]()
    match = night.matches[-1] if night.matches else None
    if match and match.state == "running":
        match, tables = live(club, match)
        if not any(one.is_over or (one.game and one.game.state.rounds) for one in tables):
            found += _split("seats", seats_of(night, match), NAMES)
        found += _split("tables", tables, TABLES)
    elif match is None or match.state == "paired":
        found += _split("seats", seats_of(night, match), NAMES)
    if closed_in(night):
        found += _split("places", lines_of(club), PLACES)
    return found or [Screen("seats", ())]


def _split(kind: str, rows: Sequence[Any], most: int) -> list[Screen]:
    return [Screen(kind, rows[at : at + most]) for at in range(0, len(rows), most)]
