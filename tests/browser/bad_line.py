"""An HTTP proxy between phone and server that can drop responses, delay them or answer itself."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

LOGIN = b"<!doctype html><title>Log in</title><main id='game'><h1>Hotel network</h1></main>"
HOP = {"connection", "transfer-encoding", "keep-alive", "date", "server"}


class BadLine:
    """The settings of a proxy, its address, and how many responses it has `lost`.

    With `login` set to a status, every response is the login page of a captive portal or proxy;
    with 302 it redirects to one on another host.
    """

    def __init__(self, server: str) -> None:
        self.server = urlsplit(server).netloc
        self.address = ""
        self.login = 0
        self.delay = 0.0  # seconds before each request is forwarded
        self.lost = 0
        self._share = 0.0
        self._luck = random.Random()

    def swallow(self, share: float, seed: int = 0) -> None:
        """Drop a share of the responses from now on."""
        self._share, self._luck, self.lost = share, random.Random(seed), 0

    def loses(self) -> bool:
        """Return whether the next response is dropped."""
        lost = self._luck.random() < self._share
        self.lost += lost
        return lost


@contextmanager
def bad_line(server: str, host: str = "127.0.0.1") -> Iterator[BadLine]:
    """Start a proxy to the server; it forwards everything until told otherwise."""
    line = BadLine(server)
    handler = type("Handler", (_Handler,), {"line": line})
    relay = ThreadingHTTPServer((host, 0), handler)
    relay.daemon_threads = True
    line.address = f"http://{host}:{relay.server_address[1]}"
    serving = threading.Thread(target=relay.serve_forever, daemon=True)
    serving.start()
    yield line
    relay.shutdown()
    relay.server_close()
    serving.join()


class _Handler(BaseHTTPRequestHandler):
    line: BadLine

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        time.sleep(self.line.delay)
        if self.line.login:
            headers = [("Content-Type", "text/html")]
            if self.line.login == 302:
                headers.append(("Location", self.line.address.replace("127.0.0.1", "localhost")))
            self._answer(self.line.login, headers, LOGIN)
        elif self.path.endswith("/events"):
            self._answer(503, [], b"")  # pages poll then
        else:
            status, headers, body = self._ask_house()
            if not self.line.loses():
                self._answer(status, headers, body)

    def _ask_house(self) -> tuple[int, list[tuple[str, str]], bytes]:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = HTTPConnection(self.line.server, timeout=30)
        asked.request(self.command, self.path, body, dict(self.headers))
        answer = asked.getresponse()
        headers = [pair for pair in answer.getheaders() if pair[0].lower() not in HOP]
        content = answer.read()
        asked.close()
        return answer.status, headers, content

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
