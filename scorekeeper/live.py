"""Server-sent events that tell phones what has changed in a game.

In each process one thread watches the database for commits of any process. It renders each change
of a game that is followed once, and hands it to the streams of that game. Watchers are told only
the version. A stream itself reads the database only when it begins.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from scorekeeper.store.change_events import (
    MOST_MISSED,
    allowed_followers,
    events_since,
    newest_versions,
)
from scorekeeper.store.commits import Commits, GameKey, watch_commits
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store

LOOK_AGAIN = 1.0  # seconds until a failed poll is tried again
CHECK = 1.0  # seconds after which a stream checks whether its client is connected
ALIVE = 15.0  # seconds after which an idle stream sends a keep-alive comment
TOGETHER = 500  # games that one query looks for
RECONNECT = 1000  # milliseconds until a browser reconnects a lost stream

Key = TypeVar("Key")
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

    `who` is the id of its phone, or the hash of its watch key. `gone` returns whether it has
    disconnected; it is None if the server cannot tell. One that `watches` is told only versions.
    """

    who: str
    gone: Callable[[], bool] | None = None
    link: str = ""
    address: str = ""
    watches: bool = False


class Event(NamedTuple):
    """A change of a game, rendered for the phones of its table."""

    version: int
    text: bytes
    removes: bool = False  # the game


class _Subscription:
    """The streams of one game: who listens, the newest events, and how to wake them.

    The first events to come follow the version `began`, the lowest that a stream began with. Who is
    `barred` may not follow games any more. It `ended` where the game was removed, or has another
    history: clients then begin anew.
    """

    def __init__(self, lock: threading.RLock):
        self.changed = threading.Condition(lock)
        self.listeners: Counter[str] = Counter()
        self.barred: frozenset[str] = frozenset()
        self.ended = False
        self.began = 0
        self.events: deque[Event] = deque(maxlen=MOST_MISSED)

    @property
    def newest(self) -> int:
        """The version of the newest event, or 0."""
        return self.events[-1].version if self.events else 0


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
        try:
            missed = _events_since(self._store.db, key, seen, hash_)
        except BaseException:
            self._leave(key, game, listener)
            raise
        version = missed[-1].version if missed else seen
        with self._lock:
            game.began = min(version, game.began or version)
        stream = self._texts(key, game, missed, seen, listener)
        next(stream)  # a generator that was never started would not run `finally` when closed
        return stream

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
            game.listeners[listener.who] += 1
            return game

    def _leave(self, key: GameKey, game: _Subscription, listener: Listener) -> None:
        with self._lock:
            for place in _counted(listener):
                _count_down(self.stream_counts, place)
            _count_down(game.listeners, listener.who)
            if not game.listeners and self._games.get(key) is game:
                del self._games[key]

    def _texts(
        self,
        key: GameKey,
        game: _Subscription,
        events: Sequence[Event],
        seen: int,
        listener: Listener,
    ) -> Iterator[bytes]:
        try:
            yield b""
            yield f"retry: {RECONNECT}\n\n".encode()
            while not self._is_over(game, listener):
                yield _event_text(events, listener) or b":\n\n"
                seen = events[-1].version if events else seen
                events = self._wait(game, seen, listener)
        finally:
            self._leave(key, game, listener)

    def _wait(self, game: _Subscription, seen: int, listener: Listener) -> list[Event]:
        """Wait for the events that follow a version; return none when a keep-alive is due."""
        due = time.monotonic() + ALIVE
        with self._lock:
            while not self._is_over(game, listener):
                if game.newest > seen:
                    return [event for event in game.events if event.version > seen]
                left = due - time.monotonic()
                if left <= 0:
                    break
                game.changed.wait(left if listener.gone is None else min(left, CHECK))
        return []

    def _is_over(self, game: _Subscription, listener: Listener) -> bool:
        return (
            self._ended
            or game.ended
            or listener.who in game.barred
            or (listener.gone is not None and listener.gone())
        )

    def _look(self) -> None:
        """Watch the database while there are streams, and try again after errors."""
        commits: Commits | None = None
        due = 0.0
        try:
            while self._is_needed():
                try:
                    if commits is None:
                        commits = watch_commits(self._store)
                        due = 0.0  # something may have been missed before
                    if time.monotonic() >= due:
                        due = time.monotonic() + ALIVE
                        self._look_at_all(commits.db)
                    self._tell(commits.db, commits.changed_games())
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

    def _tell(self, db: Database, changed: Iterable[tuple[GameKey, int]]) -> None:
        """Hand what has changed in games after a version to those who may still follow them."""
        followed = [(key, seen) for key, seen in changed if key in self._games]
        self._bar(db, [key for key, _seen in followed])
        for key, seen in followed:
            events = _events_since(db, key, seen)
            if any(event.removes for event in events):
                self._end(key)
            else:
                self._publish(key, events)

    def _look_at_all(self, db: Database) -> None:
        """Tell what was missed, and end the streams of games that have gone, or gone back."""
        with self._lock:
            newest = {key: game.newest or game.began for key, game in self._games.items()}
        for start in range(0, len(newest), TOGETHER):
            keys = list(newest)[start : start + TOGETHER]
            versions = newest_versions(db, keys)
            for key in keys:
                if key not in versions or versions[key] < newest[key]:
                    self._end(key)
            missed = [(key, newest[key]) for key in versions if versions[key] > newest[key]]
            self._tell(db, missed)
            self._bar(db, keys)

    def _bar(self, db: Database, keys: Iterable[GameKey]) -> None:
        """Bar those who follow games but may not any more."""
        with self._lock:
            games = [self._games[key] for key in keys if key in self._games]
            who = {one for game in games for one in game.listeners}
        if barred := who - allowed_followers(db, who):
            with self._lock:
                for game in games:
                    game.barred |= barred & game.listeners.keys()
                    game.changed.notify_all()

    def _end(self, key: GameKey) -> None:
        """End the streams of a game; later ones begin anew."""
        with self._lock:
            if game := self._games.pop(key, None):
                game.ended = True
                game.changed.notify_all()

    def _publish(self, key: GameKey, events: Iterable[Event]) -> None:
        """Hand events to the streams of a game."""
        with self._lock:
            if game := self._games.get(key):
                newest = game.newest
                game.events.extend(event for event in events if event.version > newest)
                game.changed.notify_all()


def _counted(listener: Listener) -> list[tuple[str, str]]:
    """Return the limits that count a stream, each beginning with a field of `Caps`."""
    return [("total", ""), ("link", listener.link), ("address", listener.address)]


def _count_down(counts: Counter[Key], key: Key) -> None:
    """Count one less, and keep no zero."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _events_since(db: Database, key: GameKey, seen: int, hash_: str = "") -> list[Event]:
    return [
        Event(version, f"id: {version}\ndata: {content}\n\n".encode(), removes)
        for version, content, removes in events_since(db, *key, seen, hash_)
    ]


def _event_text(events: Sequence[Event], listener: Listener) -> bytes:
    """Return what is sent to a client: each event, or only the newest version."""
    if listener.watches and events:
        version = events[-1].version
        return f"id: {version}\ndata: {version}\n\n".encode()
    return b"".join(event.text for event in events)
