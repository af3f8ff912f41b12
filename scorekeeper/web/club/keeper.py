"""Slips of a club night: how a phone comes to keep score at one table, and what it sees there."""

from contextlib import suppress

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.club.games import names_at
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import UNREADABLE, ClubNight, load_night
from scorekeeper.store.club_links import (
    Where,
    end_slip,
    join_as_keeper,
    keeps_at,
    link_key,
    night_of_link,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.web.club.nights import find_night_or_404
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import (
    KEEPERS,
    Answer,
    database,
    error_page,
    keep_score,
    require_phone,
    secret,
    store,
    this_phone,
)

pages = Blueprint("club_keeper", __name__, url_prefix="/club")
SLIP = "/<night_id>/tables/<int:number>/<key>"


@pages.get("/tonight")
def tonight() -> Response:
    """Go to the table where this phone keeps score, or home where there is none any more."""
    for table_id, night_id, number in keeps_at(database(), session.get(KEEPERS, [])):
        with suppress(*UNREADABLE):
            club = load_night(database(), table_id, night_id)
            if club and not club.night.is_over:
                return redirect(slip_path(club, number), 303)
    session.pop(KEEPERS, None)
    return redirect(url_for("table.home"), 303)


def slip_path(club: ClubNight, number: int) -> str:
    """Return the path of the slip of a table number."""
    key = link_key(club, ("slip", number), secret())
    return url_for("club_keeper.slip", night_id=club.id, number=number, key=key)


@pages.get(SLIP)
def slip(night_id: str, number: int, key: str) -> Answer:
    """Say what a slip is for; lead a phone that keeps score there to the game that is played."""
    club = linked(night_id, ("slip", number), key)
    if club is None:
        return _ended()
    match = club.night.matches[-1] if club.night.matches else None
    game_id = match.games.get(number) if match and match.state == "running" else None
    game = load_game(database(), club.table_id, game_id) if game_id else None
    keeps = _keeps(club, number)
    if game and keeps and game.state.phase != "over":
        return redirect(url_for("game.show", game_id=game.id), 303)
    names = names_at(club.night, match, number) if match and number in match.numbers else ()
    return render_template(
        "club/slip.html",
        club=club,
        number=number,
        here=slip_path(club, number),
        match=match,
        game=game,
        keeps=keeps,
        names=names,
    )


@pages.post(SLIP)
def keep(night_id: str, number: int, key: str) -> Answer:
    """Let this phone keep score at a table tonight, which signs it out of nothing."""
    club, label = linked(night_id, ("slip", number), key), _("Table {n}").format(n=number)
    if club and not _keeps(club, number) and not club.night.is_over:
        rate_limits.change(f"{club.table_id} {number}")
        with store().write(club.table_id) as db:
            club = linked(night_id, ("slip", number), key, db)
            if club:
                keep_score(join_as_keeper(db, club, number, label, now()))
    if club is None:
        return _ended()
    return redirect(request.path, 303)


@pages.post("/<night_id>/tables/<int:number>/end")
def end(night_id: str, number: int) -> Answer:
    """End the slip of a table number and the rights of phones that have it, as a director."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        end_slip(db, find_night_or_404(night_id, db), number, Who(phone.id, now()))
    return redirect(url_for("club.desk", night_id=night_id), 303)


def linked(night_id: str, where: Where, key: str, db: Database | None = None) -> ClubNight | None:
    """Return the evening whose link has a key; None where there is none, or it is damaged."""
    try:
        return night_of_link(db or database(), night_id, where, key, secret())
    except UNREADABLE:
        return None


def _keeps(club: ClubNight, number: int) -> bool:
    """Return whether this phone may keep score at a table number; one of the club's table may."""
    phone, keepers = this_phone(), session.get(KEEPERS, [])
    if phone and phone.table_id == club.table_id:
        return True
    return (*club.key, number) in keeps_at(database(), keepers)


def _ended() -> Answer:
    rate_limits.wrong_key()
    return error_page(404, _("Ask the director for a new card."), _("This card has expired"))
