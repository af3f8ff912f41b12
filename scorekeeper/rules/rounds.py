"""Rounds scored one on top of another: every side's parts and standing, and whether it has won."""

# ruff: noqa: B905 - columns made here are equally long; to have it checked takes a tenth longer
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, cycle, islice, repeat
from operator import add, attrgetter
from typing import Any, Literal, NamedTuple, TypeVar

from scorekeeper.rules.bidding import Bids, sides_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Facts, Scorer, SideScore, scorer

POINTS, BAGS = attrgetter("points"), attrgetter("bags")
Kind = TypeVar("Kind", bound=tuple[Any, ...])


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


def start(rules: RuleSet, players: int) -> Standing:
    """Return the standing before the first round: nothing for anybody."""
    nothing = (0,) * len(sides_of(rules, players))
    return Standing(nothing, nothing)


def dealer_of(players: int, first_dealer: int, number: int) -> int:
    """Return who deals a round; the deal turns clockwise."""
    return (first_dealer + number - 1) % players


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


def advance(
    rules: RuleSet, sides: tuple[tuple[int, ...], ...], before: Standing, round_: Round
) -> tuple[tuple[SideScore, ...], Standing]:
    """Score one round on top of a standing; returns each side's parts and the standing after it.

    Raises `ValueError` when the round has no tricks yet.
    """
    if round_.tricks is None:
        raise ValueError("a round is scored when its tricks are known")
    picks = [slice(side, None, len(sides)) for side in range(len(sides))]
    bids, tricks = map(round_.bids.__getitem__, picks), map(round_.tricks.__getitem__, picks)
    scores = tuple(map(scorer(rules), bids, tricks, before.bags))
    totals = tuple(map(add, before.totals, map(POINTS, scores)))
    return scores, Standing(totals, tuple(map(BAGS, scores)))


def score_rounds(
    rules: RuleSet, before: Standing, rounds: Sequence[Round], number: int, dealer: int
) -> list[RoundScore]:
    """Score finished rounds on top of a standing, as far as the round that ends the game.

    `number` and `dealer` are the first round's. No side's points depend on another side's, so
    each is scored by itself, from the first round to the last.
    """
    if not rounds:
        return []
    bids, tricks, _tally = zip(*rounds)
    called, taken = list(zip(*bids)), list(zip(*tricks))  # seat by seat
    score, sides = scorer(rules), len(before.bags)
    played = [
        _score_one_side(score, zip(*called[side::sides], *taken[side::sides]), total, bags)
        for side, (total, bags) in enumerate(zip(*before))
    ]
    scores, totals, bags = zip(*played)
    after = _tuples(Standing, zip(*totals), zip(*bags))
    dealers = islice(cycle(range(len(called))), dealer, None)
    return _tuples(
        RoundScore,
        count(number),
        dealers,
        bids,
        tricks,
        zip(*scores),
        [before, *after],
        after,
        _outcomes(rules, totals),
    )


def _score_one_side(
    score: Scorer, rounds: Iterable[Facts], total: int, bags: int
) -> tuple[list[SideScore], list[int], list[int]]:
    """Return what one side scores in every round, and its total and bags after each."""
    scores, totals, all_bags = [], [], []
    for by_bags in map(score.__getitem__, rounds):
        scored, points, bags = by_bags[bags]
        total += points
        scores.append(scored)
        totals.append(total)
        all_bags.append(bags)
    return scores, totals, all_bags


def _outcomes(rules: RuleSet, totals: Sequence[Sequence[int]]) -> Iterable[Outcome | None]:
    """Return how the game stands after each round, up to its end, from every side's totals.

    Where no side was ever at the target or the floor there is nothing to look for.
    """
    highest = max(map(max, totals))
    lowest = highest if rules.mercy is None else min(map(min, totals))
    if outcome_of(rules, (highest, lowest)) is None:
        return repeat(None, len(totals[0]))
    return _until_won(outcome_of(rules, each) for each in zip(*totals))


def _until_won(outcomes: Iterable[Outcome | None]) -> Iterator[Outcome | None]:
    for outcome in outcomes:
        yield outcome
        if outcome and outcome.winner is not None:
            return


def _tuples(kind: type[Kind], *columns: Iterable[Any]) -> list[Kind]:
    """Return a named tuple for each row of these columns, as far as the shortest."""
    return list(map(tuple.__new__, repeat(kind), zip(*columns)))
