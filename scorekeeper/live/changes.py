"""The thread that reads what has changed in the database, once for all streams of a process."""

import logging
import threading
import time
from collections.abc import Iterable

from scorekeeper.live.followed import Event, FollowedGames
from scorekeeper.store.change_events import (
    allowed_followers,
    events_since,
    newest_claims,
    newest_versions,
)
from scorekeeper.store.commits import Commits, GameKey, watch_commits
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store

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
                        due = 0.0  # something may have been missed before
                    if time.monotonic() >= due:
                        looked = time.monotonic()
                        due = looked + LOOK_AT_ALL
                        self._look_at_all(commits.db)
                    changed = commits.changed_games()
                    if changed is None:
                        due = min(due, looked + LOOK_AGAIN)
                    self._tell(commits.db, changed or [])
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
            versions = newest_versions(db, keys)
            for key in keys:
                if key not in versions or versions[key] < told[key]:
                    self._games.end(key)
            self._tell(db, [(key, told[key]) for key in versions if versions[key] > told[key]])
            self._bar(db, keys)

    def _tell(self, db: Database, changed: Iterable[tuple[GameKey, int]]) -> None:
        """Hand what has changed in games after a version to those who may still follow them."""
        followed = [(key, seen) for key, seen in changed if key in self._games]
        self._bar(db, [key for key, _seen in followed])
        for key, seen in followed:
            events = rendered_events(db, key, seen)
            if any(event.removes for event in events):
                self._games.end(key)
            else:
                self._games.publish(key, events)

    def _bar(self, db: Database, keys: list[GameKey]) -> None:
        """End the streams of those who may not follow games any more, or not for the same seat."""
        if keys:
            self._games.end_reseated(newest_claims(db, keys))
        followers = self._games.followers(keys)
        if barred := followers - allowed_followers(db, followers):
            self._games.bar(keys, barred)


def rendered_events(db: Database, key: GameKey, seen: int, hash_: str = "") -> list[Event]:
    """Return the events of a game after the version `seen`, whose hash begins with `hash_`."""
    return [
        Event(version, f"id: {version}\ndata: {content}\n\n".encode(), removes)
        for version, content, removes in events_since(db, *key, seen, hash_)
    ]
