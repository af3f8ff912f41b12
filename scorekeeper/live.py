"""Server-sent events: what has changed in a game for its phones, and at a table for programs.

The streams of a whole table are those of a game without an id, whose versions are the numbers of
the lines in the journal. Desk and wall of a club night follow the table too: they are told that
something has changed in a game or an evening, and each time is a version.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from scorekeeper.store.change_events import (
    MOST_MISSED,
    Commits,
    GameKey,
    allowed_followers,
    events_since,
    newest_acts,
    newest_claims,
    newest_versions,
    watch_commits,
)
from scorekeeper.store.connection import Database, StoreLost
from scorekeeper.store.database import Store
from scorekeeper.store.table_events import newest_sequence, place_of, table_events

WHOLE = ""  # in place of a game: its whole table
CLUB = "club"  # in place of a game: its table, for desk and wall
WALL = "wall"  # who follows by the link of a wall
MOST_KEPT = 500  # events of a table; a stream that is further behind ends, and its client resumes


class Event(NamedTuple):
    """A change of a game, rendered for the phones of its table."""

    version: int
    text: bytes
    removes: bool = False  # the game


class FollowedGame:
    """The streams of one game: who follows it, the newest events, and how to wake them.

    Its first events follow the version `began`, the lowest that a stream began with. Who is
    `barred` may not follow games any more. It `ended` where the game was removed, or has another
    history: clients then begin anew.
    """

    def __init__(self, lock: threading.RLock, *, is_table: bool = False):
        self.changed = threading.Condition(lock)
        self.followers: Counter[str] = Counter()
        self.barred: frozenset[str] = frozenset()
        self.ended = False
        self.claims: Sequence[Any] | None = None  # of seats, and conflicts, once they were read
        self.began: int | None = None
        self.events: deque[Event] = deque(maxlen=MOST_KEPT if is_table else MOST_MISSED)
        self.dropped = 0  # the version of the newest event that has made room for later ones
        self._is_table = is_table

    @property
    def newest(self) -> int:
        """The version of the newest event, or 0."""
        return self.events[-1].version if self.events else 0

    def begin(self, version: int) -> None:
        """Note the version with which a stream begins."""
        with self.changed:
            self.began = version if self.began is None else min(version, self.began)

    def add(self, events: Iterable[Event]) -> None:
        """Add events, apart from those that are there."""
        newest = self.newest
        for event in events:
            if event.version > newest:
                if len(self.events) == self.events.maxlen:
                    self.dropped = self.events[0].version
                self.events.append(event)

    def has_dropped_after(self, seen: int) -> bool:
        """Return whether a stream of a table has to end, as events after a version are gone.

        Of a game a phone notices that by itself, and fetches it.
        """
        return self._is_table and seen < self.dropped


class FollowedGames:
    """The followed games of a process. Streams wait for them; one thread tells them of changes.

    Followers are named by the id of a phone, or by the hash of a watch key.
    """

    def __init__(self) -> None:
        # Reentrant, as garbage collection may close a stream while this thread holds the lock.
        self.lock = threading.RLock()
        self._games: dict[GameKey, FollowedGame] = {}

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, key: GameKey) -> bool:
        return key in self._games

    def enter(self, key: GameKey, who: str) -> FollowedGame:
        """Return a game that somebody follows from now on."""
        with self.lock:
            new = FollowedGame(self.lock, is_table=key[1] == WHOLE)
            game = self._games.setdefault(key, new)
            game.followers[who] += 1
            return game

    def leave(self, key: GameKey, game: FollowedGame, who: str) -> None:
        """Forget one stream of a follower, and a game that nobody follows any more."""
        with self.lock:
            game.followers -= Counter([who])
            if not game.followers and self._games.get(key) is game:
                del self._games[key]

    def newest_versions(self) -> dict[GameKey, int]:
        """Return the version of each game that its streams have been told, or began with.

        A table whose first stream has not begun is left out: it has yet to read what there is.
        """
        with self.lock:
            return {
                key: game.newest or game.began or 0
                for key, game in self._games.items()
                if key[1] != CLUB and (key[1] != WHOLE or game.began is not None)
            }

    def told(self, key: GameKey, seen: int) -> int:
        """Return the version after which the streams of a game lack what has changed.

        That is `seen`, or an earlier one where the notice of a later change came first.
        """
        with self.lock:
            newest = max((game.newest for game in self._of([key])), default=0)
            return min(seen, newest) if newest else seen

    def clubs(self) -> list[GameKey]:
        """Return the tables that desks and walls follow."""
        with self.lock:
            return [key for key in self._games if key[1] == CLUB]

    def tables_of(self, keys: Iterable[GameKey]) -> list[tuple[GameKey, int]]:
        """Return the tables of some games that are followed as a whole, and what they were told."""
        tables = {(table_id, WHOLE) for table_id, _game in keys} & self._games.keys()
        told = self.newest_versions() if tables else {}
        return [(key, told[key]) for key in tables if key in told]

    def followers(self, keys: Iterable[GameKey]) -> set[str]:
        """Return who follows any of some games."""
        with self.lock:
            return {who for game in self._of(keys) for who in game.followers}

    def publish(self, key: GameKey, events: Iterable[Event]) -> None:
        """Hand events to the streams of a game, apart from those that they have."""
        with self.lock:
            for game in self._of([key]):
                game.add(events)
                game.changed.notify_all()

    def bar(self, keys: Iterable[GameKey], barred: set[str]) -> None:
        """End the streams of followers of games who may not follow them any more."""
        with self.lock:
            for game in self._of(keys):
                game.barred |= barred & game.followers.keys()
                game.changed.notify_all()

    def end_reseated(self, claims: Mapping[GameKey, Sequence[Any]]) -> None:
        """End the streams of games whose claims of seats, or conflicts, are others than before.

        Their phones then fetch whose seat is whose, and which entries wait for a choice.
        """
        with self.lock:
            for key, newest in claims.items():
                for game in self._of([key]):
                    before, game.claims = game.claims, newest
                    if before not in (None, newest):
                        self.end(key)

    def end(self, key: GameKey) -> None:
        """End the streams of a game; later ones begin anew."""
        with self.lock:
            if game := self._games.pop(key, None):
                game.ended = True
                game.changed.notify_all()

    def wake_all(self) -> None:
        """Let every stream look whether it is over."""
        with self.lock:
            for game in list(self._games.values()):
                game.changed.notify_all()

    def _of(self, keys: Iterable[GameKey]) -> list[FollowedGame]:
        return [self._games[key] for key in keys if key in self._games]


TRY_AGAIN = 1.0  # seconds until a failed look is tried again
LOOK_AT_ALL = 15.0  # seconds after which all followed games are looked at, changed or not
LOOK_AGAIN = 1.0  # seconds after which they are if a phone or a link may have been removed
TOGETHER = 500  # games that one query looks for

log = logging.getLogger(__name__)


class ChangeReader:
    """Tells followed games what has changed in them, in a thread that runs while there are any."""

    def __init__(self, store: Store, games: FollowedGames):
        self._store = store
        self._games = games
        self._thread: threading.Thread | None = None
        self._acts: dict[GameKey, int] = {}  # of the evenings of tables, as desks were told
        self._times = count(1)  # that they were
        self._ended = False

    @property
    def is_running(self) -> bool:
        """Whether the thread watches the database."""
        return self._thread is not None

    def start(self) -> None:
        """Start the thread unless it runs."""
        with self._games.lock:
            if not self.is_running:
                thread = threading.Thread(target=self._run, name="live", daemon=True)
                thread.start()
                self._thread = thread

    def end(self, timeout: float) -> None:
        """Let the thread end, and wait some seconds for it to close its connection."""
        with self._games.lock:
            self._ended = True
            thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def _run(self) -> None:
        """Watch the database while games are followed, and try again after errors."""
        commits: Commits | None = None
        due = looked = 0.0
        try:
            while self._is_needed():
                try:
                    if commits is None:
                        commits = watch_commits(self._store)
                        due, self._acts = 0.0, {}  # something may have been missed before
                    if time.monotonic() >= due:
                        looked = time.monotonic()
                        due = looked + LOOK_AT_ALL
                        with suppress(StoreLost):  # which it logs: games can still be read
                            self._store.check_files()
                        self._look_at_all(commits.db)
                    changed = commits.changed_games()
                    if changed is None:
                        due = min(due, looked + LOOK_AGAIN)
                    tables = self._games.tables_of(key for key, _version in changed or [])
                    self._tell(commits.db, [*(changed or []), *tables])
                    if changed != []:
                        self._tell_clubs(commits.db, {key[0] for key, _version in changed or []})
                except Exception as error:
                    log.warning("cannot read changes, trying again in %.0f s: %s", TRY_AGAIN, error)
                    if commits is not None:
                        commits.close()
                        commits = None
                    time.sleep(TRY_AGAIN)
        finally:
            with self._games.lock:
                if self._thread is threading.current_thread():
                    self._thread = None
            if commits is not None:
                commits.close()

    def _is_needed(self) -> bool:
        """Return whether games are followed; if not, the next stream starts another thread."""
        with self._games.lock:
            if self._ended or not self._games:
                self._thread = None
                return False
            return True

    def _look_at_all(self, db: Database) -> None:
        """Tell what was missed, and end the streams of games that have gone, or gone back."""
        told = self._games.newest_versions()
        for start in range(0, len(told), TOGETHER):
            keys = list(told)[start : start + TOGETHER]
            versions = _newest(db, keys)
            for key in keys:
                if key not in versions or versions[key] < told[key]:
                    self._games.end(key)
            self._tell(db, [(key, told[key]) for key in versions if versions[key] > told[key]])
            self._bar(db, keys)
        self._bar(db, self._games.clubs())
        self._tell_clubs(db, set())

    def _tell(self, db: Database, changed: Iterable[tuple[GameKey, int]]) -> None:
        """Hand what has changed in games after a version to those who may still follow them."""
        followed = [(key, seen) for key, seen in changed if key in self._games]
        self._bar(db, [key for key, _seen in followed])
        for key, seen in followed:
            events = rendered_events(db, key, self._games.told(key, seen))
            if any(event.removes for event in events):
                self._games.end(key)
            else:
                self._games.publish(key, events)

    def _tell_clubs(self, db: Database, played: set[str]) -> None:
        """Tell desks and walls of tables where something was played, or an evening has changed."""
        acts = {key: newest_acts(db, key[0]) for key in self._games.clubs()}
        for key, newest in acts.items():
            if key[0] in played or newest != self._acts.get(key):
                self._games.publish(key, [Event(next(self._times), b"")])
        self._acts = acts

    def _bar(self, db: Database, keys: list[GameKey]) -> None:
        """End the streams of those who may not follow games any more, or not for the same seat."""
        if keys:
            self._games.end_reseated(newest_claims(db, keys))
        followers = self._games.followers(keys)
        if barred := followers - allowed_followers(db, followers) - {WALL}:
            self._games.bar(keys, barred)


def _newest(db: Database, keys: Sequence[GameKey]) -> dict[GameKey, int]:
    """Return the versions of games that were not removed, and the newest lines of whole tables."""
    games = [key for key in keys if key[1] != WHOLE]
    tables = {key: newest_sequence(db, key[0]) for key in keys if key[1] == WHOLE}
    return (newest_versions(db, games) if games else {}) | tables


def rendered_events(db: Database, key: GameKey, seen: int, hash_: str = "") -> list[Event]:
    """Return the events of a game after the version `seen`, whose hash begins with `hash_`."""
    if key[1] == WHOLE:
        return [Event(line, text.encode()) for line, text in table_events(db, key[0], seen)]
    return [
        Event(version, f"id: {version}\ndata: {content}\n\n".encode(), removes)
        for version, content, removes in events_since(db, *key, seen, hash_)
    ]


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
    club: int = 8  # desks and walls of a table, which count apart from all others

    @property
    def clubs(self) -> int:
        """How many desks and walls there may be of all tables."""
        return self.total // 8


class Listener(NamedTuple):
    """The client of a stream, with its link and address.

    `who` is the id of its phone, or the hash of its watch key. `gone` returns whether it has
    disconnected; it is None if the server cannot tell. One that `is_watcher` is told only versions.
    """

    who: str
    gone: Callable[[], bool] | None = None
    link: str = ""
    address: str = ""
    is_watcher: bool = False
    club: str = ""  # the table of a desk or a wall


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

    def table_stream(self, table_id: str, last_id: str, listener: Listener) -> Iterator[bytes]:
        """Return the events of a whole table after the one of an id; without one those from now on.

        Raises `TooManyStreams`.
        """
        key = (table_id, WHOLE)
        table = self._enter(key, listener)
        try:
            seen, text = place_of(self._store.db, table_id, last_id)
            # Before the look at what was missed: the reader tells what is committed after it.
            table.begin(seen)
            missed = [Event(seen, text.encode()), *rendered_events(self._store.db, key, seen)]
        except BaseException:
            self._leave(key, table, listener)
            raise
        stream = self._texts(key, table, missed, seen, listener)
        next(stream)
        return stream

    def club_stream(self, table_id: str, listener: Listener) -> Iterator[bytes]:
        """Tell a desk or a wall of each moment at which its table has changed, from now on.

        Raises `TooManyStreams`.
        """
        key = (table_id, CLUB)
        told = listener._replace(club=table_id, is_watcher=True)
        club = self._enter(key, told)
        stream = self._texts(key, club, [], club.newest, told)
        next(stream)
        return stream

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return self.stream_counts["total", ""] + self.stream_counts["clubs", ""]

    @property
    def is_full(self) -> bool:
        """Whether the limit of all streams is reached; never where it is 0, as all poll then."""
        return 0 < self.caps.total <= self.stream_counts["total", ""]

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
            seen = events[-1].version if events else seen
            while not self._is_over(game, listener, seen):
                yield _event_text(events, listener) or b":\n\n"
                events = self._wait(game, seen, listener)
                seen = events[-1].version if events else seen
        finally:
            self._leave(key, game, listener)

    def _wait(self, game: FollowedGame, seen: int, listener: Listener) -> list[Event]:
        """Wait for the events that follow a version; return none when a keep-alive is due."""
        due = time.monotonic() + ALIVE
        with game.changed:
            while not self._is_over(game, listener, seen):
                if game.newest > seen:
                    return [event for event in game.events if event.version > seen]
                left = due - time.monotonic()
                if left <= 0:
                    break
                game.changed.wait(left if listener.gone is None else min(left, CHECK))
        return []

    def _is_over(self, game: FollowedGame, listener: Listener, seen: int) -> bool:
        return (
            self._ended
            or game.ended
            or game.has_dropped_after(seen)
            or listener.who in game.barred
            or (listener.gone is not None and listener.gone())
        )


def _counted(listener: Listener) -> list[tuple[str, str]]:
    """Return the limits that count a stream, each beginning with a member of `Caps`."""
    if listener.club:
        return [("clubs", ""), ("club", listener.club)]
    return [("total", ""), ("link", listener.link), ("address", listener.address)]


def _event_text(events: Sequence[Event], listener: Listener) -> bytes:
    """Return what is sent to a client: each event, or only the newest version."""
    if listener.is_watcher and events:
        version = events[-1].version
        return f"id: {version}\ndata: {version}\n\n".encode()
    return b"".join(event.text for event in events)
