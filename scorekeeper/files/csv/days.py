"""Days and times of a CSV file that were written by hand, without a time zone."""

import re
from datetime import datetime, timedelta

from scorekeeper.clock import from_local
from scorekeeper.files.csv.columns import excerpt
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits

NOON = timedelta(hours=12)  # of a day alone, as noon is on the same day in nearly all time zones
YEARS = range(1900, 2999)
DATE = re.compile(
    r"(?P<first>[0-9]{4}|[0-9]{1,2})(?P<sign>[-/.])(?P<second>[0-9]{1,2})(?P=sign)"
    r"(?P<third>[0-9]{4}|[0-9]{1,2})"
)
TIME = re.compile(
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(:(?P<second>[0-9]{2})([.,][0-9]{1,6})?)?"
    r"( ?(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)


class TwoDays(ValueError):
    """A day that can be read in two ways; the message says both."""


def local_time(text: str) -> str:
    """Return a day or a time in the current time zone as ISO 8601 with its offset.

    Days are 2026-11-24, 24.11.2026, 24/11/2026 or 11/24/2026, alone or before a time. Raises
    `TwoDays` where day and month could be exchanged, and `ValueError` for anything else.
    """
    date, _blank, time = plain_digits(text.replace("T", " ").replace(", ", " ")).partition(" ")
    at = _day(date) + (_since_midnight(time.strip()) if time.strip() else NOON)
    try:
        return from_local(at).isoformat()
    except (OverflowError, OSError) as error:
        raise ValueError(text) from error


def _day(text: str) -> datetime:
    found = DATE.fullmatch(text)
    if not found:
        raise ValueError(text)
    first, second, third = (int(found[name]) for name in ("first", "second", "third"))
    if first in YEARS:
        return datetime(first, second, third)
    if third not in YEARS:
        raise ValueError(text)
    # With points the day comes first wherever days are written so.
    if found["sign"] != "." and first != second and max(first, second) <= 12:
        readings = [f"{third}-{first:02}-{second:02}", f"{third}-{second:02}-{first:02}"]
        sentence = _("“{text}” could be {first} or {second}. Write the one that’s right.")
        values = {"text": excerpt(text), "first": readings[0], "second": readings[1]}
        raise TwoDays(sentence.format(**values))
    day_first = found["sign"] == "." or first > 12
    day, month = (first, second) if day_first else (second, first)
    return datetime(third, month, day)


def _since_midnight(text: str) -> timedelta:
    found = TIME.fullmatch(text)
    if not found:
        raise ValueError(text)
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if half := (found["half"] or "").lower():
        if not 1 <= hour <= 12:
            raise ValueError(text)
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(text)
    return timedelta(hours=hour, minutes=minute, seconds=second)
