"""Server-sent events that tell phones when a game has changed.

In each process one thread polls the database for commits of any process, and wakes the streams of
the games that changed. An event contains only the version of the game; the page then fetches the
change.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scorekeeper.store.changes import newest_line
from scorekeeper.store.database.pool import connect

LOOK = 0.02  # seconds between two polls, each of which takes some microseconds
LOOK_AGAIN = 1.0  # seconds until a failed poll is tried again
CHECK = 1.0  # seconds after which a stream checks whether its client is connected
ALIVE = 15.0  # seconds after which an idle stream sends a keep-alive comment
RECONNECT = 1000  # milliseconds until a browser reconnects a lost stream

log = logging.getLogger(__name__)


class TooManyStreams(Exception):
    """The limit of streams is reached; the client should poll instead."""


class Caps(NamedTuple):
    """Limits of the streams in a process at once: in total, per link and per client address.

    Each stream occupies a thread or a connection of the server, which pages need too.
    """

    total: int
    link: int
    address: int


class Listener(NamedTuple):
    """The client of a stream, with its link and address.

    `look` returns the current version of the game, or None if the client may no longer listen.
    `gone` returns whether the client has disconnected; it is None if the server cannot tell.
    """

    look: Callable[[], int | None]
    gone: Callable[[], bool] | None = None
    link: str = ""
    address: str = ""


class _Subscription:
    """The streams of one game: their number, how often they were woken, and how to wake them."""

    def __init__(self, lock: threading.RLock):
        self.changed = threading.Condition(lock)
        self.streams = 0
        self.changes = 0


class Live:
    """The streams of one process."""

    def __init__(self, path: Path, caps: Caps):
        self._path = path
        self.caps = caps
        # Reentrant, as garbage collection may close a stream while this thread holds the lock.
        self._lock = threading.RLock()
        self._games: dict[str, _Subscription] = {}
        self._held: Counter[tuple[str, str]] = Counter()  # streams by limit
        self._looking: threading.Thread | None = None
        self._ended = False

    def stream(self, game_id: str, seen: int, listener: Listener) -> Iterator[bytes]:
        """Return the events of a game; `seen` is the version that the client has.

        Raises `TooManyStreams`.
        """
        game = self._enter(game_id, listener)
        events = self._events(game_id, game, seen, listener)
        next(events)  # a generator that was never started would not run `finally` when closed
        return events

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return self._held["total", ""]

    @property
    def is_full(self) -> bool:
        """Whether the limit of all streams is reached; never where it is 0, as all poll then."""
        return 0 < self.caps.total <= self.open_streams

    def end(self) -> None:
        """End every stream, because the server stops."""
        with self._lock:
            self._ended = True
            for game in list(self._games.values()):
                game.changed.notify_all()
            looking = self._looking
        if looking is not None:
            looking.join(CHECK)  # it closes its connection, which may be the last to the games

    def _enter(self, game_id: str, listener: Listener) -> _Subscription:
        with self._lock:
            if self._ended or any(
                self._held[kind, who] >= getattr(self.caps, kind)
                for kind, who in _counted(listener)
            ):
                raise TooManyStreams
            if self._looking is None:
                looking = threading.Thread(target=self._look, name="live", daemon=True)
                looking.start()
                self._looking = looking
            self._held.update(_counted(listener))
            game = self._games.setdefault(game_id, _Subscription(self._lock))
            game.streams += 1
            return game

    def _leave(self, game_id: str, game: _Subscription, listener: Listener) -> None:
        with self._lock:
            for place in _counted(listener):
                self._held[place] -= 1
                if not self._held[place]:
                    del self._held[place]
            game.streams -= 1
            if not game.streams:
                del self._games[game_id]

    def _events(
        self, game_id: str, game: _Subscription, seen: int, listener: Listener
    ) -> Iterator[bytes]:
        try:
            yield b""
            yield f"retry: {RECONNECT}\n\n".encode()
            while not self._is_over(listener):
                changes = game.changes  # read first: a change from here on ends the wait below
                version = listener.look()  # before a keep-alive too, in case a change was missed
                if version is None:
                    return
                yield (
                    b":\n\n" if version == seen else f"id: {version}\ndata: {version}\n\n".encode()
                )
                seen = version
                self._wait(game, changes, listener)
        finally:
            self._leave(game_id, game, listener)

    def _wait(self, game: _Subscription, changes: int, listener: Listener) -> None:
        """Wait for a change of a game, at most until a keep-alive is due."""
        due = time.monotonic() + ALIVE
        with self._lock:
            while game.changes == changes and not self._is_over(listener):
                left = due - time.monotonic()
                if left <= 0:
                    return
                game.changed.wait(left if listener.gone is None else min(left, CHECK))

    def _is_over(self, listener: Listener) -> bool:
        return self._ended or (listener.gone is not None and listener.gone())

    def _look(self) -> None:
        """Poll the database while there are streams, and try again after errors."""
        commits: _Commits | None = None
        try:
            while self._is_needed():
                try:
                    if commits is None:
                        commits = _Commits(self._path)
                        self._wake(list(self._games))  # they may have missed something before
                    self._wake(commits.changed_games())
                    time.sleep(LOOK)
                except Exception as error:
                    log.warning("no look for changes: %s", error)
                    if commits is not None:
                        commits.close()
                        commits = None
                    time.sleep(LOOK_AGAIN)
        finally:
            with self._lock:
                if self._looking is threading.current_thread():
                    self._looking = None
            if commits is not None:
                commits.close()

    def _is_needed(self) -> bool:
        """Return whether there are streams; if not, the next stream starts another thread."""
        with self._lock:
            if self._ended or not self._games:
                self._looking = None
                return False
            return True

    def _wake(self, game_ids: Iterable[str]) -> None:
        """Wake the streams of these games, which then read their versions."""
        with self._lock:
            for game_id in game_ids:
                if game := self._games.get(game_id):
                    game.changes += 1
                    game.changed.notify_all()


class _Commits:
    """Detection of commits of any process, through a connection of its own.

    The connection never writes, as `PRAGMA data_version` does not count its own commits.
    """

    def __init__(self, path: Path):
        # Opened in the thread that uses it.
        self._db = connect(path)
        try:
            self._db.execute("PRAGMA query_only = ON")
            self._newest = newest_line(self._db)
        except BaseException:
            self._db.close()
            raise
        self._seen: int | None = None

    def changed_games(self) -> list[str]:
        """Return the ids of the games with new journal lines since the last call."""
        seen = self._db.execute("PRAGMA data_version").fetchone()[0]
        if seen == self._seen:
            return []
        rows = self._db.execute(
            "SELECT game_id, max(id) FROM changes WHERE id > ? GROUP BY game_id", [self._newest]
        ).fetchall()
        self._seen = seen
        self._newest = max([self._newest, *(int(row[1]) for row in rows)])
        return [row[0] for row in rows]

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


def _counted(listener: Listener) -> list[tuple[str, str]]:
    """Return the limits that count a stream, each beginning with a field of `Caps`."""
    return [("total", ""), ("link", listener.link), ("address", listener.address)]
