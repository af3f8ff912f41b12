"""What is looked for in the history, as the address says it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from sqlite_utils import Database

from scorekeeper.clock import stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.history import END, Search
from scorekeeper.store.stats.players import players_called

FIELDS = ("player", "winner", "rules", "from", "to")
LONGEST = 200  # characters of a field
MOST_CALLED_SO = 10  # players whom one part of a name can mean
MOST_NAMES = 5  # names in one field


@dataclass
class Asked:
    """The fields as typed, and what is wrong with them; `search` once they are right."""

    typed: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    search: Search = field(default_factory=Search)

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "Asked":
        """Return what an address asks for, unchecked."""
        return cls({name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS})

    @property
    def filters(self) -> dict[str, str]:
        """The fields that hold something, for the address of the next page."""
        return {name: text for name, text in self.typed.items() if text}

    @property
    def is_malformed(self) -> bool:
        """Whether something else is wrong than a name that nobody has."""
        return any(name not in ("player", "winner") for name in self.errors)

    @property
    def in_detail(self) -> bool:
        """Whether more is asked than for a player."""
        return any(name != "player" for name in self.filters)

    def check(self, db: Database, table_id: str) -> bool:
        """Find the players that are meant and all that is wrong; return whether all is right."""
        players = self._people(db, table_id, "player")
        winners = self._people(db, table_id, "winner")
        if self.typed["rules"] not in ("", *PRESETS):
            self.errors["rules"] = _("There is no such rule book: choose one of these.")
        first, last = self._day("from"), self._day("to")
        if first and last and first > last:
            self.errors["to"] = _("This day is before the first one.")
        self.search = Search(
            players=tuple(players),
            winners=[one for group in winners for one in group] if winners else None,
            rules=self.typed["rules"],
            since=_midnight(first) if first else "",
            until=_midnight(last + timedelta(days=1)) if last else END,
        )
        return not self.errors

    def _people(self, db: Database, table_id: str, name: str) -> list[list[int]]:
        """Return for each name that a field holds, between commas, the players it can mean."""
        texts = [text.strip() for text in self.typed[name].split(",") if text.strip()]
        if len(texts) > MOST_NAMES:
            self.errors[name] = _("Give at most {most} names.").format(most=MOST_NAMES)
            return []
        groups = []
        for text in texts:
            called_so = players_called(db, table_id, text, MOST_CALLED_SO + 1)
            if not called_so:
                self.errors[name] = _("Nobody at this table is called so.")
            if len(called_so) > MOST_CALLED_SO:
                self.errors[name] = _("Many players are called so: type more of the name.")
            groups.append([player.id for player in called_so])
        return groups

    def _day(self, name: str) -> date | None:
        text = self.typed[name]
        try:
            day = date.fromisoformat(text) if text else None
        except ValueError:
            day = date.min
        if day and not 1970 <= day.year <= 2999:
            self.errors[name] = _("Write a day as 2026-01-31.")
            return None
        return day


def _midnight(day: date) -> str:
    """Return when a day begins by this computer's clock, as games store it."""
    return stamp(datetime.combine(day, time()).astimezone())
