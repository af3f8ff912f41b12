"""The current time, its stored form, ISO 8601 in UTC with the offset, and the current time zone."""

from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import tzdata

_zone: ContextVar[ZoneInfo | None] = ContextVar("zone", default=None)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """Return a time as text that sorts by time."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def set_zone(zone: ZoneInfo | None) -> None:
    """Set the time zone of this request or thread; None is that of this computer."""
    _zone.set(zone)


def zone() -> ZoneInfo | None:
    """Return the current time zone; None is that of this computer."""
    return _zone.get()


def local(at: datetime) -> datetime:
    """Return a time in the current time zone."""
    return at.astimezone(zone())


def from_local(at: datetime) -> datetime:
    """Return a time without a zone as one of the current time zone."""
    here = zone()
    return at.replace(tzinfo=here) if here else at.astimezone()


AFTER_MIDNIGHT = timedelta(hours=6)  # which belong to the evening before


def this_evening() -> date:
    """Return the day of this evening in the current time zone."""
    return local(now() - AFTER_MIDNIGHT).date()


def evening_of(moment: str) -> date:
    """Return the day of the evening of a stored time in the current time zone."""
    return local(datetime.fromisoformat(moment) - AFTER_MIDNIGHT).date()


def evening_span(day: date) -> tuple[str, str]:
    """Return when the evening of a day begins and ends, in the stored form: at six the next day."""
    begins = datetime.combine(day, time()) + AFTER_MIDNIGHT
    return stamp(from_local(begins)), stamp(from_local(begins + timedelta(days=1)))


def midnight(day: date) -> str:
    """Return when a day begins in the current time zone, in the stored form."""
    return stamp(from_local(datetime.combine(day, time())))


def midnight_in(zone_name: str | None, day: date, later: int = 0) -> str:
    """Return when a day, or one some days later, begins in a zone; None is this computer's.

    At the ends of the calendar it is before or after every moment.
    """
    zone = find_zone(zone_name)
    with suppress(OverflowError, ValueError):
        begins = datetime.combine(day + timedelta(days=later), time())
        return stamp(begins.replace(tzinfo=zone) if zone else begins.astimezone())
    return "~" if day.year > 2000 else ""


def day_in(zone_name: str | None, moment: str) -> str:
    """Return the day of a stored time in a zone, such as 2026-01-31; None is this computer's.

    It is empty for a text that is no time, as of a game that was damaged.
    """
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(moment).astimezone(find_zone(zone_name)).date().isoformat()
    return ""


def find_zone(name: str | None) -> ZoneInfo | None:
    """Return the time zone with a name such as `Europe/Berlin`, or None where there is none."""
    return ZoneInfo(name) if name in zone_names() else None


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones.

    They are in a file of `tzdata`; to look through the folders of the system, as
    `zoneinfo.available_timezones` does, takes 0.2 s.
    """
    return frozenset(Path(tzdata.__file__).with_name("zones").read_text("ascii").split())
