"""Connections to PostgreSQL, as all of the store uses them."""

import logging
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar

import psycopg
from psycopg import errors as pg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict

from scorekeeper.store.connection import (
    Changes,
    CommitUnknown,
    Cursor,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from scorekeeper.version import __version__

READ_TIMEOUT = 10.0  # seconds without a byte; longer than `lock_timeout`, which the server keeps
T = TypeVar("T")


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is lost where the server sends nothing for `read_timeout` seconds.

    Without it, phones would wait for as long as a server stands still, or its standby does not
    confirm a commit: timeouts of the server's own do not end that wait, and psycopg has none. The
    time counts anew with everything that arrives.
    """

    read_timeout: float | None = READ_TIMEOUT
    generation = 0  # of those of a pool

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


class Guard(Protocol):
    """What decides whether a program may write, with each transaction that does."""

    is_alone: bool  # nobody else uses the database, so the lock of users is not asked for

    def check_writer(self, version: int, timeline: int) -> None:
        """Raise `StoreError` where a server of a data version and a timeline may not be used."""

    def saw(self, newest: int | None) -> None:
        """Remember the number of the newest change, if there is any."""


class Connections:
    """The connections of a process: those that are idle, and how many more there may be.

    `psycopg_pool` has a tap wait for five seconds while the server is down, and finds one that was
    restarted only when its next attempt is due, after ten seconds or more; this one at once.
    """

    def __init__(self, connect: Callable[[], Connection], guard: Guard) -> None:
        self.guard = guard
        self._connect = connect
        self._free: list[Connection] = []
        self._generation = 0  # of those that are not closed when they are given back
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
                generation = self._generation
            connection = self._connect()
            connection.generation = generation
            return connection
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; with one that is lost, all idle ones are closed."""
        if connection.broken:
            self.close()
        elif not connection.closed:
            with self._lock:
                is_current = connection.generation == self._generation
                if is_current:
                    self._free.append(connection)
            if not is_current:
                connection.close()
        self._places.release()

    def close(self) -> None:
        """Close every connection, those in use when they are given back."""
        with self._lock:
            free, self._free = self._free, []
            self._generation += 1
        for connection in free:
            connection.close()


def connect(url: str, *, read_timeout: float | None = READ_TIMEOUT, **options: Any) -> Connection:
    """Open a connection in autocommit mode; parameters in the URL override the defaults."""
    with own_errors():
        name = f"Scorekeeper {__version__} on {socket.gethostname()}"[:46]
        named = {"application_name": f"{name}, process {os.getpid()}"}  # 63 bytes at most
        parameters = {**CLIENT, **named, **conninfo_to_dict(url), **options}
        connection = Connection.connect(autocommit=True, **parameters)
        connection.read_timeout = read_timeout
        try:
            connection.execute(SERVER)
        except BaseException:
            connection.close()
            raise
        return connection


def servers_of(url: str) -> list[dict[str, str]]:
    """Return the options that name each server alone, where an address names several."""
    named = {name: str(text) for name, text in conninfo_to_dict(url).items()}
    lists = {name: named[name].split(",") for name in ("host", "hostaddr", "port") if name in named}
    count = max(map(len, lists.values()), default=1)
    if count == 1:
        return []
    return [
        {name: texts[number if len(texts) > 1 else 0] for name, texts in lists.items()}
        for number in range(count)
    ]


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


CHANNEL = "scorekeeper"  # of notices: table, game and version, or
OTHER = "other"  # where no game has changed
NOTIFY = """
SELECT pg_notify(%s, notice), (SELECT max(sequence) FROM changes) FROM unnest(%s::text[]) AS notice
"""
WITHOUT_TABLE = 7291003  # advisory lock of writers that name no table
# Of all who use the schema: shared by programs as long as they run and by each writer, exclusive
# where nobody else may. The second number is that of the schema, as a database may have several.
USE = "7291002, hashtext(current_schema())"
BEGIN_WRITING = f"BEGIN; SELECT pg_try_advisory_xact_lock_shared({USE})"
# What a writer asks with the lock of its table: which data version and which timeline it writes to.
STATE = """
SELECT version, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
FROM schema_version"""
LOCK_TABLE = f"{STATE}, tables WHERE tables.id = ? FOR NO KEY UPDATE OF tables"

log = logging.getLogger(__name__)


class PostgresDatabase:
    """A connection to PostgreSQL as all of the store uses it.

    A connection that is lost is replaced by another before the first statement of a transaction,
    never within it.
    """

    def __init__(self, pool: "Connections") -> None:
        self.changes = Changes()
        self.in_transaction = False
        self._pool = pool
        self._taken: Connection | None = None

    @property
    def _conn(self) -> Connection:
        if self._taken is None:
            self._taken = self._pool.take()
        return self._taken

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor:
        return self._execute(translated(sql), parameters or ())

    def _execute(self, sql: str, parameters: Any = None) -> Cursor:
        with own_errors():
            try:
                return self._conn.execute(sql, parameters)
            except psycopg.OperationalError:
                if self.in_transaction or not self._conn.broken:
                    raise
            self.close()
            return self._conn.execute(sql, parameters)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Execute a statement with each of many rows of values."""
        with own_errors():
            self._conn.cursor().executemany(translated(sql), rows)

    def query(self, sql: str, parameters: Any = None, /) -> Iterator[dict[str, Any]]:
        """Yield the rows of a query by column."""
        cursor = self.execute(sql, parameters)
        assert isinstance(cursor, psycopg.Cursor)
        rows = cursor.fetchall()
        names = [column.name for column in cursor.description or ()]
        return (dict(zip(names, row, strict=True)) for row in rows)

    def begin_snapshot(self) -> None:
        self._begin("BEGIN ISOLATION LEVEL REPEATABLE READ")

    def begin_writing(self, table_id: str | None) -> None:
        """Begin a transaction that writes to a table, for which it waits."""
        guard = self._pool.guard
        begun = self._begin("BEGIN" if guard.is_alone else BEGIN_WRITING)
        if begun.nextset() and begun.fetchone() != (True,):
            raise StoreBusy("a command or a newer Scorekeeper has the database for itself")
        self.changes = Changes()
        if table_id is None:  # rare: a table is made, or the table of the server looked up
            self.execute("SELECT pg_advisory_xact_lock(?)", [WITHOUT_TABLE])
            state = self.execute(STATE).fetchone()
        else:
            state = self.execute(LOCK_TABLE, [table_id]).fetchone()
        guard.check_writer(*(state or self.execute(STATE).fetchone()))

    def lock_table(self, table_id: str, /) -> None:
        """Wait until no other transaction writes to a table."""
        self.execute("SELECT 1 FROM tables WHERE id = ? FOR NO KEY UPDATE", [table_id])

    def lock_everything(self) -> None:
        """Wait until nobody else writes, in a transaction during which nobody else can."""
        self.execute("LOCK TABLE tables IN EXCLUSIVE MODE")

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Insert whole rows into an empty table, and count them for the planner of queries."""
        with own_errors():
            with self._conn.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            self._conn.execute(f"ANALYZE {table}")
            if table == "changes":
                self._conn.execute(
                    "SELECT setval(pg_get_serial_sequence('changes', 'sequence'), "
                    "(SELECT max(sequence) FROM changes))"
                )

    def commit(self) -> None:
        """Commit the transaction. Raises `CommitUnknown` where the answer is lost."""
        try:
            with own_errors():
                self._conn.execute("COMMIT")
        except StoreError as error:
            if self._conn.broken:
                self.in_transaction = False
                raise CommitUnknown(str(error)) from error
            raise
        self.in_transaction = False

    def tell(self, notices: Iterable[str]) -> None:
        """Tell those who listen; who is not told looks again with the next sign of life."""
        try:
            told = self._conn.execute(NOTIFY, [CHANNEL, list(notices)]).fetchone()
            self._pool.guard.saw(told[1] if told else None)
        except psycopg.Error as error:
            log.warning("others were not told of a change: %s", error)

    def rollback(self) -> None:
        if self.in_transaction:
            self.in_transaction = False
            with suppress(psycopg.Error):  # a lost connection has rolled back
                self._conn.execute("ROLLBACK")

    def close(self) -> None:
        """Return the connection to the pool; another is taken where it is used again."""
        self.rollback()
        if self._taken is not None:
            taken, self._taken = self._taken, None
            self._pool.give_back(taken)

    def _begin(self, statement: str) -> Any:
        begun = self._execute(statement)
        self.in_transaction = True
        return begun


def translated(sql: str) -> str:
    """Return a statement with the parameters of psycopg: `%s` and `%(name)s`."""
    escaped = sql.replace("%", "%%").replace("?", "%s")
    return re.sub(r"(?<![:\w]):([a-z_]+)", r"%(\1)s", escaped)
