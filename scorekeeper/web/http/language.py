"""Language of each response: the one chosen on the phone, else the first it accepts."""

from functools import lru_cache

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request
from werkzeug.datastructures import LanguageAccept, MultiDict
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import i18n
from scorekeeper.web.http.static_files import YEAR

COOKIE = "language"
MAX_HEADERS = 64  # different Accept-Language headers, one for each kind of phone
pages = Blueprint("language", __name__)


@pages.get("/language")
def choose() -> str:
    """Offer the languages, each by its own name."""
    return render_template("http/language.html", back=_back(request.args))


@pages.post("/language")
def chosen() -> AnyResponse:
    """Keep the language chosen on this phone, and go back to where it was chosen."""
    language = request.form.get("language", "")
    if language not in i18n.LANGUAGES:
        abort(400)
    response = redirect(_back(request.form), 303)
    response.set_cookie(
        COOKIE,
        language,
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


@lru_cache(MAX_HEADERS)
def _first_accepted(header: str) -> str:
    """Return the first of our languages in an Accept-Language header, else English.

    Only primary tags are compared, in order of preference: `de-AT, en` gives German.
    """
    accepted = parse_accept_header(header, LanguageAccept)
    tags = (tag.partition("-")[0].lower() for tag, quality in accepted if quality)
    return next((tag for tag in tags if tag in i18n.LANGUAGES), "en")


def init_app(app: Flask) -> None:
    """Set the language before each request, and its headers after it."""
    app.before_request(_set_language)
    app.after_request(_set_headers)
    app.teardown_request(_reset_language)
    app.jinja_env.globals.update(
        LANGUAGES=i18n.LANGUAGES, language=i18n.language, direction=i18n.direction
    )


def _set_language() -> None:
    i18n.speak(requested_language())


def _reset_language(_error: BaseException | None) -> None:
    # The thread goes on with other requests, and what it logs in between is English.
    i18n.speak("en")


def _set_headers(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Content-Language"] = i18n.language()
        response.vary.update(["Accept-Language", "Cookie"])
    return response


def _back(fields: "MultiDict[str, str]") -> str:
    """Return the address on this server to go back to; never one elsewhere."""
    path = fields.get("back", "")
    here = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if here and len(path) <= 200 else "/"
