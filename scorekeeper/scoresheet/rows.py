"""The bytes of a file as rows of cells, each with the line it starts at."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.scoresheet.cells import BLANKS, COLUMNS, SheetError

NEEDED = ("round", "player", "bid", "tricks")
MOST_ROWS = 52  # of one round: a pack has no cards for more players
LONGEST_LINE = 1 << 20  # bytes
PIECE = 1 << 16  # bytes

Places = dict[str, int]  # where each of our columns stands in a row
Columns = list[tuple[str, ...]]  # the cells of a round, column by column


class Group(NamedTuple):
    """The rows of one round of one game, which stand together, and the line each starts at."""

    lines: Sequence[int]
    rows: Sequence[Sequence[str]]


class Rows:
    """A file whose header has been read; `at` says where each of our columns stands.

    Columns may come in any order, in upper or lower case, and among others, which are ignored.
    Cells are separated by commas, semicolons or tabs. Raises `SheetError` for a file that is not
    text, is empty, or lacks a column that is needed, and later for a row that cannot be read.
    """

    def __init__(self, source: BinaryIO):
        self._text = io.TextIOWrapper(_Bytes(source), encoding="utf-8-sig", newline="")
        self._reader = csv.reader(())
        self._line = 1  # of the first row that waits
        self._waiting: list[list[str]] = []
        self._returned: Group | None = None
        header = self._header()
        self._width = len(header)
        self.at = _places(header, self._line)
        self._drop_row()

    def regular(
        self, number: int, players: int, stays: Callable[[Columns], object], cells: object
    ) -> Iterator[tuple[int, Columns]]:
        """Yield rounds from `number` on, each with its first line, while nothing is out of order.

        A file is long because a program wrote it, so nearly every round has the same players in
        the same order, one line each: `stays` of its columns are the same `cells`. Such a round
        is looked at as a whole; `group` takes any other row by row.
        """
        reader, waiting, at_round = self._reader, self._waiting, self.at["round"]
        while True:
            self._read(max(0, players - len(waiting)))
            if len(waiting) != players or reader.line_num != self._line + players - 1:
                return
            try:
                columns = list(zip(*waiting, strict=True))
            except ValueError:
                return
            if (
                len(columns) != self._width
                or columns[at_round] != (str(number),) * players
                or stays(columns) != cells
            ):
                return
            line = self._line
            self._line += players
            waiting.clear()
            yield line, columns
            number += 1

    def group(self) -> Group | None:
        """Return the rows of the next round, as long as they stand together; None at the end.

        Rows without a word in them are passed over.
        """
        if self._returned:
            group, self._returned = self._returned, None
            return group
        lines: list[int] = []
        rows: list[list[str]] = []
        of_first: tuple[str, str] | None = None
        while (row := self._next_row()) is not None:
            of_row = self._round_of(row)
            if of_first not in (None, of_row) or len(rows) == MOST_ROWS:
                break
            of_first = of_row
            lines.append(self._line)
            rows.append(row)
            self._drop_row()
        return Group(lines, rows) if rows else None

    def put_back(self, group: Group) -> None:
        """Let `group` return these rows once more."""
        self._returned = group

    def _header(self) -> list[str]:
        try:
            first = next(self._text, "")
        except (UnicodeDecodeError, _LineTooLong) as error:
            raise self._in_words(error) from error
        separator = max(",;\t", key=first.count)
        self._reader = csv.reader(chain([first], self._text), delimiter=separator, strict=True)
        while row := self._row():
            if any(row):
                return row
            self._drop_row()
        raise SheetError(1, _("The file is empty: its first line has to name the columns."))

    def _next_row(self) -> list[str] | None:
        """Return the first row that waits and says anything; None at the end of the file."""
        while (row := self._row()) is not None:
            if len(row) != self._width and any(row):
                raise SheetError(self._line, _wrong_width(len(row), self._width))
            if any(row):
                return row
            self._drop_row()
        return None

    def _round_of(self, row: list[str]) -> tuple[str, str]:
        game = row[self.at["game"]] if "game" in self.at else ""
        return game, row[self.at["round"]].strip(BLANKS)

    def _row(self) -> list[str] | None:
        if not self._waiting:
            self._read(1)
        return self._waiting[0] if self._waiting else None

    def _drop_row(self) -> None:
        one_line_each = self._reader.line_num - self._line + 1 == len(self._waiting)
        row = self._waiting.pop(0)
        self._line += 1 if one_line_each else _height(row)

    def _read(self, count: int) -> None:
        try:
            self._waiting.extend(islice(self._reader, count))
        except (csv.Error, UnicodeDecodeError, _LineTooLong) as error:
            raise self._in_words(error) from error

    def _in_words(self, error: Exception) -> SheetError:
        """Return what is wrong with the bytes, and the line: that of the byte, or of the row."""
        line = self._reader.line_num + 1
        if isinstance(error, UnicodeDecodeError):
            return SheetError(line + _line_ends(error.object[: error.start]), _not_text(error))
        if isinstance(error, _LineTooLong):
            return SheetError(line, _("This line has no end. Is this a sheet, saved as CSV?"))
        line = self._line + sum(map(_height, self._waiting))
        return SheetError(line, _("A quotation mark of this row is missing or out of place."))


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
        lists = {"names": ", ".join(missing), "needed": ", ".join(NEEDED)}
        raise SheetError(line, sentence.format(**lists))
    return {name: names.index(name) for name in COLUMNS if name in names}


def _height(row: Sequence[str]) -> int:
    """Return how many lines a row takes: cells in quotation marks may hold line ends."""
    return 1 + sum(_line_ends(cell.encode()) for cell in row)


def _line_ends(text: bytes) -> int:
    return len(re.findall(rb"\r\n|\r|\n", text))


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
