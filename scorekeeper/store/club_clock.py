"""The clock of a match, which calls its last round by itself where that was chosen.

A thread waits for it, so no page has to be open: by the time of the server, once in a match.
"""

import logging
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from scorekeeper.clock import now
from scorekeeper.club.events import LastRoundCalled
from scorekeeper.club.night import NightRefused
from scorekeeper.store.club import UNREADABLE, ever_happened, load_night, record
from scorekeeper.store.club_games import end_all_in_time
from scorekeeper.store.database import Store
from scorekeeper.store.journal import Who

LOOK_AGAIN = 20.0  # seconds: a computer that has slept wakes with another time
Key = tuple[str, str]  # of an evening: its table and its id

log = logging.getLogger(__name__)


def call_in_time(store: Store, key: Key, at: datetime) -> int | None:
    """Return in how many seconds the last round of a match is due; once it is, call it.

    None where it is not, as the clock stands, or it was called already, though it was taken back.
    What was interrupted goes on: the evening knows of it once all tables do.
    """
    club = load_night(store.db, *key)
    match = club.night.matches[-1] if club and club.night.matches else None
    if not club or not match or match.state != "running" or not match.clock:
        return None
    called = LastRoundCalled(match.number)
    is_chosen = club.night.plan.calls_last_round and match.clock.ends
    if not is_chosen or ever_happened(store.db, club, called):
        return None
    if left := match.clock.left_at(at):
        return left
    who = Who(None, at, club.night.plan.name or None)
    end_all_in_time(store, club, match, who)
    with store.write(club.table_id) as db, suppress(NightRefused):  # which has just been closed
        if (club := load_night(db, *key)) and not ever_happened(db, club, called):
            record(db, club, called, who)
    return None


class LastRounds:
    """Waits for the clocks of evenings, in a thread that runs while there are any."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys: set[Key] = set()
        self._wake = threading.Condition()
        self._ended = False
        self._thread: threading.Thread | None = None

    def watch(self, keys: Iterable[Key]) -> None:
        """Wait for the clocks of evenings that a director runs now, or before this start."""
        with self._wake:
            self._keys.update(keys)
            self._wake.notify_all()
            if self._keys and self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name="club", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Let the thread end after its look, because the server stops."""
        with self._wake:
            self._ended = True
            self._wake.notify_all()
            thread = self._thread
        if thread:
            thread.join(LOOK_AGAIN)

    def _run(self) -> None:
        while True:
            with self._wake:
                keys, self._keys = self._keys, set()
            looks = {key: self._look(key) for key in keys}
            due = {key: left for key, left in looks.items() if left is not None}
            with self._wake:
                new, self._keys = self._keys, self._keys | due.keys()
                if not new and due and not self._ended:
                    self._wake.wait(min(LOOK_AGAIN, *due.values()))
                if self._ended or not self._keys:
                    self._thread = None
                    return

    def _look(self, key: Key) -> float | None:
        try:
            return call_in_time(self._store, key, now())
        except UNREADABLE:  # its pages say so
            return None
        except Exception as error:
            log.warning("cannot look at a clock, trying again in %.0f s: %s", LOOK_AGAIN, error)
            return LOOK_AGAIN
        finally:
            self._store.release()
