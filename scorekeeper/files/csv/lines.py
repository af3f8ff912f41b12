"""The bytes of a CSV file as lines of text, with errors that name the line."""

import io
import re
from typing import BinaryIO

from scorekeeper.files.csv.columns import SheetError
from scorekeeper.i18n import gettext as _

MAX_LINE_BYTES = 1 << 20  # bytes
PIECE = 1 << 16  # bytes


class LineTooLong(ValueError):
    """A line longer than `MAX_LINE_BYTES`, as in a file that has no line ends."""


class _CheckedBytes(io.BufferedIOBase):
    """The bytes of a file; refuses a NUL byte and an endless line, which Python would accept."""

    name = ""  # required by TextIOWrapper

    def __init__(self, source: BinaryIO):
        self._source = source
        self._since_line_end = 0

    def readable(self) -> bool:
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        try:
            piece = self._source.read(PIECE)
        except OSError as error:
            sentence = _("Can’t read the file: {reason}.")
            raise SheetError(None, sentence.format(reason=error.strerror or error)) from error
        if b"\0" in piece:
            at = piece.index(b"\0")
            raise UnicodeDecodeError("utf-8", piece, at, at + 1, "NUL")
        self._since_line_end += len(piece)
        if b"\n" in piece or b"\r" in piece:
            self._since_line_end = 0
        if self._since_line_end > MAX_LINE_BYTES:
            raise LineTooLong
        return piece


def lines_of(source: BinaryIO) -> io.TextIOWrapper:
    """Return the lines of a UTF-8 file, with or without a byte order mark, line ends unchanged.

    Iterating raises `UnicodeDecodeError` (for a NUL byte too), `LineTooLong`, and `SheetError`
    where the system cannot read the file.
    """
    return io.TextIOWrapper(_CheckedBytes(source), encoding="utf-8-sig", newline="")


def named_separator(first: str) -> str | None:
    """Return the separator that a spreadsheet's first line `sep=;` names, or None for any other."""
    found = re.fullmatch(r'"?sep=([,;|\t])"?', first.strip(" \r\n"), re.IGNORECASE)
    return found[1] if found else None


def sheet_error(error: UnicodeDecodeError | LineTooLong, line: int) -> SheetError:
    """Return a decoding error as a `SheetError`; `line` is the line that was read next."""
    if isinstance(error, LineTooLong):
        return SheetError(line, _("This line is far too long. Is it a spreadsheet saved as CSV?"))
    line += len(re.findall(rb"\r\n|\r|\n", error.object[: error.start]))
    if error.object[error.start : error.start + 1] == b"\0":
        sentence = _("This isn’t a text file. Save the spreadsheet as “CSV UTF-8”.")
        return SheetError(line, sentence)
    return SheetError(line, _("This isn’t UTF-8. Save the spreadsheet as “CSV UTF-8”."))
