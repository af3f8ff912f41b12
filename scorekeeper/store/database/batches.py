"""Long work in many short transactions, so that phones can write in between."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlite_utils import Database

from scorekeeper.store.database.store import Store

LONGEST = 0.005  # seconds before a step ends, wherever the work may be interrupted next
REST = 1.5  # times as long as a step took, but no longer than is of use to those who wait
LONGEST_REST = 0.03  # seconds


def in_steps(store: Store, work: Iterable[object]) -> None:
    """Run a generator, committing what it wrote at some of the places where it yields.

    It yields wherever others may write, and must not rely on what it read before. An exception
    undoes only the step in which it was raised.
    """
    rest = iter(work)
    is_unfinished = True
    while is_unfinished:
        began = time.monotonic()
        with store.write(backs_up=False):
            until = time.monotonic() + LONGEST
            is_unfinished = any(time.monotonic() > until for _ in rest)
        # SQLite wakes nobody who waits for its lock: they look again, at most every 0.1 seconds.
        time.sleep(min(REST * (time.monotonic() - began), LONGEST_REST))


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Read everything as it stands at one moment; only temporary tables are written."""
    db.execute("BEGIN")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise
