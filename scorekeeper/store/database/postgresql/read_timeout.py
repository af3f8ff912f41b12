"""A connection to PostgreSQL that gives up on a server which does not answer."""

import time
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

READ_TIMEOUT = 10.0  # seconds without a byte; longer than `lock_timeout`, which the server keeps
T = TypeVar("T")


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is lost where the server sends nothing for `read_timeout` seconds.

    Timeouts of the server's own do not end the wait for one that is stopped, or for a commit that
    its standby never confirms. The time counts anew with everything that arrives.
    """

    read_timeout: float | None = READ_TIMEOUT

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:
        return super().wait(self._limited(gen), *args, **options)

    def _limited(self, gen: PQGen[T]) -> PQGen[T]:
        silent_since = None
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted  # nothing after each tenth of a second without a byte
                if ready:
                    silent_since = None
                elif silent_since is None:
                    silent_since = time.monotonic()
                elif self.read_timeout and time.monotonic() - silent_since > self.read_timeout:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the database does not answer")
                wanted = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
