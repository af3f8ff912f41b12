"""The built-in server: waitress, from opening the port to a graceful shutdown."""

import codecs
import errno
import io
import logging
import os
import shutil
import signal
import socket
import sys
import time
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import Any, TextIO
from urllib.parse import urlsplit

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask

from scorekeeper.addresses import url, urls_for_phones
from scorekeeper.cli.output import Failure
from scorekeeper.config import DEFAULTS
from scorekeeper.i18n import gettext as _
from scorekeeper.store.database import Store, StoreRefused
from scorekeeper.store.tables import new_server_link
from scorekeeper.version import __version__
from scorekeeper.web.http.slow_bodies import seconds_for
from scorekeeper.web.http.streams import caps

PATIENCE = 5  # seconds that a server may take to answer
ANY_ADDRESS = ("0.0.0.0", "::")
QUIET_ZONE = 2  # modules around the code; it is drawn in its own colors, so the four are not needed


def show_banner(host: str, port: int, join_path: str, note: str, out: TextIO) -> None:
    """Print the join link that works in most places, its QR code, the version, and a note."""
    bases, obstacle = base_urls(host, port)
    link, *others = [base + join_path for base in bases or [url(_local(host), port)]]
    code = _code_lines(link, out) if bases else []
    lines = [_("Scan to keep score") if code else _("Open this link to keep score"), *code, link]
    lines += [_("or: {link}").format(link=other) for other in others]
    if obstacle:
        lines.append(obstacle)
    elif host in ANY_ADDRESS and not _public_url():
        lines.append(_("On this computer: {url}").format(url=url("localhost", port)))
    program = f"Scorekeeper {__version__}."
    lines.append(" ".join(filter(None, (program, note, _("Press Ctrl+C to stop.")))))
    # A terminal has 24 lines. With more than these, the top of the code would scroll away.
    _say(out, "\n".join(lines))
    out.flush()


def base_urls(host: str, port: int) -> tuple[list[str], str]:
    """Return the URLs for phones, best first, or why there are none; the configured one wins."""
    public = _public_url()
    return ([public], "") if public else urls_for_phones(host, port)


def running_server(port: int) -> tuple[str, str]:
    """Return the best URL of the server that runs on this computer, and a warning or nothing.

    Raises `Failure` where none answers on the port and none has a configured URL.
    """
    bases, obstacle = base_urls(ANY_ADDRESS[0], port)
    here = url(_local(ANY_ADDRESS[0]), port)
    sentence = _("No server answers on port {port}. Start it first, or name its port with --port.")
    if _public_url():  # it may listen on another port, or a socket
        return bases[0], "" if is_scorekeeper(here) else sentence.format(port=port)
    if base := next(filter(is_scorekeeper, bases), ""):
        return base, ""
    if not is_scorekeeper(here):
        raise Failure(sentence.format(port=port))
    return here, obstacle or urls_for_phones("127.0.0.1", port)[1]


def is_scorekeeper(base: str) -> bool:
    """Return whether Scorekeeper answers at a URL of this computer."""
    connection = HTTPConnection(urlsplit(base).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", "/robots.txt")
        return connection.getresponse().getheader("Scorekeeper") is not None
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _public_url() -> str:
    return os.environ.get("SCOREKEEPER_URL", "").rstrip("/")


def _local(host: str) -> str:
    """Return the address by which this computer reaches a server that listens on a host."""
    return "127.0.0.1" if host in ANY_ADDRESS else host


def _code_lines(link: str, out: TextIO) -> list[str]:
    """Return the lines of a QR code; none where `out` is no terminal, or is too narrow for it."""
    if not out.isatty():
        return []
    import segno  # only here, as it takes memory that a server without a terminal does not need

    code, text = segno.make_qr(link), io.StringIO()
    # In UTF-8, one character shows two modules, one above the other.
    halves = codecs.lookup(out.encoding or "utf-8").name == "utf-8"
    columns = code.symbol_size(border=QUIET_ZONE)[0] * (1 if halves else 2)
    if shutil.get_terminal_size().columns < columns:
        return []
    code.terminal(text, border=QUIET_ZONE, compact=halves)
    lines = text.getvalue().splitlines()
    if os.name == "posix" and not os.environ.get("NO_COLOR"):
        # On a light terminal plain blocks would be an inverted code, which not every phone reads.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return lines


def _say(out: TextIO, text: str) -> None:
    """Print a text; characters that the terminal's encoding lacks become question marks."""
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding) + "\n")


SHUTDOWN_SECONDS = 3.0
PAGE_THREADS = 16
# SIGHUP means that the terminal's window was closed; Windows has none.
STOPPING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
THREADS_AT_START = 4  # more are started when they are needed; each takes 40 kB
SECURITY_HEADERS = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]


class BadRequestTask(ErrorTask):
    """Answers a malformed request, which never reaches the application and its headers."""

    def execute(self) -> None:
        """Send waitress's plain-text error with our security headers."""
        self.response_headers = [*self.response_headers, *SECURITY_HEADERS]
        super().execute()


class StrictParser(HTTPRequestParser):
    """Request parser that refuses ambiguous lengths, which allow request smuggling."""

    path = ""  # waitress logs it where a client leaves before a refused request is answered

    def parse_header(self, header_plus: bytes) -> None:
        """Raise `ParsingError` where a proxy may see the end of the request elsewhere.

        Waitress ignores Content-Length beside Transfer-Encoding, and Transfer-Encoding in HTTP/1.0,
        and takes what follows for the next request. RFC 9112, section 6.1, lets a server refuse
        both. The connection is closed after the answer.
        """
        first_line, *lines = header_plus.split(b"\r\n")
        names = {line.partition(b":")[0].lower() for line in lines}
        if b"transfer-encoding" in names and (
            b"content-length" in names or not first_line.rstrip().endswith(b" HTTP/1.1")
        ):
            raise ParsingError("Content-Length and Transfer-Encoding do not go together")
        super().parse_header(header_plus)


class Channel(HTTPChannel):
    """The connection of one client."""

    parser_class = StrictParser
    error_task_class = BadRequestTask
    sending = False
    _began = 0.0  # when the first byte of the request came that is not complete
    _received = 0  # bytes of it

    def received(self, data: bytes) -> bool:
        """Take what has come; end the connection where a request comes too slowly.

        Waitress ends those that send nothing, but not one that sends a byte now and then.
        """
        if self.request is None:
            self._began, self._received = time.monotonic(), 0
        self._received += len(data)
        took: bool = super().received(data)
        if self.request is not None and time.monotonic() > self._began + seconds_for(
            self._received
        ):
            self.will_close = True
        return took

    def writable(self) -> bool:
        """Return whether data waits that no worker thread is sending just now.

        Otherwise poll() reports the socket as writable to the main thread again and again while a
        worker sends, which takes the GIL from that worker: with four phones at once, answers took
        ten times as long.
        """
        return bool(super().writable()) and not self.sending

    def service(self) -> None:
        """Answer the requests that have come; if this takes the last idle thread, start another.

        An event stream keeps its thread until it ends.
        """
        dispatcher = self.server.task_dispatcher
        running = len(dispatcher.threads)
        if dispatcher.active_count >= running < self.server.adj.threads:
            dispatcher.set_thread_count(running + 1)
        super().service()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the socket accepts, and return how many bytes that was."""
        self.sending = True
        try:
            return super().send(data, do_close)
        finally:
            self.sending = False


def open_port(host: str, port: int) -> socket.socket:
    """Return a listening socket, for IPv4 and IPv6 where the host means both.

    Raises `Failure` where it cannot be opened. It comes first: a start that fails on a busy port
    must leave no file behind, nor end the join link of the server that has the port.
    """
    try:
        return _listen(host, port)
    except OSError as error:
        raise Failure(_refusal(error, host, port)) from error


def serve_store(app: Flask, listener: socket.socket, note: str, out: TextIO) -> int:
    """Serve an application with a link to its own table, as `serve` does; then close its store."""
    store = app.extensions["store"]
    status = serve(app, listener, _join_path(app), out, note)
    # Merges the write-ahead log, so that the games are in one file, which can be copied.
    store.close()
    return status


def show_for_flask(app: Flask, host: str, port: int) -> None:
    """Print the banner of an application that `flask run` starts, unless its port is taken."""
    try:
        open_port(host, port).close()
    except Failure:
        return  # Flask says so
    show_banner(host, port, _join_path(app), "", sys.stdout)


def _join_path(app: Flask) -> str:
    """Return the path of a new join link, which ends the previous one.

    The application remembers it, and shows it to browsers on this computer.
    """
    store: Store = app.extensions["store"]
    try:
        path = f"/join/{new_server_link(store)}"
    except StoreRefused:
        if not store.file_check.sentence:
            raise
        path = "/"  # a damaged file takes no new link, but pages can be read
    store.release()  # from here on only the server's threads use it
    app.extensions["join_path"] = path
    return path


def serve(
    app: Flask, listener: socket.socket, join_path: str, out: TextIO = sys.stdout, note: str = ""
) -> int:
    """Serve the application until a signal or Ctrl-C, and return the exit status.

    The banner has the link of `join_path` and the `note`. At shutdown the functions in
    `app.extensions["on_stop"]` are called, which end the event streams.
    """
    channels: dict[int, Any] = {}
    server = _make_server(app, listener, channels)
    stopping = _stop_on_signals(server)
    address = listener.getsockname()
    show_banner(address[0], address[1], join_path, note, out)
    while not stopping:
        wasyncore.loop(timeout=1, use_poll=True, map=channels, count=1)
    for end in app.extensions.get("on_stop", []):
        end()
    shut_down(server, channels)
    return 0


def _make_server(app: Flask, listener: socket.socket, channels: dict[int, Any]) -> BaseWSGIServer:
    streams = caps({**DEFAULTS, **app.config})
    threads = PAGE_THREADS + streams.total + streams.clubs
    connections = 900 + threads
    _raise_open_files_limit(4 * connections)
    server = create_server(
        app,
        map=channels,
        sockets=[listener],
        threads=THREADS_AT_START,
        connection_limit=connections,
        asyncore_use_poll=True,  # select() cannot watch more than 1024 files
        channel_timeout=20,
        # A closed connection is noticed only while it is still read from.
        channel_request_lookahead=1,
        # The application limits each page; this bounds what waitress buffers on disk.
        max_request_body_size=16 * 1024 * 1024,
        # The application itself evaluates them, and needs to know whether there are any.
        clear_untrusted_proxy_headers=False,
        max_request_header_size=16 * 1024,
        # The default would keep 16 MiB of a long export in memory for a slow client.
        outbuf_high_watermark=256 * 1024,
        ident=None,
        # Pages tell by it whether other devices can open their links.
        server_name=listener.getsockname()[0],
    )
    assert isinstance(server, BaseWSGIServer)
    server.channel_class = Channel
    server.adj.threads = threads  # the most that it may start
    # It also warns about a full queue while the threads are still being started.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return server


def _listen(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # "localhost" has two addresses on most computers, and clients expect the IPv4 one.
    family, _type, _protocol, _name, address = min(
        found, key=lambda info: info[0] != socket.AF_INET
    )
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server(address[:2], family=family, dualstack_ipv6=both)


def _refusal(error: OSError, host: str, port: int) -> str:
    """Return why a port cannot be opened, and what to do."""
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        sentence = _(
            "Port {port} is already in use. Start with --port {other}, or stop the program that "
            "uses it."
        )
        return sentence.format(port=port, other=other)
    if error.errno == errno.EACCES:
        return _("You don’t have permission to use port {port}. Start with --port 8000.").format(
            port=port
        )
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        sentence = _("{host} isn’t an address of this computer. Start without --host.")
        return sentence.format(host=host)
    sentence = _("Can’t open port {port}: {reason}. Try another --port.")
    return sentence.format(port=port, reason=error.strerror or error)


def _raise_open_files_limit(wanted: int) -> None:
    """Allow this process more open files than the usual 1024: connections and databases."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _stop_on_signals(server: BaseWSGIServer) -> list[int]:
    """Return a list to which the signals of `STOPPING` are added when they arrive."""
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopping:
            # A second one does not wait for requests, a third ends the process at once.
            signal.signal(number, signal.SIG_DFL)
            raise KeyboardInterrupt
        stopping.append(number)
        server.pull_trigger()

    for number in STOPPING:
        # nohup ignores SIGHUP, and it stays ignored. A shell has its background jobs ignore SIGINT.
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    return stopping


def shut_down(server: BaseWSGIServer, channels: dict[int, Any]) -> None:
    """Accept no more connections, and finish running requests within `SHUTDOWN_SECONDS`."""
    server.adj.threads = 0
    # Only the listening socket is closed: server.close() would also close the trigger with which
    # worker threads wake the main loop.
    wasyncore.dispatcher.close(server)
    deadline = time.monotonic() + SHUTDOWN_SECONDS
    # Each is read once more. Waitress does not read where a worker is still sending, and by then
    # the next request may have come.
    unread = set(_clients(channels))
    busy = True
    while busy and time.monotonic() < deadline:
        reading = {one for one in unread if one.readable()}
        wasyncore.loop(timeout=0.1, use_poll=True, map=channels, count=1)
        unread -= reading
        clients = _clients(channels)
        busy = any(
            one in unread or one.requests or one.request or one.total_outbufs_len for one in clients
        )
        for one in clients:
            # A client that keeps sending requests must not delay the shutdown.
            if not (one in unread or one.requests or one.request):
                one.close_when_flushed = True
    server.task_dispatcher.set_thread_count(0)


def _clients(channels: dict[int, Any]) -> list[Channel]:
    return [one for one in list(channels.values()) if isinstance(one, Channel)]
