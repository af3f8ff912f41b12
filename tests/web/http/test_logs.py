"""Logs: whoever reads one must not be able to join a table or to speak as a phone."""

import http.client
import logging
import random
import re
import socket
import sys
import timeit
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorekeeper.store.connection import StoreUnavailable
from scorekeeper.store.tables import make_watch_link, random_word
from scorekeeper.web.http.metrics import without_secrets
from tests.faults.phone import Phone
from tests.program import CHECKOUT, Program
from tests.web.play import AT, Table

LOUD_PROGRAM = """
import logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
from scorekeeper.cli.main import main
from scorekeeper import web
make_app = web.make_app
def with_a_fault(given):
    app = make_app(given)
    # Outside the app's own error pages, as a fault of a server or a proxy would be.
    pages = app.wsgi_app
    def broken(environ, start_response):
        if environ["PATH_INFO"].startswith("/broken/"):
            raise RuntimeError(environ["PATH_INFO"] + environ.get("HTTP_COOKIE", ""))
        return pages(environ, start_response)
    app.wsgi_app = broken
    return app
web.make_app = with_a_fault
raise SystemExit(main(["--host", "127.0.0.1", "--port", "0"]))
"""


def secrets_of(table: Table) -> list[str]:
    cookie = table.client.get_cookie("s")
    assert cookie is not None
    token = table.token()
    return [table.key, cookie.value, token, *(str(v) for v in table.session.values())]


def test_a_whole_evening_logs_no_secret(
    app: Flask, stranger: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    app.logger.setLevel(logging.DEBUG)

    def fault(key: str) -> str:
        raise RuntimeError(f"no {key}, though {stranger.client.get_cookie('s')} asked")

    app.add_url_rule("/fault/<key>", "fault", fault)
    key = stranger.key
    stranger.join()
    stranger.new_game()
    stranger.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    stranger.undo()
    with stranger.store.write() as db:
        watch = make_watch_link(db, stranger.game, str(app.config["SECRET_KEY"]), AT)
    other = stranger.second_phone()
    other.get(f"/watch/{watch}")
    wrong = random_word(26)
    for path in (f"/join/{wrong}", f"/watch/{wrong}", f"/watch/{watch}/nowhere", f"/{key}"):
        other.get(path)
    other.post(f"/join/{key}", {"csrf_token": stranger.token()})
    other.client.post(other.round_path("sent"), data={"csrf_token": other.token()})
    assert other.client.get(f"/fault/{key}").status_code == 500
    assert stranger.client.get(f"/fault/{watch}").status_code == 500
    secrets = {*secrets_of(stranger), *secrets_of(other), watch, wrong} - {"True"}
    logged = "\n".join(caplog.handler.format(record) for record in caplog.records)
    assert "RuntimeError: no [secret]" in logged
    assert [secret for secret in secrets if secret in logged] == []
    assert len(secrets) >= 10


def test_the_servers_own_lines_name_no_secret(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    path = f"/join/{table.key}"
    for name in ("waitress", "gunicorn.error", "werkzeug"):
        logging.getLogger(name).error("Exception while serving %s", path, stack_info=True)
    assert caplog.messages == ["Exception while serving /join/[secret]"] * 3


def test_a_line_with_arguments_that_do_not_fit_breaks_nothing(table: Table) -> None:
    record = logging.getLogRecordFactory()("x", logging.INFO, "", 1, "%d", ("North",), None)
    assert record.args == ("North",)


@pytest.mark.parametrize(
    "text",
    [
        "Round 12 is scored: 1 of 26 players",
        "/games/0123456789/rounds/3/sent",
        "scorekeeper.web.http.security.keeper in /usr/lib/python3.11/site-packages/flask/a.py:88",
        "2026-11-21T08:07:37.123+00:00",
        "NotNullConstraintFailedError",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert without_secrets(text) == text


KEY = "0123456789abcdefghjkmnpqrs"
SIGNED = "eyJwaG9uZSI6IkEifQ.aB-_9z.0123456789_abcdefghijklmnop"
WORDS = (KEY, SIGNED, ".", "-", "/", "=", "é", "North", "0.12345-.", "x" * 30, "." * 40)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"/join/{KEY}", "/join/[secret]"),
        (f"s={SIGNED}; language=en", "s=[secret]; language=en"),
        (f"a.b-c{SIGNED}.d", "[secret].d"),
        (f"{KEY}.{SIGNED}", "[secret]"),
        (f"{SIGNED}.{SIGNED}-{KEY}", "[secret]-[secret]"),
        (f"{'.' * 4000}{SIGNED}", "[secret]"),
        (f"{'.' * 4000}/{KEY}", f"{'.' * 4000}/[secret]"),
    ],
)
def test_secrets_are_cut_out_of_any_words_around_them(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_what_is_cut_out_is_what_each_secret_by_itself_would_be() -> None:
    """Compare with the plain pattern, whose time grows with the square of a word's length."""
    plain = re.compile(r"\b[0-9a-z]{26,}\b|[\w.-]*\.[\w-]{6}\.[\w-]{27}\b")
    dice = random.Random(1)
    for _ in range(3000):
        text = "".join(dice.choices(WORDS, k=dice.randint(1, 8)))
        expected = re.sub(r"(\[secret\])+", "[secret]", plain.sub("[secret]", text))
        assert re.sub(r"(\[secret\])+", "[secret]", without_secrets(text)) == expected


@pytest.mark.parametrize("piece", [".", "a", "-", "a.", ".aaaaaa", "a" * 25 + "A", "é"])
def test_the_time_it_takes_grows_with_the_length_and_not_with_its_square(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        return min(timeit.repeat(lambda: without_secrets(text), number=1, repeat=5))

    # 16 times as long takes 16 times as long, or 256 times where it grows with the square.
    assert seconds(16 * 500) < 64 * seconds(500)


def test_a_long_line_is_logged_without_its_middle(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("gunicorn.access").error("GET /%s%s 404 3 ms", "a-" * 4000, table.key)
    (message,) = caplog.messages
    assert message.startswith("GET /a-a-")
    assert message.endswith("a-[secret] 404 3 ms")
    assert len(message) < 1100


def test_an_outage_of_the_database_is_logged_in_one_line(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise StoreUnavailable("connection failed:\n\tIs the server running?")

    monkeypatch.setattr("scorekeeper.web.table.recent_games", fail)
    assert table.client.get("/").status_code == 503
    (record,) = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert record.getMessage() == "StoreUnavailable: connection failed: Is the server running?"
    assert record.exc_info is None


def test_a_started_server_with_every_line_switched_on_prints_no_secret(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LOUD_PROGRAM]
    with Program(command, SCOREKEEPER_DATA=str(tmp_path), PYTHONPATH=str(CHECKOUT)) as program:
        host = urlsplit(program.address).netloc
        key = program.join_link.rpartition("/")[2]
        connection = http.client.HTTPConnection(host, timeout=10)
        connection.request("GET", f"/join/{key}")
        answer = connection.getresponse()
        cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        token = re.search(r'csrf_token" value="([^"]+)"', answer.read().decode())
        assert token is not None
        wrong = random_word(26)
        for path in (f"/join/{wrong}", f"/broken/{key}"):
            connection.request("GET", path, headers={"Cookie": cookie})
            connection.getresponse().read()
        with socket.create_connection(
            (host.partition(":")[0], int(host.partition(":")[2]))
        ) as gone:
            gone.sendall(f"GET /join/{key} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        connection.close()
        assert program.stop() == 0
    assert "RuntimeError: /broken/[secret]" in program.complained
    for secret in (key, cookie.partition("=")[2], token[1], wrong):
        assert secret not in program.complained


def test_each_request_is_a_line_without_secrets_and_names(tmp_path: Path) -> None:
    with Program.from_checkout("--log", SCOREKEEPER_DATA=str(tmp_path)) as program:
        phone = Phone(program.address)
        phone.join(program.join_link, "Kim’s phone")
        players = {f"player-{seat}": f"Zoë {seat}" for seat in range(1, 5)}
        game = phone.post("/games/new", rules="cutthroat-lite", **players).location
        phone.post(f"{game}/rounds/1/sent", seen=1, rounds='[{"bids": []}]')
        phone.get("/history?player=Zo%C3%AB+1")
        phone.get("/nowhere%0A2026-01-03%20forged")
        secrets = [phone.cookie.partition("=")[2], phone.token, program.join_link[-26:]]
        phone.close()
        assert program.stop() == 0
    lines = [line.split(" ", 2)[2] for line in program.complained.splitlines()]
    logged = [re.sub(r" \d+ ms$", "", line) for line in lines]
    assert logged == [
        "GET /join/[secret] 200",
        "POST /join/[secret] 303",
        "GET /games/new 200",
        "POST /games/new 303",
        f"POST {game}/rounds/1/sent {logged[4][-3:]}",
        "GET /history 200",
        "GET /nowhere%0A2026-01-03%20forged 404",
    ]
    for secret in (*secrets, "Kim", "Zo"):
        assert secret not in program.complained
