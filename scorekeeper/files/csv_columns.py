"""The columns of a CSV file, how their cells are read and written, and a game as they hold it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from scorekeeper.clock import day_in, from_local
from scorekeeper.free_text import HIDDEN, name_too_long, normalize_name, one_line
from scorekeeper.i18n import MINUS, ngettext, plain_digits
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, parse_bid
from scorekeeper.rules.entry import LONGEST_TYPED_REMARK
from scorekeeper.rules.game import sides_of
from scorekeeper.rules.round import Round
from scorekeeper.rules.rule_sentences import SUITS
from scorekeeper.rules.ruleset import RuleSet, house_rules

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


NOON = timedelta(hours=12)  # of a day alone, as noon is on the same day in nearly all time zones
YEARS = range(1900, 2999)
CENTURY = 2000  # of years with two digits
DATE = re.compile(
    r"(?P<first>[0-9]{4}|[0-9]{1,2})(?P<sign>[-/.])(?P<second>[0-9]{1,2})(?P=sign)"
    r"(?P<third>[0-9]{4}|[0-9]{1,2})"
)
TIME = re.compile(
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(:(?P<second>[0-9]{2})([.,][0-9]{1,6})?)?"
    r"( ?(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)


class TwoDays(ValueError):
    """A day that can be read in two ways; the message says both."""


def local_time(text: str) -> str:
    """Return a day or a time in the current time zone as ISO 8601 with its offset.

    Days are 2026-11-24, 24.11.2026, 24/11/2026 or 11/24/2026, alone or before a time; with points
    and slashes the year may have two digits. Raises
    `TwoDays` where day and month could be exchanged, and `ValueError` for anything else.
    """
    date, _blank, time = plain_digits(text.replace("T", " ").replace(", ", " ")).partition(" ")
    at = _day(date) + (_since_midnight(time.strip()) if time.strip() else NOON)
    try:
        return from_local(at).isoformat()
    except (OverflowError, OSError) as error:
        raise ValueError(text) from error


def _day(text: str) -> datetime:
    found = DATE.fullmatch(text)
    if not found:
        raise ValueError(text)
    sign, parts = found["sign"], (found["first"], found["second"], found["third"])
    first, second, third = map(int, parts)
    if first in YEARS:
        return datetime(first, second, third)
    if sign != "-" and len(parts[0]) <= 2 == len(parts[2]):
        third += CENTURY  # as LibreOffice writes days: 24.11.26, 11/24/26
    if third not in YEARS:
        raise ValueError(text)
    # With points the day comes first wherever days are written so.
    if sign != "." and first != second and max(first, second) <= 12:
        readings = [f"{third}-{first:02}-{second:02}", f"{third}-{second:02}-{first:02}"]
        sentence = _("“{text}” could be {first} or {second}. Write the one that’s right.")
        values = {"text": excerpt(text), "first": readings[0], "second": readings[1]}
        raise TwoDays(sentence.format(**values))
    day_first = sign == "." or first > 12
    day, month = (first, second) if day_first else (second, first)
    return datetime(third, month, day)


def _since_midnight(text: str) -> timedelta:
    found = TIME.fullmatch(text)
    if not found:
        raise ValueError(text)
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if half := (found["half"] or "").lower():
        if not 1 <= hour <= 12:
            raise ValueError(text)
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(text)
    return timedelta(hours=hour, minutes=minute, seconds=second)


BLANKS = " \t\u00a0"


Tell = Callable[[str], None]  # takes a sentence about a file that is read all the same


def tell_nobody(_sentence: str) -> None:
    """Ignore a sentence about a file."""


MOST_TOLD = 10


@contextmanager
def told_first(tell: Tell) -> Iterator[Tell]:
    """Provide what passes the first sentences on, and at the end tells how many more there were."""
    told = 0

    def tell_or_count(sentence: str) -> None:
        nonlocal told
        told += 1
        if told <= MOST_TOLD:
            tell(sentence)

    yield tell_or_count
    if more := max(told - MOST_TOLD, 0):
        tell(ngettext("And {n} more.", "And {n} more.", more).format(n=f"{more:,}"))


def at_line(line: int, message: str) -> str:
    """Return a sentence about a line of a file, beginning with its number."""
    return _("line {line}: {message}").format(line=line, message=message)


class FileError(Exception):
    """A file that was sent and cannot be read.

    `line` is the physical line at fault, counted from 1, or None where no single line is at
    fault; `message` says what is wrong and what to do.
    """

    def __init__(self, line: int | None, message: str):
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return self.message if self.line is None else at_line(self.line, self.message)


class SheetError(FileError):
    """A file that cannot be read as a score sheet."""


class Faults:
    """The errors of a file, at most one a line; raises the last of as many as are asked for.

    With one, as most readers have it, reading ends at the first line that is wrong. `games` are the
    names of those in which errors were found.
    """

    def __init__(self, most: int = 1):
        self._most = most
        self._found: dict[int | str, FileError] = {}
        self.games: set[str] = set()

    def add(self, error: FileError, game: str) -> None:
        """Keep an error in a game, the first of its line; raises it where it is the last."""
        self._found.setdefault(error.line or error.message, error)
        if len(self._found) >= self._most:
            raise error
        self.games.add(game)

    def __iter__(self) -> Iterator[FileError]:
        return iter(self._found.values())


def excerpt(text: str, most: int = 40) -> str:
    """Return a text for an error message: shortened, and without control characters."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)


LONGEST_CELL = 200  # characters, of most columns; longer ones hold no numbers
SPELLED = ("game", "player", "remark")  # what somebody wrote, which stays as it is written
RAISED = ("<super>", "<sub>", "<fraction>")  # 3² is not 32, but 3 with a footnote


@lru_cache(maxsize=4096)
def clean(name: str, cell: str) -> str:
    """Return a cell as all that reads it sees it; the limit of its length has been checked.

    No blanks of any kind are around it. Numbers and words of the program are in Unicode form NFKC,
    without the signs that nobody sees: `３` is 3, also beside a mark of the direction of text.
    """
    if cell.isascii():
        return cell.strip()
    if name not in SPELLED:
        if len(cell) <= LONGEST_CELL and not any(map(_is_raised, cell)):
            cell = unicodedata.normalize("NFKC", cell)
        cell = "".join(c for c in HIDDEN.sub("", cell) if unicodedata.category(c) != "Cf")
    return cell.strip() if name == "remark" else cell.strip(_AROUND)


_AROUND = "".join(
    chr(n)
    for n in range(0x3001)
    if chr(n).isspace() or chr(n) in "\u200b\u200e\u200f\u061c\u2060" or 0x202A <= n <= 0x202E
) + "\ufeff"  # fmt: skip


def _is_raised(character: str) -> bool:
    return unicodedata.decomposition(character).startswith(RAISED)


def without_fraction(text: str) -> str:
    """Return a number without the `.0` or `,0` that spreadsheets write behind a whole one."""
    return re.sub(r"(?<=[0-9])[.,]0{1,2}\Z", "", text)


def whole_number(cell: str, digits: int = 2) -> int | None:
    """Return the number in a cell, or None where it holds anything but `plain_digits`.

    Blanks around it and a fraction of zero are ignored. `int()` would take signs, underscores and
    the digits of every script too.
    """
    text = without_fraction(plain_digits(cell.strip(BLANKS)))
    plain = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if plain else None


def _bid(cell: str) -> Bid | None:
    try:
        return parse_bid(without_fraction(plain_digits(" ".join(cell.lower().split()))))
    except ValueError:
        return None


def _name(cell: str) -> str:
    return normalize_name(unescape_formula(cell.strip(BLANKS)))


def _text(cell: str) -> str:
    return cell.strip(BLANKS)


def _points(cell: str) -> int | None:
    """Return points with a sign, an empty cell being none."""
    text = without_fraction(plain_digits(cell.strip(BLANKS)).replace(MINUS, "-"))
    text = text.removeprefix("+") or "0"
    return int(text) if re.fullmatch("-?[0-9]{1,7}", text, re.ASCII) else None


def _suit(cell: str) -> str:
    """Return a suit as rules name it, by its letter or its sign, or else the cell."""
    text = cell.strip(BLANKS).casefold().rstrip("\ufe0f")  # that sign of a colored ♠ has no width
    return next((suit for suit, sign in SUITS.items() if text == sign), text)


class Column(NamedTuple):
    """How a cell is read, and how many characters it can have.

    `read` returns None, or raises `ValueError` with a sentence, for a cell that makes no sense.
    """

    read: Callable[[str], Any]
    longest: int = LONGEST_CELL


# All columns in the order in which they are written.
COLUMNS: Mapping[str, Column] = {
    "game": Column(unescape_formula, longest=1000),
    "started": Column(_text),
    "rules": Column(_text),
    "house_rules": Column(_text, longest=4000),
    "round": Column(partial(whole_number, digits=9)),
    "dealer": Column(whole_number),
    "seat": Column(whole_number),
    "player": Column(_name),
    "side": Column(_text),
    "bid": Column(_bid),
    "tricks": Column(whole_number),
    "nil_points": Column(_text),
    "contract_points": Column(_text),
    "overtrick_points": Column(_text),
    "bag_penalty": Column(_text),
    "penalty_points": Column(_text),
    "points": Column(_text),
    "bags": Column(_text),
    "total": Column(_text),
    "outcome": Column(_text),
    "notes": Column(_text, longest=8000),
    "date": Column(_text),
    "bonus_points": Column(_points),
    "remark": Column(lambda cell: one_line(unescape_formula(cell)), longest=LONGEST_TYPED_REMARK),
    "cards": Column(whole_number),
    "start": Column(_points),
    "start_bags": Column(whole_number),
    "trump": Column(_suit),
}
REQUIRED = ("round", "player", "bid", "tricks")  # a file may lack the others


def find_long_cell(cells: Iterable[tuple[str, str]]) -> str | None:
    """Return what is wrong with the first cell that is too long for its column, if there is one."""
    for name, cell in cells:
        if len(cell) <= COLUMNS[name].longest:
            continue
        if name == "player":
            return str(name_too_long(cell))
        sentence = _("“{name}” can have at most {most} characters. This one has {n}.")
        return sentence.format(name=name, most=COLUMNS[name].longest, n=len(cell))
    return None


LEFT = "left=yes"  # the note in the last row of a player who leaves a seat


@dataclass(frozen=True)
class Sheet:
    """The facts of a game.

    `started` is ISO 8601 with an offset, or empty; `rules` differ from the rule book `base` by
    house rules; `names` are those of the players who start, in the order of the seats;
    `first_dealer` is a seat, counted from 0. `rounds` is iterated once, so it may be read from a
    file or a database on the way. `line` is where the game begins in a file, if it is from one.
    `zone` names the time zone of its table; None is that of this computer.
    """

    game: str
    started: str
    rules: RuleSet
    base: RuleSet
    names: tuple[str, ...]
    first_dealer: int
    rounds: Iterable[Round]
    line: int = 0
    zone: str | None = None

    @cached_property
    def cells(self) -> tuple[str, str, str, str]:
        """The cells with which each row begins; house rules are `name=value;name=value`."""
        changes = house_rules(self.base, self.rules)
        changed = ";".join(f"{name}={value}" for name, value in changes.items())
        return escape_formula(self.game), self.started, self.base.key, changed

    @cached_property
    def day(self) -> str:
        """The day on which the game began in its time zone, empty where that is not known."""
        return day_in(self.zone, self.started)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.rules, len(self.names))
