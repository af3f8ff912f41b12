"""What people and programs send: read strictly, kept as typed, turned into values of the rules."""

import re
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, parse_bid

MOST_SEATS = 5
BLANKS = " \t\u00a0"


class Malformed(ValueError):
    """A form that no page of ours sends; the message says what is wrong with it."""


def whole_number(form: "MultiDict[str, str]", name: str, most_digits: int = 2) -> int:
    """Return a field that holds ASCII digits. Raises `Malformed` for all else."""
    text = form.get(name, "").strip(BLANKS)
    if not re.fullmatch(rf"[0-9]{{1,{most_digits}}}", text, re.ASCII):
        raise Malformed(
            _("“{name}” must be a whole number: {text} is none.").format(
                name=name, text=quoted(text)
            )
        )
    return int(text)


def seat_of(form: "MultiDict[str, str]", players: int) -> int:
    """Return the seat a form speaks of, from 0. Raises `Malformed` for a seat nobody sits on."""
    seat = whole_number(form, "seat")
    if not 1 <= seat <= players:
        raise Malformed(
            _("There is no seat {n} at this table: seats are 1 to {players}.").format(
                n=seat, players=players
            )
        )
    return seat - 1


class Seen(NamedTuple):
    """The state of a game that a page showed: its version, and the start of its journal's hash."""

    version: int
    hash: str


def seen_of(text: str) -> Seen:
    """Return the state that a revision such as `40-9f86d081884c` names; the hash may be missing.

    Raises `Malformed` where the version is no number.
    """
    version, _dash, hash_ = text.partition("-")
    form = MultiDict([("version", version)])
    return Seen(whole_number(form, "version", most_digits=9), hash_)


def version_of(form: "MultiDict[str, str]") -> int:
    """Return the version of the game that the form was drawn from."""
    return whole_number(form, "version", most_digits=9)


def bid_of(text: str) -> Bid:
    """Return the bid in a field. Raises `Malformed` for all that is none."""
    try:
        return parse_bid(text.strip(BLANKS))
    except ValueError:
        raise Malformed(
            _("{text} is no bid: bid a number or Nil.").format(text=quoted(text))
        ) from None


def quoted(text: str) -> str:
    return f"“{text[:20]}…”" if len(text) > 20 else f"“{text}”"
