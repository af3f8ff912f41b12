"""Cache of rendered page fragments."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import NamedTuple, cast

from flask import Flask, current_app, render_template, request
from markupsafe import Markup

from scorekeeper.i18n import language
from scorekeeper.rules.rounds import RoundScore
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.store.lru import LRUCache

MAX_FRAGMENTS = 128  # each about 20 kB
MAX_INCLUDES = 4096  # most of them less than a kilobyte
MAX_CHARTS = 128


class Chart(NamedTuple):
    """A rendered chart of a game, and the facts that it shows."""

    facts: tuple[RuleSet, tuple[str, ...], tuple[RoundScore, ...]]
    svg: Markup


class FragmentCache:
    """The fragments that one application rendered last, by the keys of the functions below."""

    def __init__(self) -> None:
        self.fragments: LRUCache[Hashable, Markup] = LRUCache(MAX_FRAGMENTS)
        self.includes: LRUCache[Hashable, Markup] = LRUCache(MAX_INCLUDES)
        self.charts: LRUCache[Hashable, Chart] = LRUCache(MAX_CHARTS)


def init_app(app: Flask) -> None:
    """Begin with an empty cache, and let templates call `cached_include`."""
    app.extensions["fragment_cache"] = FragmentCache()
    app.jinja_env.globals.update(cached_include=cached_include)


def cached_fragment(render: Callable[[], str], game: Game, *varies: Hashable) -> Markup:
    """Return a fragment about a game, rendered only if it is not in the cache.

    The fragment may depend on the game as it is now, on `varies` (the template first) and on the
    language. It must not depend on the phone or the time, so it contains no form.
    """
    cache = _cache().fragments
    key = (*varies, game.id, game.revision, game.names, language(), request.script_root)
    html = cache.get(key)
    if html is None:
        html = Markup(render())
        cache[key] = html
    return html


def cached_include(template: str, **values: Hashable) -> Markup:
    """Return a template rendered with these values, from the cache if it is there.

    The template sees nothing but `values`, so a round of a long game is rendered when it is scored
    and not again with every change after that. It must not contain a form, which needs a token.
    """
    cache = _cache().includes
    key = (template, language(), request.script_root, *values.items())
    html = cache.get(key)
    if html is None:
        html = Markup(render_template(template, **values))
        cache[key] = html
    return html


def cached_by_rounds(render: Callable[[Game], Markup]) -> Callable[[Game], Markup]:
    """Decorate a function that renders a chart of a game, to call it once per scored round.

    The chart may show the rules, the names and the scored rounds, and nothing else.
    """

    @wraps(render)
    def cached(game: Game) -> Markup:
        cache = _cache().charts
        key = (render, language(), game.id)
        facts = (game.rules, game.names, game.state.rounds)
        chart = cache.get(key)
        # Compared instead of being part of the key: hashing hundreds of rounds takes longer than
        # comparing them, as most are the same objects.
        if chart is None or chart.facts != facts:
            chart = Chart(facts, render(game))
            cache[key] = chart
        return chart.svg

    return cached


def _cache() -> FragmentCache:
    return cast(FragmentCache, current_app.extensions["fragment_cache"])
