"""Rounds that were taken without the server, and are brought to it later, whole."""

from collections.abc import Sequence

from scorekeeper.rules.entry import count_tricks, send_round
from scorekeeper.rules.game import Round, Scoreboard


def is_reached(board: Scoreboard, rounds: Sequence[Round], number: int, sent: Round) -> bool:
    """Return whether a game with these rounds has a place for one of this number.

    After the end it has one for a round that was played: it stands there and does not count, as
    when a correction ends the game earlier. A round that is open is never followed by another.
    """
    if board.phase != "over" or sent == Round((None,) * board.players):
        return number <= max(len(rounds), board.number)
    if number > len(rounds):
        return number == len(rounds) + 1 and None not in (sent.tricks, rounds[-1].tricks)
    return number <= len(board.rounds) or sent.tricks is not None


def bring_round(
    board: Scoreboard, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round as it is brought, with counts on their way if it has any.

    Raises `Refused` for what the rules forbid.
    """
    kept = send_round(board, number, before, sent.bids, sent.tricks, newest=newest)
    kept = kept._replace(tally=None)
    if kept.tricks is not None:
        return kept
    for seat, count in enumerate(sent.tally or ()):
        if count is not None:
            kept = count_tricks(board, number, kept, seat, count, one_by_one=False)
    return kept
