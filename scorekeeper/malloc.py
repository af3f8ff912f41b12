"""Settings of glibc's malloc, which keeps more memory than the server needs.

Under another C library both functions do nothing.
"""

import ctypes
import sys

ARENA_MAX = -8  # M_ARENA_MAX in malloc.h


def share_arenas() -> None:
    """Let all threads allocate from one arena, as MALLOC_ARENA_MAX=1 does.

    By default each of the many threads gets an arena, and pages that any of them has rendered stay
    allocated there: 9 MiB after 50 pages. See the row `memory` of the benchmark.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(ARENA_MAX, 1)


def release_freed() -> None:
    """Return memory that was freed to the system, which malloc does only at the end of the heap."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
