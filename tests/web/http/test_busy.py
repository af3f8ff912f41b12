"""A save that waits too long for the database is answered that the server is busy."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.store.database import pool, store
from scorekeeper.store.database.store import FILE
from tests.web.play import Table, page_of
from tests.web.taps import SCORED, fields, send

SENTENCE = "The server is busy, so nothing was saved."


@pytest.fixture
def locked(
    game: Table, data: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[sqlite3.Connection]:
    """A game, while another program writes for longer than anybody waits."""
    for module in (pool, store):
        monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(data / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_a_tap_is_told_so_and_works_afterwards(game: Table, locked: sqlite3.Connection) -> None:
    bid = {**game.page().form("entry").fields, "bid": "3"}
    refused = game.client.post(game.round_path("bids"), data=bid)
    assert refused.status_code == 503
    assert SENTENCE in page_of(refused).alerts
    assert "disk" not in refused.text
    locked.rollback()
    assert game.bid(3).status_code == 303


def test_a_phone_that_sends_what_waited_is_told_so(game: Table, locked: sqlite3.Connection) -> None:
    waited = {"csrf_token": game.token(), "version": game.game.version, **fields(**SCORED)}
    refused = game.client.post(f"{game.path}/rounds/1/sent", data=waited)
    assert refused.status_code == 503
    assert SENTENCE in page_of(refused).alerts
    locked.rollback()
    assert send(game, 1, **SCORED).status_code == 200


def test_pages_are_shown_meanwhile(game: Table, locked: sqlite3.Connection) -> None:
    for path in ("/", game.path, "/games/new", "/history"):
        assert game.get(path).status_code == 200
