"""What pages of a club night ask for: the evening, and what an act of a director is answered."""

from collections.abc import Callable, Sequence

from flask import abort, current_app, redirect, request, url_for

from scorekeeper.clock import now
from scorekeeper.club.events import Event
from scorekeeper.club.night import NightRefused
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import (
    UNREADABLE,
    ClubNight,
    NightConflict,
    follow,
    has_happened,
    load_night,
    record,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.journal import Who
from scorekeeper.web.club.words import refusal
from scorekeeper.web.http.forms import Malformed, whole_number
from scorekeeper.web.http.requests import Answer, database, require_phone, store

# What shall happen; None of an act that has no events of its own, as an undo.
Decide = Callable[[Database, ClubNight], Sequence[Event] | None]
Do = Callable[[Database, ClubNight, Sequence[Event], Who, int], object]  # at the version seen
Show = Callable[[ClubNight, str], str]  # the page again, with a sentence above it


def find_night_or_404(night_id: str, db: Database | None = None) -> ClubNight:
    """Return an evening of the table of this phone, or answer 404; 503 where it is damaged."""
    try:
        return load_night(db or database(), require_phone().table_id, night_id) or abort(404)
    except UNREADABLE:
        abort(503, _("This evening can’t be read: its data is damaged. Its games are fine."))


def happen(
    db: Database, club: ClubNight, events: Sequence[Event], who: Who, seen: int
) -> ClubNight:
    """Record events as one act, and return the evening after it; see `record`."""
    return follow(db, record(db, club, events[0], who, seen), events[1:], who)


def act(
    night_id: str, decide: Decide, show: Show, do: Do = happen, then: str = "club.desk"
) -> Answer:
    """Let happen what is decided and go to a page, or show one with what stands against it.

    What a second tap asks for, or another director, is not done twice.
    """
    phone = require_phone()
    try:
        seen = whole_number(request.form, "version", 9)
        with store().write(phone.table_id) as db:
            club = find_night_or_404(night_id, db)
            events = decide(db, club)
            if events is None or not has_happened(club, events, seen):
                do(db, club, events or (), Who(phone.id, now()), seen)
    except NightConflict as conflict:
        sentence = _("Another phone has changed this evening. Check it, then tap again.")
        return show(conflict.club, sentence), 409
    except Malformed as wrong:
        abort(400, str(wrong))
    except NightRefused as refused:
        return show(find_night_or_404(night_id), refusal(refused)), 422
    current_app.extensions["last_rounds"].watch([club.key])
    return redirect(url_for(then, night_id=night_id), 303)
