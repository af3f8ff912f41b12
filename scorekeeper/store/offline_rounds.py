"""Rounds that a phone took without the server, put in their place."""

from datetime import datetime

from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.rules.offline_rounds import apply_offline_round
from scorekeeper.store.changes import cells_that_differ, changes_of
from scorekeeper.store.games import Game
from scorekeeper.store.journal import Stale, replace_round


def bring(
    db: Database, game: Game, number: int, sent: Round, seen: int, phone_id: str, at: datetime
) -> Game:
    """Put a round in place as a phone has it, and return the game after it.

    `seen` is the version from which the phone went on by itself; what is already so changes
    nothing, and a round of nothing goes. Raises `Stale` where a cell about to change was changed
    since then, and `Refused` for what the rules forbid.
    """
    before, nobody = game.round(number), Round((None,) * len(game.names))
    if sent == before:
        return game
    cells = cells_that_differ(before, sent)
    for change in changes_of(db, game.id, number, after_version=seen):
        if cells & cells_that_differ(change.before or nobody, change.after or nobody):
            raise Stale(game)
    newest = number >= len(game.rounds)
    if sent == nobody and newest:
        return replace_round(db, game, number, None, "removed", phone_id, at)
    kept = apply_offline_round(game.board, number, before, sent, newest=newest)
    kind = "corrected" if before.tricks else "scored" if kept.tricks else "bid"
    return replace_round(db, game, number, kept, kind, phone_id, at)
