"""A game: rounds folded into a scoreboard with totals, bags, dealer, phase, and the outcome."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add, attrgetter
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, bidding_order, sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Scorer, SideScore, scorer

Phase = Literal["bidding", "playing", "over"]
POINTS, BAGS = attrgetter("points"), attrgetter("bags")
__all__ = [
    "Outcome",
    "Phase",
    "Round",
    "RoundScore",
    "Scoreboard",
    "Standing",
    "advance",
    "fold",
    "sides_of",
    "start",
]


class Round(NamedTuple):
    """The facts of one round, seat by seat: bids, and tricks once they are scored.

    `tally` holds trick counts on their way, which score nothing.
    """

    bids: Bids
    tricks: tuple[int, ...] | None = None
    tally: tuple[int | None, ...] | None = None


class Standing(NamedTuple):
    """Every side's total and bags between two rounds."""

    totals: tuple[int, ...]
    bags: tuple[int, ...]


class Outcome(NamedTuple):
    """Why the game is over, or plays on although somebody got there.

    `reason` is `target` or `mercy`; `winner` is a side, or None while `tied` sides share the lead.
    """

    reason: Literal["target", "mercy"]
    winner: int | None
    tied: tuple[int, ...] = ()


class RoundScore(NamedTuple):
    """A scored round: the facts, each side's parts, and the standing before and after."""

    number: int
    dealer: int
    bids: Bids
    tricks: tuple[int, ...]
    scores: tuple[SideScore, ...]
    before: Standing
    after: Standing
    outcome: Outcome | None


@dataclass(frozen=True)
class Scoreboard:
    """Everything that follows from the facts of a game.

    `number`, `dealer` and `order` belong to the round to be played (of a game that is over: its
    last); `open` holds that round's bids so far. `uncounted` rounds stand in the facts after the
    end of the game, which a correction can move; they score nothing.
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


def start(rules: RuleSet, players: int) -> Standing:
    """Return the standing before the first round: nothing for anybody."""
    nothing = (0,) * len(sides_of(rules, players))
    return Standing(nothing, nothing)


def dealer_of(players: int, first_dealer: int, number: int) -> int:
    """Return who deals a round; the deal turns clockwise."""
    return (first_dealer + number - 1) % players


def advance(
    rules: RuleSet, sides: tuple[tuple[int, ...], ...], before: Standing, round_: Round
) -> tuple[tuple[SideScore, ...], Standing]:
    """Score one round on top of a standing; returns each side's parts and the standing after it.

    Raises `ValueError` when the round has no tricks yet.
    """
    if round_.tricks is None:
        raise ValueError("a round is scored when its tricks are known")
    return _advance(scorer(rules), _picks(len(sides)), before, round_.bids, round_.tricks)


def _advance(
    score: Scorer, picks: Sequence[slice], before: Standing, bids: Bids, tricks: tuple[int, ...]
) -> tuple[tuple[SideScore, ...], Standing]:
    bids_by_side, tricks_by_side = map(bids.__getitem__, picks), map(tricks.__getitem__, picks)
    scores = tuple(map(score, bids_by_side, tricks_by_side, before.bags))
    totals = tuple(map(add, before.totals, map(POINTS, scores)))
    return scores, Standing(totals, tuple(map(BAGS, scores)))


def _picks(sides: int) -> list[slice]:
    """Return which seats are each side's: partners sit opposite, so every so-many-th."""
    return [slice(side, None, sides) for side in range(sides)]


def outcome_of(rules: RuleSet, totals: Sequence[int]) -> Outcome | None:
    """Return how a game stands once somebody is at the target or the floor; None before that.

    The higher score wins; a tie for the highest plays another round.
    """
    best = max(totals)
    if best < rules.target and rules.mercy is None:
        return None
    if best >= rules.target:
        reason: Literal["target", "mercy"] = "target"
    elif rules.mercy is not None and min(totals) <= rules.mercy:
        reason = "mercy"
    else:
        return None
    leaders = tuple(side for side, total in enumerate(totals) if total == best)
    return Outcome(reason, leaders[0]) if len(leaders) == 1 else Outcome(reason, None, leaders)


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
    standing = scored[-1].after if scored else start(rules, players)
    outcome = scored[-1].outcome if scored else None
    score, picks = scorer(rules), _picks(len(sides))
    nobody: Bids = (None,) * players
    nothing = unfinished = Round(nobody)
    uncounted = 0
    for round_ in rounds[len(scored) :]:
        if outcome and outcome.winner is not None:
            uncounted += 1
            continue
        if unfinished is not nothing and unfinished.bids != nobody:
            raise ValueError("only the last round can be unfinished")
        bids, tricks, _tally = round_
        if tricks is None:
            unfinished = round_
            continue
        number, before = len(scored) + 1, standing
        scores, standing = _advance(score, picks, before, bids, tricks)
        outcome = outcome_of(rules, standing.totals)
        dealer = dealer_of(players, first_dealer, number)
        scored.append(RoundScore(number, dealer, bids, tricks, scores, before, standing, outcome))
    over = outcome is not None and outcome.winner is not None
    number = len(scored) + (0 if over else 1)
    return Scoreboard(
        rules=rules,
        players=players,
        sides=sides,
        rounds=tuple(scored),
        standing=standing,
        number=number,
        dealer=dealer_of(players, first_dealer, number),
        phase=_phase(rules, number, unfinished, over),
        open=unfinished,
        outcome=outcome,
        uncounted=uncounted,
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
    same = 0
    for scored, round_ in zip(earlier.rounds, rounds, strict=False):
        if scored.bids != round_.bids or scored.tricks != round_.tricks:
            break
        same += 1
    return list(earlier.rounds[:same])


def _phase(rules: RuleSet, number: int, unfinished: Round, over: bool) -> Phase:
    if over:
        return "over"
    if None in unfinished.bids and not bids_itself(rules, number):
        return "bidding"
    return "playing"
