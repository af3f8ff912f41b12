"""One round: its bids and tricks, and what it makes of every side's total and bags."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import SideScore, score_side


class Round(NamedTuple):
    """The facts of one round, seat by seat: bids, and tricks once they are scored.

    `tally` holds trick counts that are still being entered; they score nothing.
    """

    bids: Bids
    tricks: tuple[int, ...] | None = None
    tally: tuple[int | None, ...] | None = None


class Standing(NamedTuple):
    """Every side's total and bags between two rounds."""

    totals: tuple[int, ...]
    bags: tuple[int, ...]


class Outcome(NamedTuple):
    """Whether a game is over once a side has reached the target, or mercy applies.

    `reason` is `target` or `mercy`; `winner` is a side, or None while the `tied` sides share the
    lead and play on.
    """

    reason: Literal["target", "mercy"]
    winner: int | None
    tied: tuple[int, ...] = ()


class RoundScore(NamedTuple):
    """A scored round: the facts, each side's score, and the standing before and after."""

    number: int
    dealer: int
    bids: Bids
    tricks: tuple[int, ...]
    scores: tuple[SideScore, ...]
    before: Standing
    after: Standing
    outcome: Outcome | None

    @property
    def winner(self) -> int | None:
        """The side that has won the game with this round."""
        return self.outcome.winner if self.outcome else None


def start(rules: RuleSet, players: int) -> Standing:
    """Return the standing before the first round."""
    zeros = (0,) * len(sides_of(rules, players))
    return Standing(zeros, zeros)


def dealer_of(players: int, first_dealer: int, number: int) -> int:
    """Return the seat that deals a round; the deal turns clockwise."""
    return (first_dealer + number - 1) % players


def outcome_of(rules: RuleSet, totals: Sequence[int]) -> Outcome | None:
    """Return the outcome that totals make after a round; None while the game goes on.

    The highest total wins; a tie for the highest plays another round.
    """
    best = max(totals)
    reason: Literal["target", "mercy"]
    if best >= rules.target:
        reason = "target"
    elif rules.mercy is not None and min(totals) <= rules.mercy:
        reason = "mercy"
    else:
        return None
    leaders = tuple(side for side, total in enumerate(totals) if total == best)
    return Outcome(reason, leaders[0]) if len(leaders) == 1 else Outcome(reason, None, leaders)


def advance(
    rules: RuleSet, before: Standing, round_: Round
) -> tuple[tuple[SideScore, ...], Standing]:
    """Score one round on top of a standing; return each side's score and the standing after it.

    Raises `ValueError` when the round has no tricks yet.
    """
    bids, tricks, _tally = round_
    if tricks is None:
        raise ValueError("a round is scored when its tricks are known")
    sides = len(before.bags)  # partners sit opposite, so a side's seats are so many seats apart
    scores = tuple(
        score_side(rules, bids[side::sides], tricks[side::sides], before.bags[side])
        for side in range(sides)
    )
    totals = tuple(before.totals[side] + scores[side].points for side in range(sides))
    return scores, Standing(totals, tuple(score.bags for score in scores))


def score_next(
    rules: RuleSet, players: int, first_dealer: int, last: RoundScore | None, round_: Round
) -> RoundScore:
    """Score the round that follows `last`, or the first round where that is None.

    Raises `ValueError` when the round has no tricks yet.
    """
    number = last.number + 1 if last else 1
    before = last.after if last else start(rules, players)
    scores, after = advance(rules, before, round_)
    return RoundScore(
        number=number,
        dealer=dealer_of(players, first_dealer, number),
        bids=round_.bids,
        tricks=round_.tricks or (),
        scores=scores,
        before=before,
        after=after,
        outcome=outcome_of(rules, after.totals),
    )
