"""Rounds that a phone recorded while it was offline."""

from datetime import datetime

from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.rules.offline_rounds import apply_offline_round
from scorekeeper.store.games import Game
from scorekeeper.store.journal import check_cells, replace_round


def store_offline_round(
    db: Database, game: Game, number: int, sent: Round, seen: int, phone_id: str, at: datetime
) -> Game:
    """Store a round as a phone sends it, and return the game after it.

    `seen` is the version at which the phone went offline. A round that is stored already changes
    nothing, and an empty one at the end is removed. Raises `EditConflict` where a cell that would
    change has changed since then, and `Refused` for what the rules forbid.
    """
    before = game.round(number)
    if sent == before:
        return game
    check_cells(db, game, number, sent, seen)
    newest = number >= len(game.rounds)
    if newest and sent == Round((None,) * len(game.names)):
        return replace_round(db, game, number, None, "removed", phone_id, at)
    round_ = apply_offline_round(game.state, number, before, sent, newest=newest)
    kind = "corrected" if before.tricks else "scored" if round_.tricks else "bid"
    return replace_round(db, game, number, round_, kind, phone_id, at)
