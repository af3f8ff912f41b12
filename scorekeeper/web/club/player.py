"""What players of a club night see by the code of its poster: their seat, results and place."""

from flask import Blueprint, abort, request, session, url_for

from scorekeeper.club.games import names_at
from scorekeeper.free_text import LONGEST, search_key
from scorekeeper.store.club_links import keeps_at
from scorekeeper.web.club.shown import (
    closed_in,
    lines_of,
    live,
    night_by_link,
    overview,
    page,
    played_in,
    seats_of,
)
from scorekeeper.web.http.requests import KEEPERS, database, this_phone

pages = Blueprint("club_player", __name__, url_prefix="/club/<night_id>/players/<key>")
AROUND = 5  # places


@pages.get("")
def find(night_id: str, key: str) -> str:
    """Ask everybody for their name; `name` narrows the list."""
    club = night_by_link(night_id, ("poster", 0), key)
    name = request.args.get("name", "")[:LONGEST]
    people = [one for one in seats_of(club.night, None) if search_key(name) in search_key(one.name)]
    return page("find", club, key=key, name=name, people=people)


@pages.get("/results")
def results(night_id: str, key: str) -> str:
    """Show everybody the standings and the results of closed matches."""
    club = night_by_link(night_id, ("poster", 0), key)
    return overview(club, url_for(".find", night_id=night_id, key=key))


@pages.get("/<int:entry>")
def show(night_id: str, key: str, entry: int) -> str:
    """Show where an entry sits, how its table stands, and what it has played.

    `you` is which of its players looks.
    """
    club = night_by_link(night_id, ("poster", 0), key)
    night, you, phone = club.night, request.args.get("you", type=int), this_phone()
    if entry not in night.entries:
        abort(404)
    match = night.matches[-1] if night.matches else None
    seats = [one for one in seats_of(night, match) if one.entry == entry] if match else []
    number, table = seats[0].number if seats else None, None
    if match and match.state == "running":
        match, tables = live(club, match, number or 0)
        table = tables[number - 1] if number else None
    begun = [*night.begun[:-1], match] if match and match.state == "running" else night.begun
    played = [one for each in begun if (one := played_in(night, each).get(entry))]
    lines = lines_of(club) if closed_in(night) else []
    at = next((n for n, line in enumerate(lines) if line.row.record.entry == entry), 0)
    first = max(0, min(at - AROUND // 2, len(lines) - AROUND))
    return page(
        "player",
        club,
        key=key,
        entry=entry,
        you=you,
        here=url_for(".show", night_id=night_id, key=key, entry=entry, you=you),
        match=match,
        seats=seats,
        number=number,
        names=names_at(night, match, number) if match and number else (),
        table=table,
        keeps=bool(phone and phone.table_id == club.table_id)
        or (*club.key, number) in keeps_at(database(), session.get(KEEPERS, [])),
        played=[one for one in played if one.rank or not one.number],
        lines=lines[first : first + AROUND],
        line=lines[at] if lines else None,
        count=len(lines),
    )
