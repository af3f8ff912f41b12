"""The search form of the history."""

from datetime import date, datetime, time, timedelta
from typing import Any

from sqlite_utils import Database
from werkzeug.datastructures import MultiDict
from wtforms import Field, ValidationError

from scorekeeper.clock import stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.history import END, Search
from scorekeeper.store.stats.players import players_called
from scorekeeper.web.http.form_fields import Form, TextField

LONGEST = 200  # characters of a field
MOST_MATCHES = 10  # players whom one part of a name can mean
MOST_NAMES = 5  # names in one field


def _trim(text: str) -> str:
    return text.strip()[:LONGEST]


class SearchForm(Form):
    """What is searched for in the history of a table, sent by GET."""

    player = TextField(filters=[_trim])
    winner = TextField(filters=[_trim])
    rules = TextField(filters=[_trim])
    since = TextField(name="from", filters=[_trim])
    until = TextField(name="to", filters=[_trim])

    def __init__(self, formdata: "MultiDict[str, str]", db: Database, table_id: str) -> None:
        super().__init__(formdata)
        self._db, self._table_id = db, table_id
        self.search = Search()

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and set `search` once they are right."""
        if not super().validate(extra_validators):
            return False
        first, last = _day(self.since.data), _day(self.until.data)
        self.search = Search(
            players=tuple(self._players(self.player.data)),
            winners=[one for group in self._players(self.winner.data) for one in group] or None,
            rules=self.rules.data,
            since=_midnight(first) if first else "",
            until=_midnight(last + timedelta(days=1)) if last else END,
        )
        return True

    def validate_player(self, field: Field) -> None:
        """Refuse a name that nobody has, or too many."""
        self._players(field.data)

    def validate_winner(self, field: Field) -> None:
        """Refuse a name that nobody has, or too many."""
        self._players(field.data)

    def validate_rules(self, field: Field) -> None:
        """Refuse an unknown rule book."""
        if field.data not in ("", *PRESETS):
            raise ValidationError(_("There is no such rule book: choose one of these."))

    def validate_since(self, field: Field) -> None:
        """Refuse anything but a day."""
        _day(field.data)

    def validate_until(self, field: Field) -> None:
        """Refuse anything but a day, and one before the first."""
        last = _day(field.data)
        first = None if self.since.errors else _day(self.since.data)
        if first and last and first > last:
            raise ValidationError(_("This day is before the first one."))

    @property
    def filters(self) -> dict[str, str]:
        """The fields that are not empty, for the address of the next page."""
        return {field.name: field.data for field in self if field.data}

    @property
    def is_malformed(self) -> bool:
        """Whether more is wrong than names that fit nobody or too many."""
        return not self.errors.keys() <= {"player", "winner"}

    @property
    def in_detail(self) -> bool:
        """Whether other fields than that of the player are used."""
        return not self.filters.keys() <= {"player"}

    def _players(self, text: str) -> list[list[int]]:
        """Return the ids of the players that each name, between commas, can mean.

        Raises `ValidationError` for a name that fits nobody or too many players.
        """
        names = [name.strip() for name in text.split(",") if name.strip()]
        if len(names) > MOST_NAMES:
            raise ValidationError(_("Give at most {most} names.").format(most=MOST_NAMES))
        groups = []
        for name in names:
            found = players_called(self._db, self._table_id, name, MOST_MATCHES + 1)
            if not found:
                raise ValidationError(_("Nobody at this table is called so."))
            if len(found) > MOST_MATCHES:
                raise ValidationError(_("Many players are called so: type more of the name."))
            groups.append([player.id for player in found])
        return groups


def _day(text: str) -> date | None:
    """Return a day from 1970 to 2999, or None for no text. Raises `ValidationError` for others."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        day = date.min
    if day and not 1970 <= day.year <= 2999:
        raise ValidationError(_("Write a day as 2026-01-31."))
    return day


def _midnight(day: date) -> str:
    """Return when a day begins in the time zone of this computer, as games store it."""
    return stamp(datetime.combine(day, time()).astimezone())
