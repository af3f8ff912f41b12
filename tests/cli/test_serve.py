"""Starting and stopping the server."""

import errno
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from flask import Flask
from waitress.server import create_server
from waitress.utilities import BadRequest

from scorekeeper.cli.output import Failure
from scorekeeper.cli.serve import BadRequestTask, Channel, StrictParser, open_port
from scorekeeper.store.database import Store
from scorekeeper.store.tables import new_server_link, table_of_join_key
from tests.program import CHECKOUT, Program, clean_environment, fetch

SLOW_APP = """
import time
from flask import Flask
from waitress.server import create_server
from scorekeeper.cli.serve import Channel, open_port, serve
app = Flask("slow")
app.add_url_rule("/slow", "slow", lambda: (time.sleep(1), "x" * 500_000)[1])
def stream():
    while True:
        yield "data: still here\\n\\n"
        time.sleep(0.5)
app.add_url_rule("/held", "held", lambda: (stream(), {"Content-Type": "text/event-stream"}))
raise SystemExit(serve(app, open_port("127.0.0.1", 0), "/join/nobody"))
"""


def slow_program(data: Path) -> Program:
    return Program(
        [sys.executable, "-c", SLOW_APP], SCOREKEEPER_DATA=str(data), PYTHONPATH=str(CHECKOUT)
    )


@pytest.fixture(scope="module")
def still_program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A started server, shared by tests that leave it as it is."""
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path_factory.mktemp("still"))) as program:
        yield program


def test_the_program_starts_and_its_join_link_opens(tmp_path: Path) -> None:
    with Program.from_checkout("serve", SCOREKEEPER_DATA=str(tmp_path)) as program:
        assert fetch(program.address + "/")[0] == 200
        assert fetch(program.join_link)[0] == 200
        assert program.stop() == 0
    assert str(tmp_path) in program.said
    assert program.complained == ""
    # The games are in one file.
    assert {path.name for path in tmp_path.glob("scorekeeper.db*")} == {"scorekeeper.db"}
    with closing(sqlite3.connect(tmp_path / "scorekeeper.db")) as db:
        assert db.execute("SELECT count(*) > 0 FROM keys").fetchone() == (1,)


@pytest.mark.slow
def test_every_start_prints_a_link_of_its_own(tmp_path: Path) -> None:
    links = set()
    for _ in range(2):
        with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path)) as program:
            links.add(program.join_link.rpartition("/")[2])
            program.stop()
    assert len(links) == 2


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_within_five_seconds(tmp_path: Path, number: int) -> None:
    with slow_program(tmp_path) as program:
        assert program.stop(number) == 0
    assert program.complained == ""


STOPPED_AT_START = """
import os, signal, scorekeeper
scorekeeper.create_app = lambda **_settings: os.kill(os.getpid(), signal.SIGTERM)
from scorekeeper.cli.main import main
raise SystemExit(main(["--port", "0"]))
"""


def test_a_container_that_is_stopped_while_it_starts_ends_well(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", STOPPED_AT_START],
        env=clean_environment(SCOREKEEPER_DATA=str(tmp_path), PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.slow
def test_below_nohup_it_outlives_its_terminal(tmp_path: Path) -> None:
    command = ["nohup", sys.executable, "-c", SLOW_APP]
    with Program(command, SCOREKEEPER_DATA=str(tmp_path), PYTHONPATH=str(CHECKOUT)) as program:
        program.process.send_signal(signal.SIGHUP)
        assert fetch(program.address + "/none")[0] == 404
        assert program.stop() == 0


@pytest.mark.slow
def test_the_end_answers_what_was_begun(tmp_path: Path) -> None:
    answers: list[tuple[int, bytes]] = []
    with slow_program(tmp_path) as program:
        phone = threading.Thread(
            target=lambda: answers.append(fetch(program.address + "/slow")), daemon=True
        )
        phone.start()
        time.sleep(0.3)
        assert program.stop() == 0
        phone.join(timeout=5)
    assert answers == [(200, b"x" * 500_000)]


@pytest.mark.slow
def test_a_held_stream_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with slow_program(tmp_path) as program:
        port = int(program.address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=5) as phone:
            phone.sendall(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"200 OK" in phone.recv(4096)
            assert program.stop() == 0
    assert program.complained == ""


def test_while_a_thread_sends_the_main_thread_is_not_called_to_do_so() -> None:
    server = create_server(Flask("quiet"), map={}, listen="127.0.0.1:0", threads=1)
    here, phone = socket.socketpair()
    channel = Channel(server, here, "phone", server.adj, map={})
    called = []

    class Watched:
        """The phone's socket, which sees whether the main thread would be called meanwhile."""

        def send(self, data: bytes) -> int:
            called.append(channel.writable())
            return here.send(data)

        def close(self) -> None:
            here.close()

    channel.socket = Watched()
    channel.write_soon(b"The rounds of an evening.")
    assert called == [False]
    assert phone.recv(100) == b"The rounds of an evening."
    assert not channel.writable()
    here.setblocking(False)
    channel.write_soon(b"x" * 10_000_000)
    assert channel.writable(), "the rest waits until the phone has room"
    assert set(called) == {False}
    channel.handle_close()
    phone.close()
    server.close()


def test_a_client_that_leaves_before_it_is_refused_leaves_no_error_behind() -> None:
    server = create_server(Flask("quiet"), map={}, listen="127.0.0.1:0", threads=1)
    here, phone = socket.socketpair()
    channel = Channel(server, here, "phone", server.adj, map={})
    refused = StrictParser(server.adj)
    refused.error = BadRequest("not HTTP")

    class Late(BadRequestTask):
        """An answer that comes when the client is gone."""

        def execute(self) -> None:
            channel.connected = False
            super().execute()

    channel.error_task_class = Late
    channel.requests = [refused]
    channel.service()
    assert channel.close_when_flushed
    channel.handle_close()
    phone.close()
    server.close()


CHUNKED = b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "headers", "status"),
    [
        ("1.1", "Content-Length: 5|Transfer-Encoding: chunked", 400),
        ("1.1", "Transfer-Encoding: chunked|Content-Length: 5", 400),
        ("1.1", "content-length: 0|TRANSFER-ENCODING: Chunked", 400),
        ("1.1", "Content-Length: 5|Transfer-Encoding:", 400),
        ("1.1", "Content-Length: 5|Transfer-Encoding: chunked|Expect: 100-continue", 400),
        ("1.1", "Content-Length: 5|Transfer-Encoding: identity", 400),
        ("1.1", "Content-Length: 5|Content-Length: 6", 400),
        ("1.1", "Content-Length: 5|Transfer-Encoding : chunked", 400),
        ("1.0", "Transfer-Encoding: chunked|Connection: keep-alive", 400),
        ("1.1", "Transfer-Encoding: gzip", 501),
    ],
)
def test_a_request_whose_end_can_be_read_in_two_ways_is_refused_with_all_that_follows(
    still_program: Program, version: str, headers: str, status: int
) -> None:
    port = int(still_program.address.rpartition(":")[2])
    head = "\r\n".join([f"POST /healthz HTTP/{version}", "Host: 127.0.0.1", *headers.split("|")])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as phone:
        phone.sendall(head.encode() + b"\r\n\r\n" + CHUNKED)
        answer = b""
        while part := phone.recv(65536):
            answer += part
    assert answer.split(b" ")[1] == str(status).encode()
    assert answer.count(b"HTTP/") == 1, "what follows it is no second request"


def test_a_chunked_body_alone_is_read(still_program: Program) -> None:
    port = int(still_program.address.rpartition(":")[2])
    head = b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as phone:
        phone.sendall(head + CHUNKED)
        answer = b""
        while part := phone.recv(65536):
            answer += part
    assert answer.count(b"HTTP/1.1 ") == 2
    assert answer.endswith(b"ok\ndatabase: sqlite\n")


def test_a_busy_port_gives_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", str(port)],
            cwd=CHECKOUT,
            env=clean_environment(SCOREKEEPER_DATA=str(tmp_path / "new")),
            capture_output=True,
            encoding="utf-8",
            timeout=30,
        )
    assert ended.returncode == 1
    assert list(tmp_path.iterdir()) == [], "no file is left, and the last link stays valid"
    assert f"Port {port} is already in use. Start with --port {port + 1}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (errno.EADDRINUSE, "Port 80 is already in use"),
        (errno.EACCES, "You don’t have permission to use port 80"),
        (errno.EADDRNOTAVAIL, "127.0.0.1 isn’t an address of this computer"),
        (errno.ENOBUFS, "Can’t open port 80"),
    ],
)
def test_a_port_that_is_not_ours_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, fault: int, sentence: str
) -> None:
    def refuse(*_address: object, **_options: object) -> None:
        raise OSError(fault, "some reason")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(Failure, match=sentence):
        open_port("127.0.0.1", 80)


FLASK = [sys.executable, "-m", "flask", "--app", "scorekeeper"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.mark.slow
def test_flask_run_prints_a_join_link_that_opens(tmp_path: Path) -> None:
    command = [*FLASK, "--debug", "run", "--port", str(free_port())]
    with Program(command, SCOREKEEPER_DATA=str(tmp_path)) as program:
        program.end_signal = signal.SIGINT
        for _ in range(100):
            with suppress(ConnectionRefusedError):
                assert fetch(program.join_link)[0] == 200
                break
            time.sleep(0.1)
        else:
            raise AssertionError("it does not answer")


@pytest.mark.slow
def test_flask_run_on_a_busy_port_ends_no_join_link(tmp_path: Path) -> None:
    with Store(tmp_path) as store, socket.create_server(("127.0.0.1", 0)) as other:
        key = new_server_link(store)
        ended = subprocess.run(
            [*FLASK, "run", "--port", str(other.getsockname()[1])],
            cwd=CHECKOUT,
            env=clean_environment(SCOREKEEPER_DATA=str(tmp_path)),
            capture_output=True,
            encoding="utf-8",
            timeout=30,
        )
        assert "/join/" not in ended.stdout
        assert table_of_join_key(store.db, key) is not None
