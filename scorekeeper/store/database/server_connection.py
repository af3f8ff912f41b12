"""Connections to PostgreSQL that give up on a server which does not answer."""

import time
from typing import Any, TypeVar

import psycopg
from psycopg import waiting
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict

READ_TIMEOUT = 10.0  # seconds without a byte; longer than `LOCK_TIMEOUT`, which the server keeps
LOCK_TIMEOUT = 5.0  # seconds to wait for others who write to the same table
# A host that is gone without a word is given up after some seconds, by both sides.
CLIENT = {
    "connect_timeout": 3,  # seconds, for each host
    "keepalives_idle": 5,  # seconds
    "keepalives_interval": 2,  # seconds
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
SERVER = f"""
SET lock_timeout = {int(LOCK_TIMEOUT * 1000)};
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 2;
SET tcp_keepalives_count = 3;
"""
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
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready != waiting.Ready.NONE:
                    heard = now
                elif self.read_timeout is not None and now - heard > self.read_timeout:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the database does not answer")
                wanted = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result


def connect(url: str, *, read_timeout: float | None, **options: Any) -> Connection:
    """Open a connection in autocommit mode; parameters in the URL override the defaults."""
    parameters = {**CLIENT, **conninfo_to_dict(url), **options}
    connection = Connection.connect(autocommit=True, **parameters)
    connection.read_timeout = read_timeout
    connection.execute(SERVER)
    return connection
