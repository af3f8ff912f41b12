"""The rematch of a game: who sits where, and who deals first."""

import secrets

from scorekeeper.rules.bidding import bidding_order
from scorekeeper.store.games import Game
from scorekeeper.store.idempotency import StartRequest

WAYS = ("same", "winner", "draw")


def next_seats(last: Game, way: str) -> tuple[tuple[str, ...], int]:
    """Return the names by seat and the first dealer of the next game, of those who sit there.

    `way` is one of `WAYS`: the seats stay and the rules say who deals; or the winner deals; or
    the seats are drawn, which makes new partners too.
    """
    seats = last.state.seats.taken
    names = [last.names[seat] for seat in seats]
    if way == "draw":
        secrets.SystemRandom().shuffle(names)
        return tuple(names), _first_dealer(last)
    if way == "winner":
        return tuple(names), seats.index(_winner(last))
    dealer = next_dealer(last)
    return tuple(names), _first_dealer(last) if dealer is None else seats.index(dealer)


def next_dealer(last: Game) -> int | None:
    """Return who deals first in the next game in the same seats, or None if that is drawn."""
    if last.rules.rematch_dealer == "next":
        return _turns(last)[0]
    return last.state.seats.taken[-1] if last.rules.first_dealer == "last" else None


def rematch_key(last: Game) -> StartRequest:
    """Return the request for the rematch of a game, which all phones share to start only one."""
    return StartRequest(f"after-{last.id}", "")


def _first_dealer(last: Game) -> int:
    players = len(last.state.seats.taken)
    return players - 1 if last.rules.first_dealer == "last" else secrets.randbelow(players)


def _winner(last: Game) -> int:
    """Return the winner's seat, of partners the one who would have dealt first.

    Where nobody has won yet it is the seat that would have dealt next.
    """
    state, turns = last.state, _turns(last)
    if state.outcome is None or state.outcome.winner is None:
        return turns[0]
    return next(seat for seat in turns if state.side_of(seat) == state.outcome.winner)


def _turns(last: Game) -> tuple[int, ...]:
    """Return the seats in the order in which they would have dealt after the last round."""
    state, clockwise = last.state, last.rules.clockwise
    order = bidding_order(state.players, state.dealer, clockwise=clockwise)
    after = tuple(seat for seat in order if seat in state.seats.taken)
    return after if state.phase == "over" else (after[-1], *after[:-1])
