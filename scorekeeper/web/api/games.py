"""Starting a game through the API, once for each Idempotency-Key."""

from scorekeeper.i18n import gettext as _
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.idempotency import OtherContent, game_started
from scorekeeper.web.api.problems import Problem
from scorekeeper.web.game.new_game_values import NewGame
from scorekeeper.web.game.start import start_game


def start(db: Database, table_id: str, form: NewGame, label: str) -> Game:
    """Start a game, or return the one that the same request started before.

    Raises `Problem` where its key came with another body, or that game was removed since.
    """
    request = form.request()
    try:
        started = game_started(db, table_id, request)
    except OtherContent:
        sentence = _("This Idempotency-Key was used with a different body. Use a new one.")
        raise _refused("idempotency_key", sentence) from None
    game_id = start_game(db, table_id, form.setup(), request, started, label=label)
    game = load_game(db, table_id, game_id)
    if game is None:
        sentence = _("The game started with this Idempotency-Key has been deleted.")
        raise _refused("removed", sentence)
    return game


def _refused(code: str, sentence: str) -> Problem:
    errors = [{"seat": None, "code": code, "detail": sentence}]
    return Problem(422, "refused", sentence, errors=errors)
