"""One cell: how a text or a number stands in a file, and what a message may show of it."""

import re

from scorekeeper.i18n import gettext as _

COLUMNS = (
    "game", "started", "rules", "house_rules", "round", "dealer", "seat", "player", "side", "bid",
    "tricks", "nil_points", "contract_points", "overtrick_points", "bag_penalty", "points", "bags",
    "total", "outcome",
)  # fmt: skip
HEADER = ",".join(COLUMNS) + "\r\n"
BLANKS = " \t\u00a0"

_RUNS_AS_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_ENDS_A_CELL = re.compile('[,"\r\n]')
_MADE_HARMLESS = re.compile(r"'+[=+\-@\t\r\n]")

# Some spreadsheets read full-width signs like the plain ones, and some end a cell at a semicolon, a
# comma or a tab whether it is quoted or not. Older files leave both unmarked, so the mark must be
# one that no name in them can hold: names have no no-break spaces.
_MARK = "'\u00a0"
_HIDDEN_FORMULA = (
    r"""(?:^(?=["'\u00a0]*[＝＋－＠])|(?<=[;,\t\r\n])(?=["'\u00a0]*[=+\-@＝＋－＠]))"""
)
_UNMARKED = re.compile(_HIDDEN_FORMULA)
_MARKED = re.compile(_HIDDEN_FORMULA.replace("(?=", f"{_MARK}(?="))


class WrongLine(Exception):
    """A file that somebody sends and that cannot be read.

    `line` is the physical line at fault, counted from 1, or None where it is not a line's fault;
    `message` says what is wrong and what to do.
    """

    def __init__(self, line: int | None, message: str):
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        return _("line {line}: {message}").format(line=self.line, message=self.message)


class SheetError(WrongLine):
    """A file that cannot be read as a score sheet."""


def harmless(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula, by an apostrophe before the formula.

    A text that only looks as if it had been made harmless gets one too, so that nothing is lost:

    >>> harmless("=1+1"), harmless("'=1+1"), harmless("North")
    ("'=1+1", "''=1+1", 'North')
    >>> harmless("North;=1+1")
    "North;'\\xa0=1+1"
    """
    marked = _UNMARKED.sub(_MARK, text)
    return "'" + marked if _RUNS_AS_FORMULA.match(marked) else marked


def as_meant(cell: str) -> str:
    """Return the text that `harmless` was given, its apostrophes taken away again."""
    return _MARKED.sub("", cell[1:] if _MADE_HARMLESS.match(cell) else cell)


def text_cell(text: str) -> str:
    """Return a text as a cell of a CSV file: harmless, and quoted where it must be.

    >>> print(text_cell('=1,"2"'))
    "'=1,""2"\""
    """
    return text if text.isalnum() else quoted(harmless(text))


def quoted(cell: str) -> str:
    """Return a cell in quotation marks where its characters would end it otherwise."""
    if _ENDS_A_CELL.search(cell):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def whole_number(cell: str, digits: int = 2) -> int | None:
    """Return the number that a cell holds, or None where it holds anything but ASCII digits.

    Blanks around it do not count. `int()` would take signs, underscores and foreign digits too.
    """
    text = cell.strip(BLANKS)
    return int(text) if re.fullmatch(rf"[0-9]{{1,{digits}}}", text) else None


def shown(text: str, most: int = 40) -> str:
    """Return a text as a message shows it: short, and without what a terminal would obey."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
