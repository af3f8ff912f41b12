"""The games that open streams follow, with the events that these wait for."""

import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scorekeeper.store.change_events import MOST_MISSED
from scorekeeper.store.commits import GameKey


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

    def __init__(self, lock: threading.RLock):
        self.changed = threading.Condition(lock)
        self.followers: Counter[str] = Counter()
        self.barred: frozenset[str] = frozenset()
        self.ended = False
        self.claims: Sequence[Any] | None = None  # of seats, and conflicts, once they were read
        self.began = 0
        self.events: deque[Event] = deque(maxlen=MOST_MISSED)

    @property
    def newest(self) -> int:
        """The version of the newest event, or 0."""
        return self.events[-1].version if self.events else 0

    def begin(self, version: int) -> None:
        """Note the version with which a stream begins."""
        with self.changed:
            self.began = min(version, self.began or version)


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
            game = self._games.setdefault(key, FollowedGame(self.lock))
            game.followers[who] += 1
            return game

    def leave(self, key: GameKey, game: FollowedGame, who: str) -> None:
        """Forget one stream of a follower, and a game that nobody follows any more."""
        with self.lock:
            game.followers -= Counter([who])
            if not game.followers and self._games.get(key) is game:
                del self._games[key]

    def newest_versions(self) -> dict[GameKey, int]:
        """Return the version of each game that its streams have been told, or began with."""
        with self.lock:
            return {key: game.newest or game.began for key, game in self._games.items()}

    def followers(self, keys: Iterable[GameKey]) -> set[str]:
        """Return who follows any of some games."""
        with self.lock:
            return {who for game in self._of(keys) for who in game.followers}

    def publish(self, key: GameKey, events: Iterable[Event]) -> None:
        """Hand events to the streams of a game, apart from those that they have."""
        with self.lock:
            for game in self._of([key]):
                newest = game.newest
                game.events.extend(event for event in events if event.version > newest)
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
