"""Slips of a club night: how a phone comes to keep score at one table, and what it sees there."""

from contextlib import suppress

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.club.games import names_at
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import UNREADABLE, ClubNight, going_on, load_night
from scorekeeper.store.club_links import (
    Where,
    join_as_keeper,
    keeps_at,
    link_key,
    night_of_link,
)
from scorekeeper.store.games import load_game
from scorekeeper.web.club.shown import night_by_link
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import (
    KEEPERS,
    Answer,
    database,
    keep_score,
    secret,
    store,
    this_phone,
)

pages = Blueprint("club_keeper", __name__, url_prefix="/club")
SLIP = "/<night_id>/tables/<int:number>/<key>"


@pages.get("/tonight")
def tonight() -> Response:
    """Go to the table where this phone keeps score, or home where there is none any more.

    Where it may do so at several tables, as a phone of the club, it is that of the `number` asked.
    """
    asked, phone = request.args.get("number"), this_phone()
    for own in going_on(database(), phone.table_id, now()) if phone else []:
        for number in {one for match in own.night.matches for one in match.numbers}:
            if str(number) == asked:
                return redirect(slip_path(own, number), 303)
    kept = keeps_at(database(), session.get(KEEPERS, []))
    for table_id, night_id, number in sorted(kept, key=lambda at: str(at[2]) != asked):
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
    club = night_by_link(night_id, ("slip", number), key)
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
        has_table=this_phone() is not None,
    )


@pages.post(SLIP)
def keep(night_id: str, number: int, key: str) -> Answer:
    """Let this phone keep score at a table tonight, which signs it out of nothing."""
    where: Where = ("slip", number)
    label = _("Table {n}").format(n=number)
    club = night_by_link(night_id, where, key)
    if not (_keeps(club, number) or club.night.is_over):
        rate_limits.change(f"{club.table_id} {number}")
        with store().write(club.table_id) as db:
            club = night_of_link(db, night_id, where, key, secret()) or abort(404)
            keep_score(join_as_keeper(db, club, number, label, now()))
    return redirect(request.path, 303)


def _keeps(club: ClubNight, number: int) -> bool:
    """Return whether this phone may keep score at a table number; one of the club's table may."""
    phone, keepers = this_phone(), session.get(KEEPERS, [])
    if phone and phone.table_id == club.table_id:
        return True
    return (*club.key, number) in keeps_at(database(), keepers)
