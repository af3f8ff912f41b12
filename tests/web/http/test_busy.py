"""A save that waits too long for the database is answered that the server is busy."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scorekeeper.store import database, sqlite
from scorekeeper.store.opening import open_store
from tests.web.play import Table, page_of
from tests.web.taps import SCORED, fields, send

SENTENCE = "The server is busy, so nothing was saved."


@pytest.fixture
def locked(game: Table, data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    """A game, while another program writes, until this is closed: longer than anybody waits."""
    if game.store.is_file:
        for module in (sqlite, database):
            monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    else:
        game.store.db.execute("SET lock_timeout = 50")  # of the connection that requests use
        game.store.release()
    with ExitStack() as other:
        elsewhere = other.enter_context(open_store(data))
        other.enter_context(elsewhere.write(game.id))
        yield other


def test_a_form_is_told_so_and_works_afterwards(game: Table, locked: ExitStack) -> None:
    bid = {**game.round_form().fields, "bid-1": "3"}
    refused = game.client.post(game.round_path(), data=bid)
    assert refused.status_code == 503
    assert SENTENCE in page_of(refused).alerts
    assert "disk" not in refused.text
    locked.close()
    assert game.bid(3).status_code == 303


def test_a_phone_that_sends_what_waited_is_told_so(game: Table, locked: ExitStack) -> None:
    waited = fields(SCORED, csrf_token=game.token(), seen=game.game.version)
    refused = game.client.post(f"{game.path}/rounds/1/sent", data=waited)
    assert refused.status_code == 503
    assert SENTENCE in page_of(refused).alerts
    locked.close()
    assert send(game, 1, **SCORED).status_code == 200


def test_pages_are_shown_meanwhile(game: Table, locked: ExitStack) -> None:
    for path in ("/", game.path, "/games/new", "/history"):
        assert game.get(path).status_code == 200
