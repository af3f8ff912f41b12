"""The streams of a process: how many there may be, and what each of them sends."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from scorekeeper.live.changes import ChangeReader, rendered_events
from scorekeeper.live.followed import Event, FollowedGame, FollowedGames
from scorekeeper.store.change_events import newest_claims
from scorekeeper.store.commits import GameKey
from scorekeeper.store.database.store import Store

CHECK = 1.0  # seconds after which a stream checks whether its client is connected
ALIVE = 15.0  # seconds after which an idle stream sends a keep-alive comment
RECONNECT = 1000  # milliseconds until a browser reconnects a lost stream


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


class Live:
    """The streams of one process."""

    def __init__(self, store: Store, caps: Caps):
        self.caps = caps
        self.stream_counts: Counter[tuple[str, str]] = Counter()  # by limit; none is zero
        self.followed_games = FollowedGames()
        self._store = store
        self._reader = ChangeReader(store, self.followed_games)
        self._ended = False

    def stream(
        self, key: GameKey, seen: int, listener: Listener, hash_: str = ""
    ) -> Iterator[bytes]:
        """Return the events of a game after the version `seen`, whose hash begins with `hash_`.

        Raises `TooManyStreams`.
        """
        game = self._enter(key, listener)
        try:
            missed = rendered_events(self._store.db, key, seen, hash_)
            self.followed_games.end_reseated(newest_claims(self._store.db, [key]))
        except BaseException:
            self._leave(key, game, listener)
            raise
        game.begin(missed[-1].version if missed else seen)
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
    def is_reading(self) -> bool:
        """Whether a thread reads changes from the database."""
        return self._reader.is_running

    def end(self) -> None:
        """End every stream, because the server stops."""
        self._ended = True
        self.followed_games.wake_all()
        self._reader.end(CHECK)  # it closes its connection, which may be the last to the games

    def _enter(self, key: GameKey, listener: Listener) -> FollowedGame:
        with self.followed_games.lock:
            if self._ended or any(
                self.stream_counts[kind, who] >= getattr(self.caps, kind)
                for kind, who in _counted(listener)
            ):
                raise TooManyStreams
            self._reader.start()
            self.stream_counts.update(_counted(listener))
            return self.followed_games.enter(key, listener.who)

    def _leave(self, key: GameKey, game: FollowedGame, listener: Listener) -> None:
        with self.followed_games.lock:
            for limit in _counted(listener):
                self.stream_counts[limit] -= 1
                if not self.stream_counts[limit]:
                    del self.stream_counts[limit]
            self.followed_games.leave(key, game, listener.who)

    def _texts(
        self,
        key: GameKey,
        game: FollowedGame,
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

    def _wait(self, game: FollowedGame, seen: int, listener: Listener) -> list[Event]:
        """Wait for the events that follow a version; return none when a keep-alive is due."""
        due = time.monotonic() + ALIVE
        with game.changed:
            while not self._is_over(game, listener):
                if game.newest > seen:
                    return [event for event in game.events if event.version > seen]
                left = due - time.monotonic()
                if left <= 0:
                    break
                game.changed.wait(left if listener.gone is None else min(left, CHECK))
        return []

    def _is_over(self, game: FollowedGame, listener: Listener) -> bool:
        return (
            self._ended
            or game.ended
            or listener.who in game.barred
            or (listener.gone is not None and listener.gone())
        )


def _counted(listener: Listener) -> list[tuple[str, str]]:
    """Return the limits that count a stream, each beginning with a field of `Caps`."""
    return [("total", ""), ("link", listener.link), ("address", listener.address)]


def _event_text(events: Sequence[Event], listener: Listener) -> bytes:
    """Return what is sent to a client: each event, or only the newest version."""
    if listener.watches and events:
        version = events[-1].version
        return f"id: {version}\ndata: {version}\n\n".encode()
    return b"".join(event.text for event in events)
