"""Rendering of error pages."""

from flask import render_template

from scorekeeper.i18n import gettext as _


def error_page(status: int, sentence: str, title: str | None = None) -> tuple[str, int]:
    """Return an error page with its status; the title follows from the status unless given."""
    title = title or _title(status)
    return render_template("http/error.html", title=title, sentence=sentence), status


def _title(status: int) -> str:
    titles = {
        403: _("Not allowed"),
        404: _("Page not found"),
        405: _("Not allowed"),
        413: _("Too large"),
        429: _("Too many requests"),
        500: _("Something went wrong"),
        503: _("Not saved"),
    }
    return titles.get(status) or _("Bad request")
