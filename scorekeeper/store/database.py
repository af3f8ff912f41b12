"""The database of a data folder: opening, connections, write transactions, and its health."""

import errno
import os
import secrets
import shutil
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple, Self

from scorekeeper.i18n import gettext as _
from scorekeeper.store.backup import AfterGames, BackupFailed, back_up_dated, newest_good
from scorekeeper.store.connection import (
    AnyDatabase,
    Changes,
    Database,
    StoreBusy,
    StoreDamaged,
    StoreError,
    scalar,
    sqlite3,
)
from scorekeeper.store.damage import FileCheck, advice, is_whole, restore_advice
from scorekeeper.store.locks import Held, file_lock, hold, keep_private, make_private
from scorekeeper.store.migrations import (
    SCHEMA_VERSION,
    TABLES,
    has_every_table,
    migrate,
    told_version,
)
from scorekeeper.store.open_file import FileId, OpenFile, file_ids
from scorekeeper.store.sqlite import (
    BUSY_SECONDS,
    SHORT_WAIT,
    Connection,
    Pool,
    SQLiteDatabase,
)

FILE = "scorekeeper.db"
OPEN = "open.lock"  # locked while a program has the folder open
STARTING = "starting.lock"  # held while the database is opened for the first time, or closed
IN_USE = "in-use"  # exists once the folder has had a database
BESIDE = ("", "-wal", "-shm", "-journal")  # suffixes of the files of one database


class StoreRefused(Exception):
    """The database cannot be used as it is; the message says what to do."""


def require_database(folder: Path) -> None:
    """Raise `StoreRefused` where a folder has no database file, or not that of its server."""
    _require_file(folder)
    if (folder / OPEN).exists() and not _is_free(folder):
        _refuse_exchanged(folder)


def _require_file(folder: Path) -> None:
    path = folder / FILE
    if path.exists():
        return
    if (folder / IN_USE).exists():
        raise _lost(path, _("{path} is missing, but it used to contain games."))
    sentence = _(
        "There’s no database in {folder}. Start the server first, or choose another folder with "
        "SCOREKEEPER_DATA=/path/to/folder."
    )
    raise StoreRefused(sentence.format(folder=folder))


def _is_free(folder: Path) -> bool:
    """Return whether no other program has a folder open; a `restore` is waited for."""
    if waited := hold(folder / OPEN, alone=False):
        waited.release()
    held = hold(folder / OPEN, alone=True, wait=False)
    if held is not None:
        held.release()
    return held is not None


def _record(folder: Path, files: OpenFile) -> None:
    """Store which files the first program has open, for those that open the folder beside it."""
    (folder / OPEN).write_text(_numbers(files.ids))


def _refuse_exchanged(folder: Path) -> None:
    """Raise `StoreRefused` where a folder has other files than those that programs have open."""
    path = folder / FILE
    if (folder / OPEN).read_text() not in ("", _numbers(file_ids(path))):
        sentence = _(
            "{path} was deleted, moved or replaced while a server uses it. Its terminal or log "
            "says what to do. Nothing was changed."
        )
        raise StoreRefused(sentence.format(path=path))


@contextmanager
def _same_files(folder: Path) -> Iterator[None]:
    """Refuse what was exchanged before a block or during it, where it looks like damage."""
    _refuse_exchanged(folder)
    try:
        yield
    finally:
        _refuse_exchanged(folder)


def _numbers(ids: Iterable[FileId]) -> str:
    """Return the numbers of files, without their device, which each container names otherwise."""
    return " ".join(str(one and one[1]) for one in ids)


def _lost(path: Path, sentence: str) -> StoreRefused:
    """Return why the games are gone, with advice how to restore them."""
    what_to_do = restore_advice(newest_good(path.parent))
    return StoreRefused(f"{sentence.format(path=path)} {what_to_do}")


class Store:
    """The database of one data folder.

    Opening it applies migrations. Raises `StoreRefused` for a file that is damaged, empty, missing
    although it was used before, newer than this program, or not writable; a new file never
    replaces a bad one. A backup is made after every game that ends.

    The whole file is checked for damage at once, or with `check_later` in a background thread:
    if that finds damage, writing is refused from then on.
    """

    is_file = True

    def __init__(self, folder: Path, *, check_later: bool = False):
        self.path = folder / FILE
        self.backups = AfterGames(self.path)
        self.file_check = FileCheck(self.path)
        self._check_later = check_later
        self._files = OpenFile(self.path)
        self._open: Held | None = None
        self._pool = Pool(self._files.connect)
        self._local = threading.local()
        self._writing = threading.Lock()
        self._waiting: deque[None] = deque()  # one for each that waits, counted without a race
        used = folder / IN_USE
        try:
            with file_lock(folder / STARTING):
                is_first = _is_free(folder)
                self._open = hold(folder / OPEN, alone=False)
                self._refuse_bad_file(used)
                with nullcontext() if is_first else _same_files(folder):
                    self._keep_private()
                    self._open_first_time(used)
                    self._files.hold()
                if is_first:
                    _record(folder, self._files)
                make_private(used)
        except StoreRefused:
            self.close()
            raise
        except (StoreError, ValueError, LookupError) as error:
            # A damaged schema may not be text, or have other names of columns.
            self.close()
            raise StoreRefused(advice(self.path, error)) from error
        except OSError as error:
            self.close()
            sentence = _("Can’t store games in {folder}: {reason}.")
            reason = error.strerror or error
            raise StoreRefused(sentence.format(folder=folder, reason=reason)) from error
        if check_later:
            self.file_check.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Wait for requested backups, and close every connection."""
        self.backups.end()
        self.close()

    @property
    def db(self) -> Database:
        """The connection of this thread, until it is released."""
        return self._connection()

    def _connection(self) -> SQLiteDatabase:
        current: SQLiteDatabase | None = getattr(self._local, "db", None)
        if current is None:
            current = self._local.db = self._pool.take()
        return current

    @property
    def writers_waiting(self) -> int:
        """How many threads of this process wait to write."""
        return len(self._waiting)

    def alone(self) -> AbstractContextManager[None]:
        """Let no other program use the database in a block, as `PostgresStore` does.

        Who opens a folder to move its games has looked at its lock before.
        """
        return nullcontext()

    @property
    def position(self) -> str:
        """The history and timeline of PostgreSQL, as phones remember them; empty for a file."""
        return ""

    def learn_position(self, told: str) -> None:
        """Do nothing: a file has no servers that take over from each other."""

    def check_server(self, db: Database) -> None:
        """Do nothing: a file has no server that could be another one than before."""

    def borrow(self) -> AbstractContextManager[Database]:
        """Provide a connection for a block that outlasts the thread's, as in a stream."""
        return self._pool.borrow()

    @contextmanager
    def write(self, table_id: str | None = None, *, backs_up: bool = True) -> Iterator[Database]:
        """Run a block in a write transaction.

        `table_id` names the table whose rows it changes, if it is one: on PostgreSQL, only writers
        of the same table wait for each other.

        Where it ends a game, a backup is made unless `backs_up` is false. Raises `StoreBusy` after
        five seconds of waiting in total, `StoreRefused` where the file was found to be damaged, and
        `StoreLost` where what was committed is in a file that is no longer at its path.

        The transaction is immediate: a deferred one that reads before it writes fails at once when
        another process has written in between, whatever the timeout. SQLite's busy handler has
        them sleep longer and longer, so the writers of this process wait for a lock.
        """
        until = time.monotonic() + BUSY_SECONDS
        db = self._connection()
        self._waiting.append(None)
        try:
            if not self._writing.acquire(timeout=BUSY_SECONDS):
                raise StoreBusy("database is locked")
        finally:
            self._waiting.pop()
        try:
            if damaged := self.file_check.sentence:
                raise StoreRefused(damaged)
            self._files.check_if_lost()
            db.conn.begin_writing(until)
            db.changes = Changes()
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                db.rollback()
                raise
            self._files.check()  # before anybody is told that it is saved
        finally:
            self._writing.release()
        if db.changes.ended_a_game and backs_up:
            self.backups.ask()

    def close(self) -> None:
        """Close the connection of this thread, the idle ones and the shared one."""
        self.file_check.end()
        self._files.check_at_end()
        # Processes that close at the same moment would leave the write-ahead log to each other.
        turn = None
        with suppress(OSError):  # a folder that is gone or read-only has no log to leave
            turn = hold(self.path.parent / STARTING, alone=True)
        self.release()
        self._pool.close()
        self._files.close()
        if self._open is not None:
            self._open.release()
        if turn is not None:
            turn.release()

    def check_files(self) -> None:
        """Raise `StoreLost` where the files of the database were deleted, moved or replaced."""
        self._files.check()

    def open_connection(self) -> SQLiteDatabase:
        """Open a connection for its own use. Raises `StoreLost`."""
        return self._files.connect()

    def release(self) -> None:
        """Return this thread's connection to the pool, unless it is in a transaction."""
        current: SQLiteDatabase | None = getattr(self._local, "db", None)
        if current is not None and not current.conn.in_transaction:
            self._local.db = None
            self._pool.give_back(current)

    def _open_first_time(self, used: Path) -> None:
        db = self._connection()
        # Nothing is written, not even the journal mode, before the file is known to be ours.
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found > SCHEMA_VERSION:
            sentence = _(
                "{path} is from a newer Scorekeeper (data version {found}; this one supports "
                "{known}). Update again. Nothing was changed."
            )
            told = told_version(db, found)
            raise StoreRefused(sentence.format(path=self.path, found=told, known=SCHEMA_VERSION))
        if found == 0 and used.exists():
            raise _lost(self.path, _("{path} has no games, but it used to."))
        if not (self._check_later and found == SCHEMA_VERSION) and not is_whole(db.conn):
            raise StoreDamaged("quick_check")
        if found == SCHEMA_VERSION and not has_every_table(db):
            raise StoreDamaged("a table is missing")
        db.execute("PRAGMA journal_mode = WAL")
        if 0 < found < SCHEMA_VERSION:
            try:
                back_up_dated(self.path)
            except BackupFailed as failed:
                sentence = _("{why} Without a backup, the database can’t be upgraded.")
                raise StoreRefused(sentence.format(why=failed)) from failed
        migrate(db)

    def _refuse_bad_file(self, used: Path) -> None:
        if not used.exists():
            return
        _require_file(self.path.parent)
        if self.path.stat().st_size == 0:
            raise _lost(self.path, _("{path} is empty, but it used to contain games."))

    def _keep_private(self) -> None:
        """Restrict access to the database to its owner, even in a folder that is open to all.

        SQLite creates the files beside the database with the permissions of the database.
        """
        make_private(self.path)
        for end in BESIDE:
            keep_private(Path(f"{self.path}{end}"))


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


PATIENCE = 1.0  # seconds to wait for the lock, which a change holds for some milliseconds
MIN_FREE = 4 * 1024 * 1024  # bytes: size of the write-ahead log before its checkpoint
STANDBYS = """
SELECT application_name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint
FROM pg_stat_replication WHERE replay_lsn IS NOT NULL ORDER BY application_name
"""


class DatabaseState(NamedTuple):
    """Which database has the games, whether it takes changes, and its standbys.

    Each of them has a name, and how many bytes of the log it has still to replay. Those that the
    user of the database may not read, who needs the role pg_monitor, are left out.
    """

    kind: str
    is_primary: bool = True
    standbys: tuple[tuple[str, int], ...] = ()


def database_state(store: Store) -> DatabaseState:
    """Return the state of a database. Raises `StoreError` where PostgreSQL does not answer."""
    if store.is_file:
        return DatabaseState("sqlite")
    with store.borrow() as db:
        if db.execute("SELECT pg_is_in_recovery()").fetchone()[0]:
            return DatabaseState("postgresql", is_primary=False)
        return DatabaseState("postgresql", True, tuple(db.execute(STANDBYS).fetchall()))


def storage_problem(store: Store) -> str:
    """Return why games cannot be stored, or an empty text where they can.

    A write is tried and rolled back.
    """
    reason: object
    try:
        reason = _try_file(store.path) if store.is_file else _try_server(store)
    except (StoreError, sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or error
    sentence = _("Can’t read or write the database: {reason}. Nothing was changed.")
    return sentence.format(reason=reason) if reason else ""


def _try_file(database: Path) -> str:
    """Return why the disk takes nothing, or an empty text. Raises an error where a write fails."""
    if shutil.disk_usage(database.parent).free < MIN_FREE:
        return os.strerror(errno.ENOSPC)
    address = f"{database.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, uri=True, timeout=SHORT_WAIT, factory=Connection)) as db:
        commits = _commits(db)
        try:
            db.begin_writing(time.monotonic() + PATIENCE)
        except StoreBusy:
            # Under load others take the lock every time, which is well as long as they commit.
            if _commits(db) == commits:
                raise
            return ""
        _write_nothing(db)
        db.rollback()
    return ""


def _try_server(store: Store) -> str:
    """Return why PostgreSQL takes no changes, or an empty text. Raises `StoreError`."""
    with store.borrow() as db:
        db.begin_snapshot()
        try:
            if scalar(db, "SELECT pg_is_in_recovery()"):
                return _("it’s a read-only standby")
            store.check_server(db)
            db.execute(f"SET LOCAL lock_timeout = {int(PATIENCE * 1000)}")
            _write_nothing(db)
        finally:
            db.rollback()
    return ""


def _write_nothing(db: AnyDatabase) -> None:
    """Insert a table, which is to be rolled back, and no row into any other: all must allow it."""
    trial = secrets.token_hex(8)  # of its own, or workers would wait for each other
    db.execute("INSERT INTO tables (id, made) VALUES (?, '')", [trial])
    for name in TABLES:
        db.execute(f"INSERT INTO {name} SELECT * FROM {name} WHERE false")
    db.execute("UPDATE games SET version = version WHERE false")


def _commits(db: sqlite3.Connection) -> int:
    """Return a number that differs once another connection has committed."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])
