"""Links as another phone must be able to open them, and their QR codes."""

import ipaddress
from urllib.parse import urlsplit

import segno
from flask import current_app, request
from markupsafe import Markup

from scorekeeper.i18n import gettext as _

QUIET = 4  # modules of white around a code, without which not every camera finds it


def absolute(path: str) -> str:
    """Return a path of ours with the host that phones reach it by.

    That is the configured address, else the host that this very request named, which was checked.
    """
    base: str = current_app.config["BASE_URL"] or request.host_url
    return base.rstrip("/") + path


def opens_here_only(link: str) -> bool:
    """Return whether a link leads every phone but this computer to itself."""
    host = urlsplit(link).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def svg(link: str) -> Markup:
    """Return a link's QR code, drawn into the page itself: dark on a white card of its own.

    Drawn inline, since a picture's address would carry the link into histories and logs.
    """
    drawn = segno.make_qr(link).svg_inline(
        border=QUIET, light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    # What goes in as it is holds numbers alone: the link is drawn, not written.
    return Markup('<div role="img" aria-label="{}">{}</div>').format(
        _("QR code of the link"), Markup(drawn)
    )
