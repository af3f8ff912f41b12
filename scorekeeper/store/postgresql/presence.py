"""Who uses a database: every program holds a shared lock in it, which `move` and migrations need.

PostgreSQL gives the lock back when its connection ends, so that none is left by a killed program.
A pooler lends a connection for the length of a transaction: there it is the lock of a transaction
that stays open between its statements, which holds no snapshot and keeps nothing from a vacuum.
"""

import logging
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress

import psycopg

from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import StoreBusy, StoreError
from scorekeeper.store.postgresql.connections import PATIENCE, USE, Connection, own_errors

LOOK = 1.0  # seconds until a lost lock is taken again
LOCKLESS = 13  # the newest data version of programs that hold no lock
HOLDERS = """
SELECT DISTINCT application_name, host(client_addr) FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND datname = current_database() AND (
    pid IN (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
        AND classid::bigint = 7291002
        AND objid::bigint = hashtext(current_schema())::bit(32)::bigint
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) OR (
        %s AND application_name = '' AND usename = current_user
        AND query ~ '^LISTEN scorekeeper|\\m(tables|phones|games|changes)\\M|pg_notify'
    )
)
"""
TRY_ALONE = f"SELECT pg_try_advisory_xact_lock({USE})"

log = logging.getLogger(__name__)


def users_of(connection: Connection, *, lockless: bool = False) -> str:
    """Return which other programs use the database, for a sentence; empty where none does.

    With `lockless`, sessions count that look like those of programs which hold no lock.
    """
    found = connection.execute(HOLDERS, [lockless]).fetchall()
    return ", ".join(
        (name or _("an older Scorekeeper")) + (f" ({address})" if address else "")
        for name, address in found
    )


class Presence:
    """The lock of this program, which a thread takes again where its connection was lost."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._changing = threading.Lock()
        self._held: Connection | None = None
        self._is_pooled = False
        self._ended = threading.Event()
        self.is_wanted = False  # before the data were migrated it would be in the way of that

    def ensure(self) -> None:
        """Hold the lock. Raises `StoreBusy` where a program has the database for itself."""
        if not self._changing.acquire(timeout=PATIENCE):
            raise StoreBusy("the database does not answer")
        try:
            if self._held is not None and _answers(self._held):
                return
            self._let_go()
            with own_errors():
                self._held = self._taken()
            self.is_wanted = True
        finally:
            self._changing.release()

    def watch(self) -> None:
        """Start the thread; it ends with `end`, or where nobody has this object any more."""
        watched = weakref.ref(self)
        threading.Thread(target=_watch, args=[watched, self._ended], daemon=True).start()

    def take_alone(self) -> str:
        """Hold the lock so that nobody else can; return who is in the way, or an empty text."""
        self.ensure()
        assert self._held is not None
        scope = "_xact" if self._is_pooled else ""
        with own_errors():
            alone = self._held.execute(f"SELECT pg_try_advisory{scope}_lock({USE})".encode())
            return "" if alone.fetchone() == (True,) else users_of(self._held) or "?"

    def share(self) -> None:
        """Let others in again."""
        with self._changing:
            self._let_go()
        self.ensure()

    def end(self) -> None:
        """Give the lock back."""
        self._ended.set()
        with self._changing:
            self._let_go()

    def _taken(self) -> Connection:
        connection = self._connect()
        try:
            # A pooler names a process of its own making.
            own = connection.execute("SELECT pg_backend_pid()").fetchone()
            self._is_pooled = own != (connection.info.backend_pid,)
            scope = ""
            if self._is_pooled:
                scope = "_xact"
                connection.execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
            asked = f"SELECT pg_try_advisory{scope}_lock_shared({USE})".encode()
            if connection.execute(asked).fetchone() != (True,):
                raise StoreBusy(in_use(users_of(connection)))
        except BaseException:
            connection.close()
            raise
        return connection

    def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            # A server notices a closed connection only later, and keeps its lock until then.
            with suppress(psycopg.Error):
                held.execute("ROLLBACK" if self._is_pooled else "SELECT pg_advisory_unlock_all()")
            held.close()


def in_use(by: str) -> str:
    """Return the sentence that names who has the database."""
    sentence = _("The database is in use by {who}. Stop it and try again. Nothing was changed.")
    return sentence.format(who=by or "?")


def _answers(connection: Connection) -> bool:
    with suppress(psycopg.Error):
        connection.execute("SELECT 1")
        return True
    return False


def _watch(watched: "weakref.ref[Presence]", ended: threading.Event) -> None:
    while not ended.wait(LOOK) and (presence := watched()) is not None:
        try:
            if presence.is_wanted:
                presence.ensure()
        except StoreError as error:
            log.debug("no lock of the database: %s", error)
        del presence
