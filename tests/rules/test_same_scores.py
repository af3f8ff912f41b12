"""Random games of the first six rule books keep the scores they always had.

The digests were computed before the rules of tournaments and of other countries were added. Values
added later must leave them as they are.
"""

import hashlib
import random
from collections.abc import Iterator

import pytest

from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet

FEW, MANY = 100, 500  # games of each book, of thirty rounds
ROUNDS = 30
DIGESTS = {  # of the few games, and of the many
    "cutthroat-lite": ("ef9fb4f5e3f285f8", "96cb9f9caef1db2c"),
    "cutthroat": ("df16a4a60da444e0", "9ef801b361d95cf2"),
    "partnership": ("af7ccaac25a19cf7", "d50fd56bbecca72a"),
    "partnership-sandbags": ("bd14c1035a5a5b4b", "420b13dbfa611ab0"),
    "partnership-500": ("32f50041ea62c751", "4883c1705829d573"),
    "partnership-250": ("0fdb3419a841c501", "768b471221f15bb1"),
}


PLAYERS = {"cutthroat-lite": (3, 4, 5)}  # four of all others


@pytest.mark.parametrize("key", DIGESTS)
@pytest.mark.parametrize("games", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_a_rule_book_scores_as_before(key: str, games: int) -> None:
    digest = hashlib.sha256()
    for number in range(1, games + 1):
        for line in scores(PRESETS[key], random.Random(f"{key} {number}")):
            digest.update(line.encode())
    assert digest.hexdigest()[:16] == DIGESTS[key][games == MANY]


def scores(rules: RuleSet, dice: random.Random) -> Iterator[str]:
    """Yield every part of every score of a random game, up to the round that ends it."""
    sizes = PLAYERS.get(rules.key, (4,))
    players = sizes[dice.randrange(len(sizes))]
    rounds = []
    for _ in range(ROUNDS):
        bids = tuple(bid(rules, dice) for _ in range(players))
        rounds.append(Round(bids, tricks(rules.tricks, players, dice)))
    state = fold(rules, players, dice.randrange(players), rounds)
    for scored in state.rounds:
        parts = [
            (one.nil_points, one.contract_points, one.overtrick_points, one.bag_penalty, one.points)
            for one in scored.scores
        ]
        ending = scored.outcome and (scored.outcome.reason, scored.outcome.winner)
        yield repr((scored.number, scored.dealer, parts, scored.after[:2], ending))
    yield repr((state.phase, state.number, state.dealer, state.places, state.uncounted))


def bid(rules: RuleSet, dice: random.Random) -> Bid:
    if dice.randrange(8) == 0:
        return Nil.NIL if dice.randrange(3) else Nil.BLIND
    return 1 + dice.randrange(rules.tricks * 3 // 5)


def tricks(left: int, players: int, dice: random.Random) -> tuple[int, ...]:
    counts = [0] * players
    for _ in range(left):
        counts[dice.randrange(players)] += 1
    return tuple(counts)
