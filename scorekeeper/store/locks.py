"""Locks between programs, files that are private, and long work that lets others in."""

import os
import stat
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

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


PAUSE = 0.0001  # seconds; after one of 0 a thread has the GIL back before others wake up
Result = TypeVar("Result")
Item = TypeVar("Item")


def in_slices(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, and let other threads and greenlets run after each.

    Under gevent a file of 2,000 rows would otherwise stop every phone of the worker for a second.
    """
    for item in items:
        yield item
        time.sleep(PAUSE)


def in_real_thread(call: Callable[[], Result]) -> Result:
    """Return the result of a call that spends its time in C code without the GIL.

    Under gevent, where it would stop every phone of the worker, it runs in a thread of gevent's
    pool.
    """
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("threading"):
        return call()
    pool = sys.modules["gevent"].get_hub().threadpool
    result, error = pool.apply(_outcome, (call,))
    if error is not None:
        raise error
    answer: Result = result
    return answer


def _outcome(call: Callable[[], Result]) -> tuple[Result | None, Exception | None]:
    # The pool prints the traceback of an exception that leaves its thread.
    try:
        return call(), None
    except Exception as error:
        return None, error
