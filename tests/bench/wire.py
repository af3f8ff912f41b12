"""Requests over kept connections, with next to nothing between a measurement and the socket."""

import re
import socket
import time
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple, Self
from urllib.parse import urlencode, urlsplit

# What a phone's browser sends with each request.
BROWSER = {
    "User-Agent": "Mozilla/5.0 (Linux; Android 15; Phone) AppleWebKit/537.36 Chrome/140.0 Mobile",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en-GB,en;q=0.9",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "keep-alive",
}


class Answer(NamedTuple):
    status: int
    head: str
    body: bytes

    def header(self, name: str) -> str:
        found = re.search(rf"^{name}: (.*?)\r$", self.head, re.IGNORECASE | re.MULTILINE)
        return found[1] if found else ""

    @property
    def text(self) -> str:
        """The body, unpacked."""
        packed = self.header("Content-Encoding") == "gzip"
        return (zlib.decompress(self.body, 31) if packed else self.body).decode()


def request(
    address: str,
    path: str,
    fields: Mapping[str, object] | None = None,
    cookie: str = "",
    **headers: str,
) -> bytes:
    """Return a GET, or with fields a POST of a form, as it goes over the wire."""
    sent = BROWSER | {name.replace("_", "-"): text for name, text in headers.items()}
    if cookie:
        sent["Cookie"] = cookie
    body = b"" if fields is None else urlencode(fields).encode()
    if body:
        sent |= {
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
        }
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1"]
    lines += [f"Host: {urlsplit(address).netloc}", *(f"{n}: {text}" for n, text in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Line:
    """One connection to a server, kept open."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname, parts.port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, sent: bytes) -> Answer:
        self._socket.sendall(sent)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        text = head.decode("latin-1") + "\r\n"
        status = int(text[9:12])
        if length := re.search(r"^content-length: (\d+)", text, re.IGNORECASE | re.MULTILINE):
            while len(body) < int(length[1]):
                body += self._more()
        elif status not in (204, 304):
            raise AssertionError(f"an answer without a length: {text}")
        return Answer(status, text, body)

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _more(self) -> bytes:
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the server hung up")
        return data


def seconds_of(action: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
