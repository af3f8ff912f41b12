"""What a value of a rule book may be, and its declaration as a dataclass field."""

import re
from collections.abc import Iterable
from dataclasses import MISSING, field
from typing import Any, Literal, NamedTuple

from scorekeeper.rules.sentence import N_, Sentence


class CallStep(NamedTuple):
    """How many times bids of a range count, of bidders with a total or of all."""

    low: int
    high: int
    factor: int
    total: int | None


def call_steps(call_values: str | None) -> tuple[CallStep, ...]:
    """Return the steps of a table of values such as `1-6:1,7-13:2` or `5-6:1@30`."""
    steps = []
    for text in call_values.split(",") if call_values else ():
        bids, _, rest = text.partition(":")
        low, high = bids.split("-")
        factor, _, total = rest.partition("@")
        steps.append(CallStep(int(low), int(high), int(factor), int(total) if total else None))
    return tuple(steps)


def call_factor(steps: Iterable[CallStep], bid: int, total: int) -> int:
    """Return how many times a bid counts whose bidder had so many points before the round.

    The last step that applies decides; where none does, a bid counts once.

    >>> [call_factor(call_steps("1-6:1,7-13:2"), bid, 0) for bid in (6, 7)]
    [1, 2]
    >>> [call_factor(call_steps("5-13:2,5-6:1@30"), 5, total) for total in (29, 30)]
    [2, 1]
    """
    factor = 1
    for step in steps:
        if step.low <= bid <= step.high and (step.total is None or total >= step.total):
            factor = step.factor
    return factor


class Worth(NamedTuple):
    """The fixed score of contracts of a range; None is as usual.

    Where `by_card`, a half is multiplied by the cards of the round. `is_blind` names contracts that
    were bid blind, `is_exact` those that are not made with overtricks.
    """

    low: int
    high: int
    made: int | None
    failed: int | None
    made_by_card: bool = False
    failed_by_card: bool = False
    is_blind: bool = False
    is_exact: bool = False


NUMBER = "[1-9][0-9]?"
CARDS = f"{NUMBER}(-{NUMBER})?"


def card_list(cards: str | None) -> tuple[int, ...]:
    """Return the numbers of a list with walks up or down.

    >>> card_list("3-1,2-3")
    (3, 2, 1, 2, 3)
    """
    numbers: list[int] = []
    for walk in cards.split(",") if cards else ():
        first, _, last = walk.partition("-")
        low, high = int(first), int(last or first)
        numbers += range(low, high + 1) if low <= high else range(low, high - 1, -1)
    return tuple(numbers)


_BIDS = r"(b?)(0|[1-9][0-9]?)(?:-([1-9][0-9]?))?"
_HALF = r"(?:([0-9]{1,4})(c?))?"
WORTH = rf"{_BIDS}:{_HALF}(?:/{_HALF})?(=?)"


def worth_steps(worth: str | None) -> tuple[Worth, ...]:
    """Return the steps of a value such as `0:5,10-13:40/40`, `0:10c/10c`, `1:50/50=` or `b6:100`.

    >>> worth_steps("10-13:40/40")
    (Worth(low=10, high=13, made=40, failed=40, made_by_card=False, failed_by_card=False, \
is_blind=False, is_exact=False),)
    """
    steps = []
    for text in worth.split(",") if worth else ():
        found = re.fullmatch(WORTH, text)
        assert found, text
        blind, low, high, made, by_card, failed, failed_by_card, exact = found.groups()
        steps.append(
            Worth(
                int(low),
                int(high or low),
                int(made) if made else None,
                int(failed) if failed else None,
                bool(by_card),
                bool(failed_by_card),
                bool(blind),
                bool(exact),
            )
        )
    return tuple(steps)


def worth_of(steps: Iterable[Worth], bid: int, *, is_blind: bool) -> Worth | None:
    """Return the step that decides what a contract scores, the last that names it, or None."""
    found = None
    for step in steps:
        if step.low <= bid <= step.high and is_blind >= step.is_blind:
            found = step
    return found


def total_steps(steps: str | None) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a total and a number in a value such as `30:12,40:13`."""
    pairs = (step.split(":") for step in steps.split(",")) if steps else ()
    return tuple((int(total), int(number)) for total, number in pairs)


def from_total(steps: Iterable[tuple[int, int]], total: int, otherwise: int) -> int:
    """Return the number that holds from a total on, or the usual one below the first step.

    >>> [from_total(total_steps("30:12,40:13"), total, 11) for total in (29, 30, 41)]
    [11, 12, 13]
    """
    for least_total, number in steps:
        if total >= least_total:
            otherwise = number
    return otherwise


NUMBER_OR_OFF = N_("{name} must be a whole number from {low} to {high}, or off.")


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
            return NUMBER_OR_OFF.about(**values)
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
    most: int = 40  # characters

    def accepts(self, value: object) -> bool:
        if value is None:
            return True
        steps = value.split(",") if isinstance(value, str) and len(value) <= self.most else [""]
        return all(re.fullmatch(self.step, step, re.ASCII) for step in steps)

    def read(self, text: str) -> str | None:
        return None if text == "off" else text

    def expects(self, name: str) -> Sentence:
        return N_("{name} must look like {example}, or be off.", name=name, example=self.example)


class Sizes(NamedTuple):
    """A value that is one or more numbers, in order, such as those of players."""

    low: int
    high: int
    example: str

    def accepts(self, value: object) -> bool:
        if not isinstance(value, tuple) or not all(type(one) is int for one in value):
            return False
        is_in_range = value and self.low <= value[0] and value[-1] <= self.high
        return bool(is_in_range) and list(value) == sorted(set(value))

    def read(self, text: str) -> tuple[int, ...] | str:
        written = text.replace(" ", "")
        is_list = len(written) <= 40 and re.fullmatch(f"{CARDS}(,{CARDS})*", written, re.ASCII)
        return card_list(written) if is_list else text

    def expects(self, name: str) -> Sentence:
        return N_(
            "{name} must be numbers from {low} to {high} in order, such as {example}.",
            name=name,
            low=self.low,
            high=self.high,
            example=self.example,
        )


Kind = Number | Word | Switch | Steps | Sizes


class Limit(NamedTuple):
    """What a value needs, excludes or may not exceed where it is not its default.

    `others` are names of values, of which one is enough. If the value is `part` of the other one,
    switching that off takes it along.
    """

    relation: Literal["needs", "excludes", "at most"]
    others: tuple[str, ...]
    sentence: Sentence
    part: bool = False


def needs(other: str, sentence: Sentence, or_: str = "") -> Limit:
    """Declare that a value needs another one, or instead of it a third."""
    return Limit("needs", (other, or_) if or_ else (other,), sentence)


def part_of(other: str, sentence: Sentence) -> Limit:
    """Declare that a value means nothing without another one, which takes it along."""
    return Limit("needs", (other,), sentence, part=True)


def excludes(other: str, sentence: Sentence) -> Limit:
    """Declare that a value cannot be combined with another one."""
    return Limit("excludes", (other,), sentence)


def at_most(other: str, sentence: Sentence) -> Limit:
    """Declare that a number may not be above another one, which is `n` in the sentence."""
    return Limit("at most", (other,), sentence)


class Declaration(NamedTuple):
    """What is known of a rule value: what it may be, its group and label in the form, its limits.

    `about` says in the API document what it is; `after` is the value that it follows in the form;
    `pair` is another value that is set together with it.
    """

    kind: Kind
    group: Sentence
    label: Sentence
    limits: tuple[Limit, ...]
    default: object
    about: str
    after: str = ""
    pair: str = ""
    is_scored: bool = True
    is_for_partners: bool = False


def value(
    kind: Kind,
    group: Sentence,
    label: Sentence,
    *limits: Limit,
    default: object = MISSING,
    about: str = "",
    **more: Any,
) -> Any:
    """Declare a rule value; one that can be off is off unless given."""
    if isinstance(kind, Steps) or (isinstance(kind, Number) and kind.off):
        default = None
    declared = Declaration(kind, group, label, limits, default, about or label.text, **more)
    return field(metadata={"declared": declared}, default=default)
