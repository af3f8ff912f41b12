"""Sentences in English that can be translated later."""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    """A text with named gaps and the values that fill them.

    `plural` is used instead of `text` where `values["n"]` is not one. Translators see `text` and
    `plural` as they stand; `str()` gives the English. A value may be a sentence too.
    """

    text: str
    plural: str | None = None
    values: "Mapping[str, int | str | Sentence]" = {}  # noqa: RUF012 - never changed, only read

    def about(self, **values: "int | str | Sentence") -> "Sentence":
        """Return the same sentence with its gaps filled."""
        return self._replace(values=values)

    def __str__(self) -> str:
        one = self.plural is None or self.values.get("n") == 1
        return (self.text if one else str(self.plural)).format(**self.values)


def N_(text: str, plural: str | None = None, /, **values: int | str) -> Sentence:
    """Return a sentence; the name is what translators' tools look for."""
    return Sentence(text, plural, values)


def signed(points: int, shown_as: str = "points") -> str:
    """Return points with their sign, a real minus for a loss, and a bare 0."""
    return f"+{minus(points, shown_as)}" if points > 0 else minus(points, shown_as)


def minus(points: int, shown_as: str = "points") -> str:
    """Return a total as it is printed: with a real minus sign when it is below zero.

    >>> minus(-32), minus(-32, "tenths")
    ('−32', '−3.2')
    """
    size = abs(points)
    text = f"{size // 10}.{size % 10}" if shown_as == "tenths" else str(size)
    return f"\N{MINUS SIGN}{text}" if points < 0 else text


def shown(points: int, shown_as: str) -> int | str:
    """Return points for a gap of a sentence: the number itself where points are shown whole."""
    return points if shown_as == "points" else minus(points, shown_as)
