"""Long calls into SQLite, made so that everybody else goes on meanwhile."""

import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def in_real_thread(call: Callable[[], Result]) -> Result:
    """Return what a call returns that spends its time in C code.

    A thread does not stop other threads with it. Under gevent threads are greenlets, which it
    would stop all at once; there it runs in a thread of gevent's pool.
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
    # An exception that leaves a thread of the pool is printed with its traceback.
    try:
        return call(), None
    except Exception as error:
        return None, error
