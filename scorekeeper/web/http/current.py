"""The store, the phone and the game of the current request."""

import re
from collections.abc import Iterable
from itertools import chain

from flask import Flask, abort, current_app, g, request, session
from werkzeug.exceptions import BadRequest

from scorekeeper import i18n
from scorekeeper.clock import find_zone, now, set_zone, zone
from scorekeeper.rules.presets import CALL_BOOKS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.store import Store
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.tables import Phone, find_phone
from scorekeeper.web.http.csrf import form_token
from scorekeeper.web.http.form_fields import LONGEST, Malformed, refuse_long_texts

NOT_STORABLE = re.compile("[\0\ud800-\udfff]")


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
        g.phone = find_phone(database(), phone_id) if isinstance(phone_id, str) else None
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
    form_token()
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


def init_app(app: Flask) -> None:
    """Check the texts of each request, and return the database connection to the pool after it."""
    app.before_request(_check_texts)
    app.teardown_request(lambda _error: store().release())


def _check_texts() -> None:
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
