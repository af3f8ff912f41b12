"""The bytes of a file as lines of text, and what is wrong with bytes that are none."""

import io
import re
from typing import BinaryIO

from scorekeeper.files.csv.columns import SheetError
from scorekeeper.i18n import gettext as _

LONGEST_LINE = 1 << 20  # bytes
PIECE = 1 << 16  # bytes


class LineTooLong(ValueError):
    """A line that goes on as if there were no line ends in the file."""


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
            raise LineTooLong
        return piece


def lines_of(source: BinaryIO) -> io.TextIOWrapper:
    """Return the lines of a file in UTF-8, with or without a mark, their ends as they are.

    Going through them raises `UnicodeDecodeError` (for a NUL too), `LineTooLong`, and
    `SheetError` where the system cannot read on.
    """
    return io.TextIOWrapper(_Bytes(source), encoding="utf-8-sig", newline="")


def line_ends(text: bytes) -> int:
    """Return how many lines end in a text, as Python's text files count them."""
    return len(re.findall(rb"\r\n|\r|\n", text))


def in_words(error: UnicodeDecodeError | LineTooLong, line: int) -> SheetError:
    """Return what is wrong with the bytes that were read next, `line` being the first of them."""
    if isinstance(error, LineTooLong):
        return SheetError(line, _("This line has no end. Is this a sheet, saved as CSV?"))
    line += line_ends(error.object[: error.start])
    if error.object[error.start : error.start + 1] == b"\0":
        sentence = _("This is no text: it holds a NUL byte. Save the sheet as “CSV UTF-8”.")
        return SheetError(line, sentence)
    return SheetError(line, _("This is not UTF-8. Save the sheet as “CSV UTF-8”."))
