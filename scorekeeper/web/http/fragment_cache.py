"""Cache of the parts of pages that watchers see, so that a change is drawn once for all of them.

The rows `watchers` of the benchmark need it: a thousand phones ask for the same part at once.
"""

from collections.abc import Callable, Hashable
from typing import cast

from flask import Flask, current_app, request
from markupsafe import Markup

from scorekeeper.i18n import language
from scorekeeper.store.games import Game
from scorekeeper.store.lru import LRUCache

MAX_FRAGMENTS = 128  # each about 20 kB


def init_app(app: Flask) -> None:
    """Begin with an empty cache."""
    app.extensions["fragment_cache"] = LRUCache[Hashable, Markup](MAX_FRAGMENTS)


def cached_fragment(render: Callable[[], str], game: Game, *varies: Hashable) -> Markup:
    """Return a fragment about a game, rendered only if it is not in the cache.

    The fragment may depend on the game as it is now, on `varies` and on the language. It must not
    depend on the phone or the time, so it contains no form.
    """
    cache = cast("LRUCache[Hashable, Markup]", current_app.extensions["fragment_cache"])
    key = (*varies, game.id, game.revision, game.people, language(), request.script_root)
    html = cache.get(key)
    if html is None:
        html = Markup(render())
        cache[key] = html
    return html
