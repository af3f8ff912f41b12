"""The desk, where a director runs a club night: its tables, its clock, and what comes next."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from statistics import median
from typing import Literal, NamedTuple

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from markupsafe import Markup

from scorekeeper.clock import now, stamp
from scorekeeper.club import events
from scorekeeper.club.events import Event
from scorekeeper.club.games import rules_of
from scorekeeper.club.match import Clock, Match, Result
from scorekeeper.club.next_match import pair_next, planned
from scorekeeper.club.night import NightRefused
from scorekeeper.club.standings import Penalty
from scorekeeper.free_text import one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import (
    ClubNight,
    delete_night,
    follow,
    night_ids,
    record,
    redo,
    undo,
)
from scorekeeper.store.club_games import (
    TableNow,
    begin_games,
    end_all_in_time,
    heard,
    tables_now,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.database import in_steps
from scorekeeper.store.journal import Who
from scorekeeper.web.club import words
from scorekeeper.web.club.nights import Decide, Do, act, find_night_or_404, happen
from scorekeeper.web.club.shown import by_points, closed_in, lines_of
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import parse_digits, typed_points, whole_number
from scorekeeper.web.http.requests import Answer, database, require_phone, store
from scorekeeper.web.http.streams import club_stream, live
from scorekeeper.web.text.wording import minus, round_line

pages = Blueprint("club", __name__, url_prefix="/club")
AT_TABLE = "/<night_id>/matches/<round:match>/tables/<round:number>"
PENALTIES: Mapping[str, Literal["match", "points"]] = {"match": "match", "points": "points"}
QUIET = timedelta(minutes=4)
BEHIND = 2  # rounds behind the median, which make a table slow
LONGEST_REASON = 100  # characters
MORE = 300  # seconds that a director adds to the clock at once


class Row(NamedTuple):
    """A table as the desk shows it: `sides` with names, total, and whether they lead.

    `kind` is paired, playing, slow, over, or question where two results differ. It `is_quiet` while
    nobody has heard of it for some minutes: no tap has come, and no phone shows its game.
    """

    number: int
    kind: str
    sides: list[tuple[Markup, str, bool]]
    table: TableNow
    quiet: int  # minutes since the last tap
    is_quiet: bool


def rows_of(db: Database, club: ClubNight, match: Match) -> list[Row]:
    """Return the tables of a match as they are now."""
    tables = tables_now(db, club, match)
    played = [len(one.game.state.rounds) if one.game else 0 for one in tables]
    slow = median(played or [0]) - BEHIND
    return [
        _row(club, match, one, is_slow=rounds <= slow)
        for one, rounds in zip(tables, played, strict=True)
    ]


def _row(club: ClubNight, match: Match, table: TableNow, *, is_slow: bool) -> Row:
    game, counted = table.game, table.reports.counted
    totals = counted.scores if counted else game.state.standing.totals if game else ()
    kind = "over" if counted else "slow" if is_slow else "playing"
    if match.state == "paired" or table.reports.status == "question":
        kind = "paired" if match.state == "paired" else "question"
    shown_as = rules_of(club.night.plan).shown_as
    sides = [
        (
            words.joined(
                [n for one in side for n in club.night.entries[one].players(match.number)]
            ),
            minus(totals[at], shown_as) if totals else "",
            any(totals) and totals[at] == max(totals),
        )
        for at, side in enumerate(match.seating.tables[table.number - 1])
    ]
    quiet = now() - datetime.fromisoformat(game.changed) if game else timedelta()
    is_quiet = bool(
        game
        and not counted
        and quiet >= QUIET
        and (club.table_id, game.id) not in live().followed_games
    )
    return Row(table.number, kind, sides, table, int(quiet.total_seconds() // 60), is_quiet)


@pages.get("")
def index() -> Answer:
    """List the evenings of the table, or begin the first."""
    found = [find_night_or_404(one) for one in night_ids(database(), require_phone().table_id)]
    if not found:
        return redirect(url_for("club_setup.plan"), 303)
    return render_template("club/index.html", found=found)


@pages.get("/<night_id>")
def desk(night_id: str) -> str:
    """Show how the evening stands, and what comes next."""
    return _desk(find_night_or_404(night_id))


@pages.get("/<night_id>/events")
def events_of_all(night_id: str) -> Response:
    """Tell a desk each time that something has changed, of all tables at once."""
    return club_stream(find_night_or_404(night_id).table_id, require_phone().id)


def _desk(club: ClubNight, refused: str = "") -> str:
    night = club.night
    match = night.matches[-1] if night.matches else None
    rows = rows_of(database(), club, match) if match and match.state != "closed" else []
    groups = {
        "": rows,
        "slow": [one for one in rows if one.kind == "slow"],
        "quiet": [one for one in rows if one.is_quiet],
        "playing": [one for one in rows if not one.table.is_over],
        "over": [one for one in rows if one.table.is_over],
    }
    return render_template(
        "club/desk.html",
        club=club,
        night=night,
        match=match,
        rows=rows,
        groups=groups,
        only=request.args.get("only", ""),
        now=now(),
        planned=planned(night),
        standings=lines_of(club) if closed_in(night) else [],
        by_points=by_points,
        words=words,
        round_line=round_line,
        refused=refused,
    )


@pages.post("/<night_id>")
def run(night_id: str) -> Answer:
    """Do what a button of the desk says."""
    name, phone = request.form.get("act", ""), require_phone()
    if name not in ACTS:
        abort(400)
    answer = act(night_id, ACTS[name][0], _desk, ACTS[name][1])
    if name in ("start", "last") and not isinstance(answer, tuple):
        club, who = find_night_or_404(night_id), Who(phone.id, now())
        if name == "last":
            end_all_in_time(store(), club, _match(club), who)
        else:
            in_steps(store(), begin_games(database(), club, _number(), who), phone.table_id)
    return answer


def _number() -> int:
    return whole_number(request.form, "match", 4)


def _match(club: ClubNight) -> Match:
    found = [one for one in club.night.matches if one.number == _number()]
    return found[0] if found else abort(404)


def _started(_db: Database, club: ClubNight) -> list[Event]:
    """Return what starts a match: nothing where it runs, though some of its games are to begin."""
    return [] if _match(club).state == "running" else [events.Started(_number())]


def _start(db: Database, club: ClubNight, happens: Sequence[Event], who: Who, seen: int) -> None:
    """Start a match with its clock; its games begin after that, one by one."""
    rate_limits.another_game(db, club.table_id, len(_match(club).numbers))
    club = record(db, club, happens[0], who, seen)
    if minutes := club.night.plan.minutes:
        ends = stamp(who.at + timedelta(minutes=minutes))
        follow(db, club, [events.ClockSet(_number(), ends)], who)


def _and_pair(db: Database, club: ClubNight, happens: Sequence[Event], who: Who, seen: int) -> None:
    """Let something happen, and pair the next match that the evening has."""
    club = happen(db, club, happens, who, seen)
    if club.night.next_number <= planned(club.night):
        with suppress(NightRefused):  # too few are here
            follow(db, club, [pair_next(club.night)], who)


def _clock(_db: Database, club: ClubNight) -> list[Event]:
    match, at, what = _match(club), now(), request.form["act"]
    clock = match.clock or Clock(None)
    left = clock.left_at(at) + (MORE if what == "more" else 0)
    runs = what == "run" or (what == "more" and (clock.ends or match.state == "paired"))
    ends = stamp(at + timedelta(seconds=left)) if runs else None
    return [events.ClockSet(match.number, ends, 0 if ends else left)]


def _heard(db: Database, club: ClubNight) -> list[Event]:
    """Return what games have come to, those too that were corrected after their match."""
    return [happens for match in club.night.begun for happens in heard(db, club, match)]


def _play_off(_db: Database, _club: ClubNight) -> list[Event]:
    # Of two it is the value of a button, of more a field for each place.
    chosen = [text for name, text in request.form.items() if name.startswith("order")]
    order = " ".join(chosen).split()
    return [events.PlayedOff(tuple(parse_digits("order", one, 4) for one in order))]


def _last_round(_db: Database, club: ClubNight) -> list[Event]:
    return [] if _match(club).is_last_round else [events.LastRoundCalled(_number())]


ACTS: Mapping[str, tuple[Decide, Do]] = {
    "pair": (lambda _db, club: [pair_next(club.night)], happen),
    "start": (_started, _start),
    "close": (lambda db, club: [*_heard(db, club), events.Closed(_number())], _and_pair),
    "reopen": (lambda *_now: [events.Reopened(_number())], happen),
    "last": (_last_round, happen),
    "run": (_clock, happen),
    "pause": (_clock, happen),
    "more": (_clock, happen),
    "knock_out": (
        lambda *_now: [events.KnockOutFollows(whole_number(request.form, "best"))],
        _and_pair,
    ),
    "play_off": (_play_off, happen),
    "end": (lambda db, club: [*_heard(db, club), events.Ended()], happen),
    "undo": (lambda *_now: None, lambda db, club, _none, who, seen: undo(db, club, who, seen)),
    "redo": (lambda *_now: None, lambda db, club, _none, who, seen: redo(db, club, who, seen)),
}


@pages.get(AT_TABLE)
def table(night_id: str, match: int, number: int) -> str:
    """Show a table of a match, whose result can be entered and corrected there."""
    return _table_page(find_night_or_404(night_id), match, number)


def _table_page(club: ClubNight, match: int, number: int, refused: str = "") -> str:
    found = [one for one in club.night.matches if one.number == match and number in one.numbers]
    rows = rows_of(database(), club, found[0]) if found else abort(404)
    return render_template(
        "club/table.html",
        club=club,
        night=club.night,
        match=found[0],
        row=rows[number - 1],
        words=words,
        typed=request.form,
        refused=refused,
    )


@pages.post(AT_TABLE)
def correct(night_id: str, match: int, number: int) -> Answer:
    """Record a result by hand, go back to that of the game, or give a penalty."""
    form, club = request.form, find_night_or_404(night_id)

    def show(club: ClubNight, refused: str) -> str:
        return _table_page(club, match, number, refused)

    show(club, "")  # 404 where there is no such table
    shown_as = rules_of(club.night.plan).shown_as
    sides = sorted(name for name in form if name.startswith("points-"))
    names = ["points"] if form.get("what") == "penalty" else sides
    points = [typed_points(one_line(form.get(name, "")), shown_as) for name in names]
    scores = tuple(one for one in points if one is not None)
    if len(scores) != len(points):
        return show(club, _("Points are whole numbers.")), 422

    def decide(db: Database, club: ClubNight) -> list[Event]:
        what, game = form.get("what"), heard(db, club, club.night.matches[match - 1])
        if what == "penalty":
            entry, kind = whole_number(form, "entry", 4), PENALTIES.get(form.get("kind", ""))
            reason = one_line(form.get("reason", ""))[:LONGEST_REASON]
            fine = Penalty(entry, match, kind or abort(400), sum(scores), reason)
            return [events.Penalised(fine)]
        result = None if what == "game" else Result(scores)
        return [*game, events.Reported(match, number, result, by_hand=True)]

    return act(night_id, decide, show)


@pages.route("/<night_id>/removal", methods=["GET", "POST"])
def removal(night_id: str) -> Answer:
    """Ask whether an evening shall be deleted, and delete it."""
    club = find_night_or_404(night_id)
    if request.method != "POST":
        return render_template("club/removal.html", club=club)
    with store().write(club.table_id) as db:
        delete_night(db, club, now())
    flash(_("Evening deleted"))
    return redirect(url_for("table.home"), 303)
