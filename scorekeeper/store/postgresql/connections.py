"""Connections to PostgreSQL, as all of the store uses them."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import psycopg
from psycopg import errors as pg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from scorekeeper.store.connection import (
    Changes,
    CommitUnknown,
    Cursor,
    Statement,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)

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


class LoggedCursor(psycopg.Cursor[Row]):
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
        connection = Connection.connect(autocommit=True, cursor_factory=LoggedCursor, **parameters)
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


CHANNEL = "scorekeeper"  # of notices: table, game and version, or
OTHER = "other"  # where no game has changed
WITHOUT_TABLE = 7291003  # advisory lock of writers that name no table
MAX_TOGETHER = 100  # rows that one statement inserts

log = logging.getLogger(__name__)


class PostgresDatabase:
    """A connection to PostgreSQL as all of the store uses it.

    The statements of a transaction are sent together up to the next whose answer is read, and the
    last of them together with its COMMIT. An error of one may so be raised by a later one.

    A connection that is lost is replaced by another before the first statement of a transaction,
    never within it.
    """

    def __init__(self, pool: "Connections") -> None:
        self.changes = Changes()
        self.in_transaction = False
        self._pool = pool
        self._taken: Connection | None = None
        self._pipeline = ExitStack()  # open in a transaction

    @property
    def _conn(self) -> Connection:
        if self._taken is None:
            self._taken = self._pool.take()
        return self._taken

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor:
        with own_errors():
            try:
                return self._conn.execute(translated(sql), parameters or ())
            except psycopg.OperationalError:
                if self.in_transaction or not self._conn.broken:
                    raise
            self.close()
            return self._conn.execute(translated(sql), parameters or ())

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Execute a statement with each of many rows of values; one that inserts, with all."""
        values = list(rows)
        if values and " VALUES (" in sql and len(values) <= MAX_TOGETHER:
            self.execute(with_rows(sql, len(values)), [*chain.from_iterable(values)])
            return
        with own_errors():
            self._conn.cursor().executemany(translated(sql), values)

    def execute_together(self, *statements: Statement) -> None:
        """Execute statements that write as one, which costs both sides less than two."""
        *first, last = (sql for sql, _values in statements)
        parts = ", ".join(f"write_{n} AS ({sql})" for n, sql in enumerate(first))
        values = [*chain.from_iterable(values for _sql, values in statements)]
        self.execute(f"WITH {parts} {last}" if parts else last, values)

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
        self._begin("BEGIN")
        self.changes = Changes()
        if table_id is None:  # rare: a table is made, or the table of the server looked up
            self.execute("SELECT pg_advisory_xact_lock(?)", [WITHOUT_TABLE])
        else:
            self.lock_table(table_id)

    def lock_table(self, table_id: str, /) -> None:
        """Wait until no other transaction writes to a table."""
        self.execute("SELECT 1 FROM tables WHERE id = ? FOR NO KEY UPDATE", [table_id])

    def lock_everything(self) -> None:
        """Wait until nobody else writes, in a transaction during which nobody else can."""
        self.execute("LOCK TABLE tables IN EXCLUSIVE MODE")

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Insert whole rows into an empty table, and count them for the planner of queries."""
        with own_errors():
            self._pipeline.close()  # which COPY cannot be part of
            with self._conn.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            self._conn.execute(f"ANALYZE {table}")
            if table == "changes":
                self._conn.execute(
                    "SELECT setval(pg_get_serial_sequence('changes', 'sequence'), "
                    "(SELECT max(sequence) FROM changes))"
                )

    def commit(self, notices: Iterable[str] = ()) -> None:
        """Commit the transaction, and then tell those who listen.

        Raises `CommitUnknown` where the answer is lost. Those who are not told look again with
        their next sign of life.
        """
        sent = None
        try:
            with own_errors():
                sent = self._conn.execute("COMMIT")
                for notice in notices:
                    self._conn.execute("SELECT pg_notify(%s, %s)", [CHANNEL, notice])
                self._pipeline.close()
        except StoreError as error:
            if sent is not None and sent.statusmessage == "COMMIT":
                log.warning("others were not told of a change: %s", error)
            elif self._conn.broken:
                self.in_transaction = False
                raise CommitUnknown(str(error)) from error
            else:
                raise
        self.in_transaction = False

    def rollback(self) -> None:
        if self.in_transaction:
            self.in_transaction = False
            with suppress(psycopg.Error):  # one that was raised already
                self._pipeline.close()
            # Statements that were to be prepared after one that failed never were, and psycopg
            # would not prepare them again: a failed transaction costs its connection.
            if self._conn.info.transaction_status == TransactionStatus.INERROR:
                self._conn.close()
                self.close()
                return
            with suppress(psycopg.Error):  # a lost connection has rolled back
                self._conn.execute("ROLLBACK")

    def close(self) -> None:
        """Return the connection to the pool; another is taken where it is used again."""
        self.rollback()
        if self._taken is not None:
            taken, self._taken = self._taken, None
            self._pool.give_back(taken)

    def _begin(self, statement: str) -> None:
        if self._taken is None or self._taken.closed:
            self.execute("SELECT 1")  # an idle connection may be lost
        with own_errors():
            self._pipeline.enter_context(self._conn.pipeline())
            self._conn.execute(statement)
        self.in_transaction = True


# The rows `bid` and `round` of tests.bench.postgresql need both caches: without them the server's
# Python works 0.02 ms longer for a bid, a twentieth, and 0.1 ms longer for a scored round.
@lru_cache(maxsize=256)  # key: the statement and the number
def with_rows(sql: str, number: int) -> str:
    """Return a statement that inserts a row as one that inserts a number of rows."""
    return re.sub(r"VALUES (\(.*?\))", lambda one: f"VALUES {', '.join([one[1]] * number)}", sql)


@lru_cache(maxsize=1024)  # key: the statement
def translated(sql: str) -> str:
    """Return a statement with the parameters of psycopg: `%s` and `%(name)s`."""
    escaped = sql.replace("%", "%%").replace("?", "%s")
    return re.sub(r"(?<![:\w]):([a-z_]+)", r"%(\1)s", escaped)
