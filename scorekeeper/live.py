"""Server-sent events that tell phones what has changed in a game.

In each process one thread watches the database for commits of any process. It renders each change
of a game that is followed once, and hands it to the streams of that game. Watchers are told only
the version.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from scorekeeper.store.change_events import MOST_MISSED, events_since
from scorekeeper.store.commits import Commits, GameKey, watch_commits
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store

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

    `allowed` returns whether the client may still listen. `gone` returns whether it has
    disconnected; it is None if the server cannot tell. One that `watches` is told only versions.
    """

    allowed: Callable[[Database], bool]
    gone: Callable[[], bool] | None = None
    link: str = ""
    address: str = ""
    watches: bool = False


class Event(NamedTuple):
    """A change of a game, rendered for the phones of its table."""

    version: int
    text: bytes


class _Subscription:
    """The streams of one game: their number, the newest events, and how to wake them.

    `gaps` counts how often events may have been missed, so that streams read the journal again.
    """

    def __init__(self, lock: threading.RLock):
        self.changed = threading.Condition(lock)
        self.streams = 0
        self.gaps = 0
        self.events: deque[Event] = deque(maxlen=MOST_MISSED)


class Live:
    """The streams of one process."""

    def __init__(self, store: Store, caps: Caps):
        self._store = store
        self.caps = caps
        # Reentrant, as garbage collection may close a stream while this thread holds the lock.
        self._lock = threading.RLock()
        self._games: dict[GameKey, _Subscription] = {}
        self.stream_counts: Counter[tuple[str, str]] = Counter()  # by limit; none is zero
        self._looking: threading.Thread | None = None
        self._ended = False

    def stream(
        self, key: GameKey, seen: int, listener: Listener, hash_: str = ""
    ) -> Iterator[bytes]:
        """Return the events of a game after the version `seen`, whose hash begins with `hash_`.

        Raises `TooManyStreams`.
        """
        game = self._enter(key, listener)
        events = self._events(key, game, seen, hash_, listener)
        next(events)  # a generator that was never started would not run `finally` when closed
        return events

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return self.stream_counts["total", ""]

    @property
    def is_full(self) -> bool:
        """Whether the limit of all streams is reached; never where it is 0, as all poll then."""
        return 0 < self.caps.total <= self.open_streams

    @property
    def followed_games(self) -> Collection[GameKey]:
        """The games that have open streams."""
        return self._games.keys()

    @property
    def is_looking(self) -> bool:
        """Whether a thread watches the database."""
        return self._looking is not None

    def end(self) -> None:
        """End every stream, because the server stops."""
        with self._lock:
            self._ended = True
            for game in list(self._games.values()):
                game.changed.notify_all()
            looking = self._looking
        if looking is not None:
            looking.join(CHECK)  # it closes its connection, which may be the last to the games

    def _enter(self, key: GameKey, listener: Listener) -> _Subscription:
        with self._lock:
            if self._ended or any(
                self.stream_counts[kind, who] >= getattr(self.caps, kind)
                for kind, who in _counted(listener)
            ):
                raise TooManyStreams
            if not self.is_looking:
                looking = threading.Thread(target=self._look, name="live", daemon=True)
                looking.start()
                self._looking = looking
            self.stream_counts.update(_counted(listener))
            game = self._games.setdefault(key, _Subscription(self._lock))
            game.streams += 1
            return game

    def _leave(self, key: GameKey, game: _Subscription, listener: Listener) -> None:
        with self._lock:
            for place in _counted(listener):
                self.stream_counts[place] -= 1
                if not self.stream_counts[place]:
                    del self.stream_counts[place]
            game.streams -= 1
            if not game.streams:
                del self._games[key]

    def _events(
        self, key: GameKey, game: _Subscription, seen: int, hash_: str, listener: Listener
    ) -> Iterator[bytes]:
        try:
            yield b""
            yield f"retry: {RECONNECT}\n\n".encode()
            while not self._is_over(listener):
                gaps = game.gaps  # read first: a gap from here on ends the wait below
                # Read before a keep-alive too, in case a change was missed.
                events = self._missed(key, seen, hash_, listener)
                if events is None:
                    return
                yield _event_text(events, listener) or b":\n\n"
                hash_ = ""
                while True:
                    seen = events[-1].version if events else seen
                    events = self._wait(game, gaps, seen, listener)
                    if not events:
                        break
                    if not self._is_allowed(listener):
                        return
                    yield _event_text(events, listener)
        finally:
            self._leave(key, game, listener)

    def _missed(
        self, key: GameKey, seen: int, hash_: str, listener: Listener
    ) -> list[Event] | None:
        """Return the events after a version from the journal, or None for a client not allowed."""
        with self._store.shared_reader() as db:
            return _events_since(db, key, seen, hash_) if listener.allowed(db) else None

    def _is_allowed(self, listener: Listener) -> bool:
        with self._store.shared_reader() as db:
            return listener.allowed(db)

    def _wait(self, game: _Subscription, gaps: int, seen: int, listener: Listener) -> list[Event]:
        """Wait for the events that follow a version, and return them.

        None are returned when a keep-alive is due, or the journal has to be read.
        """
        due = time.monotonic() + ALIVE
        with self._lock:
            while game.gaps == gaps and not self._is_over(listener):
                if events := [event for event in game.events if event.version > seen]:
                    return events if events[0].version == seen + 1 else []
                left = due - time.monotonic()
                if left <= 0:
                    break
                game.changed.wait(left if listener.gone is None else min(left, CHECK))
        return []

    def _is_over(self, listener: Listener) -> bool:
        return self._ended or (listener.gone is not None and listener.gone())

    def _look(self) -> None:
        """Poll the database while there are streams, and try again after errors."""
        commits: Commits | None = None
        try:
            while self._is_needed():
                try:
                    if commits is None:
                        commits = watch_commits(self._store)
                        self._report_gap()  # something may have been missed before
                    for key, seen in commits.changed_games():
                        if key in self.followed_games:
                            self._publish(key, _events_since(commits.db, key, seen))
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
            if self._ended or not self.followed_games:
                self._looking = None
                return False
            return True

    def _report_gap(self) -> None:
        """Wake every stream, to read in the journal what it has missed."""
        with self._lock:
            for game in self._games.values():
                game.gaps += 1
                game.changed.notify_all()

    def _publish(self, key: GameKey, events: Sequence[Event]) -> None:
        """Hand events to the streams of a game."""
        with self._lock:
            if game := self._games.get(key):
                game.events.extend(events)
                game.changed.notify_all()


def _counted(listener: Listener) -> list[tuple[str, str]]:
    """Return the limits that count a stream, each beginning with a field of `Caps`."""
    return [("total", ""), ("link", listener.link), ("address", listener.address)]


def _events_since(db: Database, key: GameKey, seen: int, hash_: str = "") -> list[Event]:
    return [
        Event(version, f"id: {version}\ndata: {content}\n\n".encode())
        for version, content in events_since(db, *key, seen, hash_)
    ]


def _event_text(events: Sequence[Event], listener: Listener) -> bytes:
    """Return what is sent to a client: each event, or only the newest version."""
    if listener.watches and events:
        version = events[-1].version
        return f"id: {version}\ndata: {version}\n\n".encode()
    return b"".join(event.text for event in events)
