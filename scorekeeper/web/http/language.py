"""The language of a request, and the page that chooses it.

It is the one chosen on the phone, else the first that the browser accepts.
"""

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response
from wtforms.validators import AnyOf

from scorekeeper import i18n
from scorekeeper.web.http.forms import Form, TextField
from scorekeeper.web.http.static_files import YEAR

COOKIE = "language"
language_pages = Blueprint("language", __name__)


def local_path(path: str) -> str:
    """Return a path on this server as it is, and `/` for any other address."""
    here = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if here else "/"


class LanguageForm(Form):
    """The language chosen, and the path of the page to return to."""

    language = TextField(validators=[AnyOf(i18n.LANGUAGES)])
    back = TextField(default="/", filters=[local_path])


@language_pages.get("/language")
def choose() -> str:
    """Show the languages, each by its own name."""
    return render_template("http/language.html", back=LanguageForm(request.args).back.data)


@language_pages.post("/language")
def chosen() -> Response:
    """Store the language in a cookie of this browser, and return to the page it came from."""
    form = LanguageForm(request.form)
    if not form.validate():
        abort(400)
    back = form.back.data
    response = redirect(url_for("table.home") if back == "/" else back, 303)
    response.set_cookie(
        COOKIE,
        form.language.data,
        max_age=YEAR,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return response


def requested_language() -> str:
    """Return the language for this request; the API goes by the header alone."""
    chosen = "" if request.path.startswith("/api/") else request.cookies.get(COOKIE, "")
    if chosen in i18n.LANGUAGES:
        return chosen
    return _first_accepted(request.headers.get("Accept-Language", ""))


def _first_accepted(header: str) -> str:
    """Return the first of our languages in an Accept-Language header, else English.

    Only primary tags are compared, in order of preference: `de-AT, en` gives German.
    """
    accepted = parse_accept_header(header, LanguageAccept)
    tags = (tag.partition("-")[0].lower() for tag, quality in accepted if quality)
    return next((tag for tag in tags if tag in i18n.LANGUAGES), "en")


def list_separator() -> str:
    """Return the separator that the reader's Excel expects; the header may tell the country."""
    accepted = parse_accept_header(request.headers.get("Accept-Language", ""), LanguageAccept)
    ours = (tag for tag, _quality in accepted if tag.partition("-")[0].lower() == i18n.language())
    return i18n.list_separator(next(ours, ""))
