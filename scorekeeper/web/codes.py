"""Links that phones scan: their full address, and the code drawn as part of a page."""

import io

import segno
from flask import current_app, request
from markupsafe import Markup


def absolute(path: str) -> str:
    """Return the full address of a path, as phones reach this server."""
    base: str = current_app.config["BASE_URL"] or request.host_url
    return base.rstrip("/") + path


def svg(link: str) -> Markup:
    """Return the QR code of a link as an inline picture on a white card."""
    out = io.BytesIO()
    segno.make_qr(link).save(
        out,
        kind="svg",
        border=3,
        light="#fff",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        svgclass="code",
        lineclass=None,
        nl=False,
    )
    return Markup(out.getvalue().decode())
