"""Dates and times in the current language and the local time zone."""

from datetime import date, datetime, timedelta

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.sentence import N_

# One sentence for each month, so that a translation may write its name or its number.
DAYS = (
    N_("{day} Jan {year}"),
    N_("{day} Feb {year}"),
    N_("{day} Mar {year}"),
    N_("{day} Apr {year}"),
    N_("{day} May {year}"),
    N_("{day} Jun {year}"),
    N_("{day} Jul {year}"),
    N_("{day} Aug {year}"),
    N_("{day} Sept {year}"),
    N_("{day} Oct {year}"),
    N_("{day} Nov {year}"),
    N_("{day} Dec {year}"),
)


def local_date(moment: str) -> date:
    """Return the local date of a stored timestamp."""
    return datetime.fromisoformat(moment).astimezone().date()


def day(moment: str) -> str:
    """Return the local date of a stored timestamp, formatted."""
    on = local_date(moment)
    return translate(DAYS[on.month - 1].about(day=on.day, year=on.year))


def clock(moment: str) -> str:
    """Return the local time of a stored timestamp, such as `21:05`."""
    return datetime.fromisoformat(moment).astimezone().strftime("%H:%M")


def when(moment: str) -> str:
    """Return a stored timestamp as people say it: today or yesterday with the time, or the day."""
    days_ago = now().astimezone().date() - local_date(moment)
    if days_ago == timedelta():
        return _("Today, {time}").format(time=clock(moment))
    if days_ago == timedelta(days=1):
        return _("Yesterday, {time}").format(time=clock(moment))
    return day(moment)


def minutes_between(start: str, end: str) -> int:
    """Return the minutes between two stored timestamps, at least 0."""
    length = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    return max(0, int(length.total_seconds() / 60 + 0.5))  # as the phone rounds
