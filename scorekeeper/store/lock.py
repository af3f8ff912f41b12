"""Locks between the programs that use one data folder."""

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no flock; two starts at once are left to the database's own lock
    fcntl = None  # type: ignore[assignment]  # looked at before use


class Held:
    """A lock that is held until it is released, or until nobody knows of it any more."""

    def __init__(self, handle: int):
        self.release = weakref.finalize(self, os.close, handle)


def hold(path: Path, *, alone: bool, wait: bool = True) -> Held | None:
    """Hold a file, made if needed: alone, or together with others who do not want it alone.

    Return None where it is taken and `wait` is not wanted.
    """
    held = Held(
        handle := os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    )
    if fcntl is not None:
        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
        except BlockingIOError:
            held.release()
            return None
    return held


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Hold a file, made if needed, until the block ends; others wait."""
    held = hold(path, alone=True)
    assert held is not None
    try:
        yield
    finally:
        held.release()
