"""The banner that the server prints at start: addresses, join links and a QR code."""

import codecs
import io
import ipaddress
import os
import socket
from pathlib import Path
from typing import TextIO

import segno

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3

# Reserved for documentation (RFC 5737). Connecting a datagram socket sends nothing, but chooses
# the interface, and so the address by which the local network reaches this computer.
ANY_PUBLIC_ADDRESS = ("203.0.113.1", 9)


def show_welcome(host: str, port: int, join_path: str, folder: Path, out: TextIO) -> None:
    """Print where the games are stored and the addresses for this computer and for phones."""
    sentence = _("The games are kept in {folder} (SQLite {version}).")
    _say(out, sentence.format(folder=folder, version=sqlite3.sqlite_version))
    if public := os.environ.get("SCOREKEEPER_URL", "").rstrip("/"):
        _show_address(_("On every phone"), public, join_path, out)
        _show_code(public + join_path, out)
    else:
        here, lan = _addresses(host)
        _show_address(_("On this computer"), _url(here, port), join_path, out)
        if lan:
            _show_address(_("On phones in the house"), _url(lan, port), join_path, out)
            _show_code(_url(lan, port) + join_path, out)
        elif ipaddress.ip_address(host).is_loopback:
            _say(out, _("Phones cannot reach it. To let them, start with --host 0.0.0.0."))
        else:
            _say(out, _("Phones cannot reach it yet: this computer is in no network."))
    closing = _(
        "Whoever opens a join link can keep score. The link of the last start has ended;\n"
        "phones that joined stay joined. Ctrl-C ends Scorekeeper, and no game is lost."
    )
    _say(out, "\n" + closing)
    out.flush()


def _addresses(host: str) -> tuple[str, str | None]:
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        return "127.0.0.1", lan_address()
    return host, None if address.is_loopback else host


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


def _show_address(where: str, base: str, join_path: str, out: TextIO) -> None:
    _say(out, f"\n{where}\n  {base}/\n  " + _("join: {link}").format(link=base + join_path))


def _show_code(link: str, out: TextIO) -> None:
    code, is_terminal = segno.make_qr(link), out.isatty()
    text = io.StringIO()
    if codecs.lookup(out.encoding or "utf-8").name == "utf-8":
        code.terminal(text, border=2, compact=True)
    elif is_terminal:
        code.terminal(text, border=2)
    else:
        return
    lines = text.getvalue().splitlines()
    if is_terminal and os.name == "posix":
        # On a light terminal plain blocks would be an inverted code, which not every phone reads.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    _say(out, "\n".join(["", *lines]))


def _say(out: TextIO, text: str) -> None:
    """Print a line; characters that the terminal's encoding lacks become question marks."""
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
