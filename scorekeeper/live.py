"""Telling the other phones that a game has changed.

In each process one thread asks the database for commits, whoever made them, and wakes the streams
that wait. An event says only the game's new version; the page then fetches what changed.
"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scorekeeper.sqlite import sqlite3

LOOK = 0.02  # seconds between two looks, each of some microseconds
CHECK = 1.0  # seconds after which a stream looks whether its phone is still there
ALIVE = 15  # checks after which a quiet stream sends a sign of life
RECONNECT = 1000  # milliseconds a phone waits before it asks for a lost stream again


class TooManyStreams(Exception):
    """More phones listen than this server can hold; they should ask now and then instead."""


class Live:
    """The streams of one process.

    `most` streams are held at once: each keeps a thread of the server, and without a free thread
    no page is served to anybody.
    """

    def __init__(self, path: Path, most: int):
        self._path = path
        self._most = most
        self._changed = threading.Condition()
        self._versions: dict[str, int] = {}
        self._streams = 0
        self._looking: threading.Thread | None = None
        self._ended = False

    def stream(
        self,
        game_id: str,
        version: int,
        seen: int,
        gone: Callable[[], bool],
        allowed: Callable[[], bool] = lambda: True,
    ) -> Iterator[bytes]:
        """Return a stream of events for a game that is at a version, `seen` being the phone's.

        `gone` tells whether the phone has left, `allowed` whether it may still listen, which is
        asked before anything is told. Raises `TooManyStreams`.
        """
        with self._changed:
            if self._streams >= self._most or self._ended:
                raise TooManyStreams
            self._streams += 1
            if self._looking is None:
                self._looking = threading.Thread(target=self._look, name="live", daemon=True)
                self._looking.start()
        events = self._events(game_id, version, seen, gone, allowed)
        next(events)  # a generator that never began would not give its place back when closed
        return events

    def end(self) -> None:
        """Let every stream go, because the server stops."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            looking = self._looking
        if looking is not None:
            looking.join(CHECK)  # it closes its connection, which may be the last to the games

    def _events(
        self,
        game_id: str,
        version: int,
        seen: int,
        gone: Callable[[], bool],
        allowed: Callable[[], bool],
    ) -> Iterator[bytes]:
        try:
            yield b""
            yield f"retry: {RECONNECT}\n\n".encode()
            quiet = 0
            while not (self._ended or gone()):
                with self._changed:
                    now = max(version, self._versions.get(game_id, 0))
                    if now == seen:
                        self._changed.wait(CHECK)
                        now = max(version, self._versions.get(game_id, 0))
                quiet += 1
                if now == seen and quiet < ALIVE:
                    continue
                if not allowed():
                    return
                yield b":\n\n" if now == seen else f"id: {now}\ndata: {now}\n\n".encode()
                seen, quiet = now, 0
        finally:
            with self._changed:
                self._streams -= 1

    def _look(self) -> None:
        """Follow the database while anybody listens.

        The connection is this thread's own, since one never sees its own commits in
        `data_version`; that number changes with every commit of any process.
        """
        db = sqlite3.connect(str(self._path))
        db.execute("PRAGMA query_only = ON")
        newest = db.execute("SELECT coalesce(max(id), 0) FROM changes").fetchone()[0]
        newest -= 100  # changes between a page's version and the first look are told once more
        before = None
        while True:
            with self._changed:
                if self._ended or not self._streams:
                    self._looking = None
                    break
            commits = db.execute("PRAGMA data_version").fetchone()[0]
            if commits != before:
                before = commits
                newest = self._tell(db, newest)
            time.sleep(LOOK)
        db.close()

    def _tell(self, db: sqlite3.Connection, newest: int) -> int:
        """Tell the streams which games have changed after a line of the journal."""
        rows = db.execute(
            "SELECT game_id, max(version), max(id) FROM changes WHERE id > ? GROUP BY game_id",
            [newest],
        ).fetchall()
        if rows:
            with self._changed:
                self._versions.update({game_id: version for game_id, version, _id in rows})
                self._changed.notify_all()
        return max([newest, *(int(row[2]) for row in rows)])
