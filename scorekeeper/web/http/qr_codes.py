"""Links for other phones, and their QR codes."""

from typing import NamedTuple

from flask import current_app, request
from markupsafe import Markup

from scorekeeper.addresses import is_loopback, opens_here_only, urls_for_phones
from scorekeeper.i18n import gettext as _

QUIET_ZONE = 4  # modules of white around a code, as the standard requires


class SharedLink(NamedTuple):
    """A link that other devices can open: the best URL, others, or why there is none.

    `here` is the URL by which this device asked for the page.
    """

    url: str
    others: list[str]
    obstacle: str
    here: str

    @property
    def code(self) -> Markup | None:
        """The QR code of the URL; None where there is none."""
        return svg(self.url) if self.url else None


def shared_link(path: str) -> SharedLink:
    """Return the link of a path.

    The host is the configured one, else that of the request, which was checked before. Where that
    is a name of this computer for itself, it is an address by which phones reach it.
    """
    bases, obstacle = _bases()
    url, *others = [base + path for base in bases] or [""]
    return SharedLink(url, others, obstacle, request.host_url.rstrip("/") + path)


def _bases() -> tuple[list[str], str]:
    """Return the URLs of this server for other devices, best first, or why there are none."""
    base: str = current_app.config["BASE_URL"]
    if base or not opens_here_only(request.host_url):
        return [base or request.host_url.rstrip("/")], ""
    if not is_loopback(request.remote_addr or ""):
        # A container or a proxy passed it on, so phones reach this server by another address.
        return [], _("Set SCOREKEEPER_URL to the address by which other devices open Scorekeeper.")
    environ = request.environ
    return urls_for_phones(environ["SERVER_NAME"], int(environ["SERVER_PORT"]), request.scheme)


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
