"""The database that SCOREKEEPER_DATABASE names: schema, connections, transactions, notices."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlite_utils

from scorekeeper.i18n import gettext as _
from scorekeeper.store.backup import AfterGames
from scorekeeper.store.connection import (
    Database,
    StoreBusy,
    StoreError,
    StoreUnavailable,
)
from scorekeeper.store.damage import FileCheck
from scorekeeper.store.database import FILE, Store, StoreRefused
from scorekeeper.store.migrations import PORTABLE, SCHEMA_VERSION, steps
from scorekeeper.store.migrations.version_14_one_name import one_name_on_postgresql
from scorekeeper.store.migrations.versions_8_to_10 import REFUSE_CHANGE, game_rows_on_postgresql
from scorekeeper.store.migrations.versions_11_to_13 import (
    points_by_hand_on_postgresql,
    remarks_on_postgresql,
)
from scorekeeper.store.open_file import OpenFile
from scorekeeper.store.postgresql.connections import (
    CHANNEL,
    OTHER,
    READ_TIMEOUT,
    STATE,
    Connection,
    Connections,
    PostgresDatabase,
    connect,
    own_errors,
    servers_of,
    translated,
)
from scorekeeper.store.postgresql.positions import SeenPositions, StoreBehind, position_of
from scorekeeper.store.postgresql.presence import LOCKLESS, TRY_ALONE, Presence, in_use, users_of
from scorekeeper.store.postgresql.turns import Turns
from scorekeeper.version import __version__

log = logging.getLogger(__name__)

UNREACHABLE = (StoreUnavailable, StoreBusy)  # the latter while another server migrates it
TRY_AGAIN = 1.0  # seconds until a database that did not answer at the start is tried again
LISTENS = 0.5  # seconds until a thread that listens sees whether it is still needed


class PostgresStore(Store):
    """A store on PostgreSQL; the folder holds only what a process needs for itself.

    `direct_url` names the same server where `url` is a pooler's, which gives a connection only for
    the length of a transaction. With `waits_long` a statement may take any time, as in a command.

    Opening it makes the schema where there is none, and applies migrations. Raises `StoreRefused`
    where the database cannot be used. A server, which does not wait long, also opens one that does
    not answer: `StoreUnavailable` is raised by what reads and writes until it does.
    """

    is_file = False

    def __init__(
        self, url: str, folder: Path, *, direct_url: str = "", waits_long: bool = False
    ) -> None:
        self._direct_url = direct_url or url
        self._read_timeout = None if waits_long else READ_TIMEOUT
        # Statements that a pooler's connection has prepared are not there in the next transaction.
        options = {"prepare_threshold": None} if direct_url else {}
        self.path = folder / FILE  # never made
        self.backups = _NoBackups(self.path)
        self.file_check = FileCheck(self.path)  # never started
        self._files = OpenFile(self.path)  # holds none
        self._local = threading.local()

        def connect_prepared() -> Connection:
            self._prepare()
            return self._connect_pooled(url, **options)

        self.is_alone = False
        self._seen = SeenPositions(folder)
        self._presence = Presence(self.connect_directly)
        self._turns = Turns()
        self.pool = Connections(connect_prepared, self)
        self._preparing = threading.Lock()
        self._is_prepared = False
        self._failed = (0.0, "")  # until when it is not tried again, and why
        try:
            self._prepare()
        except UNREACHABLE as error:
            if waits_long:
                self.close()
                raise StoreRefused(_unusable(error)) from error
            log.critical("%s", _unusable(error))
        if not waits_long:  # a command ends sooner than its connection
            self._presence.watch()

    def _prepare(self) -> None:
        """Make the schema or apply migrations, unless that is done.

        Raises `StoreRefused`, and `StoreUnavailable` at once where that was the result a moment
        ago: many requests may ask.
        """
        if self._is_prepared:
            return
        with self._preparing:
            until, reason = self._failed
            if time.monotonic() < until:
                raise StoreUnavailable(reason)
            if not self._is_prepared:
                try:
                    self._migrate()
                except UNREACHABLE as error:
                    self._failed = (time.monotonic() + TRY_AGAIN, str(error))
                    raise
                self._is_prepared = True

    def _migrate(self) -> None:
        try:
            self._note_all_servers()
            # Not remembered yet, as a migration may take lines out of the journal.
            first = self._connect(self._direct_url, remember=False)
            with closing(first) as connection, own_errors():
                version = migrate(connection)
                writer = _writer(connection)
        except UNREACHABLE:
            raise
        except StoreError as error:
            raise StoreRefused(_unusable(error)) from error
        if version != SCHEMA_VERSION:
            raise StoreRefused(_other_version(version, writer))
        self._presence.ensure()

    def connect_directly(self) -> Connection:
        """Open a connection for what outlasts a transaction, as to listen."""
        return self._connect(self._direct_url)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else use the database in a block. Raises `StoreRefused` where one does."""
        if others := self._presence.take_alone():
            raise StoreRefused(in_use(others))
        self.is_alone = True
        try:
            yield
        finally:
            self.is_alone = False
            self._presence.share()

    @property
    def position(self) -> str:
        """The history and timeline of the database, as phones remember them."""
        return self._seen.told()

    def learn_position(self, told: str) -> None:
        """Remember the `position` that a phone was told; one further than ours ends connections."""
        if self._seen.learn(told):
            self.pool.close()

    def check_server(self, db: Database) -> None:
        """Raise `StoreError` where the server of a connection may not be written to."""
        self.check_writer(*db.execute(STATE).fetchone())

    def check_writer(self, version: int, timeline: int) -> None:
        """Raise `StoreOutdated`, or `StoreBehind` where the server is not the one that was seen."""
        if version != SCHEMA_VERSION:
            raise StoreOutdated(_other_version(version))
        if not self._seen.is_newest(timeline):
            self.pool.close()
            raise StoreBehind("another server answers than before")

    def saw(self, newest: int | None) -> None:
        """Remember the number of the newest change, if there is any."""
        self._seen.saw(newest or 0)

    def _connect_pooled(self, url: str, **options: Any) -> Connection:
        connection = self._connect(url, **options)
        try:
            self._presence.ensure()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self, url: str, *, remember: bool = True, **options: Any) -> Connection:
        """Open a connection to a server that lacks nothing that was seen; of several, to that one.

        Raises `StoreBehind` where there is none.
        """
        behind: StoreBehind | None = None
        for server in ({}, *servers_of(url)):
            try:
                options |= server
                connection = connect(url, read_timeout=self._read_timeout, **options)
                return self._checked(connection, remember=remember)
            except StoreBehind as error:
                behind = behind or error
            except StoreError:
                if behind is None:
                    raise
        raise behind or StoreError(url)

    def _checked(self, connection: Connection, *, remember: bool) -> Connection:
        try:
            with own_errors():
                self._seen.check(lambda: position_of(connection), remember=remember)
        except BaseException:
            connection.close()
            raise
        return connection

    def _note_all_servers(self) -> None:
        """Note how far each server is, where several are named, so that an older one is refused."""
        for server in servers_of(self._direct_url):
            with suppress(StoreError):
                connection = connect(self._direct_url, read_timeout=READ_TIMEOUT, **server)
                with closing(connection), own_errors():
                    self._seen.note(position_of(connection))

    @property
    def db(self) -> Database:
        """The connection of this thread, until it is released."""
        return self._mine()

    @property
    def writers_waiting(self) -> int:
        """How many threads of this process wait for a connection, or for others of a table."""
        return self.pool.n_waiting + self._turns.n_waiting

    @contextmanager
    def borrow(self) -> Iterator[Database]:
        """Provide a connection for a block that outlasts the thread's, as in a stream."""
        db = PostgresDatabase(self.pool)
        try:
            yield db
        finally:
            db.close()

    @contextmanager
    def write(self, table_id: str | None = None, *, backs_up: bool = True) -> Iterator[Database]:
        """Run a block in a write transaction, alone at a table. Raises `StoreBusy`.

        Those who listen are told of changed games after the commit: a notice within the
        transaction would make all commits of the server wait for each other. Others of the table,
        as the forty of a club night, do not wait for that.
        """
        db = self._mine()
        with self._turns.take(table_id, before_waiting=db.close):
            try:
                db.begin_writing(table_id)
                yield db
                db.commit()
            except BaseException:
                db.rollback()
                raise
        changed = db.changes.versions.items()
        db.tell([f"{table} {game} {version}" for (table, game), version in changed] or [OTHER])

    def close(self) -> None:
        """Close every connection."""
        self.release()
        self.pool.close()
        self._presence.end()
        self._seen.save()

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


def _unusable(error: StoreError) -> str:
    sentence = _("Can’t use the PostgreSQL database: {reason}")
    return sentence.format(reason=str(error).strip())


class StoreOutdated(StoreUnavailable):
    """A newer program has migrated the database, so this one may not write to it."""


def _other_version(found: int, writer: str = "") -> str:
    sentence = _(
        "The PostgreSQL database has data version {found}; this Scorekeeper supports "
        "{known}. Nothing was changed."
    )
    told = ", ".join(filter(None, (str(found), writer)))
    return sentence.format(found=told, known=SCHEMA_VERSION)


class _NoBackups(AfterGames):
    """Backups are made by the server's own means: `pg_dump`, or an archive of its log."""

    def ask(self) -> None:
        """Do nothing."""


class Notices:
    """Detection of changes by notices, on a connection that does nothing else."""

    def __init__(self, store: PostgresStore) -> None:
        with own_errors():
            self._listening = store.connect_directly()
            self._listening.execute(f"LISTEN {CHANNEL}")
        self.db = PostgresDatabase(store.pool)

    def changed_games(self) -> list[tuple[tuple[str, str], int]] | None:
        """Wait at most for `LISTENS`, and return the games changed, with their versions before.

        None means that only something else has changed.
        """
        before: dict[tuple[str, str], int] = {}
        with own_errors():
            notices = list(self._listening.notifies(timeout=LISTENS, stop_after=1))
            for notice in notices:
                if notice.payload == OTHER:
                    continue
                table_id, game_id, version = notice.payload.split()
                key = (table_id, game_id)
                before[key] = min(before.get(key, int(version)), int(version) - 1)
        return list(before.items()) if before or not notices else None

    def close(self) -> None:
        self._listening.close()
        self.db.close()


STARTING = 7291001  # advisory lock while the schema is made or migrated
FIRST_VERSION = 7  # the oldest that is upgraded: no earlier one was used on PostgreSQL
STEPS = {
    **PORTABLE,
    8: game_rows_on_postgresql,
    11: points_by_hand_on_postgresql,
    12: remarks_on_postgresql,
    14: one_name_on_postgresql,
}  # by the version that they lead to

# How PostgreSQL says what SQLite says otherwise, as patterns and their replacements.
WORDS = {
    # Every key begins with the table, so that a database can be divided by it.
    r"\bsequence INTEGER PRIMARY KEY\b": "sequence BIGINT GENERATED BY DEFAULT AS IDENTITY",
    r"\bUNIQUE \(table_id, game_id, version\)": "PRIMARY KEY (table_id, game_id, version)",
    r"\bTEXT\b": 'TEXT COLLATE "C"',
    r"\bINTEGER\b": "BIGINT",
    r"\bjson_valid\((\w+)\)": r"\1::json IS NOT NULL",
    r"\) STRICT\b(, WITHOUT ROWID)?": ")",
}
INSTR = """
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE
RETURN strpos($1, $2)
"""
OF_CHANGES = (
    "CREATE INDEX changes_by_sequence ON changes (sequence)",
    REFUSE_CHANGE,
    "CREATE TRIGGER changes_stay BEFORE UPDATE ON changes "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
)


def migrate(connection: Connection) -> int:
    """Bring a database, which may be empty, up to this version of the schema.

    Returns the version that it has then: another one where the database is of a newer program, or
    older than the first version on PostgreSQL, and nothing was changed.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [STARTING])
        version = _version(connection)
        if not FIRST_VERSION <= version < SCHEMA_VERSION:
            return version
        if connection.execute(TRY_ALONE).fetchone() != (True,):
            raise StoreBusy(in_use(users_of(connection)))
        if others := version <= LOCKLESS and users_of(connection, lockless=True):
            raise StoreBusy(in_use(others))
        connection.read_timeout = None  # a step may take long
        for number in range(version + 1, SCHEMA_VERSION + 1):
            STEPS[number](Translator(connection.execute))
        connection.execute("UPDATE schema_version SET version = %s", [SCHEMA_VERSION])
        connection.execute(f"COMMENT ON TABLE schema_version IS 'Scorekeeper {__version__}'")
        return SCHEMA_VERSION


def _writer(connection: Connection) -> str:
    """Return the program that migrated the database to its version, if it is known."""
    query = "SELECT obj_description('schema_version'::regclass)"
    row = connection.execute(query).fetchone()
    return str(row[0]) if row and row[0] else ""


def _version(connection: Connection) -> int:
    """Return the version of the schema, which is made where there is none."""
    found = connection.execute("SELECT to_regclass('schema_version')").fetchone()
    if found is None or found[0] is None:
        make_schema(Translator(connection.execute), FIRST_VERSION)
        return FIRST_VERSION
    row = connection.execute("SELECT version FROM schema_version").fetchone()
    return int(row[0]) if row else 0


def make_schema(db: "Translator", version: int) -> None:
    """Make the schema of a version in a database without tables."""
    for statement in (INSTR, *_on_sqlite(), *OF_CHANGES):
        db.execute(statement)
    for number in range(FIRST_VERSION + 1, version + 1):
        STEPS[number](db)
    db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    db.execute(f"INSERT INTO schema_version VALUES ({version})")


def _on_sqlite() -> Iterator[str]:
    """Yield the statements that make the first version on SQLite, but for its triggers."""
    with closing(sqlite_utils.Database(memory=True, execute_plugins=False)) as db:
        steps.apply(db, stop_before=PORTABLE[FIRST_VERSION + 1].__name__)
        yield from (
            sql
            for (sql,) in db.execute(
                "SELECT sql FROM sqlite_master WHERE type <> 'trigger' AND sql IS NOT NULL "
                "AND tbl_name NOT LIKE '\\_sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            )
        )


class Translator:
    """A database that gets each statement of SQLite in the words of PostgreSQL."""

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Any:
        for pattern, words in WORDS.items():
            sql = re.sub(pattern, words, sql)
        return self._execute(translated(sql), parameters) if parameters else self._execute(sql)
