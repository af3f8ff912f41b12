"""Which language a phone is spoken to in: the one chosen on it, else the one it asks for."""

from functools import lru_cache

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse
from wtforms.validators import AnyOf

from scorekeeper import i18n
from scorekeeper.web.http.form_fields import Form, TextField
from scorekeeper.web.http.static_files import YEAR

COOKIE = "language"
HEADERS_KNOWN = 64  # a few kinds of phones, each with a header of its own
pages = Blueprint("language", __name__)


def local_path(path: str) -> str:
    """Return a path on this server as it is, and `/` for any other address."""
    here = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if here and len(path) <= 200 else "/"


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


def wished() -> str:
    """Return the language of whoever asks; programs choose by their header alone."""
    kept = "" if request.path.startswith("/api/") else request.cookies.get(COOKIE, "")
    if kept in i18n.LANGUAGES:
        return kept
    return _first_of(request.headers.get("Accept-Language", ""))


@lru_cache(HEADERS_KNOWN)  # key: the header, from which alone the language follows
def _first_of(header: str) -> str:
    """Return the first language that we speak, by the first part of each wish alone.

    In the order of the wishes: who asks for de-AT before English is answered in German.
    """
    wished = parse_accept_header(header, LanguageAccept)
    wishes = (tag.partition("-")[0].lower() for tag, quality in wished if quality)
    return next((wish for wish in wishes if wish in i18n.LANGUAGES), "en")


def init_app(app: Flask) -> None:
    """Speak the phone's language in every answer, and say which it is."""
    app.before_request(_speak)
    app.after_request(_say_which)
    app.teardown_request(_fall_silent)
    app.jinja_env.globals.update(
        LANGUAGES=i18n.LANGUAGES, language=i18n.language, direction=i18n.direction
    )


def _speak() -> None:
    i18n.speak(wished())


def _fall_silent(_error: BaseException | None) -> None:
    # The thread serves others next, and what it logs between them is nobody's page.
    i18n.speak("en")


def _say_which(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Content-Language"] = i18n.language()
        response.vary.update(["Accept-Language", "Cookie"])
    return response
