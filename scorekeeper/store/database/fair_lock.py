"""A first-in, first-out lock for the threads of one process."""

import threading
from collections import deque


class FairLock:
    """A lock that is handed to the threads that wait for it in turn.

    `threading.Lock` starves them: a thread that takes it again and again, as one that writes in
    small steps does, takes it before those that wait have woken up.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_held = False

    @property
    def n_waiting(self) -> int:
        """The number of threads that wait for the lock."""
        return len(self._waiting)

    def acquire(self, timeout: float) -> bool:
        """Take the lock within `timeout` seconds; return whether that succeeded."""
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
        except BaseException:  # raised in this thread or greenlet to end it
            if not self._leave(turn):
                self.release()
            raise
        return not self._leave(turn)

    def release(self) -> None:
        """Hand the lock to the thread that has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False

    def _leave(self, turn: threading.Lock) -> bool:
        """Stop waiting; return false if the lock was handed to this thread meanwhile."""
        with self._guard:
            is_waiting = turn in self._waiting
            if is_waiting:
                self._waiting.remove(turn)
            return is_waiting
