"""The server in the box: waitress, from the first line in the terminal to a clean end."""

import errno
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, TextIO

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask, WSGITask

from scorekeeper.cli.startup_banner import show_welcome
from scorekeeper.config import data_folder
from scorekeeper.i18n import gettext as _

SECONDS_TO_FINISH = 3.0
STREAMS, OTHERS = 112, 16  # threads that streams may take, and those that are left for pages
TURN = 0.0005  # seconds a busy thread keeps others waiting; with 0.005 a long file holds up pages
M_ARENA_MAX, HEAPS = -8, 2  # as malloc.h numbers it
NOTHING_MORE = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]


class NoRequest(ErrorTask):
    """Answers what is no request at all, and so never reaches the app and its headers."""

    def execute(self) -> None:
        """Say in plain text what is wrong."""
        self.response_headers = [*self.response_headers, *NOTHING_MORE]
        super().execute()


class Request(HTTPRequestParser):
    """One request as it comes in."""

    def parse_header(self, header_plus: bytes) -> None:
        """Refuse a request whose end a proxy in front may see elsewhere than waitress does.

        Waitress passes over Content-Length beside Transfer-Encoding, and over Transfer-Encoding
        in HTTP/1.0; what comes after the end that it sees it takes for the next request. RFC 9112,
        section 6.1, lets a server refuse both. The connection is closed after the answer.
        """
        first_line, *lines = header_plus.split(b"\r\n")
        names = {line.partition(b":")[0].lower() for line in lines}
        if b"transfer-encoding" in names and (
            b"content-length" in names or not first_line.rstrip().endswith(b" HTTP/1.1")
        ):
            raise ParsingError("Content-Length and Transfer-Encoding do not go together")
        super().parse_header(header_plus)


class Answer(WSGITask):
    """One answer of the app."""

    def set_close_on_finish(self) -> None:
        """Keep the connection after an answer that has no body, such as "nothing has changed".

        Its end is plain, so a phone that asks again need not connect again.
        """
        headers = getattr(self.request, "headers", {})
        asked = headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asked or self.version == "1.0":
            super().set_close_on_finish()


class Channel(HTTPChannel):
    """The connection of one phone; at the end it reads only the rest of what it has begun."""

    parser_class = Request
    task_class = Answer
    error_task_class = NoRequest
    ending = False
    sending = False

    def writable(self) -> bool:
        """Return whether something waits to be sent that no thread is sending just now.

        Otherwise the main thread would hear again and again that the phone has room, and hold up
        the very thread that sends: with four phones at once, nine answers of ten.
        """
        return bool(super().writable()) and not self.sending

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the phone has room for, and return how much that was."""
        self.sending = True
        try:
            return super().send(data, do_close)
        finally:
            self.sending = False


def serve(
    app: Flask, host: str, port: int, join_path: Callable[[], str], out: TextIO = sys.stdout
) -> int:
    """Serves the app until SIGTERM or Ctrl-C and gives the exit status.

    join_path is asked only once the port is ours: asking for a fresh join link ends the one
    before it, which a second start on a busy port must not do. What app.extensions["on_stop"]
    lists is called at the end, so that held streams let go of their phones.
    """
    try:
        listener = _listen(host, port)
    except OSError as error:
        print(_why_not(error, host, port), file=sys.stderr)
        return 1
    threads = OTHERS + int(app.config.get("STREAMS", STREAMS))
    connections = 900 + threads
    _allow_open_files(4 * connections)
    _share_memory()
    sys.setswitchinterval(TURN)
    channels: dict[int, Any] = {}
    server = create_server(
        app,
        map=channels,
        sockets=[listener],
        threads=threads,
        connection_limit=connections,
        asyncore_use_poll=True,
        channel_timeout=20,
        # A phone that went away is noticed only while its connection is still being read.
        channel_request_lookahead=1,
        # The app sets the limit for each page; this one only bounds what is kept on disk.
        max_request_body_size=16 * 1024 * 1024,
        # With proxies in front the app itself reads from the list of addresses they left.
        clear_untrusted_proxy_headers=not app.config.get("PROXIES"),
        max_request_header_size=16 * 1024,
        # A long file waits for whoever takes it; else 16 MiB of it would wait in memory.
        outbuf_high_watermark=256 * 1024,
        ident=None,
    )
    assert isinstance(server, BaseWSGIServer)
    server.channel_class = Channel
    # It says that no thread is free also while all of them are still being started.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    stopping = _stop_on_signals(server)
    address = listener.getsockname()
    show_welcome(address[0], address[1], join_path(), data_folder(), out)
    while not stopping:
        wasyncore.loop(timeout=1, use_poll=True, map=channels, count=1)
    for let_go in app.extensions.get("on_stop", []):
        let_go()
    _finish(server, channels)
    return 0


def _listen(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # "localhost" has two addresses on most computers; phones and programs try the older kind.
    family, _kind, _protocol, _name, address = min(found, key=lambda way: way[0] != socket.AF_INET)
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server(address[:2], family=family, dualstack_ipv6=both)


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        sentence = _(
            "Port {port} is already in use. Start with --port {other}, "
            "or end the program that uses it."
        )
        return sentence.format(port=port, other=other)
    if error.errno == errno.EACCES:
        return _("Port {port} is not open to this user. Start with --port 8000.").format(port=port)
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        sentence = _("{host} is no address of this computer. Start without --host.")
        return sentence.format(host=host)
    sentence = _("Port {port} cannot be opened: {reason}. Start with another --port.")
    return sentence.format(port=port, reason=error.strerror or error)


def _allow_open_files(wanted: int) -> None:
    # A thousand connections and the database files of 128 threads need more than the usual 1024.
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        enough = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))


def _share_memory() -> None:
    # The usual C library of Linux lets threads keep what they have freed for themselves, in 8 heaps
    # a core, each as large as the largest page; but only one of our threads runs at a time.
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(AttributeError):  # other C libraries have no such setting
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS)


def _stop_on_signals(server: BaseWSGIServer) -> list[int]:
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)
        # The second signal is from somebody who does not want to wait.
        signal.signal(number, signal.SIG_DFL)
        server.pull_trigger()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return stopping


def _finish(server: BaseWSGIServer, channels: dict[int, Any]) -> None:
    # Only the listening socket is closed: the server's own close() would also take away the
    # trigger with which the threads say that an answer is ready.
    wasyncore.dispatcher.close(server)
    give_up = time.monotonic() + SECONDS_TO_FINISH
    busy = True
    while busy and time.monotonic() < give_up:
        wasyncore.loop(timeout=0.1, use_poll=True, map=channels, count=1)
        phones = [one for one in list(channels.values()) if isinstance(one, Channel)]
        busy = any(phone.requests or phone.request or phone.total_outbufs_len for phone in phones)
        for phone in phones:
            # A phone that goes on tapping would otherwise keep the server from its end.
            phone.ending = True
            if not (phone.requests or phone.request):
                phone.close_when_flushed = True
    server.task_dispatcher.set_thread_count(0)
