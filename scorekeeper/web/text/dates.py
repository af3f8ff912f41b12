"""Dates and times in the current language and time zone."""

from datetime import date, datetime

from scorekeeper.clock import local, now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.sentence import N_

DAYS_OF_A_WEEK = 7
MINUTES_OF_A_DAY = 24 * 60
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

WEEKDAYS = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)


def local_date(moment: str) -> date:
    """Return the local date of a stored timestamp."""
    return local(datetime.fromisoformat(moment)).date()


def day(moment: str) -> str:
    """Return the local date of a stored timestamp, formatted."""
    on = local_date(moment)
    return translate(DAYS[on.month - 1].about(day=on.day, year=on.year))


def clock(moment: str) -> str:
    """Return the local time of a stored timestamp, such as `21:05`."""
    return local(datetime.fromisoformat(moment)).strftime("%H:%M")


def when(moment: str) -> str:
    """Return a stored timestamp as people say it: today or yesterday with the time, or the day.

    A day of the last week is said by its name.
    """
    on = local_date(moment)
    days_ago = (local(now()).date() - on).days
    if days_ago == 0:
        return _("Today, {time}").format(time=clock(moment))
    if days_ago == 1:
        return _("Yesterday, {time}").format(time=clock(moment))
    return translate(WEEKDAYS[on.weekday()]) if 1 < days_ago < DAYS_OF_A_WEEK else day(moment)


def minutes_between(start: str, end: str) -> int:
    """Return the minutes between two stored timestamps; 0 where they are not of one evening.

    They are not if the clock was set in between, or if a game was paused for a day.
    """
    length = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    minutes = int(length.total_seconds() / 60 + 0.5)  # as the phone rounds
    return minutes if 0 <= minutes < MINUTES_OF_A_DAY else 0
