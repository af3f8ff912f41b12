"""The bytes of a file as rows of cells, each with the line it starts at."""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.scoresheet.cells import BLANKS, COLUMNS, SheetError

NEEDED = ("round", "player", "bid", "tricks")
MOST_ROWS = 52  # of one round: a pack has no cards for more players
LONGEST_LINE = 1 << 20  # bytes
PIECE = 1 << 16  # bytes


Places = dict[str, int]  # where each of our columns stands in a row


class Group(NamedTuple):
    """The rows of one round of one game, which stand together, and the line each starts at."""

    lines: list[int]
    rows: list[list[str]]


class Rows:
    """A file whose header has been read; `at` says where each of our columns stands.

    Columns may come in any order, in upper or lower case, and among others, which are ignored.
    Cells are separated by commas, semicolons or tabs. Raises `SheetError` for a file that is not
    text, is empty, or lacks a column that is needed.
    """

    def __init__(self, source: BinaryIO):
        self._line = 1
        self._reader = csv.reader(())
        lines = io.TextIOWrapper(_Bytes(source), encoding="utf-8-sig", newline="")
        with self._plainly():
            first = next(lines, "")
            separator = max(",;\t", key=first.count)
            self._reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
            header = next(filter(any, self._reader), None)
        if header is None:
            raise SheetError(1, _("The file is empty: its first line has to name the columns."))
        self._line = self._reader.line_num
        self._width = len(header)
        self.at = _places(header, self._line)

    def groups(self) -> Iterator[Group]:
        """Yield the rows of each round, as long as they stand together.

        Rows without a word in them are passed over. Raises `SheetError` for what cannot be read.
        """
        reader, width = self._reader, self._width
        at_round, at_game = self.at["round"], self.at.get("game")
        number = game = None
        lines: list[int] = []
        rows: list[list[str]] = []
        with self._plainly():
            self._line = reader.line_num + 1
            for row in reader:
                line, self._line = self._line, reader.line_num + 1
                if len(row) != width:
                    if any(row):
                        raise SheetError(line, _wrong_width(len(row), width))
                    continue
                this_number = row[at_round].strip(BLANKS)
                this_game = None if at_game is None else row[at_game]
                if this_number != number or this_game != game or len(rows) == MOST_ROWS:
                    if not any(row):
                        continue
                    if rows:
                        yield Group(lines, rows)
                    number, game, lines, rows = this_number, this_game, [], []
                lines.append(line)
                rows.append(row)
        if rows:
            yield Group(lines, rows)

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Say in a sentence what Python's reader finds wrong, and where."""
        try:
            yield
        except UnicodeDecodeError as error:
            before = len(re.findall(rb"\r\n|\r|\n", error.object[: error.start]))
            raise SheetError(self._reader.line_num + 1 + before, _not_text(error)) from error
        except _LineTooLong as error:
            sentence = _("This line has no end. Is this a score sheet, saved as CSV?")
            raise SheetError(self._reader.line_num + 1, sentence) from error
        except csv.Error as error:
            sentence = _("A quotation mark of this row is missing or out of place.")
            raise SheetError(self._line, sentence) from error


def _places(header: list[str], line: int) -> Places:
    names = [name.strip().casefold() for name in header]
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        sentence = _("The column {name} stands here twice: take one of the two away.")
        raise SheetError(line, sentence.format(name=twice[0]))
    if missing := [name for name in NEEDED if name not in names]:
        sentence = ngettext(
            "The column {names} is missing. Needed are {needed}.",
            "The columns {names} are missing. Needed are {needed}.",
            len(missing),
        )
        names_of_columns = {"names": ", ".join(missing), "needed": ", ".join(NEEDED)}
        raise SheetError(line, sentence.format(**names_of_columns))
    return {name: names.index(name) for name in COLUMNS if name in names}


def _wrong_width(cells: int, width: int) -> str:
    return ngettext(
        "This row has {n} cell, but the header has {width}: look for a separator too many or "
        "too few.",
        "This row has {n} cells, but the header has {width}: look for a separator too many or "
        "too few.",
        cells,
    ).format(n=cells, width=width)


def _not_text(error: UnicodeDecodeError) -> str:
    if error.object[error.start : error.start + 1] == b"\0":
        return _("This is no text: it holds a NUL byte. Save the sheet as “CSV UTF-8”.")
    return _("This is not UTF-8. Save the sheet as “CSV UTF-8”.")


class _LineTooLong(ValueError):
    pass


class _Bytes(io.BufferedIOBase):
    """The bytes of a file, stopping at what Python would let pass: a NUL, a line without an end."""

    name = ""  # asked for by whoever wraps it

    def __init__(self, source: BinaryIO):
        self._source = source
        self._since_line_end = 0

    def readable(self) -> bool:
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        try:
            piece = self._source.read(PIECE)
        except OSError as error:
            sentence = _("The file cannot be read: {reason}.")
            raise SheetError(None, sentence.format(reason=error.strerror or error)) from error
        if b"\0" in piece:
            at = piece.index(b"\0")
            raise UnicodeDecodeError("utf-8", piece, at, at + 1, "NUL")
        self._since_line_end += len(piece)
        if b"\n" in piece or b"\r" in piece:
            self._since_line_end = 0
        if self._since_line_end > LONGEST_LINE:
            raise _LineTooLong
        return piece
