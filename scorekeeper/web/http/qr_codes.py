"""Absolute links for other phones, and their QR codes."""

import ipaddress
from urllib.parse import urlsplit

from flask import current_app, request
from markupsafe import Markup

from scorekeeper.i18n import gettext as _

QUIET_ZONE = 4  # modules of white around a code, as the standard requires


def absolute(path: str) -> str:
    """Return the absolute URL of a path.

    The host is the configured one, else that of the request, which was checked before.
    """
    base: str = current_app.config["BASE_URL"] or request.host_url
    return base.rstrip("/") + path


def opens_here_only(link: str) -> bool:
    """Return whether a link works only on this computer, as its host is a loopback address."""
    host = urlsplit(link).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def svg(link: str) -> Markup:
    """Return the QR code of a link as inline SVG, dark on white.

    Inline, as the URL of an image would put the link into browser histories and logs.
    """
    import segno  # only here, as it takes more memory than most pages need

    code = segno.make_qr(link).svg_inline(
        border=QUIET_ZONE, light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    # Safe as markup: the SVG contains coordinates, not the text of the link.
    label = _("QR code for the link")
    return Markup('<div role="img" aria-label="{}">{}</div>').format(label, Markup(code))
