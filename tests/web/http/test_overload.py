"""Under load the server refuses streams, polls and new tables, and no tap of a table that plays."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from scorekeeper.web.http import overload
from scorekeeper.web.http.overload import MAX_WAITING, Lag
from tests.conftest import server
from tests.web.play import Table, page_of
from tests.web.taps import SCORED, send

SENTENCE = "The server is full right now. Try again in a few minutes."
PATIENCE = 20.0  # seconds, on a busy machine


@pytest.fixture
def streams() -> int:
    """How many live streams the server allows."""
    return 1


@pytest.fixture
def app(
    data: Path,
    compiled_templates: FileSystemBytecodeCache,
    streams: int,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Flask]:
    """A server that is open to all."""
    monkeypatch.setenv("SCOREKEEPER_STREAMS", str(streams))
    with server(data, compiled_templates) as app:
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
    (form,) = page_of(stranger.get("/")).forms()
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


@pytest.mark.parametrize(
    ("waiting", "status"), [(0, 303), (MAX_WAITING, 303), (MAX_WAITING + 1, 503)]
)
def test_with_many_writers_waiting_there_are_no_new_tables(
    app: Flask, monkeypatch: pytest.MonkeyPatch, waiting: int, status: int
) -> None:
    monkeypatch.setattr(type(app.extensions["store"]), "writers_waiting", waiting)
    assert start_table(app).status_code == status


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


# Lag


@pytest.fixture(params=["requests", "database"])
def late(
    app: Flask, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[None]:
    """A server that cannot keep up with its requests, or whose database cannot."""
    if request.param == "database":
        waiting = MAX_WAITING + 1
        monkeypatch.setattr(type(app.extensions["store"]), "writers_waiting", waiting)
    else:
        app.extensions["lag"].seconds = 1e9  # which does not pass while a test runs
    yield
    app.extensions["lag"].seconds = 0.0


WHILE_LATE = {
    "events": 503,
    "phone.json?seen=1-0": 204,
    "phone.json": 200,
    "": 200,
}


@pytest.mark.usefixtures("late")
@pytest.mark.parametrize(("end", "status"), WHILE_LATE.items())
def test_what_can_wait_is_refused_while_the_server_is_late(
    game: Table, end: str, status: int
) -> None:
    answer = game.client.get(f"{game.path}/{end}".rstrip("/"))
    assert answer.status_code == status
    assert answer.headers["Scorekeeper"]


@pytest.mark.usefixtures("late")
def test_taps_are_saved_while_the_server_is_late(game: Table) -> None:
    assert send(game, 1, **SCORED).status_code == 200
    assert game.undo().status_code == 303


@pytest.mark.usefixtures("late")
def test_a_late_server_takes_no_new_tables(app: Flask) -> None:
    assert start_table(app).status_code == 503


@pytest.mark.usefixtures("late")
def test_a_house_refuses_nothing_while_it_is_late(app: Flask, game: Table) -> None:
    app.config["OPEN"] = False
    assert game.client.get(f"{game.path}/phone.json?seen=1-0").status_code == 200
    with game.client.get(f"{game.path}/events") as stream:
        assert stream.status_code == 200


@pytest.mark.usefixtures("late")
def test_what_a_late_server_refused_is_counted(app: Flask, game: Table) -> None:
    game.client.get(f"{game.path}/events")
    game.client.get(f"{game.path}/phone.json?seen=1-0")
    app.config["OPEN"] = False
    text = app.test_client().get("/metrics").text
    for reason in ("streams", "polls"):
        assert f'scorekeeper_refused_total{{reason="{reason}"}} 1.0' in text


@pytest.mark.parametrize(
    ("late", "is_high"),
    [([0.09] * 100, False), ([0.5], False), ([0.5] * 5, True), ([0.2] * 9, True)],
)
def test_lag_is_an_average(late: list[float], is_high: bool) -> None:
    lag = Lag()
    for seconds in late:
        lag.add(seconds)
    assert lag.is_high == is_high
    for _ in range(20):
        lag.add(0.0)
    assert not lag.is_high


class SlowClock:
    """A clock by which every sleep takes too long, until that has been seen."""

    def __init__(self, lag: Lag) -> None:
        self.lag, self.now, self.was_high = lag, 0.0, False

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.was_high = self.was_high or self.lag.is_high
        self.now += seconds if self.was_high else seconds + 1


def test_lag_is_measured_until_it_is_low(monkeypatch: pytest.MonkeyPatch) -> None:
    lag = Lag()
    clock = SlowClock(lag)
    monkeypatch.setattr(overload, "time", clock)
    lag.measure_while(lambda: not clock.was_high)
    end = time.monotonic() + PATIENCE
    while (lag.is_high or not clock.was_high) and time.monotonic() < end:
        time.sleep(0.001)
    assert clock.was_high
    assert not lag.is_high
