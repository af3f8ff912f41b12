"""What the terminal shows when the server starts: addresses, join links and their QR code."""

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

# An address that belongs to nobody: choosing a way to it tells which of our own addresses
# faces the house, and a connected datagram socket sends nothing.
NOBODY = ("203.0.113.1", 9)


def show_welcome(host: str, port: int, join_path: str, folder: Path, out: TextIO) -> None:
    """Prints where the games lie and how this computer and the phones reach them."""
    sentence = _("The games are kept in {folder} (SQLite {version}).")
    _say(out, sentence.format(folder=folder, version=sqlite3.sqlite_version))
    if public := os.environ.get("SCOREKEEPER_URL", "").rstrip("/"):
        _show_address(_("On every phone"), public, join_path, out)
        _show_code(public + join_path, out)
    else:
        here, house = _addresses(host)
        _show_address(_("On this computer"), _url(here, port), join_path, out)
        if house:
            _show_address(_("On phones in the house"), _url(house, port), join_path, out)
            _show_code(_url(house, port) + join_path, out)
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
        return "127.0.0.1", _house_address()
    return host, None if address.is_loopback else host


def _house_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOBODY)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _show_address(where: str, base: str, join_path: str, out: TextIO) -> None:
    _say(out, f"\n{where}\n  {base}/\n  " + _("join: {link}").format(link=base + join_path))


def _show_code(link: str, out: TextIO) -> None:
    code, terminal = segno.make_qr(link), out.isatty()
    drawn = io.StringIO()
    if _is_utf8(out):
        code.terminal(drawn, border=2, compact=True)
    elif terminal:
        code.terminal(drawn, border=2)
    else:
        return
    lines = drawn.getvalue().splitlines()
    if terminal and os.name == "posix":
        # On a light terminal the plain blocks would be a negative, which not every phone reads.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    _say(out, "\n".join(["", *lines]))


def _is_utf8(out: TextIO) -> bool:
    return codecs.lookup(out.encoding or "utf-8").name == "utf-8"


def _say(out: TextIO, text: str) -> None:
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
