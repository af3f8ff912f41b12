"""Parts of pages that look the same on several phones, drawn once for all of them."""

from collections.abc import Callable, Hashable

from flask import Flask, current_app, g, request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from scorekeeper.i18n import language
from scorekeeper.store.games import Game
from scorekeeper.store.recent import Recent

MOST_DRAWN = 128  # parts, each about 20 kB
Cuts = tuple[str, ...]


def init_app(app: Flask) -> None:
    """Keep what is drawn, apart from that of other applications."""
    drawn: Recent[Hashable, Cuts] = Recent(MOST_DRAWN)
    app.extensions["drawn"] = drawn


def drawn_once(draw: Callable[[], str], game: Game, *seen: Hashable) -> Markup:
    """Return a part of a page about a game, from memory where it was drawn before.

    The part may show the game as it is, what `seen` says, and the language; nothing else that
    differs from phone to phone or from one moment to the next. Only each phone's own token for
    forms does: the part is kept cut where that stood.
    """
    drawn: Recent[Hashable, Cuts] = current_app.extensions["drawn"]
    key = (game.id, game.version, game.names, language(), request.script_root, *seen)
    cuts = drawn.get(key)
    if cuts is None:
        text = draw()
        token = g.get("csrf_token")
        cuts = tuple(text.split(token)) if token else (text,)
        drawn.keep(key, cuts)
    return Markup(generate_csrf().join(cuts) if len(cuts) > 1 else cuts[0])
