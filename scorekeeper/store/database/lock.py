"""File locks between the programs that use a data folder, and files private to their owner."""

import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no flock; there only SQLite locks the database
    fcntl = None  # type: ignore[assignment]  # checked before use


class Held:
    """A lock that is held until it is released or garbage collected."""

    def __init__(self, handle: int):
        self.release = weakref.finalize(self, os.close, handle)


def hold(path: Path, *, alone: bool, wait: bool = True) -> Held | None:
    """Lock a file, created if needed: exclusively if `alone`, else shared.

    Return None where it is locked and `wait` is false.
    """
    return hold_open(open_private(path), alone=alone, wait=wait)


def hold_open(handle: int, *, alone: bool, wait: bool = True) -> Held | None:
    """Lock an open file as `hold` does; releasing the lock closes it."""
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
    """Open a file, created with access for its owner only, and return its descriptor.

    Raises `OSError` for a symbolic link, which others may have planted.
    """
    safely = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, os.O_RDWR | os.O_CREAT | safely, 0o600)


def make_private(path: Path) -> None:
    """Create a file with access for its owner only, if it does not exist."""
    if not path.exists():
        os.close(open_private(path))


def keep_private(path: Path) -> None:
    """Restrict access to a file to its owner, if it exists and is ours."""
    with suppress(FileNotFoundError, PermissionError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & 0o077:
            path.chmod(mode & 0o700)


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Lock a file exclusively, created if needed, until the block ends."""
    held = hold(path, alone=True)
    assert held is not None
    try:
        yield
    finally:
        held.release()
