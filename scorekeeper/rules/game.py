"""A game: rounds folded into a scoreboard with totals, bags, dealer, phase, and the outcome."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, bidding_order, sides_of
from scorekeeper.rules.rounds import (
    Outcome,
    Round,
    RoundScore,
    Standing,
    advance,
    dealer_of,
    outcome_of,
    score_rounds,
    start,
)
from scorekeeper.rules.ruleset import RuleSet

Phase = Literal["bidding", "playing", "over"]
__all__ = [
    "Outcome",
    "Phase",
    "Round",
    "RoundScore",
    "Scoreboard",
    "Standing",
    "advance",
    "dealer_of",
    "fold",
    "outcome_of",
    "sides_of",
    "start",
]


class Scoreboard(NamedTuple):
    """Everything that follows from the facts of a game.

    `number`, `dealer` and `order` belong to the round to be played (of a game that is over: its
    last); `open` holds that round's bids so far. `uncounted` rounds stand in the facts after the
    end of the game, which a correction can move; they score nothing. `facts` are all the rounds
    that it follows from.
    """

    rules: RuleSet
    players: int
    sides: tuple[tuple[int, ...], ...]
    rounds: tuple[RoundScore, ...]
    standing: Standing
    number: int
    dealer: int
    phase: Phase
    open: Round
    outcome: Outcome | None
    uncounted: int
    facts: tuple[Round, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in bidding order."""
        return bidding_order(self.players, self.dealer)

    @property
    def places(self) -> tuple[int, ...]:
        """Every side's place, ties sharing the better one."""
        totals = self.standing.totals
        return tuple(1 + sum(other > total for other in totals) for total in totals)

    def side_of(self, seat: int) -> int:
        """Return the side a seat plays for."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    @property
    def bids_itself(self) -> bool:
        """Whether the round to be played takes its bids from its tricks."""
        return bids_itself(self.rules, self.number)


def bids_itself(rules: RuleSet, number: int) -> bool:
    """Return whether a round has no bidding, its tricks being its bids."""
    return rules.first_round_bids_itself and number == 1


def fold(
    rules: RuleSet,
    players: int,
    first_dealer: int,
    rounds: Iterable[Round],
    earlier: Scoreboard | None = None,
) -> Scoreboard:
    """Return the scoreboard that follows from the rounds, of which the last may be unfinished.

    `earlier` may be any scoreboard: the rounds that begin it just as they begin this one are taken
    over as they were scored there. Raises `ValueError` for a round without tricks that is not the
    last, and for a number of players the rules are not for.
    """
    if players not in rules.players:
        raise ValueError(f"{rules.key} is not for {players} players")
    sides = sides_of(rules, players)
    rounds = tuple(rounds)
    scored = _taken_over(earlier, rules, players, first_dealer, rounds)
    if not (scored and _is_won(scored[-1].outcome)):
        standing = scored[-1].after if scored else start(rules, players)
        finished = [round_ for round_ in rounds[len(scored) :] if round_.tricks is not None]
        number = len(scored) + 1
        dealer = dealer_of(players, first_dealer, number)
        scored += score_rounds(rules, standing, finished, number, dealer)
    outcome = scored[-1].outcome if scored else None
    over = _is_won(outcome)
    counted = _up_to(len(scored), rounds) if over else rounds
    unfinished = _unfinished(counted, players, len(scored))
    number = len(scored) + (0 if over else 1)
    return Scoreboard(
        rules=rules,
        players=players,
        sides=sides,
        rounds=tuple(scored),
        standing=scored[-1].after if scored else start(rules, players),
        number=number,
        dealer=dealer_of(players, first_dealer, number),
        phase=_phase(rules, number, unfinished, over),
        open=unfinished,
        outcome=outcome,
        uncounted=len(rounds) - len(counted),
        facts=rounds,
    )


def _taken_over(
    earlier: Scoreboard | None,
    rules: RuleSet,
    players: int,
    first_dealer: int,
    rounds: tuple[Round, ...],
) -> list[RoundScore]:
    """Return the first rounds of a scoreboard, as far as they are what would be scored anew."""
    if earlier is None or not earlier.rounds:
        return []
    setting = (earlier.rules, earlier.players, earlier.rounds[0].dealer)
    if setting != (rules, players, dealer_of(players, first_dealer, 1)):
        return []
    same = rounds[: _alike(earlier.facts, rounds)]
    finished = len(same) - [round_.tricks for round_ in same].count(None)
    return list(earlier.rounds[:finished])


def _alike(some: tuple[Round, ...], others: tuple[Round, ...]) -> int:
    """Return how many rounds begin both alike; by halves, as a long game has hundreds."""
    low, high = 0, min(len(some), len(others))
    while low < high:
        middle = (low + high + 1) // 2
        if some[low:middle] == others[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _is_won(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.winner is not None


def _up_to(count: int, rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Return the rounds up to the one that is the so-many-th with tricks."""
    finished = [end for end, round_ in enumerate(rounds, 1) if round_.tricks is not None]
    return rounds[: finished[count - 1]]


def _unfinished(rounds: tuple[Round, ...], players: int, scored: int) -> Round:
    """Return the round that is being played; raises `ValueError` where another follows it."""
    nobody: Bids = (None,) * players
    if len(rounds) == scored:
        return Round(nobody)
    waiting = [round_ for round_ in rounds if round_.tricks is None]
    behind = waiting[:-1] if waiting[-1] is rounds[-1] else waiting
    if any(round_.bids != nobody for round_ in behind):
        raise ValueError("only the last round can be unfinished")
    return waiting[-1]


def _phase(rules: RuleSet, number: int, unfinished: Round, over: bool) -> Phase:
    if over:
        return "over"
    if None in unfinished.bids and not bids_itself(rules, number):
        return "bidding"
    return "playing"
