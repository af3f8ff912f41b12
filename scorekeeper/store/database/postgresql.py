"""The store on PostgreSQL, for several machines or for more than one machine carries.

It needs `pip install 'scorekeeper[postgresql]'`, and is imported only where such a database is
named in SCOREKEEPER_DATABASE.
"""

import logging
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg import errors as pg

from scorekeeper.i18n import gettext as _
from scorekeeper.store.database.connection import Changes, Cursor, Database
from scorekeeper.store.database.errors import CommitUnknown, StoreBusy, StoreDamaged, StoreError
from scorekeeper.store.database.file_check import FileCheck
from scorekeeper.store.database.migrations import SCHEMA_VERSION
from scorekeeper.store.database.postgresql_schema import NOTES, SCHEMA
from scorekeeper.store.database.rotation import AfterGames
from scorekeeper.store.database.store import FILE, Store, StoreRefused

CHANNEL = "scorekeeper"  # of notices: table, game and version
MAX_CONNECTIONS = 16  # of a process
LISTENS = 0.5  # seconds until a thread that listens sees whether it is still needed
PATIENCE = 5.0  # seconds to wait for a connection, or for others who write to the same table
# Advisory locks: while the schema is made, of imports, and of writers that name no table.
STARTING, IMPORTING, WITHOUT_TABLE = 7291001, 7291002, 7291003
BUSY = (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure)
DAMAGED = (pg.DataCorrupted, pg.IndexCorrupted)

log = logging.getLogger(__name__)
Connection = psycopg.Connection[tuple[Any, ...]]


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
        with _own_errors():
            try:
                return self._conn.execute(translated(sql), parameters or ())
            except psycopg.OperationalError:
                if self.in_transaction or not self._conn.broken:
                    raise
            self.close()
            return self._conn.execute(translated(sql), parameters or ())

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Execute a statement with each of many rows of values."""
        with _own_errors():
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
        with _own_errors():
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
            with _own_errors():
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


class Connections:
    """The connections of a process: those that are idle, and how many more there may be."""

    def __init__(self, url: str) -> None:
        self._url = url
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
            return _connect(self._url)
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; with one that is lost, all idle ones are closed."""
        if connection.broken or connection.closed:
            self.close()
        else:
            with self._lock:
                self._free.append(connection)
        self._places.release()

    def close(self) -> None:
        """Close every idle connection."""
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.close()


class PostgresStore(Store):
    """A store on PostgreSQL; the folder holds only what a process needs for itself.

    Opening it makes the schema where there is none. Raises `StoreRefused` where the database
    cannot be used.
    """

    is_file = False

    def __init__(self, url: str, folder: Path):
        self.url = url
        self.path = folder / FILE  # never made
        self.backups = _NoBackups(self.path)
        self.file_check = FileCheck(self.path)  # never started
        self._local = threading.local()
        self.pool = Connections(url)
        try:
            with closing(_connect(url)) as connection:
                _make_schema(connection)
        except (StoreError, psycopg.Error) as error:
            sentence = _("Can’t use the database in SCOREKEEPER_DATABASE: {reason}")
            raise StoreRefused(sentence.format(reason=str(error).strip())) from error

    @property
    def db(self) -> Database:
        """The connection of this thread, until it is released."""
        return self._mine()

    @property
    def writers_waiting(self) -> int:
        """How many threads of this process wait for a connection."""
        return self.pool.n_waiting

    @contextmanager
    def borrow(self) -> Iterator[Database]:
        """Provide a connection for a block that outlasts the thread's, as in a stream."""
        db = PostgresDatabase(self.pool)
        try:
            yield db
        finally:
            db.close()

    @contextmanager
    def shared_reader(self) -> Iterator[Database]:
        """Provide a connection for a short read."""
        with self.borrow() as db:
            yield db

    @contextmanager
    def write(self, table_id: str | None = None, *, backs_up: bool = True) -> Iterator[Database]:
        """Run a block in a write transaction, alone at a table. Raises `StoreBusy`.

        Those who listen are told of changed games after the commit: a notice within the
        transaction would make all commits of the server wait for each other.
        """
        db = self._mine()
        db.begin_writing(table_id)
        try:
            yield db
        except BaseException:
            db.rollback()
            raise
        db.commit()
        changed = db.changes.versions.items()
        db.notify(f"{table} {game} {version}" for (table, game), version in changed)

    def hold_imports(self) -> "_ImportLock | None":
        """Take the lock of imports for all machines, or return None where it is held."""
        lock = _ImportLock(self.url)
        if lock.is_held:
            return lock
        lock.release()
        return None

    @contextmanager
    def unchecked(self) -> Iterator[None]:
        """Check foreign keys all the same: PostgreSQL finds what refers to a row by an index."""
        yield

    def close(self) -> None:
        """Close every connection."""
        self.release()
        self.pool.close()

    def release(self) -> None:
        """Return this thread's connection to the pool, unless it is in a transaction."""
        current: PostgresDatabase | None = getattr(self._local, "db", None)
        if current is not None and not current.in_transaction:
            self._local.db = None
            current.close()

    def _mine(self) -> PostgresDatabase:
        current: PostgresDatabase | None = getattr(self._local, "db", None)
        if current is None:
            current = self._local.db = PostgresDatabase(self.pool)
        return current


class Notices:
    """Detection of changes by notices, on a connection that does nothing else."""

    def __init__(self, store: PostgresStore) -> None:
        with _own_errors():
            self._listening = _connect(store.url)
            self._listening.execute(f"LISTEN {CHANNEL}")
        self.db = PostgresDatabase(store.pool)

    def changed_games(self) -> list[tuple[tuple[str, str], int]]:
        """Wait at most for `LISTENS`, and return the games changed, with their versions before."""
        before: dict[tuple[str, str], int] = {}
        with _own_errors():
            for notice in self._listening.notifies(timeout=LISTENS, stop_after=1):
                table_id, game_id, version = notice.payload.split()
                key = (table_id, game_id)
                before[key] = min(before.get(key, int(version)), int(version) - 1)
        return list(before.items())

    def close(self) -> None:
        self._listening.close()
        self.db.close()


class _ImportLock:
    """The lock of imports, on a connection of its own: it ends with the process at the latest."""

    def __init__(self, url: str) -> None:
        self._connection = _connect(url)
        with _own_errors():
            found = self._connection.execute("SELECT pg_try_advisory_lock(%s)", [IMPORTING])
        self.is_held = bool((found.fetchone() or [False])[0])

    def release(self) -> None:
        self._connection.close()


class _NoBackups(AfterGames):
    """Backups are made by the server's own means: `pg_dump`, or an archive of its log."""

    def ask(self) -> None:
        """Do nothing."""


@lru_cache(maxsize=1024)  # key: the statement
def translated(sql: str) -> str:
    """Return a statement with the parameters of psycopg: `%s` and `%(name)s`."""
    escaped = sql.replace("%", "%%").replace("?", "%s")
    return re.sub(r"(?<![:\w]):([a-z_]+)", r"%(\1)s", escaped)


def _connect(url: str) -> Connection:
    with _own_errors():
        connection = psycopg.connect(url, autocommit=True, connect_timeout=int(PATIENCE))
        connection.execute(f"SET lock_timeout = {int(PATIENCE * 1000)}")
        return connection


@contextmanager
def _own_errors() -> Iterator[None]:
    """Raise errors of the store instead of those of psycopg."""
    try:
        yield
    except BUSY as error:
        raise StoreBusy(str(error)) from error
    except DAMAGED as error:
        raise StoreDamaged(str(error)) from error
    except psycopg.Error as error:
        raise StoreError(str(error)) from error


def _make_schema(connection: Connection) -> None:
    """Make the schema in an empty database, or bring that of version 2 up to date.

    Raises `StoreRefused` for one of a newer program.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [STARTING])
        found = connection.execute("SELECT to_regclass('schema_version')").fetchone()
        if found is None or found[0] is None:
            connection.execute(SCHEMA)
            connection.execute(NOTES)
            connection.execute("INSERT INTO schema_version VALUES (%s)", [SCHEMA_VERSION])
            return
        row = connection.execute("SELECT version FROM schema_version").fetchone()
        version = row[0] if row else 0
        if version == 2:
            connection.execute(NOTES)
            connection.execute("UPDATE schema_version SET version = %s", [SCHEMA_VERSION])
            return
    if version != SCHEMA_VERSION:
        sentence = _(
            "The database in SCOREKEEPER_DATABASE has data version {found}; this Scorekeeper "
            "supports {known}. Nothing was changed."
        )
        raise StoreRefused(sentence.format(found=version, known=SCHEMA_VERSION))
