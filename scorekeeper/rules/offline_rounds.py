"""Rounds that a phone recorded offline and sends later, each as a whole."""

from scorekeeper.rules.entry import count_tricks, enter_round
from scorekeeper.rules.game import GameState, Round


def apply_offline_round(
    state: GameState, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round that was recorded offline, with its tally if it has one.

    Raises `Refused` for what the rules forbid.
    """
    kept = enter_round(state, number, before, sent.bids, sent.tricks, newest=newest)
    kept = kept._replace(tally=None)
    if kept.tricks is not None:
        return kept
    for seat, count in enumerate(sent.tally or ()):
        if count is not None:
            kept = count_tricks(state, number, kept, seat, count, one_by_one=False)
    return kept
