"""The store, the phone and the game that a request is about."""

from flask import Flask, abort, current_app, g, session
from sqlite_utils import Database

from scorekeeper.clock import now
from scorekeeper.store.database.store import Store
from scorekeeper.store.game_cache import cached_game
from scorekeeper.store.games import Game
from scorekeeper.store.tables import Phone, find_phone


def store() -> Store:
    """Return the store of this application."""
    found: Store = current_app.extensions["store"]
    return found


def database() -> Database:
    """Return the database connection of this request, for reading."""
    return store().db


def this_phone() -> Phone | None:
    """Return the phone that asks, if it joined a table."""
    if "phone" not in g:
        phone_id = session.get("phone")
        g.phone = find_phone(database(), phone_id) if isinstance(phone_id, str) else None
        if g.phone and session.get("day") != (today := now().toordinal()):
            session["day"] = today  # so that the cookie is sent anew, to last from today on
    phone: Phone | None = g.phone
    return phone


def require_phone() -> Phone:
    """Return the phone that asks; a stranger is answered 404 and learns nothing."""
    phone = this_phone()
    if phone is None:
        abort(404)
    return phone


def remember(phone: Phone) -> None:
    """Keep a phone joined by a signed cookie, in place of whatever was in it before."""
    session.clear()
    session.permanent = True
    session["phone"] = phone.id
    g.phone = phone


def find_game_or_404(game_id: str) -> Game:
    """Return a game of this phone's table, or answer 404."""
    game = cached_game(database(), require_phone().table_id, game_id)
    return game or abort(404)


def init_app(app: Flask) -> None:
    """Give a request's connection back at its end, so that a few serve all threads."""
    app.teardown_request(lambda _error: store().release())
