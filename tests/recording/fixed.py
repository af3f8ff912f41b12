"""The time and the luck of a recording: the same in every run.

Call `fix` before the program is imported, as modules bind `datetime` when they are read.
"""

import datetime
import hashlib
import os
import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

BEGIN = datetime.datetime(2026, 1, 3, 20, 15, tzinfo=datetime.UTC).timestamp()
STEP = 7  # seconds from one request to the next; within a request the clock stands still
LETTERS = "jkqvwxz"  # of all random words, so that they can be told from other text

_real, _passed = datetime.datetime, time.monotonic
_now = BEGIN
_stopped: float | None = None  # what the monotonic clock shows while it stands still
_words, _draws = random.Random(), random.Random()


def begin(evening: str) -> None:
    """Set the clock and the luck for the first request of an evening."""
    step(evening, 0)


def step(evening: str, request: int) -> None:
    """Set the clock and the luck for a request, whatever the ones before it have used.

    Ids are drawn from other luck than seats and dealers, so that one id more moves nobody.
    """
    global _now
    _now = BEGIN + STEP * request
    _words.seed(f"words {evening} {request}")
    _draws.seed(f"draws {evening} {request}")


@contextmanager
def nothing_refilled() -> Iterator[None]:
    """Stop the clock of rate limits, so that a slow machine refills none of them."""
    global _stopped
    _stopped = _passed()
    yield
    _stopped = None


class _Kind(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _real)


class _Datetime(_real, metaclass=_Kind):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return cls.fromtimestamp(_now, tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.now(datetime.UTC).replace(tzinfo=None)


def _choice(choices: Sequence[Any]) -> Any:
    if isinstance(choices, str) and set(LETTERS) <= set(choices):
        return _words.choice(LETTERS)
    return _draws.choice(choices)


class _System(random.Random):
    """Stands for `random.SystemRandom`."""

    def random(self) -> float:
        return _draws.random()

    def getrandbits(self, k: int) -> int:
        return _draws.getrandbits(k)

    def randbytes(self, n: int) -> bytes:
        return _words.randbytes(n)

    def seed(self, *_args: object, **_more: object) -> None:
        """Ignore the seed, as `random.SystemRandom` does."""


def fix() -> None:
    """Replace the clock and the sources of luck of this process."""
    os.environ.update(TZ="UTC", LANGUAGE="en")
    time.tzset()
    datetime.datetime = _Datetime  # type: ignore[misc]
    time.time = lambda: _now
    time.monotonic = lambda: _passed() if _stopped is None else _stopped
    time.time_ns = lambda: int(_now * 1_000_000_000)
    os.urandom = lambda n: _words.randbytes(n)
    random.SystemRandom = _System  # type: ignore[assignment,misc]
    secrets.SystemRandom = _System  # type: ignore[assignment,misc]
    secrets.choice = _choice  # type: ignore[assignment]
    secrets.randbelow = _draws.randrange
    secrets.token_bytes = lambda n=None: _words.randbytes(n or 32)
    secrets.token_hex = lambda n=None: _words.randbytes(n or 32).hex()
    secrets.token_urlsafe = lambda n=None: hashlib.sha256(_words.randbytes(n or 32)).hexdigest()
