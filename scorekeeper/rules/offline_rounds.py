"""Rounds that a phone recorded offline and sends later, each as a whole."""

from collections.abc import Sequence

from scorekeeper.rules.entry import count_tricks, send_round
from scorekeeper.rules.game import Round, Scoreboard


def has_place_for(board: Scoreboard, rounds: Sequence[Round], number: int, sent: Round) -> bool:
    """Return whether a game with these rounds has a place for a round of this number.

    After the end there is a place for a round that was played: it is kept but does not count, as
    when a correction ends the game earlier. An unfinished round is never followed by another.
    """
    if board.phase != "over" or sent == Round((None,) * board.players):
        return number <= max(len(rounds), board.number)
    if number > len(rounds):
        return number == len(rounds) + 1 and None not in (sent.tricks, rounds[-1].tricks)
    return number <= len(board.rounds) or sent.tricks is not None


def apply_offline_round(
    board: Scoreboard, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round that was recorded offline, with its tally if it has one.

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
