"""Random legal rounds, reproducible by their seed."""

import random
from collections.abc import Sequence

from scorekeeper.rules.bidding import Bid, Nil, possible_bids, refusal
from scorekeeper.rules.game import GameState
from scorekeeper.rules.round import Round

NIL_CHANCE = 0.12
BLIND_CHANCE = 0.3  # of those who may


class Luck:
    """Deals rounds. One seat holds better cards all evening, so that a game ends."""

    def __init__(self, players: int, seed: int) -> None:
        self.dice = random.Random(seed)
        strong = self.dice.randrange(players)
        self.strength = [2.2 if seat == strong else 1.0 for seat in range(players)]

    def deal(self, state: GameState) -> Round:
        """Return the next round's bids, each legal when it is made, and its tricks."""
        bids: list[Bid | None] = [None] * state.players
        for seat in state.order:
            bids[seat] = self._bid(state, bids, seat)
        return Round(tuple(bids), self._tricks(state, bids))

    def _bid(self, state: GameState, bids: Sequence[Bid | None], seat: int) -> Bid:
        open_to = [
            bid
            for bid in possible_bids(state.round_rules)
            if refusal(state.table, tuple(bids), seat, bid) is None
        ]
        if Nil.BLIND in open_to and self.dice.random() < BLIND_CHANCE:
            return Nil.BLIND
        if Nil.NIL in open_to and self.dice.random() < NIL_CHANCE:
            return Nil.NIL
        share = state.round_rules.tricks * self.strength[seat] / sum(self.strength)
        wish = round(share) - self.dice.randrange(2)
        numbers = [bid for bid in open_to if type(bid) is int]
        return min(numbers, key=lambda bid: abs(bid - wish))

    def _tricks(self, state: GameState, bids: Sequence[Bid | None]) -> tuple[int, ...]:
        """Return tricks that keep most bids: what is over or missing falls to somebody."""
        tricks = [bid if type(bid) is int else 0 for bid in bids]
        while sum(tricks) < state.round_rules.tricks:
            tricks[self.dice.randrange(state.players)] += 1
        while sum(tricks) > state.round_rules.tricks:
            loser = self.dice.choice([seat for seat, count in enumerate(tricks) if count])
            tricks[loser] -= 1
        return tuple(tricks)
