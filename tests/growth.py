"""Measurement of how the work for a text grows with its length, in processor time."""

import time
from collections.abc import Callable

import pytest

LONG = 60_000  # bytes, which a form can have
SLACK = 0.1  # seconds of processor time
TRIES = 3
MARKS = "\u0315\u0300"  # in an order that normalizing has to change
Send = Callable[[str], int]  # a text; returns the status of the answer


def long_text(pattern: str, size: int) -> str:
    """Return a text of so many bytes that nobody sends."""
    return pattern * (size // len(pattern.encode())) + "x"


def assert_grows_slowly(send: Send, pattern: str, what: str, longest: int = LONG) -> int:
    """Fail if four times the text takes more than four times as long; return the last status."""
    for _ in range(TRIES):  # a busy machine may pause
        begun = time.thread_time()
        status = send(long_text(pattern, longest))
        middle = time.thread_time()
        if middle - begun < SLACK:
            return status
        send(long_text(pattern, longest // 4))
        if middle - begun < SLACK + 4 * (time.thread_time() - middle):
            return status
    pytest.fail(f"{what}: {longest} times {pattern!a} took {middle - begun:.2f} seconds")
