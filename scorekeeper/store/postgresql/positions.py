"""How far the history of a database has been seen, so that a server that went back is refused.

A primary that was lost comes back with all it had: it takes changes, and lacks those that its
promoted standby has acknowledged since. Each promotion begins a timeline, which PostgreSQL numbers.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from psycopg import errors as pg

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import StoreUnavailable
from scorekeeper.store.locks import file_lock, open_private
from scorekeeper.store.postgresql.connections import Connection

FILE = "database-seen.json"
LOCK = "database-seen.lock"
SAVE = 1.0  # seconds between two times that the newest change is written to the file
# A restored dump makes the table anew, with another number; a copy of the server's files does not.
# Its comment is how a host says that a server which went back is meant to be used.
POSITION = """
SELECT system_identifier || '.' || 'changes'::regclass::oid || '.'
    || left(md5(coalesce(obj_description('changes'::regclass, 'pg_class'), '')), 8),
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
    coalesce((SELECT max(sequence) FROM changes), 0)
FROM pg_control_system()
"""

log = logging.getLogger(__name__)


class StoreBehind(StoreUnavailable):
    """The server lacks changes that were seen on it, or on the one that took over from it."""


class Position(NamedTuple):
    """How far a server is: its timeline, and the number of the newest change.

    Those of different histories cannot be compared, as after a dump was restored.
    """

    history: str
    timeline: int
    newest: int = 0


def position_of(connection: Connection) -> Position | None:
    """Return the position of a server; None where it is a standby, empty, or does not tell."""
    usable = "SELECT to_regclass('changes') IS NOT NULL AND NOT pg_is_in_recovery()"
    if connection.execute(usable).fetchone() != (True,):
        return None
    try:
        found = connection.execute(POSITION).fetchone()
    except pg.InsufficientPrivilege as error:
        log.warning("an old primary that comes back would not be noticed: %s", error)
        return None
    return Position(*found) if found else None


class SeenPositions:
    """The furthest position of each history that was seen, kept in the data folder.

    All processes of the folder share them.
    """

    def __init__(self, folder: Path) -> None:
        self.current: Position | None = None  # of the newest connection
        self._folder = folder
        self._path = folder / FILE
        self._furthest: dict[str, Position] = {}
        self._changing = threading.Lock()
        self._saved = 0.0  # when the file was written, on the monotonic clock
        self._is_saved = True

    def check(self, ask: Callable[[], Position | None], *, remember: bool = True) -> None:
        """Raise `StoreBehind` where a further position was seen before a server is asked.

        Else remember it, unless it is not known. What others see meanwhile does not count.
        """
        with self._changing:
            self._merge(self._read())
            before = dict(self._furthest)
        found = ask()
        if found is None:
            return
        seen = before.get(found.history, found)
        if found < seen:
            raise StoreBehind(_why(found, seen))
        if remember:
            with self._changing:
                self.current = found
                self._merge([found])
                self._save()

    def note(self, found: Position | None) -> None:
        """Remember a position, if it is known, of a server that may not be used."""
        if found:
            with self._changing:
                self._merge([found])
                self._save()

    def is_newest(self, timeline: int) -> bool:
        """Return whether the server that was checked has a timeline, and none was newer."""
        current = self.current
        if current is None:
            return True
        return current.timeline == timeline == self._furthest[current.history].timeline

    def saw(self, newest: int) -> None:
        """Remember a change that was committed."""
        if self.current is None:
            return
        with self._changing:
            self._merge([self.current._replace(newest=newest)])
            self._is_saved = False
            if time.monotonic() > self._saved + SAVE:
                self._save()

    def learn(self, told: str) -> bool:
        """Remember what `told` returned elsewhere; return whether that is further than here."""
        history, _dot, timeline = told.rpartition(".")
        current = self.current
        if current is None or current.history != history or int(timeline) <= current.timeline:
            return False
        with self._changing:
            self._merge([Position(history, int(timeline))])
            self._save()
        return True

    def told(self) -> str:
        """Return the history and timeline as text; empty where none is known."""
        return f"{self.current.history}.{self.current.timeline}" if self.current else ""

    def save(self) -> None:
        """Write what was seen to the file."""
        with self._changing:
            if not self._is_saved:
                self._save()

    def _merge(self, positions: list[Position]) -> None:
        for one in positions:
            self._furthest[one.history] = max(one, self._furthest.get(one.history, one))

    def _read(self) -> list[Position]:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            kept = json.loads(self._path.read_text("utf-8"))
            return [Position(history, *map(int, seen)) for history, seen in kept.items()]
        return []

    def _save(self) -> None:
        """Replace the file by what it has and what was seen here."""
        self._saved, self._is_saved = time.monotonic(), True
        try:
            with file_lock(self._folder / LOCK):
                self._merge(self._read())
                kept = {history: seen for history, *seen in self._furthest.values()}
                draft = self._path.with_suffix(".part")
                with os.fdopen(open_private(draft), "w", encoding="utf-8") as file:
                    file.truncate()
                    json.dump(kept, file)
                draft.replace(self._path)
        except OSError as error:
            log.warning("can’t remember the position of the database: %s", error)


def _why(found: Position, seen: Position) -> str:
    """Return why a server is refused, and what to do."""
    sentence = _(
        "it has an older state of the games (timeline {found}, change {change}) than seen before "
        "(timeline {seen}, change {newest}). If an old primary came back, stop it and start the "
        "promoted one. If you went back on purpose, run in it: {statement}"
    )
    return sentence.format(
        found=found.timeline,
        change=found.newest,
        seen=seen.timeline,
        newest=seen.newest or "?",
        statement=f"COMMENT ON TABLE changes IS 'accepted {now():%Y-%m-%d %H:%M}'",
    )
