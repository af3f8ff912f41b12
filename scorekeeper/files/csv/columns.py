"""The columns of a CSV file: how each is written, and how its cells are read."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from scorekeeper.files.csv.formulas import escape_formula, unescape_formula
from scorekeeper.files.csv.sheet import SeatRow
from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import normalize_name
from scorekeeper.rules.bidding import Bid, parse_bid

BLANKS = " \t\u00a0"


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
        if self.line is None:
            return self.message
        return _("line {line}: {message}").format(line=self.line, message=self.message)


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


class Column(NamedTuple):
    """How a column is written, and how a cell of it is read.

    `read` returns None, or raises `ValueError` with a sentence, for a cell that makes no sense.
    A file must have the columns that are `required`; the others may be missing.
    """

    write: Callable[[SeatRow], object]
    read: Callable[[str], Any] = _text
    required: bool = False


# All columns, in the order in which they are written.
COLUMNS: Mapping[str, Column] = {
    "game": Column(lambda row: escape_formula(row.sheet.game), unescape_formula),
    "started": Column(lambda row: row.sheet.started),
    "rules": Column(lambda row: row.sheet.base.key),
    "house_rules": Column(lambda row: row.sheet.house_rules),
    "round": Column(lambda row: row.round.number, partial(whole_number, digits=9), required=True),
    "dealer": Column(lambda row: row.round.dealer + 1, whole_number),
    "seat": Column(lambda row: row.seat + 1, whole_number),
    "player": Column(lambda row: escape_formula(row.player), _name, required=True),
    "side": Column(lambda row: row.side + 1),
    "bid": Column(lambda row: row.bid, _bid, required=True),
    "tricks": Column(lambda row: row.tricks, whole_number, required=True),
    "nil_points": Column(lambda row: row.score.nil_points),
    "contract_points": Column(lambda row: row.score.contract_points),
    "overtrick_points": Column(lambda row: row.score.overtrick_points),
    "bag_penalty": Column(lambda row: row.score.bag_penalty),
    "penalty_points": Column(lambda row: row.score.penalty_points),
    "points": Column(lambda row: row.score.points),
    "bags": Column(lambda row: row.round.after.bags[row.side]),
    "total": Column(lambda row: row.total),
    "outcome": Column(lambda row: row.outcome),
    "notes": Column(lambda row: row.notes),
}
REQUIRED = tuple(name for name, column in COLUMNS.items() if column.required)
