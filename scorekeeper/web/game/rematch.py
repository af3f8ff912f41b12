"""The next game of the same players: who sits where, and who deals first."""

import secrets

from scorekeeper.store.games import Game
from scorekeeper.store.idempotency import Request

WAYS = ("same", "winner", "draw")


def next_seats(last: Game, way: str) -> tuple[tuple[str, ...], int]:
    """Return the names by seat and the first dealer of the next game, as one of `WAYS` says.

    The seats stay and the rule book says who deals; or the winner deals; or chance seats everybody
    anew, which makes new partners too.
    """
    players = len(last.names)
    by_the_book = players - 1 if last.rules.first_dealer == "last" else secrets.randbelow(players)
    if way == "draw":
        names = list(last.names)
        secrets.SystemRandom().shuffle(names)
        return tuple(names), by_the_book
    return last.names, _winner(last) if way == "winner" else by_the_book


def rematch_key(last: Game) -> Request:
    """Return by what the game after this one is known: two taps, on one phone or two, start one."""
    return Request(f"after-{last.id}", "")


def _winner(last: Game) -> int:
    """Return the winner's seat; of partners the one whose deal would have come sooner.

    Where nobody has won yet it is whoever would have dealt next.
    """
    board = last.board
    after = (board.dealer + (1 if board.phase == "over" else 0)) % board.players
    turns = [(after + step) % board.players for step in range(board.players)]
    if board.outcome is None or board.outcome.winner is None:
        return turns[0]
    return next(seat for seat in turns if board.side_of(seat) == board.outcome.winner)
