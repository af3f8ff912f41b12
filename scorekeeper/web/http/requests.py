"""What every view asks for: the store, the phone, the game, the language and zone of a request.

The language is the one chosen on the phone, else the first it accepts. The zone is that which the
phone tells, else that of its table, else that of this computer.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_wtf.csrf import generate_csrf
from werkzeug.datastructures import LanguageAccept
from werkzeug.exceptions import BadRequest
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse
from wtforms.validators import AnyOf

from scorekeeper import i18n
from scorekeeper.addresses import is_loopback
from scorekeeper.clock import find_zone, now, set_zone, zone
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import CALL_BOOKS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.tables import Phone, find_phone
from scorekeeper.web.http.forms import LONGEST, Form, Malformed, TextField, refuse_long_texts
from scorekeeper.web.http.static_files import YEAR

Answer = str | AnyResponse | tuple[str, int]  # of a view: a page, or one with its status


def store() -> Store:
    found: Store = current_app.extensions["store"]
    return found


def database() -> Database:
    """Return the database connection of this request, for reading."""
    return store().db


def this_phone() -> Phone | None:
    """Return the phone that sent the request, or None where it has not joined a table.

    Where it has not told its time zone, the rest of the response is in that of its table.
    """
    if "phone" not in g:
        phone_id = session.get("phone")
        # Before the first look at the database, which may be one that went back.
        store().learn_position(session.get("database", ""))
        g.phone = find_phone(database(), phone_id) if isinstance(phone_id, str) else None
        if g.phone and store().position != session.get("database", ""):
            session["database"] = store().position
        if g.phone and zone() is None:
            use_zone_of_table(g.phone)
        if g.phone and session.get("day") != (today := now().toordinal()):
            session["day"] = today  # a changed session is sent again, which renews its lifetime
    phone: Phone | None = g.phone
    return phone


def require_phone() -> Phone:
    """Return the phone that sent the request, or answer 404 where it has not joined a table."""
    return this_phone() or abort(404)


def use_zone_of_table(phone: Phone) -> None:
    """Use the time zone of a phone's table in the rest of the response, as what others see does."""
    set_zone(find_zone(phone.zone))


def remember(phone: Phone) -> None:
    """Store a phone in a new session, which keeps it joined.

    It has its token for forms at once: of two requests that each made one, as a page and what the
    phone fetches beside it do, the later cookie would refuse the forms of the other page.
    """
    session.clear()
    session.permanent = True
    session.update(phone=phone.id, day=now().toordinal())
    if position := store().position:
        session["database"] = position
    generate_csrf()
    g.phone = phone


def find_game_or_404(game_id: str) -> Game:
    """Return a game of the table of this phone, or answer 404.

    The rest of the response is in the words of its rule book.
    """
    return find_in(database(), require_phone().table_id, game_id) or abort(404)


def find_in(db: Database, table_id: str, game_id: str) -> Game | None:
    """Return a game of a table; the rest of the response is in the words of its rule book."""
    game = load_game(db, table_id, game_id)
    if game:
        use_words_of(game.rules)
    return game


def use_words_of(rules: RuleSet) -> None:
    """Use the words of a rule book in the rest of the response: a bid or a call."""
    i18n.use_words("call" if rules.key in CALL_BOOKS else "bid")


PASSING = (429, 500, 503)


def error_page(status: int, sentence: str, title: str | None = None) -> tuple[str, int]:
    """Return an error page with its status; the title follows from the status unless given.

    Where the server may answer better soon, the page offers to ask again.
    """
    title = title or _title(status)
    again = (
        request.script_root + request.full_path
        if request.method == "GET" and status in PASSING
        else ""
    )
    page = render_template("http/error.html", title=title, sentence=sentence, again=again)
    return page, status


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


def json_response(content: dict[str, Any], status: int = 200) -> Response:
    return Response(json_text(content), status, content_type="application/json")


def json_text(content: dict[str, Any]) -> str:
    """Return JSON without blanks, members in their order."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


COOKIE = "language"
ZONE_COOKIE = "zone"  # set by js/offline/start.js
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
def chosen() -> AnyResponse:
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


def told_zone() -> str | None:
    """Return the name of the time zone that the phone tells, if there is such a zone."""
    zone = find_zone(request.cookies.get(ZONE_COOKIE))
    return zone.key if zone else None


HOSTED = ("SCOREKEEPER_URL", "SCOREKEEPER_OPEN", "SCOREKEEPER_PROXIES")
HOSTED_CONFIG = ("BASE_URL", "OPEN", "PROXIES", "SCRIPT_NAME")
LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")
FORWARDING_HEADER = re.compile(
    r"via|cdn-loop|cf-.+|x-original-.+|x-envoy-.+|.*(forward|proxy).*"
    r"|(.+-)?(real|client|connecting|originating|remote|source)-?(ip|addr|address|host)",
    re.IGNORECASE,
)


def is_local_request() -> bool:
    """Return whether a program or browser on this computer sent the request, to its own name.

    Behind a proxy or a tunnel on this computer every visitor has a loopback address. So the server
    must not be set up for one, the request must carry no header that one adds, and its Host must be
    a loopback name, which also rules out DNS rebinding. nginx without any setting of headers sends
    its own Host and adds nothing, but speaks HTTP/1.0, as no browser does.
    """
    return (
        not _is_hosted()
        and is_loopback(request.remote_addr or "")
        and LOCAL_HOST.fullmatch(request.headers.get("Host", "")) is not None
        and request.environ.get("SERVER_PROTOCOL") != "HTTP/1.0"
        and not any(FORWARDING_HEADER.fullmatch(name) for name, _value in request.headers)
    )


def _is_hosted() -> bool:
    """Return whether the server is set up for visitors from elsewhere, or behind a proxy."""
    # Any value counts, as whoever writes SCOREKEEPER_OPEN=true believes the server to be open.
    return any(os.environ.get(name) for name in HOSTED) or any(
        current_app.config[name] for name in HOSTED_CONFIG
    )


def init_app(app: Flask) -> None:
    """Set language and zone of each request, and release its connection after it.

    The application is served under the configured SCRIPT_NAME.
    """
    app.before_request(_set_language_and_zone)
    app.after_request(_set_language_headers)
    app.teardown_request(_release)
    app.jinja_env.globals.update(
        LANGUAGES=i18n.LANGUAGES, language=i18n.language, direction=i18n.direction
    )
    app.wsgi_app = Mount(app.wsgi_app, app.config["SCRIPT_NAME"])  # type: ignore[method-assign]  # Flask says so


def _set_language_and_zone() -> None:
    i18n.set_language(requested_language())
    set_zone(find_zone(told_zone()))


NOT_STORABLE = re.compile("[\0\ud800-\udfff]")


def check_texts() -> None:
    """Refuse texts that are too long, the character U+0000, which PostgreSQL cannot store, and
    surrogates, before anything else looks at them.

    The API reads its bodies itself.
    """
    # Of keys only the hashes are looked up.
    words = [str(word) for name, word in (request.view_args or {}).items() if name != "key"]
    if any(len(word) > LONGEST for word in words) or not _can_be_stored(words):
        abort(404)
    fields = () if request.blueprint == "api" else request.form.items(multi=True)
    sent = [*request.args.items(multi=True), *fields]
    try:
        refuse_long_texts(current_app.view_functions.get(request.endpoint or ""), sent)
    except Malformed as wrong:
        raise BadRequest(str(wrong)) from None
    if not _can_be_stored(chain(*sent)):
        abort(400)


def _can_be_stored(texts: Iterable[str]) -> bool:
    return not NOT_STORABLE.search("".join(texts))


def _set_language_headers(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Content-Language"] = i18n.language()
        response.vary.update(["Accept-Language", "Cookie"])
    return response


def _release(_error: BaseException | None) -> None:
    """Go back to English and this computer's zone, and return the connection to the pool.

    The thread logs and takes other requests.
    """
    i18n.set_language("en")
    set_zone(None)
    store().release()


Environ = dict[str, Any]


class Mount:
    """WSGI middleware that serves the application under a prefix, `""` for the whole host.

    gunicorn takes SCRIPT_NAME from a `Script_Name` header of any client on the same computer, and a
    proxy there passes on headers of its clients. All links begin with SCRIPT_NAME, so a stranger
    could change them.
    """

    def __init__(self, wsgi_app: Callable[..., Iterable[bytes]], prefix: str):
        self._wsgi_app = wsgi_app
        self._prefix = prefix.rstrip("/")

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ["PATH_INFO"]
        environ["SCRIPT_NAME"] = self._prefix
        inside = path == self._prefix or path.startswith(f"{self._prefix}/")
        environ["PATH_INFO"] = path[len(self._prefix) :] if inside else path
        return self._wsgi_app(environ, start_response)
