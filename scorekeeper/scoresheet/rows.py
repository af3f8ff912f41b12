"""The rows of a file, one by one or a round at a time, each with the line it starts at."""

import csv
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import BinaryIO, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.scoresheet.cells import COLUMNS, SheetError
from scorekeeper.scoresheet.source import LineTooLong, in_words, line_ends, lines_of

NEEDED = ("round", "player", "bid", "tricks")
MOST_ROWS = 52  # of one round: a pack has no cards for more players

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
        self._line = 1  # of the first row that waits
        self._waiting: list[list[str]] = []
        self._returned: Group | None = None
        self._players = 0  # of the last round
        self._width = 0  # as long as the header is not read
        self._reader = csv.reader(())
        lines = lines_of(source)
        try:
            first = next(lines, "")
        except (UnicodeDecodeError, LineTooLong) as error:
            raise in_words(error, 1) from error
        separator = max(",;\t", key=first.count)
        self._reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
        header = self._next_row()
        if header is None:
            raise SheetError(1, _("The file is empty: its first line has to name the columns."))
        self.at = _places(header, self._line)
        self._width = len(header)
        self._round_of = itemgetter(self.at.get("game", self.at["round"]), self.at["round"])
        self._drop_row()

    def regular(
        self, number: int, players: int, stays: Callable[[Columns], object], cells: object
    ) -> Iterator[tuple[int, Columns]]:
        """Yield rounds from `number` on, each with its first line, while nothing is out of order.

        A file is long because a program wrote it, so nearly every round has the same players in
        the same order, one line each: `stays` of its columns are the same `cells`. Such a round
        is looked at as a whole; `group` takes any other.
        """
        at_round = self.at["round"]
        while columns := self._columns(players):
            if columns[at_round] != (str(number),) * players or stays(columns) != cells:
                return
            line = self._line
            self._waiting.clear()
            self._line += players
            yield line, columns
            number += 1

    def group(self) -> Group | None:
        """Return the rows of the next round, as long as they stand together; None at the end.

        Rows without a word in them are passed over.
        """
        if self._returned:
            group, self._returned = self._returned, None
            return group
        return self._group_like_the_last() or self._group_row_by_row()

    def put_back(self, group: Group) -> None:
        """Let `group` return these rows once more."""
        self._returned = group

    def _group_like_the_last(self) -> Group | None:
        """Return the rows of the next round where they are as many as the last time, else None."""
        players = self._players
        if not players or not self._columns(players + 1):
            return None
        *rows, beyond = self._waiting
        of_rows = [self._round_of(row) for row in rows]
        if of_rows.count(of_rows[0]) != players or not all(of_rows[0]):
            return None
        if not any(beyond) or self._is_same_round(beyond, rows[0]):
            return None
        lines = range(self._line, self._line + players)
        self._waiting[:] = [beyond]
        self._line += players
        return Group(lines, rows)

    def _group_row_by_row(self) -> Group | None:
        lines: list[int] = []
        rows: list[list[str]] = []
        while row := self._next_row():
            if rows and (len(rows) == MOST_ROWS or not self._is_same_round(row, rows[0])):
                break
            lines.append(self._line)
            rows.append(row)
            self._drop_row()
        self._players = len(rows)
        return Group(lines, rows) if rows else None

    def _is_same_round(self, row: list[str], other: list[str]) -> bool:
        cells, other_cells = self._round_of(row), self._round_of(other)
        return cells == other_cells or [*map(str.strip, cells)] == [*map(str.strip, other_cells)]

    def _columns(self, count: int) -> Columns | None:
        """Return the next rows column by column, None unless there are so many, one line each.

        They go on waiting.
        """
        waiting = self._waiting
        self._read(count)
        if len(waiting) != count or self._reader.line_num - self._line + 1 != count:
            return None
        try:
            columns = list(zip(*waiting, strict=True))
        except ValueError:
            return None
        return columns if len(columns) == self._width else None

    def _next_row(self) -> list[str] | None:
        """Return the first row that waits and says anything; None at the end of the file."""
        while self._waiting or self._read(1):
            row = self._waiting[0]
            if any(row):
                if self._width not in (0, len(row)):
                    raise SheetError(self._line, _wrong_width(len(row), self._width))
                return row
            self._drop_row()
        return None

    def _drop_row(self) -> None:
        one_line_each = self._reader.line_num - self._line + 1 == len(self._waiting)
        row = self._waiting.pop(0)
        self._line += 1 if one_line_each else _height(row)

    def _read(self, count: int) -> int:
        """Let so many rows wait, where there are any, and return how many wait then."""
        waiting = self._waiting
        try:
            if len(waiting) < count:
                waiting.extend(islice(self._reader, count - len(waiting)))
        except (UnicodeDecodeError, LineTooLong) as error:
            raise in_words(error, self._reader.line_num + 1) from error
        except csv.Error as error:
            line = self._line + sum(map(_height, waiting))
            sentence = _("A quotation mark of this row is missing or out of place.")
            raise SheetError(line, sentence) from error
        return len(waiting)


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
    return 1 + sum(line_ends(cell.encode()) for cell in row)


def _wrong_width(cells: int, width: int) -> str:
    return ngettext(
        "This row has {n} cell, but the header has {width}: a separator is missing or too many.",
        "This row has {n} cells, but the header has {width}: a separator is missing or too many.",
        cells,
    ).format(n=cells, width=width)
