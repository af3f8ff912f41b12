"""The banner that the server prints at start: a QR code and the link to join by."""

import codecs
import io
import os
import shutil
from http.client import HTTPConnection, HTTPException
from typing import TextIO
from urllib.parse import urlsplit

from scorekeeper.addresses import url, urls_for_phones
from scorekeeper.cli.errors import Failure
from scorekeeper.i18n import gettext as _

PATIENCE = 5  # seconds that a server may take to answer
ANY_ADDRESS = ("0.0.0.0", "::")
QUIET_ZONE = 2  # modules around the code; it is drawn in its own colors, so the four are not needed


def show_banner(host: str, port: int, join_path: str, note: str, out: TextIO) -> None:
    """Print the join link that works in most places, its QR code for phones, and a note."""
    bases, obstacle = base_urls(host, port)
    link, *others = [base + join_path for base in bases or [url(_local(host), port)]]
    code = _code_lines(link, out) if bases else []
    lines = [_("Scan to keep score") if code else _("Open this link to keep score"), *code, link]
    lines += [_("or: {link}").format(link=other) for other in others]
    if obstacle:
        lines.append(obstacle)
    elif host in ANY_ADDRESS and not _public_url():
        lines.append(_("On this computer: {url}").format(url=url("localhost", port)))
    lines.append(" ".join(filter(None, (note, _("Press Ctrl+C to stop.")))))
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
    if os.name == "posix":
        # On a light terminal plain blocks would be an inverted code, which not every phone reads.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return lines


def _say(out: TextIO, text: str) -> None:
    """Print a text; characters that the terminal's encoding lacks become question marks."""
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
