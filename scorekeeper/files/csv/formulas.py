"""Escaping of texts that a spreadsheet would run as formulas, and its reverse."""

import re
from functools import lru_cache

_RUNS_AS_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n]")

# Some spreadsheets read full-width signs like the plain ones, and some end a cell at a semicolon, a
# comma or a tab whether it is quoted or not. Older files leave both unmarked, so the mark must be
# one that no name in them can hold: names have no no-break spaces.
_MARK = "'\u00a0"
_HIDDEN_FORMULA = (
    r"""(?:^(?=["'\u00a0]*[＝＋－＠])|(?<=[;,\t\r\n])(?=["'\u00a0]*[=+\-@＝＋－＠]))"""
)
_UNMARKED = re.compile(_HIDDEN_FORMULA)
_MARKED = re.compile(_HIDDEN_FORMULA.replace("(?=", f"{_MARK}(?="))


@lru_cache(maxsize=1024)  # the benchmark row `csv` needs it: the same few names in every round
def escape_formula(text: str) -> str:
    """Return a text with an apostrophe before whatever a spreadsheet would run as a formula.

    A text that looks escaped already gets another one, so that `unescape_formula` restores every
    text:

    >>> escape_formula("=1+1"), escape_formula("'=1+1"), escape_formula("North")
    ("'=1+1", "''=1+1", 'North')
    >>> escape_formula("North;=1+1")
    "North;'\\xa0=1+1"
    """
    marked = _UNMARKED.sub(_MARK, text)
    return "'" + marked if _RUNS_AS_FORMULA.match(marked) else marked


def unescape_formula(cell: str) -> str:
    """Return the text that `escape_formula` was given, without the apostrophes it added."""
    return _MARKED.sub("", cell[1:] if _ESCAPED.match(cell) else cell)
