"""A lock for the threads of one process that is given to them in the order in which they asked."""

import threading
from collections import deque


class FairLock:
    """A lock that nobody can be starved of.

    `threading.Lock` goes to whoever asks at the right moment: a thread that writes one small step
    after another takes it again before those that wait have woken up. Here it is handed over.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_held = False

    def acquire(self, timeout: float) -> bool:
        """Wait for the lock for so many seconds at most; return whether it was given."""
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            if turn.acquire(timeout=max(0, timeout)):
                return True
        except BaseException:  # of whoever ends this thread or greenlet while it waits
            if not self._leave(turn):
                self.release()
            raise
        return not self._leave(turn)

    def release(self) -> None:
        """Hand the lock to whoever has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False

    def _leave(self, turn: threading.Lock) -> bool:
        """Wait no longer; return whether that was in time, before the lock was handed over."""
        with self._guard:
            is_waiting = turn in self._waiting
            if is_waiting:
                self._waiting.remove(turn)
            return is_waiting
