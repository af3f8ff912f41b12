"""The rows of a CSV file, round by round, each with the line it starts at."""

import csv
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

from scorekeeper.files.csv_columns import (
    BLANKS,
    COLUMNS,
    Faults,
    SheetError,
    Tell,
    at_line,
    clean,
    excerpt,
    find_long_cell,
)
from scorekeeper.files.csv_header import (
    TITLE_LINES,
    TOTALS,
    Header,
    LineTooLong,
    find_header,
    lines_of,
    named_separator,
    plain,
    positions,
    sheet_error,
)
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext

MAX_ROWS = 52  # of one round: a pack has no cards for more players

# What the program writes into columns that it does not read.
SCORES = (
    *("nil_points", "contract_points", "overtrick_points", "bag_penalty"),
    *("penalty_points", "points", "bags", "total"),
)
SCORE = re.compile(r"([-\N{MINUS SIGN}]?[0-9]+([.,]0+)?)?")
OUTCOMES = ("", "won", "lost")


class Row(NamedTuple):
    """A row: the line it starts at, and its cells by the names of their columns."""

    line: int
    cells: dict[str, str]

    def cell(self, name: str) -> str:
        """Return the text of a cell, empty where the file does not have the column."""
        return self.cells.get(name, "")

    @property
    def notes(self) -> list[str]:
        """The notes of a row, without those that are empty."""
        cell = self.cell("notes")
        return [note for part in cell.split(";") if (note := part.strip(BLANKS))] if cell else []

    def read(self, name: str) -> Any:
        """Return what a cell means; see `COLUMNS`."""
        return _read_cell(name, self.cells.get(name, ""))


@lru_cache(maxsize=4096)  # the same few texts in every round: a sheet is read in half the time
def _read_cell(name: str, cell: str) -> Any:
    return COLUMNS[name].read(cell)


RoundRows = list[Row]  # the rows of one round of one game, never empty
SeatRows = dict[int, Row]  # the same by seats, in their order, without seats that are empty


def read_rounds(source: BinaryIO, tell: Tell, faults: Faults) -> Iterator[RoundRows]:
    """Read the header, and return an iterator of the rows of each round that stand together.

    Columns may come in any order, in upper or lower case, and among others, which are ignored.
    Cells are separated by commas, semicolons or tabs, or as a line `sep=;` above the header says;
    empty rows are skipped, and empty cells at the end of a row may be missing or too many. Raises
    `SheetError` for a file that is not text, is empty, or lacks a column that is required, and
    later for a row that cannot be read; one of which the next row is known is added to `faults`.
    """
    rows = _rows_with_lines(source, tell)
    line, header = next(rows, (1, None))
    if header is None:
        raise SheetError(1, _("The file is empty. The first line must name the columns."))
    places = positions(header, line, tell)
    return _grouped(_by_round(_named_cells(rows, _RowReader(places, header, tell), faults), tell))


def _grouped(rows: Iterator[Row]) -> Iterator[RoundRows]:
    group: RoundRows = []
    key = None
    players = 0  # of the round before
    while True:
        try:
            row = next(rows, None)
        except SheetError:
            # What is wrong in a complete round comes before what is wrong below it.
            if group and len(group) == players:
                yield group
            raise
        key_of_row = row and _round_key(row)
        if row and key_of_row == key and len(group) < MAX_ROWS:
            group.append(row)
            continue
        if group:
            players = len(group)
            yield group
        if row is None:
            return
        group, key = [row], key_of_row


def _round_key(row: Row) -> tuple[str, int | str]:
    """Return the game and the number of a row's round, " 03" and "3.0" being the same as "3"."""
    return row.cell("game"), row.read("round") or row.cell("round").strip()


def _named_cells(
    rows: Iterator[tuple[int, list[str]]], reader: "_RowReader", faults: Faults
) -> Iterator[Row]:
    for line, cells in rows:
        try:
            row = reader.row(line, cells)
        except SheetError as error:
            faults.add(error, reader.game_of(cells))
            continue
        if row:
            yield row


class _RowReader:
    """Reads rows below a header, whose columns stand in `places`."""

    def __init__(self, places: dict[str, int], header: list[str], tell: Tell):
        self._places, self._header, self._tell = places, header, tell
        # A row with fewer is cut in another way.
        self._needed = max(places["round"], places["player"]) + 1
        self._merged = _MergedCells(tell)
        self._left = MAX_ROWS  # rows that may still be skipped: no sheet has more than others

    def game_of(self, cells: list[str]) -> str:
        """Return the name of the game in a row that may be wrong."""
        at = self._places.get("game", len(cells))
        return clean("game", cells[at]) if at < len(cells) else ""

    def row(self, line: int, cells: list[str]) -> Row | None:
        """Return a row, or None where it is skipped, which is told; raises `SheetError`."""
        count, width = len(cells), len(self._header)
        if count != width:
            cells = _of_width(cells, width, line)
        row = Row(line, {name: cells[at] for name, at in self._places.items()})
        if wrong := find_long_cell(row.cells.items()):
            raise SheetError(line, wrong)
        for name, cell in row.cells.items():
            if not (cell.isascii() and cell.isalnum()):  # as most are, of which nothing is cleaned
                row.cells[name] = clean(name, cell)
        if row.read("round") is None:
            if self._left and (cells == self._header or is_total(row)):
                self._left -= 1
                filled = (cell.strip(BLANKS) for cell in cells)
                self._tell(_skipped(line, next(filter(None, filled))))
                return None
            if row.cell("round").strip(BLANKS):
                raise no_round(row)
        if count < self._needed or (count != width and _is_shifted(row)):
            raise SheetError(line, _wrong_width(count, width))
        self._merged.fill(row)
        self._left += 1
        return row


def no_round(row: Row) -> SheetError:
    """Return the error of a row that has no number of a round."""
    sentence = _("“{cell}” isn’t a round. Number rounds 1, 2, 3 and so on.")
    return SheetError(row.line, sentence.format(cell=excerpt(row.cell("round"))))


def is_total(row: Row) -> bool:
    """Return whether a row without the number of a round holds totals."""
    return any(plain(row.cell(name)) in TOTALS for name in ("game", "round", "seat", "player"))


class _MergedCells:
    """Fills in the cells that a spreadsheet leaves empty below one that is merged with them.

    A round without a number is that of the row above. A game without a name is that of the row
    above where only its first row has one, as no game has a single player. Each column is told
    once.
    """

    def __init__(self, tell: Tell):
        self._tell = tell
        self._told: set[str] = set()
        self._above: Row | None = None
        self._is_named = False  # whether more than one row of the game above has its name

    def fill(self, row: Row) -> None:
        above, self._above = self._above, row
        if above is None:
            return
        game = row.cell("game")
        if above.cell("game") and not game and not self._is_named:
            self._fill(row, above, "game")
        else:
            self._is_named = game == above.cell("game")
        if not row.cell("round").strip(BLANKS) and row.cell("game") == above.cell("game"):
            self._fill(row, above, "round")

    def _fill(self, row: Row, above: Row, name: str) -> None:
        row.cells[name] = above.cells[name]
        if name not in self._told:
            self._told.add(name)
            self._tell(merged(row.line, name))


def merged(line: int, name: str) -> str:
    """Return in words that the empty cells of a column are filled in."""
    sentence = _("From here on, an empty “{name}” is read as the one above it.")
    return at_line(line, sentence.format(name=name))


def _by_round(rows: Iterator[Row], tell: Tell) -> Iterator[Row]:
    """Yield rows as they stand, but those of a game that is sorted by player by its rounds.

    Only such a game is kept in memory.
    """
    above: Row | None = None
    row = next(rows, None)
    while row is not None:
        is_first = above is None or above.cell("game") != row.cell("game")
        above = row
        # Only here is a row read ahead, as `_grouped` has not yet begun a round of this game.
        second = next(rows, None) if is_first else None
        if not (second and _is_sorted_by_player(row, second)):
            yield from filter(None, (row, second))
            above, row = second or row, next(rows, None)
            continue
        of_game = [row]
        row = second
        while row and row.cell("game") == above.cell("game"):
            if not row.cell("player").strip(BLANKS):
                row.cells["player"] = of_game[-1].cell("player")
            of_game.append(row)
            row = next(rows, None)
        tell(at_line(above.line, _("This game is sorted by player. It is read round by round.")))
        yield from sorted(of_game, key=lambda one: one.read("round") or 0)


def _is_sorted_by_player(first: Row, second: Row) -> bool:
    """Return whether two rows are rounds 1 and 2 of one player, who cannot play alone.

    The second may have no name, as cells below a merged one have none.
    """
    one, other = (row.cell("player").strip(BLANKS).casefold() for row in (first, second))
    return (
        first.cell("game") == second.cell("game")
        and (first.read("round"), second.read("round")) == (1, 2)
        and other in (one, "")
    )


def _rows_with_lines(source: BinaryIO, tell: Tell) -> Iterator[tuple[int, list[str]]]:
    """Yield the header and each row below that is not empty, after the line it starts at.

    Rows above the header are told and skipped.
    """
    lines = lines_of(source)
    top, named = _first_lines(lines)
    header = find_header(top, named) if top else Header(0, ",", blanks=False)
    above = header.at + (1 if named else 0)
    for line, text in enumerate(top[: header.at], 2 if named else 1):
        if title := text.strip(BLANKS + ',;|"\r\n'):
            tell(_skipped(line, title))
    reader = csv.reader(
        _tidy(chain(top[header.at :], lines), header.separator),
        delimiter=header.separator,
        skipinitialspace=header.blanks,
        strict=True,
    )
    while True:
        line = above + reader.line_num + 1
        try:
            cells = next(reader, None)
        except (UnicodeDecodeError, LineTooLong) as error:
            raise sheet_error(error, above + reader.line_num + 1) from error
        except csv.Error as error:
            sentence = _("This row has a missing or misplaced quotation mark.")
            raise SheetError(line, sentence) from error
        if cells is None:
            return
        if any(map(str.strip, cells)):
            yield line, cells


def _tidy(lines: Iterable[str], separator: str) -> Iterator[str]:
    """Yield lines without the blanks around quoted cells, which `csv` refuses or reads with quotes.

    Cells of more than one line stay as they are.
    """
    blanks = "[ \u00a0]*" if separator == "\t" else "[ \\t\u00a0]*"
    quoted = re.compile(
        rf"(\A|{re.escape(separator)}){blanks}(\"(?:[^\"]|\"\")*+\"){blanks}"
        rf"(?=[\r\n]|{re.escape(separator)}|\Z)"
    )
    is_open = False
    for line in lines:
        if '"' not in line:
            yield line
            continue
        yield line if is_open else quoted.sub(r"\1\2", line)
        is_open ^= line.count('"') % 2 == 1


def _first_lines(lines: Iterator[str]) -> tuple[list[str], str | None]:
    """Return the lines among which the header is, below one that names the separator, and that.

    A program may write a byte order mark above one that is there.
    """
    first: list[str] = []
    try:
        first.extend(islice(lines, TITLE_LINES + 2))
    except (UnicodeDecodeError, LineTooLong) as error:
        raise sheet_error(error, len(first) + 1) from error
    first[:1] = [line.lstrip("\ufeff") for line in first[:1]]
    named = named_separator(first[0]) if first else None
    return first[1:] if named else first, named


def _skipped(line: int, text: str) -> str:
    """Return in words that a line is skipped."""
    return at_line(line, _("This row is skipped: “{text}”.").format(text=excerpt(text)))


def _of_width(cells: list[str], width: int, line: int) -> list[str]:
    """Return a row as wide as its header: empty cells at its end are added or left out.

    Many programs leave out all of them, and some add one for each column that was ever used. A
    short row that ends in an empty cell lacks another one.
    """
    is_cut = len(cells) < width and not cells[-1].strip(BLANKS)
    if is_cut or any(cell.strip(BLANKS) for cell in cells[width:]):
        raise SheetError(line, _wrong_width(len(cells), width))
    return (cells + [""] * (width - len(cells)))[:width]


def _is_shifted(row: Row) -> bool:
    """Return whether scores that the program has written stand in other columns than theirs."""
    scores = (row.read(name) for name in SCORES)
    return row.read("outcome") not in OUTCOMES or not all(map(SCORE.fullmatch, scores))


def _wrong_width(cells: int, width: int) -> str:
    return ngettext(
        "This row has {n} cell, but the header has {width}. Check the separators.",
        "This row has {n} cells, but the header has {width}. Check the separators.",
        cells,
    ).format(n=cells, width=width)
