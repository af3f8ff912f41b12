"""The writers of a process in line, table by table.

Those of one table would wait for each other in the database, each with a connection. Here all but
one wait without, so that a table which is locked takes none from the others.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scorekeeper.store.connection import StoreBusy
from scorekeeper.store.postgresql.connections import PATIENCE

MOST = 64  # in one line; more would take the threads of the built-in server from other tables


class _Line:
    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.length = 0


class Turns:
    """Lines of writers, by table."""

    def __init__(self) -> None:
        self._lines: dict[str | None, _Line] = {}
        self._changing = threading.Lock()

    @property
    def n_waiting(self) -> int:
        """How many threads wait for their turn."""
        with self._changing:
            return sum(line.length - 1 for line in self._lines.values())

    @contextmanager
    def take(self, table_id: str | None, before_waiting: Callable[[], None]) -> Iterator[None]:
        """Run a block alone among the writers of a table. Raises `StoreBusy`."""
        with self._changing:
            line = self._lines.setdefault(table_id, _Line())
            if line.length > MOST:
                raise StoreBusy("too many wait to write to this table")
            line.length += 1
        try:
            if not line.turn.acquire(blocking=False):
                before_waiting()
                if not line.turn.acquire(timeout=PATIENCE):
                    raise StoreBusy("others write to this table")
            try:
                yield
            finally:
                line.turn.release()
        finally:
            with self._changing:
                line.length -= 1
                if not line.length:
                    del self._lines[table_id]
