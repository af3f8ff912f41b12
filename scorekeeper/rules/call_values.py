"""Values that are lists of steps: what a bid is worth, and what is required from a total on."""

from functools import cache
from typing import NamedTuple


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


@cache  # key: the text of a rule value; the benchmark row `engine` needs it
def depends_on_total(call_values: str | None) -> bool:
    """Return whether what a bid is worth depends on the bidder's total."""
    return any(step.total is not None for step in call_steps(call_values))


def call_factor(call_values: str | None, bid: int, total: int) -> int:
    """Return how many times a bid counts whose bidder had so many points before the round.

    The last step that applies decides; where none does, a bid counts once.

    >>> [call_factor("1-6:1,7-13:2", bid, 0) for bid in (6, 7)]
    [1, 2]
    >>> [call_factor("5-13:2,5-6:1@30", 5, total) for total in (29, 30)]
    [2, 1]
    """
    factor = 1
    for step in call_steps(call_values):
        if step.low <= bid <= step.high and (step.total is None or total >= step.total):
            factor = step.factor
    return factor


def total_steps(steps: str | None) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a total and a number in a value such as `30:12,40:13`."""
    pairs = (step.split(":") for step in steps.split(",")) if steps else ()
    return tuple((int(total), int(number)) for total, number in pairs)


def from_total(steps: str | None, total: int, otherwise: int) -> int:
    """Return the number that holds from a total on, or the usual one below the first step.

    >>> [from_total("30:12,40:13", total, 11) for total in (29, 30, 41)]
    [11, 12, 13]
    """
    for least_total, number in total_steps(steps):
        if total >= least_total:
            otherwise = number
    return otherwise
