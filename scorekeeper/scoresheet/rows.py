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
        header = self._open()
        self._width = len(header)
        self.at = _places(header, self._line - 1)

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
            self._read(players - len(waiting))
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
        while (row := self._next_row()) is not None:
            if rows and (self._name(row) != self._name(rows[0]) or len(rows) == MOST_ROWS):
                break
            lines.append(self._line)
            rows.append(row)
            self._drop_row()
        return Group(lines, rows) if rows else None

    def put_back(self, group: Group) -> None:
        """Let `group` return these rows once more."""
        self._returned = group

    def _open(self) -> list[str]:
        try:
            first = next(self._text, "")
        except (UnicodeDecodeError, _LineTooLong) as error:
            raise self._in_words(error) from error
        separator = max(",;\t", key=first.count)
        lines = chain([first], self._text)
        self._reader = csv.reader(lines, delimiter=separator, strict=True)
        while not self._waiting or not any(self._waiting[0]):
            if self._waiting:
                self._drop_row()
            self._read(1)
            if not self._waiting:
                raise SheetError(
                    1, _("The file is empty: its first line has to name the columns.")
                )
        header = self._waiting[0]
        self._drop_row()
        return header
