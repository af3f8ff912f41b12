"""Telling the other phones that a game has changed.

In each process one thread asks the database for commits, whoever made them, and wakes the streams
of the games that changed. An event says only the game's version; the page then fetches what
changed.
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

LOOK = 0.02  # seconds between two looks for commits, each of some microseconds
LOOK_AGAIN = 1.0  # seconds until a look that failed is tried again
CHECK = 1.0  # seconds after which a stream asks whether its phone is still there
ALIVE = 15.0  # seconds after which a quiet stream sends a sign of life
RECONNECT = 1000  # milliseconds a phone waits before it asks for a lost stream again

log = logging.getLogger(__name__)


class TooManyStreams(Exception):
    """No more streams can be held for this phone; it should ask now and then instead."""


class Caps(NamedTuple):
    """How many streams a process holds at once: in all, through one link, for one address.

    Each keeps a thread or a connection of the server. Where none is free no page is served.
    """

    total: int
    link: int
    address: int


class Listener(NamedTuple):
    """Who asks for a stream: the link it comes by and its address, and what can be asked of it.

    `look` returns the version of the game now, or None where the phone may listen no longer.
    `gone` tells whether the phone has left; None where the server cannot tell.
    """

    look: Callable[[], int | None]
    gone: Callable[[], bool] | None = None
    link: str = ""
    address: str = ""


class _Followed:
    """A game that streams follow: how many do, how often they were woken, and how to wake them."""

    def __init__(self, lock: threading.RLock):
        self.changed = threading.Condition(lock)
        self.streams = 0
        self.changes = 0


class Live:
    """The streams of one process."""

    def __init__(self, path: Path, caps: Caps):
        self._path = path
        self._caps = caps
        # Reentrant, as a stream that nobody closed leaves whenever Python collects it.
        self._lock = threading.RLock()
        self._games: dict[str, _Followed] = {}
        self._held: Counter[tuple[str, str]] = Counter()  # streams, by each cap that counts them
        self._looking: threading.Thread | None = None
        self._ended = False

    def stream(self, game_id: str, seen: int, listener: Listener) -> Iterator[bytes]:
        """Return a stream of events for a game, `seen` being the version that the phone has.

        Raises `TooManyStreams`.
        """
        game = self._enter(game_id, listener)
        events = self._events(game_id, game, seen, listener)
        next(events)  # a generator that never began would not give its place back when closed
        return events

    def end(self) -> None:
        """Let every stream go, because the server stops."""
        with self._lock:
            self._ended = True
            for game in list(self._games.values()):
                game.changed.notify_all()
            looking = self._looking
        if looking is not None:
            looking.join(CHECK)  # it closes its connection, which may be the last to the games

    def _enter(self, game_id: str, listener: Listener) -> _Followed:
        with self._lock:
            if self._ended or any(
                self._held[kind, who] >= getattr(self._caps, kind)
                for kind, who in _counted(listener)
            ):
                raise TooManyStreams
            if self._looking is None:
                looking = threading.Thread(target=self._look, name="live", daemon=True)
                looking.start()
                self._looking = looking
            self._held.update(_counted(listener))
            game = self._games.setdefault(game_id, _Followed(self._lock))
            game.streams += 1
            return game

    def _leave(self, game_id: str, game: _Followed, listener: Listener) -> None:
        with self._lock:
            for place in _counted(listener):
                self._held[place] -= 1
                if not self._held[place]:
                    del self._held[place]
            game.streams -= 1
            if not game.streams:
                del self._games[game_id]

    def _events(
        self, game_id: str, game: _Followed, seen: int, listener: Listener
    ) -> Iterator[bytes]:
        try:
            yield b""
            yield f"retry: {RECONNECT}\n\n".encode()
            while not self._is_over(listener):
                changes = game.changes  # read first: a change from here on ends the wait below
                version = listener.look()  # before a sign of life too, should a change be missed
                if version is None:
                    return
                yield (
                    b":\n\n" if version == seen else f"id: {version}\ndata: {version}\n\n".encode()
                )
                seen = version
                self._wait(game, changes, listener)
        finally:
            self._leave(game_id, game, listener)

    def _wait(self, game: _Followed, changes: int, listener: Listener) -> None:
        """Wait for a change of a game, at most until a sign of life is due."""
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
        """Follow the database while anybody listens, and try again where that fails."""
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
        """Return whether to go on; where not, the next stream begins another thread."""
        with self._lock:
            if self._ended or not self._games:
                self._looking = None
                return False
            return True

    def _wake(self, game_ids: Iterable[str]) -> None:
        """Let the streams of these games look for themselves."""
        with self._lock:
            for game_id in game_ids:
                if game := self._games.get(game_id):
                    game.changes += 1
                    game.changed.notify_all()


class _Commits:
    """The commits of any process, as one connection of its own sees them.

    That connection never writes, since it would not see its own commits in `data_version`.
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
        """Return the games that have a new line in their journal since the last time."""
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
    """Return what a stream counts for, each beginning with a field of `Caps`."""
    return [("total", ""), ("link", listener.link), ("address", listener.address)]
