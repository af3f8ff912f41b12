"""The rows of a file, one by one or a round at a time, each with the line it starts at."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from scorekeeper.files.csv.columns import COLUMNS, SheetError
from scorekeeper.files.csv.lines import LineTooLong, in_words, line_ends, lines_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext

if TYPE_CHECKING:
    from _csv import Reader

NEEDED = ("round", "player", "bid", "tricks")
ROWS_AT_ONCE = 512
MOST_ROWS = 52  # of one round: a pack has no cards for more players

Places = dict[str, int]  # where each of our columns stands in a row
Cells = tuple[str, ...]  # one below the other
Columns = list[Cells]
Stays = list[tuple[int, Cells]]  # the columns that no round of a game may change


class Group(NamedTuple):
    """The rows of one round of one game, which stand together, and the line each starts at.

    The same cells stand in `rows` and, column by column, in `columns`.
    """

    lines: Sequence[int]
    rows: Sequence[list[str]]
    columns: Columns


class Rows:
    """A file whose header has been read; `at` says where each of our columns stands.

    Columns may come in any order, in upper or lower case, and among others, which are ignored.
    Cells are separated by commas, semicolons or tabs. Raises `SheetError` for a file that is not
    text, is empty, or lacks a column that is needed, and later for a row that cannot be read.
    """

    def __init__(self, source: BinaryIO):
        self._waiting: list[list[str]] = []
        self._columns: Columns | None = None  # of the rows that wait, where they are tidy
        self._next = 0  # among the rows that wait
        self._line = 1  # where the next row starts
        self._fault: SheetError | None = None  # behind the rows that wait
        self._width = self._players = 0  # of the header, of the last round
        self._reader = _csv_rows(source)
        header = self._next_row()
        if header is None:
            raise SheetError(1, _("The file is empty: its first line has to name the columns."))
        self.at = _places(header, self._line)
        self._at_round, self._at_game = self.at["round"], self.at.get("game", self.at["round"])
        self._take(header)
        self._width = len(header)

    def regular(self, number: int, players: int, stays: Stays) -> Iterator[tuple[Cells, Cells]]:
        """Yield the cells of bids and of tricks of each round from `number` on, while it is tidy.

        A file is long because a program wrote it, so nearly every round has the same players in
        the same order, one line each, and its columns can be compared as a whole. At the first
        round where this fails, or where the columns in `stays` change, `group` has to go on.
        """
        while self._next + players < len(self._waiting) or self._read():
            if self._columns is None:
                return
            names = ("round", "bid", "tricks")
            rounds, bids, tricks = [self._columns[self.at[name]] for name in names]
            same = [(self._columns[at], cells) for at, cells in stays]
            for start in range(self._next, len(self._waiting) - players, players):
                end, cell = start + players, str(number)
                if rounds[start:end] != (cell,) * players or rounds[end] == cell:
                    return
                for column, cells in same:
                    if column[start:end] != cells:
                        return
                self._next, self._line = end, self._line + players
                yield bids[start:end], tricks[start:end]
                number += 1

    def latest(self, players: int) -> Group:
        """Return the rows of the round that `regular` yielded last."""
        start, end = self._next - players, self._next
        columns = [column[start:end] for column in self._columns or ()]
        return Group(range(self._line - players, self._line), self._waiting[start:end], columns)

    def group(self) -> Group | None:
        """Return the rows of the next round, as long as they stand together; None at the end.

        Rows without a word in them are passed over.
        """
        group = self._group_like_the_last() or self._group_row_by_row()
        self._players = len(group.rows)
        return group if group.rows else None

    def _group_like_the_last(self) -> Group | None:
        """Return the next round at once, where it is tidy and has as many rows as the last one."""
        players, start = self._players, self._next
        end = start + players
        if self._columns is None or end >= len(self._waiting) or not players:
            return None
        rounds, games = self._columns[self._at_round], self._columns[self._at_game]
        number, game = rounds[start], games[start]
        if rounds[start:end] != (number,) * players or games[start:end] != (game,) * players:
            return None
        beyond = rounds[end].strip()
        if not beyond or (games[end] == game and _plain(beyond) == _plain(number)):
            return None
        self._next, self._line = end, self._line + players
        return self.latest(players)

    def _group_row_by_row(self) -> Group:
        lines: list[int] = []
        rows: list[list[str]] = []
        while row := self._row_beyond(rows):
            if rows and (len(rows) == MOST_ROWS or not self._is_same_round(row, rows[0])):
                break
            lines.append(self._line)
            rows.append(row)
            self._take(row)
        return Group(lines, rows, list(zip(*rows, strict=True)))

    def _row_beyond(self, rows: list[list[str]]) -> list[str] | None:
        """Return the next row, None where it cannot be read but a round is complete before it."""
        try:
            return self._next_row()
        except SheetError:
            if rows and len(rows) == self._players:
                return None
            raise

    def _is_same_round(self, row: list[str], other: list[str]) -> bool:
        return self._round_of(row) == self._round_of(other)

    def _round_of(self, row: list[str]) -> tuple[str, str]:
        """Return the game and the number of a row's round, " 03" being the same as "3"."""
        game = row[self.at["game"]] if "game" in self.at else ""
        return game, _plain(row[self._at_round])

    def _next_row(self) -> list[str] | None:
        """Return the next row that says anything, without taking it; None at the end."""
        while self._next < len(self._waiting) or self._read():
            row = self._waiting[self._next]
            if any(map(str.strip, row)):
                if self._width not in (0, len(row)):
                    raise SheetError(self._line, _wrong_width(len(row), self._width))
                return row
            self._take(row)
        return None

    def _take(self, row: list[str]) -> None:
        self._next += 1
        self._line += _height(row) if self._columns is None else 1

    def _read(self) -> bool:
        """Let more rows wait; return whether there were any.

        Raises the fault behind the rows that wait once they are all taken.
        """
        rows = self._waiting[self._next :]
        if self._fault and not rows:
            raise self._fault
        if self._fault:
            return False
        still_waiting = len(rows)
        try:
            rows.extend(islice(self._reader, ROWS_AT_ONCE if self._width else 1))
        except (UnicodeDecodeError, LineTooLong) as error:
            self._fault = in_words(error, self._reader.line_num + 1)
        except csv.Error:
            line = self._line + sum(map(_height, rows))
            sentence = _("A quotation mark of this row is missing or out of place.")
            self._fault = SheetError(line, sentence)
        self._waiting, self._next = rows, 0
        self._columns = self._in_columns()
        return len(rows) > still_waiting or (self._fault is not None and self._read())

    def _in_columns(self) -> Columns | None:
        """Return the rows that wait column by column, None unless each has a line of its own."""
        if self._reader.line_num - self._line + 1 != len(self._waiting):
            return None
        try:
            columns = list(zip(*self._waiting, strict=True))
        except ValueError:
            return None
        return columns if len(columns) == self._width else None


def _csv_rows(source: BinaryIO) -> "Reader":
    lines = lines_of(source)
    try:
        first = next(lines, "")
    except (UnicodeDecodeError, LineTooLong) as error:
        raise in_words(error, 1) from error
    separator = max(",;\t", key=first.count)
    return csv.reader(chain([first], lines), delimiter=separator, strict=True)


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


def _plain(number: str) -> str:
    return number.strip().lstrip("0")


def _height(row: Sequence[str]) -> int:
    """Return how many lines a row takes: cells in quotation marks may hold line ends."""
    return 1 + sum(line_ends(cell.encode()) for cell in row)


def _wrong_width(cells: int, width: int) -> str:
    return ngettext(
        "This row has {n} cell, but the header has {width}: a separator is missing or too many.",
        "This row has {n} cells, but the header has {width}: a separator is missing or too many.",
        cells,
    ).format(n=cells, width=width)
