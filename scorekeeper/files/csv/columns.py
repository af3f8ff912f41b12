"""The columns of a CSV file, and how their cells are read."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from scorekeeper.files.csv.formulas import unescape_formula
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits
from scorekeeper.player_names import name_too_long, normalize_name
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
    """Return the number in a cell, or None where it holds anything but `plain_digits`.

    Blanks around it and a fraction of zero are ignored. `int()` would take signs, underscores and
    the digits of every script too.
    """
    text = without_fraction(plain_digits(cell.strip(BLANKS)))
    plain = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if plain else None


def _bid(cell: str) -> Bid | None:
    try:
        return parse_bid(without_fraction(plain_digits(" ".join(cell.lower().split()))))
    except ValueError:
        return None


def _name(cell: str) -> str:
    text = cell.strip(BLANKS)
    # As in `1, "North", 5`: quotation marks behind a blank are a part of the cell for `csv`.
    if cell != text and re.fullmatch('"[^"]+"', text):
        text = text[1:-1]
    return normalize_name(unescape_formula(text))


def _text(cell: str) -> str:
    return cell.strip(BLANKS)


class Column(NamedTuple):
    """How a cell is read, and how many characters it can have.

    `read` returns None, or raises `ValueError` with a sentence, for a cell that makes no sense.
    """

    read: Callable[[str], Any]
    longest: int = 200


# All columns in the order in which they are written.
COLUMNS: Mapping[str, Column] = {
    "game": Column(unescape_formula, longest=1000),
    "started": Column(_text),
    "rules": Column(_text),
    "house_rules": Column(_text, longest=4000),
    "round": Column(partial(whole_number, digits=9)),
    "dealer": Column(whole_number),
    "seat": Column(whole_number),
    "player": Column(_name),
    "side": Column(_text),
    "bid": Column(_bid),
    "tricks": Column(whole_number),
    "nil_points": Column(_text),
    "contract_points": Column(_text),
    "overtrick_points": Column(_text),
    "bag_penalty": Column(_text),
    "penalty_points": Column(_text),
    "points": Column(_text),
    "bags": Column(_text),
    "total": Column(_text),
    "outcome": Column(_text),
    "notes": Column(_text, longest=1000),
    "date": Column(_text),
}
REQUIRED = ("round", "player", "bid", "tricks")  # a file may lack the others


def find_long_cell(cells: Iterable[tuple[str, str]]) -> str | None:
    """Return what is wrong with the first cell that is too long for its column, if there is one."""
    for name, cell in cells:
        if len(cell) <= COLUMNS[name].longest:
            continue
        if name == "player":
            return str(name_too_long(cell))
        sentence = _("“{name}” can have at most {most} characters. This one has {n}.")
        return sentence.format(name=name, most=COLUMNS[name].longest, n=len(cell))
    return None
