"""A strict JSON reader for files and requests: no duplicate members, no fractions, valid Unicode.

`parse` reads a text; the other functions check one value each. All raise `InvalidValue` with a
sentence.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from scorekeeper.files import csv_columns
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.values import PACK

MAX_DIGITS = 9
LONGEST_NUMBER = 24  # characters
Json = dict[str, Any]


class InvalidValue(ValueError):
    """A value that is refused; the message says why.

    In a round, `member` is what the rules refuse of it, and `seat` whose, if it is one's.
    """

    def __init__(self, message: str, member: str = "", seat: int | None = None):
        super().__init__(message)
        self.member, self.seat = member, seat


def parse(data: bytes) -> Any:
    """Return a JSON text as Python values. Raises `InvalidValue`.

    Duplicate members, fractions other than zero, huge numbers, lone surrogates and deep nesting are
    refused. A byte order mark is skipped.
    """
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_each_once,
            parse_int=_short,
            parse_float=_whole,
            parse_constant=_no_fraction,
        )
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise InvalidValue(_("This isn’t UTF-8.")) from None
    except UnicodeEncodeError:
        raise InvalidValue(_("A text contains half a character (a lone surrogate).")) from None
    except json.JSONDecodeError as error:
        sentence = _("Invalid JSON at line {line}, column {column}.")
        raise InvalidValue(sentence.format(line=error.lineno, column=error.colno)) from None
    except RecursionError:
        raise InvalidValue(_("Brackets are nested too deeply.")) from None
    return value


def quoted(value: object, most: int = 40) -> str:
    """Return a value for an error message: quoted, shortened, without control characters."""
    # A list or an object may be nested too deeply to be written.
    brackets = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else ""
    text = value if isinstance(value, str) else brackets or json.dumps(value)
    return f"“{csv_columns.excerpt(text, most)}”"


def members_of(value: object, names: tuple[str, ...], what: str) -> Json:
    """Return an object that has exactly these members. Raises `InvalidValue`."""
    if not isinstance(value, dict):
        raise InvalidValue(_("Expected {what} here: an object.").format(what=what))
    if unknown := [name for name in value if name not in names]:
        sentence = _("Unknown member {name} in {what}.")
        raise InvalidValue(sentence.format(name=quoted(unknown[0]), what=what))
    if missing := [name for name in names if name not in value]:
        sentence = _("Member “{name}” is missing from {what}.")
        raise InvalidValue(sentence.format(name=missing[0], what=what))
    return value


def word_of(value: object, name: str, words: Sequence[str]) -> str:
    """Return a text that is one of these words. Raises `InvalidValue`."""
    if not isinstance(value, str) or value not in words:
        sentence = _("“{name}” must be one of: {words}.")
        raise InvalidValue(sentence.format(name=name, words=", ".join(words)))
    return value


def bool_of(value: object, name: str) -> bool:
    """Return true or false. Raises `InvalidValue`."""
    if not isinstance(value, bool):
        raise InvalidValue(_("“{name}” must be true or false.").format(name=name))
    return value


def list_of(value: object, name: str, most: int) -> list[Any]:
    """Return a list of at most `most` entries. Raises `InvalidValue`."""
    if not isinstance(value, list) or len(value) > most:
        sentence = _("“{name}” must be a list of at most {most} items.")
        raise InvalidValue(sentence.format(name=name, most=most))
    return value


def seats_of(value: object, name: str, players: int) -> list[Any]:
    """Return a list with an entry for each player. Raises `InvalidValue`."""
    cells = list_of(value, name, PACK)
    if len(cells) != players:
        sentence = _("“{member}” needs {players} entries, one per seat, but has {n}.")
        raise InvalidValue(sentence.format(member=name, players=players, n=len(cells)))
    return cells


def whole_number_of(value: object, name: str) -> int:
    """Return a whole number of any size; true and false are none. Raises `InvalidValue`."""
    if type(value) is not int:
        raise InvalidValue(_("“{member}” must be a whole number.").format(member=name))
    return value


def number_of(value: object, name: str, low: int, high: int) -> int:
    """Return a whole number in a range; true and false are none. Raises `InvalidValue`."""
    if type(value) is not int or not low <= value <= high:
        sentence = _("“{name}” must be a whole number from {low} to {high}, not {text}.")
        raise InvalidValue(sentence.format(name=name, low=low, high=high, text=quoted(value)))
    return value


def optional_of(value: object, name: str, low: int, high: int) -> int | None:
    """Return a whole number in a range, or None for null. Raises `InvalidValue`."""
    return None if value is None else number_of(value, name, low, high)


def text_of(value: object, name: str, pattern: str, longest: int) -> str:
    """Return a text that matches a pattern. Raises `InvalidValue`."""
    if not isinstance(value, str) or len(value) > longest or not re.fullmatch(pattern, value):
        raise InvalidValue(_("“{name}” can’t be {text}.").format(name=name, text=quoted(value)))
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
    for name, value in pairs:
        if name in found:
            raise InvalidValue(_("Member {name} appears twice.").format(name=quoted(name)))
        found[name] = value
    return found


def _short(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise InvalidValue(_("A number can have at most {n} digits here.").format(n=MAX_DIGITS))
    return int(digits)


def _whole(text: str) -> int:
    """Return a number such as 25.0, which JSON Schema takes for a whole one."""
    number = float(text) if len(text) <= LONGEST_NUMBER else 0.5
    whole = number.is_integer() and abs(number) < 10**MAX_DIGITS
    return int(number) if whole else _no_fraction(text)


def _no_fraction(text: str) -> NoReturn:
    sentence = _("{text} isn’t a whole number.")
    raise InvalidValue(sentence.format(text=text[:20]))
