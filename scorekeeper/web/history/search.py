"""The search form of the history."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from wtforms import Field, ValidationError

from scorekeeper.clock import from_local, stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.history import END, Search
from scorekeeper.store.stats.players import names_like, players_called
from scorekeeper.web.http.current import database, require_phone
from scorekeeper.web.http.form_fields import Form, TextField, quoted

COMMA = re.compile("[,،、，]")  # of any language
MAX_MATCHES = 10  # players whom one part of a name can mean
MAX_NAMES = 5  # names in one field
MAX_OFFERED = 3  # names in place of one that nobody has


class PlayersField(TextField):
    """Names, or parts of them, between commas.

    `players` are, once the field is valid, the ids of the players that each name can mean.
    `nearest` are texts for the field in which players stand for a name that nobody has.
    """

    players: list[list[int]]
    nearest: Sequence[str] = ()

    def pre_validate(self, _form: Any) -> None:
        """Find the players. Refuses a name that matches none or too many, and too many names."""
        names = [name.strip() for name in COMMA.split(self.data) if name.strip()]
        table_id = require_phone().table_id
        if len(names) > MAX_NAMES:
            raise ValidationError(_("Enter at most {most} names.").format(most=MAX_NAMES))
        self.players = []
        for name in names:
            found = players_called(database(), table_id, name, MAX_MATCHES + 1)
            if not found:
                others = names_like(database(), table_id, name, MAX_OFFERED)
                self.nearest = [
                    ", ".join(other if one == name else one for one in names) for other in others
                ]
                raise ValidationError(_("No games with {name}.").format(name=quoted(name)))
            if len(found) > MAX_MATCHES:
                raise ValidationError(_("Several players match. Type more of the name."))
            self.players.append([player.id for player in found])


class DayField(TextField):
    """A day such as 2026-01-31, from 1970 to 2999, or nothing; `day` once the field is valid."""

    day: date | None = None

    def pre_validate(self, _form: Any) -> None:
        """Parse the day."""
        try:
            day = date.fromisoformat(self.data) if self.data else None
        except ValueError:
            day = date.min
        if day and not 1970 <= day.year <= 2999:
            raise ValidationError(_("Enter a date like 2026-01-31."))
        self.day = day


class SearchForm(Form):
    """What is searched for in the history of this phone's table, sent by GET."""

    player = PlayersField(filters=[str.strip])
    winner = PlayersField(filters=[str.strip])
    rules = TextField(filters=[str.strip])
    since = DayField(name="from", filters=[str.strip])
    until = DayField(name="to", filters=[str.strip])

    def validate_rules(self, field: Field) -> None:
        """Refuse an unknown rule book."""
        if field.data not in ("", *PRESETS):
            raise ValidationError(_("Unknown rules. Choose from the list."))

    def validate_until(self, field: DayField) -> None:
        """Refuse a day before the first one."""
        if self.since.day and field.day and self.since.day > field.day:
            raise ValidationError(_("The end date is before the start date."))

    @property
    def search(self) -> Search:
        """What to look for, once the form is valid."""
        first, last = self.since.day, self.until.day
        return Search(
            players=tuple(self.player.players),
            winners=[one for group in self.winner.players for one in group] or None,
            rules=self.rules.data,
            since=_midnight(first) if first else "",
            until=_midnight(last + timedelta(days=1)) if last else END,
        )

    @property
    def filters(self) -> dict[str, str]:
        """The fields that are not empty, for the address of the next page."""
        return {field.name: field.data for field in self if field.data}

    @property
    def is_malformed(self) -> bool:
        """Whether anything but the names of players is wrong."""
        return not self.errors.keys() <= {"player", "winner"}

    @property
    def in_detail(self) -> bool:
        """Whether the search has criteria besides players."""
        return not self.filters.keys() <= {"player"}


def _midnight(day: date) -> str:
    """Return when a day begins in the time zone of the reader, as games store it."""
    return stamp(from_local(datetime.combine(day, time())))
