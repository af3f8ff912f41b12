"""Connections to PostgreSQL."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict

from scorekeeper.store.database.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from scorekeeper.store.database.postgresql.read_timeout import READ_TIMEOUT, Connection

MAX_CONNECTIONS = 16  # of a process
PATIENCE = 5.0  # seconds to wait for a connection, or for others who write to the same table
BUSY = (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure)
DAMAGED = (pg.DataCorrupted, pg.IndexCorrupted)
UNAVAILABLE = (psycopg.OperationalError, pg.ReadOnlySqlTransaction)  # the latter of a standby

# A host that is gone without a word is given up after some seconds, by both sides.
CLIENT = {
    "connect_timeout": 3,  # seconds, for each host
    "keepalives_idle": 5,  # seconds
    "keepalives_interval": 2,  # seconds
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
# Compiling a query takes longer than any of ours: the row `move` of tests.bench.postgresql needs
# that it is off.
SERVER = f"""
SET jit = off;
SET lock_timeout = {int(PATIENCE * 1000)};
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 2;
SET tcp_keepalives_count = 3;
"""

Row = tuple[Any, ...]


class Cursor(psycopg.Cursor[Row]):
    """The answer to a statement, for which it waits when it is read."""

    @property
    def rowcount(self) -> int:
        if self.connection.info.pipeline_status:
            with own_errors(), self.connection.pipeline():
                pass  # the end of the block waits for all answers
        return super().rowcount

    def fetchone(self) -> Row | None:
        with own_errors():
            return super().fetchone()

    def fetchall(self) -> list[Row]:
        with own_errors():
            return super().fetchall()

    def __iter__(self) -> Iterator[Row]:  # type: ignore[override]  # psycopg names its own class
        return iter(self.fetchall())


class Connections:
    """The connections of a process: those that are idle, and how many more there may be."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._free: list[Connection] = []
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._n_waiting = 0

    @property
    def n_waiting(self) -> int:
        """How many threads wait for a connection."""
        return self._n_waiting

    def take(self) -> Connection:
        """Return a connection for exclusive use. Raises `StoreBusy` where none becomes free."""
        self._n_waiting += 1
        try:
            if not self._places.acquire(timeout=PATIENCE):
                raise StoreBusy("all connections are in use")
        finally:
            self._n_waiting -= 1
        try:
            with self._lock:
                if self._free:
                    return self._free.pop()
            return self._connect()
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; with one that is lost, all idle ones are closed."""
        if connection.broken:
            self.close()
        elif not connection.closed:
            with self._lock:
                self._free.append(connection)
        self._places.release()

    def close(self) -> None:
        """Close every idle connection."""
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.close()


def connect(url: str, *, read_timeout: float | None = READ_TIMEOUT, **options: Any) -> Connection:
    """Open a connection in autocommit mode; parameters in the URL override the defaults."""
    with own_errors():
        parameters = {**CLIENT, **conninfo_to_dict(url), **options}
        connection = Connection.connect(autocommit=True, cursor_factory=Cursor, **parameters)
        connection.read_timeout = read_timeout
        connection.execute(SERVER)
        return connection


@contextmanager
def own_errors() -> Iterator[None]:
    """Raise errors of the store instead of those of psycopg."""
    try:
        yield
    except BUSY as error:
        raise StoreBusy(str(error)) from error
    except DAMAGED as error:
        raise StoreDamaged(str(error)) from error
    except UNAVAILABLE as error:
        raise StoreUnavailable(str(error)) from error
    except psycopg.Error as error:
        raise StoreError(str(error)) from error
