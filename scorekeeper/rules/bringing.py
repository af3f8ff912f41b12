"""Rounds that were taken without the server, and are brought to it later, whole."""

from scorekeeper.rules.entry import count_tricks, send_round
from scorekeeper.rules.game import Round, Scoreboard


def is_reached(board: Scoreboard, rounds: int, number: int, sent: Round) -> bool:
    """Return whether a game of so many rounds has a place for one of this number.

    After the end it has one for a round that was played: it stands there and does not count, as
    when a correction ends the game earlier.
    """
    if sent == Round((None,) * board.players):
        return number <= max(rounds, board.number)
    if board.phase == "over":
        counts = number <= len(board.rounds)
        return number <= rounds + 1 and (counts or sent.tricks is not None)
    return number <= max(rounds, board.number)


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
