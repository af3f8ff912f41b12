"""Formatting of points and decimals in the current language."""

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign
from scorekeeper.rules import sentence


def minus(points: int) -> str:
    """Return a total; its minus stays in front in right-to-left languages."""
    return isolate_sign(sentence.minus(points))


def signed(points: int) -> str:
    """Return points with a sign, which stays in front in right-to-left languages."""
    return isolate_sign(sentence.signed(points))


def decimal(number: str) -> str:
    """Return a number with the decimal separator of the current language."""
    whole, point, fraction = number.partition(".")
    return _("{whole}.{fraction}").format(whole=whole, fraction=fraction) if point else number
