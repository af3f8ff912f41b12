"""Long work of a server beside its requests, which ends when the server stops."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from scorekeeper.store.database import Store

Item = TypeVar("Item")
log = logging.getLogger(__name__)
ENDING = 5.0  # seconds until a server stops although work goes on


class Ended(Exception):
    """The server stops; what was not done stays as it is."""


class Background:
    """Runs work in threads, one after another, so that a server has no more than one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Lock()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []

    def run(self, work: Callable[[], None], wait: float) -> None:
        """Start work, and return once it is done, or after some seconds.

        Raises what it has raised by then; later errors are logged.
        """
        raised: list[BaseException] = []
        is_left = threading.Event()

        def run() -> None:
            try:
                with self._turn:
                    if not self._ended.is_set():
                        work()
            except Ended:
                pass
            except Exception as error:
                raised.append(error)
                if is_left.is_set():
                    log.exception("work in the background failed")
            finally:
                self._store.release()

        # A daemon, as the interpreter would wait for others before it tells anybody that it ends.
        thread = threading.Thread(target=run, name="background", daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()
        thread.join(wait)
        is_left.set()
        if raised:
            raise raised[0]

    def until_the_end(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items while the server runs; then raise `Ended`."""
        for item in items:
            if self._ended.is_set():
                raise Ended
            yield item

    def end(self) -> None:
        """Let the work end after its next step, and wait for that."""
        self._ended.set()
        for thread in self._threads:
            thread.join(ENDING)
