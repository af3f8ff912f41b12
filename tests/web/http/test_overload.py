"""A server whose streams are all taken refuses new tables, and no tap of a table that plays."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.conftest import server
from tests.web.play import Table, page_of

SENTENCE = "The server is full right now. Try again in a few minutes."
PATIENCE = 20.0  # seconds, on a busy machine


@pytest.fixture
def streams() -> int:
    """How many live streams the server allows."""
    return 1


@pytest.fixture
def app(
    data: Path,
    streams: int,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Flask]:
    """A server that is open to all."""
    monkeypatch.setenv("SCOREKEEPER_STREAMS", str(streams))
    with server(data) as app:
        app.config["OPEN"] = True
        yield app


@pytest.fixture
def stream(game: Table) -> Iterator[TestResponse]:
    """The only stream that there may be, open."""
    stream = game.client.get(f"{game.path}/events")
    assert stream.status_code == 200
    yield stream
    stream.close()


def start_table(app: Flask) -> TestResponse:
    stranger = app.test_client()
    form = page_of(stranger.get("/")).form("/tables")
    return stranger.post(form.action, data=form.fields)


def test_with_every_stream_taken_a_page_asks_to_come_back(
    app: Flask, game: Table, stream: TestResponse
) -> None:
    before = game.everything()
    answer = start_table(app)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "60"
    page = page_of(answer)
    assert page.alerts == SENTENCE
    assert "Server full" in page.text
    assert game.everything() == before
    stream.close()
    assert start_table(app).status_code == 303


def test_a_program_is_told_the_same(app: Flask, stream: TestResponse) -> None:
    answer = app.test_client().post("/api/tables")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "60"
    assert answer.content_type == "application/problem+json"
    assert answer.get_json()["detail"] == SENTENCE
    stream.close()
    assert app.test_client().post("/api/tables").status_code == 201


@pytest.mark.usefixtures("stream")
def test_tables_that_play_go_on(game: Table) -> None:
    assert game.play_round((3, 2, 1, 4), (3, 2, 1, 4)).status_code == 303
    assert game.undo().status_code == 303
    assert Table(game.app, game.id).join().status_code == 303, "a phone may join a table"
    assert game.new_game().status_code == 303


def test_a_refusal_uses_up_no_attempt(app: Flask, stream: TestResponse) -> None:
    assert {start_table(app).status_code for _ in range(12)} == {503}
    stream.close()
    assert [start_table(app).status_code for _ in range(11)] == [303] * 10 + [429]


@pytest.mark.parametrize("streams", [0])
def test_a_server_without_streams_takes_new_tables(app: Flask) -> None:
    assert start_table(app).status_code == 303


@pytest.mark.sqlite  # on PostgreSQL, writers of different tables do not wait for each other
def test_writers_wait_while_another_writes(game: Table) -> None:
    def write() -> None:
        with game.store.write():
            pass
        game.store.release()

    writers = [threading.Thread(target=write) for _ in range(3)]
    with game.store.write():
        assert game.store.writers_waiting == 0
        for writer in writers:
            writer.start()
        end = time.monotonic() + PATIENCE
        while game.store.writers_waiting < len(writers) and time.monotonic() < end:
            time.sleep(0.001)
        assert game.store.writers_waiting == len(writers)
    for writer in writers:
        writer.join()
    assert game.store.writers_waiting == 0


def test_new_tables_that_were_refused_are_counted(app: Flask, stream: TestResponse) -> None:
    start_table(app)
    app.config["OPEN"] = False
    text = app.test_client().get("/metrics").text
    assert 'scorekeeper_refused_total{reason="new_tables"} 1.0' in text


@pytest.mark.usefixtures("stream")
def test_a_house_says_nothing_of_its_load(app: Flask) -> None:
    app.config["OPEN"] = False
    assert app.test_client().post("/api/tables").status_code == 403
