"""Rounds that were taken without the server, and are brought to it later, whole."""

from scorekeeper.rules.entry import count_tricks, send_round
from scorekeeper.rules.game import Round, Scoreboard


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
