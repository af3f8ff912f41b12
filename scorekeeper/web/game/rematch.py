"""The rematch of a game: who sits where, and who deals first."""

import secrets

from scorekeeper.store.games import Game
from scorekeeper.store.idempotency import Request

WAYS = ("same", "winner", "draw")


def next_seats(last: Game, way: str) -> tuple[tuple[str, ...], int]:
    """Return the names by seat and the first dealer of the next game.

    `way` is one of `WAYS`: the seats stay and the rules say who deals; or the winner deals; or
    the seats are drawn, which makes new partners too.
    """
    players = len(last.names)
    by_the_book = players - 1 if last.rules.first_dealer == "last" else secrets.randbelow(players)
    if way == "draw":
        names = list(last.names)
        secrets.SystemRandom().shuffle(names)
        return tuple(names), by_the_book
    return last.names, _winner(last) if way == "winner" else by_the_book


def rematch_key(last: Game) -> Request:
    """Return the request for the rematch of a game, which all phones share to start only one."""
    return Request(f"after-{last.id}", "")


def _winner(last: Game) -> int:
    """Return the winner's seat, of partners the one who would have dealt first.

    Where nobody has won yet it is the seat that would have dealt next.
    """
    state = last.state
    after = (state.dealer + (1 if state.phase == "over" else 0)) % state.players
    turns = [(after + step) % state.players for step in range(state.players)]
    if state.outcome is None or state.outcome.winner is None:
        return turns[0]
    return next(seat for seat in turns if state.side_of(seat) == state.outcome.winner)
