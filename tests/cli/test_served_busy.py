"""Both servers go on showing pages while another program has locked the database."""

import re
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from tests.cli.test_served_live import ServedGame, served_game

pytestmark = pytest.mark.slow

__all__ = ["served_game"]
WRITERS = 4  # at two workers, so that one of them has two


def test_pages_are_shown_while_saves_wait_for_the_lock(served_game: ServedGame) -> None:
    _status, page = served_game.ask("GET", f"/games/{served_game.id}")
    fields = dict(re.findall(r'name="(csrf_token|version)" value="([^"]+)"', page))
    answers: list[tuple[int, str]] = []

    def bid() -> None:
        path = f"/games/{served_game.id}/rounds/1/sent"
        answers.append(served_game.ask("POST", path, {**fields, "bid-1": 3}))

    with closing(sqlite3.connect(served_game.store.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        writers = [threading.Thread(target=bid) for _ in range(WRITERS)]
        begun = time.monotonic()
        for writer in writers:
            writer.start()
        slowest = 0.0
        while any(writer.is_alive() for writer in writers):
            asked = time.monotonic()
            assert served_game.ask("GET", f"/games/{served_game.id}")[0] == 200
            slowest = max(slowest, time.monotonic() - asked)
        waited = time.monotonic() - begun
    assert {status for status, _page in answers} == {503}
    assert all("busy" in page and "disk" not in page for _status, page in answers)
    assert slowest < waited / 2
    print(f"pages took at most {slowest:.3f} s while saves waited {waited:.1f} s")
