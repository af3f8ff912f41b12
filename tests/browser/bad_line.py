"""A line between the phone and the house that can be spoiled: answers lost, or not the house's."""

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
    """What the line does, and how many answers it `lost`.

    With `login` set, everything is answered by a page of the network itself.
    """

    def __init__(self, house: str) -> None:
        self.house = urlsplit(house).netloc
        self.address = ""
        self.login = False
        self.delay = 0.0  # seconds before anything passes
        self.lost = 0
        self._share = 0.0
        self._luck = random.Random()

    def swallow(self, share: float, seed: int = 0) -> None:
        """From now on, let a share of the answers never arrive."""
        self._share, self._luck, self.lost = share, random.Random(seed), 0

    def loses(self) -> bool:
        """Whether the next answer is lost."""
        lost = self._luck.random() < self._share
        self.lost += lost
        return lost


@contextmanager
def bad_line(house: str, host: str = "127.0.0.1") -> Iterator[BadLine]:
    """Lay a line to the house, as good as any until something is done to it."""
    line = BadLine(house)
    handler = type("Handler", (_Handler,), {"line": line})
    server = ThreadingHTTPServer((host, 0), handler)
    server.daemon_threads = True
    line.address = f"http://{host}:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    yield line
    server.shutdown()
    server.server_close()
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
            self._answer(200, [("Content-Type", "text/html")], LOGIN)
        elif self.path.endswith("/events"):
            self._answer(503, [], b"")  # pages ask by themselves then
        else:
            status, headers, body = self._ask_house()
            if not self.line.loses():
                self._answer(status, headers, body)

    def _ask_house(self) -> tuple[int, list[tuple[str, str]], bytes]:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = HTTPConnection(self.line.house, timeout=30)
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
