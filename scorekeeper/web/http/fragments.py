"""Cache of rendered pages and parts of them that are the same for all who ask."""

from collections.abc import Callable, Hashable
from typing import cast

from flask import Flask, current_app, request
from markupsafe import Markup

from scorekeeper.i18n import language
from scorekeeper.store.games import LRUCache

Cache = LRUCache[Hashable, Markup]
# By the room that fills it, each about 20 to 60 kB: links, which strangers make up, would else
# push out what a thousand watchers ask for.
MOST = {"watchers": 128, "rules": 32, "sheets": 32, "sample": 8}


def init_app(app: Flask) -> None:
    """Begin with empty caches."""
    app.extensions["fragments"] = {room: Cache(most) for room, most in MOST.items()}


def cached_fragment(room: str, render: Callable[[], str], *varies: Hashable) -> Markup:
    """Return a fragment of a room, rendered only if it is not in the cache.

    A thousand watchers may ask for the same one after a tap: the rows `watchers` of the benchmark
    need it.
    The fragment may depend on `varies` and on the language. It must not depend on the phone or the
    time, so it contains no form.
    """
    cache = cast("dict[str, Cache]", current_app.extensions["fragments"])[room]
    key = (*varies, language(), request.script_root)
    html = cache.get(key)
    if html is None:
        html = Markup(render())
        cache[key] = html
    return html
