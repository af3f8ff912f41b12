"""Points with their sign, in the order in which they are read on the page."""

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign
from scorekeeper.rules import sentence


def minus(points: int) -> str:
    """Return a total, with its minus in front of it in every language."""
    return isolate_sign(sentence.minus(points))


def signed(points: int) -> str:
    """Return points, with their sign in front of them in every language."""
    return isolate_sign(sentence.signed(points))


def decimal(number: str) -> str:
    """Return a number written with a point as it is written in every language."""
    whole, point, fraction = number.partition(".")
    return _("{whole}.{fraction}").format(whole=whole, fraction=fraction) if point else number
