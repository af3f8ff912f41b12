"""What every view asks for: the store, the phone, the game, and the time zone of a request.

That is the zone which the phone tells, else that of its table, else that of this computer.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from flask import (
    Flask,
    Response,
    abort,
    current_app,
    g,
    render_template,
    request,
    session,
)
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import i18n
from scorekeeper.clock import find_zone, now, set_zone, zone
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import CALL_BOOKS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import phones
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.phones import find_keeper
from scorekeeper.store.tables import Phone, find_phone
from scorekeeper.web.http.forms import LONGEST, Malformed, refuse_long_texts
from scorekeeper.web.http.language import requested_language
from scorekeeper.web.http.mount import Mount

Answer = str | AnyResponse | tuple[str, int]  # of a view: a page, or one with its status


def secret() -> str:
    """Return the secret of the server, with which keys are derived and signed."""
    return str(current_app.config["SECRET_KEY"])


def store() -> Store:
    found: Store = current_app.extensions["store"]
    return found


def database() -> Database:
    """Return the database connection of this request, for reading."""
    return store().db


KEEPERS = "keepers"  # the member of the session with the phones that keep score at a club night
MOST_KEPT = 12  # of them: the last tables at which it has kept score
NO_HOME = "none"  # in place of the own table of such a phone that has none
# What they may ask for: the game that is played at their table, and nothing beside it.
KEPT = {"game", "taps", "rounds", "result", "live.events", "offline.game", "rules.of_game"}


def this_phone() -> Phone | None:
    """Return the phone that sent the request, or None where it has not joined a table.

    That is the one that keeps score at a club night, if the request is about a game at its table.
    Where it has not told its time zone, the rest of the response is in that of its table.
    """
    if "phone" not in g:
        phone_id = session.get("phone")
        # Before the first look at the database, which may be one that went back.
        store().learn_position(session.get("database", ""))
        own = find_phone(database(), phone_id) if isinstance(phone_id, str) else None
        g.phone = (KEEPERS in session and _keeper(own)) or own
        if g.phone and store().position != session.get("database", ""):
            session["database"] = store().position
        if g.phone and zone() is None:
            use_zone_of_table(g.phone)
        if g.phone and session.get("day") != (today := now().toordinal()):
            session["day"] = today  # a changed session is sent again, which renews its lifetime
    phone: Phone | None = g.phone
    return phone


def _keeper(own: Phone | None) -> Phone | None:
    """Return the phone that keeps score of the game of this request at a club night, if one does.

    A phone of the club's own table needs none. After the game is over in a closed match, a tap may
    only repeat one whose answer was lost.
    """
    game_id = (request.view_args or {}).get("game_id")
    if not game_id or not {request.blueprint, request.endpoint} & KEPT:
        return None
    keeper = find_keeper(database(), session[KEEPERS], game_id)
    if keeper is None and request.blueprint == "taps":
        keeper = find_keeper(database(), session[KEEPERS], game_id, repeats=True)
        g.only_repeats = True
    if keeper is None or (own and own.table_id == keeper.table_id):
        return None
    return keeper._replace(home=own.table_id if own else NO_HOME)


def change_nothing_new() -> None:
    """Answer 404 where the phone may only repeat what it has entered."""
    if g.get("only_repeats"):
        abort(404)


def table_left(game_id: str) -> int | None:
    """Return the table number at which this phone kept score of a game that it may not see now."""
    phone = this_phone()
    if KEEPERS not in session or (phone and load_game(database(), phone.table_id, game_id)):
        return None
    return phones.table_kept(database(), session[KEEPERS], game_id)


def device() -> str:
    """Return the id of the phone in the cookie, whether or not it may do something, or nothing."""
    return str(session.get("phone") or (session.get(KEEPERS) or [""])[-1])


def counted_as(phone: Phone) -> str:
    """Return by what the requests of a phone are counted: its table, or the game that it keeps.

    Forty tables of a club night are one table otherwise.
    """
    game_id = (request.view_args or {}).get("game_id")
    return f"{phone.table_id} {game_id}" if phone.home else phone.table_id


def require_phone() -> Phone:
    """Return the phone that sent the request, or answer 404 where it has not joined a table."""
    return this_phone() or abort(404)


def use_zone_of_table(phone: Phone) -> None:
    """Use the time zone of a phone's table in the rest of the response, as what others see does."""
    set_zone(find_zone(phone.zone))


@contextmanager
def in_language_of_table(table_id: str) -> Iterator[str]:
    """Speak the language that a table has chosen for what it shares; yield it, empty for none."""
    chosen = phones.language_of_table(database(), table_id)
    with i18n.speaking(chosen):
        yield chosen


def wants_names() -> bool:
    """Return whether a picture to send has names, as it does unless `names=no` is asked for."""
    return request.args.get("names") != "no"


def remember(phone: Phone) -> None:
    """Store a phone in a new session, which keeps it joined.

    It has its token for forms at once: of two requests that each made one, as a page and what the
    phone fetches beside it do, the later cookie would refuse the forms of the other page.
    """
    forget()
    _renew(phone=phone.id)
    generate_csrf()
    g.phone = phone


def forget() -> None:
    """Empty the session, but for the phones that keep score at a club night."""
    keepers = session.get(KEEPERS)
    session.clear()
    if keepers:
        _renew(keepers=keepers)


def keep_score(keeper: Phone) -> None:
    """Store a phone that keeps score at a club night in the session, beside what it has."""
    _renew(keepers=[*session.get(KEEPERS, []), keeper.id][-MOST_KEPT:])


def _renew(**facts: Any) -> None:
    """Store facts in the session, which lasts from now on, with the position of their rows."""
    session.permanent = True
    session.update(facts, day=now().toordinal())
    if position := store().position:
        session["database"] = position


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


def error_page(
    status: int, sentence: str, title: str | None = None, since: str = ""
) -> tuple[str, int]:
    """Return an error page with its status; the title follows from the status unless given.

    `since` tells the time of what it is about. Where the server may answer better soon, the page
    offers to ask again.
    """
    title = title or _title(status)
    again = (
        request.script_root + request.full_path
        if request.method == "GET" and status in PASSING
        else ""
    )
    told = {"title": title, "sentence": sentence, "since": since, "again": again}
    return render_template("http/error.html", **told), status


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


ZONE_COOKIE = "zone"  # set by js/offline/start.js


def told_zone() -> str | None:
    """Return the name of the time zone that the phone tells, if there is such a zone."""
    zone = find_zone(request.cookies.get(ZONE_COOKIE))
    return zone.key if zone else None


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
