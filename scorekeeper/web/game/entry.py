"""Which rounds can be entered now: on the page of a game, through the API, or by offline sync."""

from typing import Literal

from scorekeeper.rules.game import Round
from scorekeeper.store.games import Game

Closed = Literal["over", "not reached"]


def why_closed(game: Game, number: int, sent: Round | None = None) -> Closed | None:
    """Return why a round cannot be entered now, or None where it can.

    After the end of a game its rounds can be corrected and no other can be entered. A phone that
    was offline did not know of the end: what it has `sent` is stored there if it is a scored round,
    which does not count, or an empty one, which removes a round.
    """
    last, state = len(game.rounds), game.state
    if state.phase != "over" or not len(state.rounds) < number <= last + 1:
        return "not reached" if number > max(last, state.number) else None
    if sent is None:
        is_open = game.round(number).tricks is not None
    elif number > last:
        is_open = None not in (sent.tricks, game.rounds[-1].tricks)
    else:
        is_open = sent.tricks is not None or sent == Round((None,) * state.players)
    return None if is_open else "over"
