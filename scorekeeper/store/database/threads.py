"""Long calls into C code that do not block other greenlets."""

import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


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
