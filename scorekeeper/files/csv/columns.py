"""The columns of a CSV file, and how their cells are read."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from scorekeeper.files.csv.formulas import unescape_formula
from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import normalize_name
from scorekeeper.rules.bidding import Bid, parse_bid

BLANKS = " \t\u00a0"


Tell = Callable[[str], None]  # takes a sentence about a file that is read all the same


def tell_nobody(_sentence: str) -> None:
    """Ignore a sentence about a file."""


def at_line(line: int, message: str) -> str:
    """Return a sentence about a line of a file, beginning with its number."""
    return _("line {line}: {message}").format(line=line, message=message)


class FileError(Exception):
    """A file that was sent and cannot be read.

    `line` is the physical line at fault, counted from 1, or None where no single line is at
    fault; `message` says what is wrong and what to do.
    """

    def __init__(self, line: int | None, message: str):
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return self.message if self.line is None else at_line(self.line, self.message)


class SheetError(FileError):
    """A file that cannot be read as a score sheet."""


def excerpt(text: str, most: int = 40) -> str:
    """Return a text for an error message: shortened, and without control characters."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)


def without_fraction(text: str) -> str:
    """Return a number without the `.0` or `,0` that spreadsheets write behind a whole one."""
    return re.sub(r"(?<=[0-9])[.,]0{1,2}\Z", "", text)


def whole_number(cell: str, digits: int = 2) -> int | None:
    """Return the number in a cell, or None where it holds anything but ASCII digits.

    Blanks around it and a fraction of zero are ignored. `int()` would take signs, underscores and
    foreign digits too.
    """
    text = without_fraction(cell.strip(BLANKS))
    plain = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if plain else None


def _bid(cell: str) -> Bid | None:
    try:
        return parse_bid(without_fraction(" ".join(cell.lower().split())))
    except ValueError:
        return None


def _name(cell: str) -> str:
    return normalize_name(unescape_formula(cell.strip(BLANKS)))


def _text(cell: str) -> str:
    return cell.strip(BLANKS)


# All columns in the order in which they are written, and how a cell of each is read. A reader
# returns None, or raises `ValueError` with a sentence, for a cell that makes no sense.
COLUMNS: Mapping[str, Callable[[str], Any]] = {
    "game": unescape_formula,
    "started": _text,
    "rules": _text,
    "house_rules": _text,
    "round": partial(whole_number, digits=9),
    "dealer": whole_number,
    "seat": whole_number,
    "player": _name,
    "side": _text,
    "bid": _bid,
    "tricks": whole_number,
    "nil_points": _text,
    "contract_points": _text,
    "overtrick_points": _text,
    "bag_penalty": _text,
    "penalty_points": _text,
    "points": _text,
    "bags": _text,
    "total": _text,
    "outcome": _text,
    "notes": _text,
}
REQUIRED = ("round", "player", "bid", "tricks")  # a file may lack the others
