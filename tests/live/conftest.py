"""Streams of a process, where nothing comes after seconds that would heal what went wrong."""

import threading
from collections.abc import Iterator

import pytest

from scorekeeper import live as live_module
from tests.live.room import PATIENCE, Room
from tests.web.play import Table


@pytest.fixture
def live(game: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Streams without signs of life, of games looked at only as they change. None waits on."""
    monkeypatch.setattr(live_module, "ALIVE", 3600.0)
    monkeypatch.setattr(live_module, "LOOK_AT_ALL", 3600.0)
    live = Room(game)
    giving_up = threading.Timer(PATIENCE, live.end)
    giving_up.start()
    yield live
    giving_up.cancel()
    live.end()


@pytest.fixture
def changed_games(database: str) -> str:
    """The name of the function that looks for changes."""
    return {
        "sqlite": "scorekeeper.store.change_events.PolledCommits.changed_games",
        "postgresql": "scorekeeper.store.postgresql.store.Notices.changed_games",
    }[database]
