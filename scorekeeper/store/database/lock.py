"""Locks between the programs that use one data folder, and files that only their owner reads."""

import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    return hold_open(open_private(path), alone=alone, wait=wait)


def hold_open(handle: int, *, alone: bool, wait: bool = True) -> Held | None:
    """Hold a file that is open, as `hold` does; it is closed at the end."""
    held = Held(handle)
    if fcntl is not None:
        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
        except BlockingIOError:
            held.release()
            return None
    return held


def open_private(path: Path) -> int:
    """Open a file, made for its owner alone if needed, and return its handle.

    Raises `OSError` for a symbolic link, which others may have planted to reach another file.
    """
    safely = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, os.O_RDWR | os.O_CREAT | safely, 0o600)


def make_private(path: Path) -> None:
    """Make a file for its owner alone, if there is none."""
    if not path.exists():
        os.close(open_private(path))


def keep_private(path: Path) -> None:
    """Let nobody but its owner read or write a file, if there is one and it is ours."""
    with suppress(FileNotFoundError, PermissionError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & 0o077:
            path.chmod(mode & 0o700)


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Hold a file, made if needed, until the block ends; others wait."""
    held = hold(path, alone=True)
    assert held is not None
    try:
        yield
    finally:
        held.release()
