"""When a game is over, and who has won."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.standing import Standing

Reason = Literal["target", "mercy", "rounds", "last_round", "sets", "first_round", "penalty"]


class Outcome(NamedTuple):
    """Whether a game is over, and why.

    `reason` is what ends it: the target or mercy is reached, the rounds are played, the last round
    was called, or a side has lost by a penalty, its sets or its first round. `winner` is a side, or
    None while the `tied` sides share the lead and play on.
    """

    reason: Reason
    winner: int | None
    tied: tuple[int, ...] = ()


def outcome_of(rules: RuleSet, standing: Standing, number: int) -> Outcome | None:
    """Return the outcome of a game after a round; None while the game goes on.

    These end it, in this order: a loss by a penalty, by the first round or by sets; the target;
    mercy; the last round. Of the sides that play and have not lost, the one with the highest total
    wins. After a tie another round is played, unless it was the last one and fewer bags win.
    """
    is_at_limit = rules.rounds is not None and number >= rules.rounds
    limit: Reason | None = (
        "rounds" if is_at_limit else "last_round" if standing.time_is_up else None
    )
    outcome = _ending(rules, standing, number, limit)
    if outcome and outcome.tied and limit and rules.tie_at_limit == "fewer_bags":
        fewest = min(standing.overtricks[side] for side in outcome.tied)
        fewer = [side for side in outcome.tied if standing.overtricks[side] == fewest]
        return _led_by(standing, limit, fewer)
    return outcome


def _ending(
    rules: RuleSet, standing: Standing, number: int, limit: Reason | None
) -> Outcome | None:
    """Return how the totals end a game, of which a round may be the last by a `limit`."""
    sides = standing.playing
    for reason, lost in _losses(rules, standing, number):
        if lost:
            return _led_by(standing, reason, [side for side in sides if side not in lost] or sides)
    if reached := _at_target(rules, standing):
        return _led_by(standing, "target", reached)
    if rules.mercy is not None and min(_totals_playing(standing)) <= rules.mercy:
        return _led_by(standing, "mercy", sides)
    return _led_by(standing, limit, sides) if limit else None


def _losses(rules: RuleSet, standing: Standing, number: int) -> Iterator[tuple[Reason, list[int]]]:
    """Yield the sides that lose whatever their totals."""
    yield "penalty", list(standing.lost)
    if rules.first_round_minimum is not None:
        taken = enumerate(standing.first_tricks)
        few = [side for side, n in taken if n < rules.first_round_minimum]
        yield "first_round", [side for side in few if side in standing.playing]
    counts_sets = rules.sets_lose is not None or rules.sets_in_a_row_lose is not None
    if counts_sets and number >= (rules.minimum_rounds or 1):
        counted = enumerate(zip(standing.sets, standing.sets_in_a_row, strict=True))
        yield (
            "sets",
            [
                side
                for side, (sets, in_a_row) in counted
                if side in standing.playing
                and (
                    sets >= (rules.sets_lose or math.inf)
                    or in_a_row >= (rules.sets_in_a_row_lose or math.inf)
                )
            ],
        )


def _at_target(rules: RuleSet, standing: Standing) -> Sequence[int]:
    """Return the sides that the target lets win; without totals of seats all, if one is there."""
    if rules.target is None or max(_totals_playing(standing)) < rules.target:
        return ()
    sides = standing.playing
    if not standing.seat_totals:
        return sides
    least = 0 if rules.win_needs_partner else -math.inf
    own = [sorted(standing.kept_of(side)) for side in sides]
    return [side for side in sides if own[side][-1] >= rules.target and own[side][0] >= least]


def _totals_playing(standing: Standing) -> tuple[int, ...]:
    """Return the totals to compare, without those of seats that are empty."""
    if not standing.seats.empty:
        return standing.kept
    return tuple(standing.totals[side] for side in standing.playing)


def _led_by(standing: Standing, reason: Reason, sides: Sequence[int]) -> Outcome:
    best = max(standing.totals[side] for side in sides)
    leaders = tuple(side for side in sides if standing.totals[side] == best)
    return Outcome(reason, leaders[0]) if len(leaders) == 1 else Outcome(reason, None, leaders)
