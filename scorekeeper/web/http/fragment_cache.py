"""Parts of pages that look the same again and again, drawn once."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import NamedTuple

from flask import Flask, current_app, g, render_template, request
from markupsafe import Markup

from scorekeeper.i18n import language
from scorekeeper.rules.rounds import RoundScore
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.store.lru import Recent
from scorekeeper.web.http.csrf import form_token

MOST_DRAWN = 128  # parts, each about 20 kB
MOST_PIECES = 4096  # most of them less than a kilobyte
Cuts = tuple[str, ...]


class Drawn(NamedTuple):
    """What one application has drawn last, by the keys that the functions below put together."""

    parts: Recent[Hashable, Cuts]
    pieces: Recent[Hashable, Markup]
    pictures: Recent[Hashable, "Picture"]


class Picture(NamedTuple):
    """A picture of a game, and what it shows of it."""

    shown: tuple[RuleSet, tuple[str, ...], tuple[RoundScore, ...]]
    drawn: Markup


def init_app(app: Flask) -> None:
    """Keep what is drawn, and let templates use pieces."""
    app.extensions["drawn"] = Drawn(Recent(MOST_DRAWN), Recent(MOST_PIECES), Recent(MOST_DRAWN))
    app.jinja_env.globals.update(piece=piece)


def drawn_once(draw: Callable[[], str], game: Game, *seen: Hashable) -> Markup:
    """Return a part of a page about a game, from memory where it was drawn before.

    The part may show the game as it is, what `seen` says, beginning with the template, and the
    language; nothing else that differs from phone to phone or from one moment to the next. Only
    each phone's own token for forms does: the part is kept cut where that stood.
    """
    parts = _drawn().parts
    key = (*seen, game.id, game.revision, game.names, language(), request.script_root)
    cuts = parts.get(key)
    if cuts is None:
        text = draw()
        token = g.get("csrf_token")
        cuts = tuple(text.split(token)) if token else (text,)
        parts.keep(key, cuts)
    return Markup(form_token().join(cuts) if len(cuts) > 1 else cuts[0])


def piece(template: str, **values: Hashable) -> Markup:
    """Return a template drawn with these values, from memory where it was drawn before.

    It sees nothing else but them, so that a round of a long game is drawn when it is scored and
    not with every tap after that. It holds no form, as that needs a token.
    """
    pieces = _drawn().pieces
    key = (template, language(), request.script_root, *values.items())
    found = pieces.get(key)
    if found is None:
        found = Markup(render_template(template, **values))
        pieces.keep(key, found)
    return found


def by_rounds(picture: Callable[[Game], Markup]) -> Callable[[Game], Markup]:
    """Return a picture of a game's scored rounds that is drawn once, whatever is tapped meanwhile.

    It may show the rules, the names and the rounds, and nothing else.
    """

    @wraps(picture)
    def drawn(game: Game) -> Markup:
        pictures = _drawn().pictures
        # There is one for each game; whether it still shows the same is compared below.
        key = (picture, language(), game.id)
        shown = (game.rules, game.names, game.board.rounds)
        # Rounds are compared and not looked up by: there may be hundreds, most of them the same.
        found = pictures.get(key)
        if found is None or found.shown != shown:
            found = Picture(shown, picture(game))
            pictures.keep(key, found)
        return found.drawn

    return drawn


def _drawn() -> Drawn:
    found: Drawn = current_app.extensions["drawn"]
    return found
