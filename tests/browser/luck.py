"""Rounds as chance and the rules would have it, the same for the same seed."""

import random
from collections.abc import Sequence

from scorekeeper.rules.bidding import Bid, Nil, possible_bids, refusal
from scorekeeper.rules.game import Round, Scoreboard

NIL_CHANCE = 0.12
BLIND_CHANCE = 0.3  # of those who may


class Luck:
    """Deals rounds. One seat holds better cards all evening, so that a game ends."""

    def __init__(self, players: int, seed: int) -> None:
        self.dice = random.Random(seed)
        strong = self.dice.randrange(players)
        self.strength = [2.2 if seat == strong else 1.0 for seat in range(players)]

    def deal(self, board: Scoreboard) -> Round:
        """Return the next round's bids, each legal when it is made, and its tricks."""
        bids: list[Bid | None] = [None] * board.players
        for seat in board.order:
            bids[seat] = self._bid(board, bids, seat)
        return Round(tuple(bids), self._tricks(board, bids))

    def _bid(self, board: Scoreboard, bids: Sequence[Bid | None], seat: int) -> Bid:
        open_to = [
            bid
            for bid in possible_bids(board.rules)
            if refusal(board.rules, tuple(bids), seat, bid, board.standing.totals) is None
        ]
        if Nil.BLIND in open_to and self.dice.random() < BLIND_CHANCE:
            return Nil.BLIND
        if Nil.NIL in open_to and self.dice.random() < NIL_CHANCE:
            return Nil.NIL
        share = board.rules.tricks * self.strength[seat] / sum(self.strength)
        wish = round(share) - self.dice.randrange(2)
        numbers = [bid for bid in open_to if type(bid) is int]
        return min(numbers, key=lambda bid: abs(bid - wish))

    def _tricks(self, board: Scoreboard, bids: Sequence[Bid | None]) -> tuple[int, ...]:
        """Return tricks that keep most bids: what is over or missing falls to somebody."""
        tricks = [bid if type(bid) is int else 0 for bid in bids]
        while sum(tricks) < board.rules.tricks:
            tricks[self.dice.randrange(board.players)] += 1
        while sum(tricks) > board.rules.tricks:
            loser = self.dice.choice([seat for seat, count in enumerate(tricks) if count])
            tricks[loser] -= 1
        return tuple(tricks)
