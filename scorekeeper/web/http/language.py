"""Language and time zone of each response.

The language is the one chosen on the phone, else the first it accepts. The zone is that which the
phone tells, else that of its table, else that of this computer.
"""

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse
from wtforms.validators import AnyOf

from scorekeeper import i18n
from scorekeeper.clock import find_zone, set_zone
from scorekeeper.web.http.form_fields import Form, TextField
from scorekeeper.web.http.static_files import YEAR

COOKIE = "language"
ZONE_COOKIE = "zone"  # set by js/offline/start.js
pages = Blueprint("language", __name__)


def local_path(path: str) -> str:
    """Return a path on this server as it is, and `/` for any other address."""
    here = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if here else "/"


class LanguageForm(Form):
    """The language chosen, and the path of the page to return to."""

    language = TextField(validators=[AnyOf(i18n.LANGUAGES)])
    back = TextField(default="/", filters=[local_path])


@pages.get("/language")
def choose() -> str:
    """Show the languages, each by its own name."""
    return render_template("http/language.html", back=LanguageForm(request.args).back.data)


@pages.post("/language")
def chosen() -> AnyResponse:
    """Store the language in a cookie of this browser, and return to the page it came from."""
    form = LanguageForm(request.form)
    if not form.validate():
        abort(400)
    response = redirect(form.back.data, 303)
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


def told_zone() -> str | None:
    """Return the name of the time zone that the phone tells, if there is such a zone."""
    zone = find_zone(request.cookies.get(ZONE_COOKIE))
    return zone.key if zone else None


def init_app(app: Flask) -> None:
    """Set the language and the time zone before each request, and its headers after it."""
    app.before_request(_set_language_and_zone)
    app.after_request(_set_headers)
    app.teardown_request(_reset)
    app.jinja_env.globals.update(
        LANGUAGES=i18n.LANGUAGES, language=i18n.language, direction=i18n.direction
    )


def _set_language_and_zone() -> None:
    i18n.set_language(requested_language())
    set_zone(find_zone(told_zone()))


def _reset(_error: BaseException | None) -> None:
    """Go back to English and this computer's zone, as the thread logs and takes other requests."""
    i18n.set_language("en")
    set_zone(None)


def _set_headers(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Content-Language"] = i18n.language()
        response.vary.update(["Accept-Language", "Cookie"])
    return response
