"""Long work in many short transactions, so that others can write in between."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store

LONGEST = 0.005  # seconds until a transaction is committed where the work next yields
REST = 1.5  # pause after a transaction, as a multiple of its time
MAX_REST = 0.03  # seconds


def in_steps(store: Store, work: Iterable[object], table_id: str | None = None) -> None:
    """Run a generator that writes to a table, committing at some of the places where it yields.

    After it has yielded it must not rely on what it read before, as others may have written. An
    exception rolls back only the transaction in which it was raised.
    """
    rest = iter(work)
    is_unfinished = True
    while is_unfinished:
        began = time.monotonic()
        with store.write(table_id, backs_up=False):
            until = time.monotonic() + LONGEST
            is_unfinished = any(time.monotonic() > until for _ in rest)
        # SQLite does not wake those that wait for its lock: they retry at least every 0.1 seconds.
        time.sleep(min(REST * (time.monotonic() - began), MAX_REST))


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Read from one snapshot of the database; only temporary tables are written."""
    db.begin_snapshot()
    try:
        yield
        db.commit()
    except BaseException:
        db.rollback()
        raise
