"""New games as programs ask for them, each once however often it is sent."""

from sqlite_utils import Database

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store import journal
from scorekeeper.store.games import Game, create_game, load_game
from scorekeeper.store.idempotency import OtherContent, game_started, remember
from scorekeeper.web.api.problems import Problem
from scorekeeper.web.game.new_game_values import NewGame
from scorekeeper.web.http import rate_limits


def start(db: Database, table_id: str, form: NewGame, label: str) -> Game:
    """Start a game, or return the one that the same request started before.

    Raises `Problem` where its key came with another body, or that game was removed since.
    """
    request, at = form.request(), now()
    try:
        game_id = game_started(db, table_id, request)
    except OtherContent:
        sentence = _("This Idempotency-Key came with another body before: use a new one.")
        raise _refused("idempotency_key", sentence) from None
    if game_id is None:
        rate_limits.another_game(db, table_id)
        dealer, stake = form.first_dealer(), form.stake_value()
        game_id = create_game(db, table_id, form.rules, form.names, dealer, stake, at)
        journal.begin(db, game_id, None, at, label)
        remember(db, table_id, request, game_id)
    game = load_game(db, table_id, game_id)
    if game is None:
        sentence = _("The game that this Idempotency-Key started has been removed.")
        raise _refused("removed", sentence)
    return game


def _refused(code: str, sentence: str) -> Problem:
    errors = [{"seat": None, "code": code, "detail": sentence}]
    return Problem(422, "refused", sentence, errors=errors)
