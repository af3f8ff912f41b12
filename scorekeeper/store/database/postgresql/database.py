"""A connection as all of the store uses it, on PostgreSQL."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import psycopg

from scorekeeper.store.database.connection import Changes, Cursor
from scorekeeper.store.database.errors import CommitUnknown, StoreError
from scorekeeper.store.database.postgresql.connections import Connection, Connections, own_errors

CHANNEL = "scorekeeper"  # of notices: table, game and version
WITHOUT_TABLE = 7291003  # advisory lock of writers that name no table

log = logging.getLogger(__name__)


class PostgresDatabase:
    """A connection to PostgreSQL as all of the store uses it.

    One that is lost is replaced by another before the first statement of a transaction, never
    within it.
    """

    ROW_ID = "ctid"

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
        with own_errors():
            try:
                return self._conn.execute(translated(sql), parameters or ())
            except psycopg.OperationalError:
                if self.in_transaction or not self._conn.broken:
                    raise
            self.close()
            return self._conn.execute(translated(sql), parameters or ())

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Execute a statement with each of many rows of values."""
        with own_errors():
            self._conn.cursor().executemany(translated(sql), list(rows))

    def query(self, sql: str, parameters: Any = None, /) -> Iterator[dict[str, Any]]:
        """Yield the rows of a query by column."""
        cursor = self.execute(sql, parameters)
        assert isinstance(cursor, psycopg.Cursor)
        names = [column.name for column in cursor.description or ()]
        return (dict(zip(names, row, strict=True)) for row in cursor.fetchall())

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
        """Insert whole rows into an empty table."""
        with own_errors():
            with self._conn.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            if table == "changes":
                self._conn.execute(
                    "SELECT setval(pg_get_serial_sequence('changes', 'sequence'), "
                    "(SELECT max(sequence) FROM changes))"
                )

    def delete_unguarded(self, statement: str, values: Sequence[Any], /) -> int:
        """Delete rows, also lines of the journal, and return how many."""
        self.execute("SET LOCAL scorekeeper.unguarded = 'yes'")
        deleted = self.execute(statement, values).rowcount
        self.execute("SET LOCAL scorekeeper.unguarded = ''")
        return deleted

    def commit(self) -> None:
        """Commit the transaction. Raises `CommitUnknown` where its answer is lost."""
        try:
            with own_errors():
                self._conn.execute("COMMIT")
        except StoreError as error:
            if self._conn.broken:
                raise CommitUnknown(str(error)) from error
            raise
        finally:
            self.in_transaction = False

    def notify(self, notices: Iterable[str]) -> None:
        """Tell those who listen. Where that fails, they look again with their next sign of life."""
        try:
            for notice in notices:
                self._conn.execute("SELECT pg_notify(%s, %s)", [CHANNEL, notice])
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

    def _begin(self, statement: str) -> None:
        self.execute(statement)
        self.in_transaction = True


@lru_cache(maxsize=1024)  # key: the statement
def translated(sql: str) -> str:
    """Return a statement with the parameters of psycopg: `%s` and `%(name)s`."""
    escaped = sql.replace("%", "%%").replace("?", "%s")
    return re.sub(r"(?<![:\w]):([a-z_]+)", r"%(\1)s", escaped)
