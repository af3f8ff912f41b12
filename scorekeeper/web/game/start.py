"""Starting a game from its page, through the API or by offline sync, once for each request."""

from collections.abc import Callable
from datetime import datetime

from scorekeeper.clock import now
from scorekeeper.player_names import name_key
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game, load_game, recent_games
from scorekeeper.store.idempotency import OtherContent, StartRequest, game_started, remember
from scorekeeper.store.new_games import GameSetup, create_game
from scorekeeper.web.http import rate_limits

GAMES_LOOKED_AT = 5  # for one that was started a moment ago


def start_game(
    db: Database,
    table_id: str,
    setup: GameSetup,
    request: StartRequest | None,
    started: str | None,
    *,
    phone_id: str | None = None,
    label: str | None = None,
    game_id: str | None = None,
    at: datetime | None = None,
) -> str:
    """Return the id of the game that a request starts, or of the one it has `started` before.

    The request leads to that game when it is sent again. Raises 422 where the table has too many
    games. `phone_id`, `label` and `game_id` are those of `create_game`, `at` is the present
    by default.
    """
    if started is None:
        rate_limits.another_game(db, table_id)
        started = create_game(
            db, table_id, setup, at or now(), phone_id, label=label, game_id=game_id
        )
    remember(db, table_id, request, started)
    return started


def started_by_page(
    db: Database,
    table_id: str,
    setup: GameSetup,
    request: StartRequest | None,
    is_same: Callable[[Game], bool],
) -> str | None:
    """Return the game that a page started before, or None.

    It is the game of the page's request, unless that game is over, was removed or has another
    setup: a page that was left open then starts a new one. Otherwise it is a recent game of the
    same setup that `is_same` accepts, as a double tap without a request key must not start two.
    """
    try:
        game_id = game_started(db, table_id, request)
    except OtherContent:
        game_id = None
    game = load_game(db, table_id, game_id) if game_id else None
    if game and game.state.phase != "over":
        return game.id
    wanted = setup.rules, [*map(name_key, setup.names)], setup.stake
    recent = recent_games(db, table_id, GAMES_LOOKED_AT)
    alike = [g for g in recent if (g.rules, [*map(name_key, g.starters)], g.stake) == wanted]
    return next((game.id for game in alike if is_same(game)), None)
