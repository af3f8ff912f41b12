"""What others see of a club night: who sits where, what was played, and who is ahead."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from flask import abort, make_response, render_template, request

from scorekeeper.clock import now
from scorekeeper.club.events import SINGLES
from scorekeeper.club.games import names_at
from scorekeeper.club.match import Match, Seating
from scorekeeper.club.next_match import bracket_of, planned
from scorekeeper.club.night import Night, missing_games, standings_of
from scorekeeper.club.standings import Row
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.sentence import N_
from scorekeeper.store.club import UNREADABLE, ClubNight
from scorekeeper.store.club_games import TableNow, tables_now
from scorekeeper.store.club_links import Where, night_of_link
from scorekeeper.store.games import LRUCache
from scorekeeper.web.club import words
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import database, error_page, secret

SEATS = (N_("North"), N_("East"), N_("South"), N_("West"))


def night_by_link(night_id: str, where: Where, key: str) -> ClubNight:
    """Return the evening whose link has a key, or answer 404 and count the key."""
    with suppress(*UNREADABLE):
        if club := night_of_link(database(), night_id, where, key, secret()):
            return club
    rate_limits.wrong_key()
    sentence = _("Ask the director for a new one.")
    abort(make_response(error_page(404, sentence, _("This link no longer works"))))


def page(template: str, club: ClubNight, **values: Any) -> str:
    """Render a page of an evening; with `part=1` only what changes in it."""
    night = club.night
    values.setdefault("match", night.matches[-1] if night.matches else None)
    return render_template(
        f"club/{'_' * (request.args.get('part') == '1')}{template}.html",
        club=club,
        night=night,
        planned=planned(night),
        closed=night.matches[: closed_in(night)],
        is_single=night.plan.format in SINGLES,
        now=now(),
        seat_name=seat_name,
        alphabetical=alphabetical,
        prizes=prizes_of(club),
        by_points=by_points,
        words=words,
        **values,
    )


class Seat(NamedTuple):
    """Where a player sits in a match: at no `number` who sits out, on no `seat` who waits."""

    name: str
    entry: int
    who: int  # of the names of the entry
    number: int | None
    seat: int | None


def seats_of(night: Night, match: Match | None) -> list[Seat]:
    """Return where everybody sits in a match, by name; without one, everybody who is here."""
    match = match or Match(0, Seating((), tuple(night.present)))
    places = [
        (entry, number)
        for number in match.numbers
        for side in match.seating.tables[number - 1]
        for entry in side
    ]
    found = []
    for entry, number in [*places, *((one, None) for one in match.seating.byes)]:
        seated = names_at(night, match, number) if number else ()
        for who, name in enumerate(night.entries[entry].names):
            seat = seated.index(name) if name in seated else None
            found.append(Seat(name, entry, who, number, seat))
    return sorted(found, key=lambda one: alphabetical(one.name))


def seat_name(seat: int) -> str:
    """Return the side of a table on which a seat is."""
    return translate(SEATS[seat])


def alphabetical(name: str) -> str:
    """Return the key that sorts names, letters with accents among those without."""
    signs = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in signs if not unicodedata.combining(sign))


class Line(NamedTuple):
    """A place in the standings, and the places gained by the last closed match."""

    row: Row
    gained: int


_lines: LRUCache[tuple[Any, ...], list[Line]] = LRUCache(20)


def lines_of(club: ClubNight) -> list[Line]:
    """Return the standings of an evening, which everybody asks for."""
    key = (*club.key, club.version, len(club.lines), club.lines[-1])
    found = _lines.get(key)
    if found is None:
        found = _lines[key] = _counted(club.night)
    return found


def _counted(night: Night) -> list[Line]:
    closed, before = closed_in(night), dict[int, int]()
    if closed > 1:
        earlier = replace(night, matches=night.matches[: closed - 1])
        before = {row.record.entry: row.place for row in standings_of(earlier)}
    rows = standings_of(night)
    return [Line(row, before.get(row.record.entry, row.place) - row.place) for row in rows]


class Prize(NamedTuple):
    """The prizes of a place: those of all who share it, if it is shared."""

    names: Sequence[str]
    is_shared: bool


def prizes_of(club: ClubNight) -> Mapping[int, Prize]:
    """Return the prizes by their places, once an evening is over."""
    prizes = club.night.plan.prizes if club.night.is_over else ()
    places = Counter(line.row.place for line in lines_of(club)) if prizes else {}
    won = {at: Prize(prizes[at - 1 : at - 1 + n], n > 1) for at, n in places.items()}
    return {at: prize for at, prize in won.items() if prize.names}


def by_points(lines: Sequence[Line]) -> bool:
    """Return whether match points say more than the number of wins."""
    both = [(2 * line.row.record.wins, line.row.record.match_points) for line in lines]
    return any(wins != points for wins, points in both) and any(points for _wins, points in both)


def closed_in(night: Night) -> int:
    """Return how many matches of an evening are closed."""
    return sum(match.state == "closed" for match in night.matches)


class Played(NamedTuple):
    """What an entry did in a match: its rank and points, and the points of the only other side.

    Who sat out has no `number`; until there is a result, a table has no ranks and points.
    """

    match: int
    number: int | None = None
    partners: Sequence[int] = ()
    others: Sequence[int] = ()
    own: int | None = None
    theirs: int | None = None
    rank: int | None = None
    is_tied: bool = False


def played_in(night: Night, match: Match) -> Mapping[int, Played]:
    """Return what each entry did in a match, by the results that are known."""
    found = {entry: Played(match.number) for entry in match.seating.byes}
    for number, table in enumerate(match.seating.tables, 1):
        ranks, result = night.ranks(match, number), match.at(number).counted
        for at, side in enumerate(table):
            others = [one for other in table if other != side for one in other]
            for entry in side:
                one = Played(match.number, number, [p for p in side if p != entry], others)
                if result:
                    theirs = result.scores[1 - at] if len(table) == 2 else None
                    one = one._replace(own=result.scores[at], theirs=theirs)
                if ranks:
                    one = one._replace(rank=ranks[at], is_tied=ranks.count(ranks[at]) > 1)
                found[entry] = one
    return found


def live(club: ClubNight, match: Match, only: int | None = None) -> tuple[Match, list[TableNow]]:
    """Return a match with what its games say now, all or that of only one table, and its tables."""
    games = {number: game for number, game in match.games.items() if only in (None, number)}
    tables = tables_now(database(), club, replace(match, games=games))
    return replace(match, reports={one.number: one.reports for one in tables}), tables


def overview(club: ClubNight, back: str, *, is_director: bool = False) -> str:
    """Show the standings with their reasons, results match by match, and the knock-out."""
    night, lines = club.night, lines_of(club) if closed_in(club.night) else []
    return page(
        "results",
        club,
        back=back,
        is_director=is_director,
        missing=missing_games(night) if is_director else 0,
        lines=lines,
        played=[played_in(night, match) for match in night.matches[: closed_in(night)]],
        bracket=bracket_of(night) if night.knock_out and night.knock_out.seeds else [],
    )
