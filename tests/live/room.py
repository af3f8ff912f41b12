"""The streams of a process, as the phones of one game ask for them."""

import json
import re
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from scorekeeper.clock import now
from scorekeeper.live import Caps, Listener, Live
from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.play import Table

PATIENCE = 20.0  # seconds, on a busy machine
Stream = Iterator[bytes]


class Room(Live):
    """The streams of a process, as the phones of one game ask for them."""

    def __init__(self, table: Table, **caps: int) -> None:
        super().__init__(table.store, Caps(**{"total": 20, "link": 20, "address": 20, **caps}))
        self.table = table

    def phone(self, seen: int = 1, game_id: str = "", hash_: str = "", **listens: Any) -> Stream:
        """Return the stream of a phone that has seen a version."""
        listener = Listener(**{"who": self.table.session["phone"], **listens})
        return self.stream((self.table.id, game_id or self.table.game_id), seen, listener, hash_)


def next_version(stream: Stream) -> int:
    """Return the version of the next event, passing over signs of life."""
    return next_events(stream)[-1][0]


def next_events(stream: Stream) -> list[tuple[int, Any]]:
    """Return the versions and the content of the next events, passing over signs of life."""
    for text in stream:
        if found := re.findall(rb"id: (\d+)\ndata: (.*)\n\n", text):
            return [(int(version), json.loads(content)) for version, content in found]
    raise AssertionError("the stream ended")


def up_to_date(stream: Stream) -> Stream:
    """Read a stream up to its first event or sign of life; from there on it waits."""
    assert len(list(islice(stream, 2))) == 2
    return stream


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def another_game(game: Table) -> Table:
    """Return another phone of a table, at a game of its own."""
    other = game.second_phone()
    other.begin()
    return other


def remove(phone: Table) -> None:
    """Have removed a phone from its table."""
    with phone.store.write() as db:
        remove_phone(db, phone.id, phone.session["phone"][:SHORT], now())
    phone.store.release()
