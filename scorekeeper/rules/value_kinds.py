"""The kinds of values that a rule book has: numbers, words and switches, each a dataclass field."""

import re
from dataclasses import field
from typing import Any, NamedTuple

from scorekeeper.rules.sentence import N_, Sentence

MOST_STEPS = 40  # characters of a list of steps
NUMBER = "[1-9][0-9]?"


class Number(NamedTuple):
    """A value that is a whole number in a range, or off where that is allowed."""

    low: int
    high: int
    off: bool = False

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.off
        return type(value) is int and self.low <= value <= self.high

    def read(self, text: str) -> int | str | None:
        if text == "off":
            return None
        return int(text) if re.fullmatch(r"-?[0-9]{1,8}", text) else text

    def expects(self, name: str) -> Sentence:
        values: dict[str, int | str] = {"name": name, "low": self.low, "high": self.high}
        if self.off:
            return N_("{name} must be a whole number from {low} to {high}, or off.", **values)
        return N_("{name} must be a whole number from {low} to {high}.", **values)


class Word(NamedTuple):
    """A value that is one of a few words."""

    words: tuple[str, ...]

    def accepts(self, value: object) -> bool:
        return value in self.words

    def read(self, text: str) -> str:
        return text

    def expects(self, name: str) -> Sentence:
        return N_("{name} must be one of: {words}.", name=name, words=", ".join(self.words))


class Switch(NamedTuple):
    """A value that is yes or no."""

    def accepts(self, value: object) -> bool:
        return type(value) is bool

    def read(self, text: str) -> bool | str:
        return {"yes": True, "no": False}.get(text, text)

    def expects(self, name: str) -> Sentence:
        return N_("{name} must be yes or no.", name=name)


class Steps(NamedTuple):
    """A value that is a short list of steps, written like its example, or off."""

    step: str
    example: str

    def accepts(self, value: object) -> bool:
        if value is None:
            return True
        steps = value.split(",") if isinstance(value, str) and len(value) <= MOST_STEPS else [""]
        return all(re.fullmatch(self.step, step, re.ASCII) for step in steps)

    def read(self, text: str) -> str | None:
        return None if text == "off" else text

    def expects(self, name: str) -> Sentence:
        return N_("{name} must look like {example}, or be off.", name=name, example=self.example)


Kind = Number | Word | Switch | Steps


def number(low: int, high: int) -> Any:
    """Declare a number every rule book must give."""
    return field(metadata={"kind": Number(low, high)})


def optional(low: int, high: int) -> Any:
    """Declare a number that is off unless given."""
    return field(metadata={"kind": Number(low, high, off=True)}, default=None)


def word(*words: str, default: str) -> Any:
    """Declare a value that is one of a few words."""
    return field(metadata={"kind": Word(words)}, default=default)


def switch(default: bool) -> Any:
    """Declare a value that is yes or no."""
    return field(metadata={"kind": Switch()}, default=default)


def steps(step: str, example: str) -> Any:
    """Declare a list of steps that is off unless given."""
    return field(metadata={"kind": Steps(step, example)}, default=None)
