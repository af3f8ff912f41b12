"""Long work that does not keep other threads and greenlets waiting."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

PAUSE = 0.0001  # seconds; after one of 0 a thread has the GIL back before others wake up
Result = TypeVar("Result")
Item = TypeVar("Item")


def in_slices(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, and let other threads and greenlets run after each."""
    for item in items:
        yield item
        time.sleep(PAUSE)


def in_real_thread(call: Callable[[], Result]) -> Result:
    """Return the result of a call that spends its time in C code without the GIL.

    Under gevent, where it would block all greenlets, it runs in a thread of gevent's pool.
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
