"""What pages of a club night ask for: the evening, and what an act of a director is answered."""

from collections.abc import Callable

from flask import abort, redirect, request, url_for

from scorekeeper.clock import now
from scorekeeper.club.events import Event
from scorekeeper.club.night import NightRefused
from scorekeeper.i18n import gettext as _
from scorekeeper.store.club import (
    UNREADABLE,
    ClubNight,
    NightConflict,
    has_happened,
    load_night,
    record,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.journal import Who
from scorekeeper.web.club.words import refusal
from scorekeeper.web.http.forms import whole_number
from scorekeeper.web.http.requests import Answer, database, require_phone, store

Do = Callable[[Database, ClubNight, Event, Who, int], ClubNight]  # at the version seen
Show = Callable[[ClubNight, str], str]  # the page again, with a sentence above it


def find_night_or_404(night_id: str, db: Database | None = None) -> ClubNight:
    """Return an evening of the table of this phone, or answer 404; 503 where it is damaged."""
    try:
        return load_night(db or database(), require_phone().table_id, night_id) or abort(404)
    except UNREADABLE:
        abort(503, _("This evening can’t be read: its data is damaged. Its games are fine."))


def act(night_id: str, decide: Callable[[ClubNight], Event], show: Show, do: Do = record) -> Answer:
    """Let happen what is decided and go to the desk, or show a page with what stands against it.

    What a second tap asks for, or another director, is not done twice.
    """
    phone, seen = require_phone(), whole_number(request.form, "version", 9)
    try:
        with store().write(phone.table_id) as db:
            club = find_night_or_404(night_id, db)
            happens = decide(club)
            if not has_happened(club, happens, seen):
                do(db, club, happens, Who(phone.id, now()), seen)
    except NightConflict as conflict:
        sentence = _("Another phone has changed this evening. Check it, then tap again.")
        return show(conflict.club, sentence), 409
    except NightRefused as refused:
        return show(find_night_or_404(night_id), refusal(refused)), 422
    return redirect(url_for("club.desk", night_id=night_id), 303)
