"""A connection as all of the store uses it, on PostgreSQL."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from itertools import chain
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from scorekeeper.store.database.connection import Changes, Cursor, Statement
from scorekeeper.store.database.errors import CommitUnknown, StoreError
from scorekeeper.store.database.postgresql.connections import Connections, own_errors
from scorekeeper.store.database.postgresql.read_timeout import Connection

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
