"""Formatting of points and decimals in the current language."""

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign
from scorekeeper.rules import sentence

WIDE = 5  # characters, the minus among them


def minus(points: int, shown_as: str = "points") -> str:
    """Return a total; its minus stays in front in right-to-left languages."""
    return isolate_sign(sentence.minus(points, shown_as))


def signed(points: int, shown_as: str = "points") -> str:
    """Return points with a sign, which stays in front in right-to-left languages."""
    return isolate_sign(sentence.signed(points, shown_as))


def is_wide(points: int, shown_as: str) -> bool:
    """Return whether a total is longer than most, such as `12500` or `−1250`."""
    return len(sentence.minus(points, shown_as)) >= WIDE


def shown(points: int, shown_as: str) -> int | str:
    """Return points for a gap of a sentence, as `minus` does where they are shown in tenths."""
    return points if shown_as == "points" else minus(points, shown_as)


def counted(points: int, shown_as: str) -> int:
    """Return the number that decides the plural of points; a decimal takes that of many."""
    return points if shown_as == "points" else 100


def decimal(number: str) -> str:
    """Return a number with the decimal separator of the current language."""
    whole, point, fraction = number.partition(".")
    return _("{whole}.{fraction}").format(whole=whole, fraction=fraction) if point else number
