"""Sentences in English that can be translated later."""

from typing import NamedTuple


class Sentence(NamedTuple):
    """A text with named gaps and the values that fill them.

    `plural` is used instead of `text` where `values["n"]` is not one. Translators see `text` and
    `plural` as they stand; `str()` gives the English.
    """

    text: str
    plural: str | None = None
    values: dict[str, int | str] = {}  # noqa: RUF012 - never changed, only read

    def about(self, **values: int | str) -> "Sentence":
        """Return the same sentence with its gaps filled."""
        return self._replace(values=values)

    def __str__(self) -> str:
        one = self.plural is None or self.values.get("n") == 1
        return (self.text if one else str(self.plural)).format(**self.values)


def N_(text: str, plural: str | None = None, /, **values: int | str) -> Sentence:
    """Return a sentence; the name is what translators' tools look for."""
    return Sentence(text, plural, values)


def signed(points: int) -> str:
    """Return points with their sign, a real minus for a loss, and a bare 0."""
    return f"+{points}" if points > 0 else minus(points)


def minus(points: int) -> str:
    """Return a total as it is printed: with a real minus sign when it is below zero."""
    return f"\N{MINUS SIGN}{-points}" if points < 0 else str(points)
