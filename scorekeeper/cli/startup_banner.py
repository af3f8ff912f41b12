"""The banner that the server prints at start: a QR code and the link to join by."""

import codecs
import io
import ipaddress
import os
import shutil
import socket
from typing import TextIO

from scorekeeper.i18n import gettext as _

# Reserved for documentation (RFC 5737). Connecting a datagram socket sends nothing, but chooses
# the interface, and so the address by which the local network reaches this computer.
ANY_PUBLIC_ADDRESS = ("203.0.113.1", 9)
QUIET_ZONE = 2  # modules around the code; it is drawn in its own colors, so the four are not needed


def show_banner(host: str, port: int, join_path: str, note: str, out: TextIO) -> None:
    """Print the join link that works in most places, its QR code for phones, and a note."""
    base, obstacle = base_url(host, port)
    link = base + join_path
    code = [] if obstacle else _code_lines(link, out)
    heading = _("Scan to keep score") if code else _("Open this link to keep score")
    closing = " ".join(filter(None, (note, _("Press Ctrl+C to stop."))))
    # No more lines than a terminal has, 24, or the top of the code scrolls away.
    _say(out, "\n".join([heading, *code, link, *filter(None, [obstacle]), "", closing]))
    out.flush()


def base_url(host: str, port: int) -> tuple[str, str]:
    """Return the address for phones, else that for this computer and why phones cannot join."""
    if public := os.environ.get("SCOREKEEPER_URL", "").rstrip("/"):
        return public, ""
    address = ipaddress.ip_address(host)
    if address.is_loopback:
        sentence = _("Only this computer can open it. To let phones join, start without --host.")
        return _url(host, port), sentence
    if not address.is_unspecified:
        return _url(host, port), ""
    if lan := lan_address():
        return _url(lan, port), ""
    sentence = _("Phones can’t join yet: this computer isn’t connected to a network.")
    return _url("127.0.0.1", port), sentence


def lan_address() -> str | None:
    """Return this computer's address on the local network, None where it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANY_PUBLIC_ADDRESS)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


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
