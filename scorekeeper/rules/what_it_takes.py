"""What it takes to win with the round to be played, once all bids are made.

It is found by trying every way in which the tricks can fall, and said only where two clauses tell
all of them: "Theo wins with 3, unless Sam makes Nil" means that Sam wins with his Nil, else Theo
with 3 tricks or more, and that the game goes on with anything else.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.certainty import (
    LOST,
    OVER,
    SET,
    End,
    RoundAhead,
    can_end_without_target,
    ends_of,
)
from scorekeeper.rules.game import GameState
from scorekeeper.rules.ruleset import RuleSet

MOST_WAYS = 5000  # that are tried: five players share 10 tricks in 1,001, six in 3,003
Taken = tuple[int, ...]  # tricks of the seats of a side


class Condition(NamedTuple):
    """What a side has to do: to make its one Nil, to take so many tricks, or both.

    The tricks are `low` at least, or `low` to `high`; beside a Nil, those of the partner.
    """

    code: Literal["nil", "nil_and", "at_least", "exactly", "at_most", "between"]
    low: int = 0
    high: int = 0


class WhatItTakes(NamedTuple):
    """Who wins, and how. The sides are two at most.

    With the code `sure` a side wins in any case. With `if` it wins only `how` is said, and nobody
    does else; with `otherwise` an `other` side wins then. With `or` and `unless` that wins only
    `how_other` is said: with `or` both cannot be, with `unless` the other one wins if they are.
    """

    code: Literal["sure", "if", "otherwise", "or", "unless"]
    side: int
    how: Condition | None = None
    other: int | None = None
    how_other: Condition | None = None


class _Fall(NamedTuple):
    """A way in which the tricks fall: those of each side's seats, and the side that wins."""

    taken: dict[int, Taken]
    winner: int | None


class _Side(NamedTuple):
    side: int
    nil_at: int | None  # the place of its Nil, where it has one


def what_it_takes(game: GameState) -> WhatItTakes | None:
    """Return what it takes to win with the round, the side that is ahead first.

    There is nothing to say before all bids are made, where they make themselves, with a penalty,
    where the round cannot end the game or two clauses do not tell everything, and where the tricks
    can fall in more than `MOST_WAYS`.
    """
    if game.phase != "playing" or game.bids_itself or game.open.notes.penalties:
        return None
    ahead = RoundAhead(game, game.round_rules, game.is_last_round)
    playing = game.standing.playing
    ends = [ends_of(ahead, side) for side in playing]
    if not _can_end(ahead, ends) or _count(ahead.rules, ends) > MOST_WAYS:
        return None
    falls: list[_Fall] = []
    won: set[int] = set()
    for fall in _all_falls(ahead.rules, ends):
        winners = _winners(ahead, fall)
        won.update(winners)
        if len(winners) > 1 or len(won) > 2:
            return None
        taken = {side: end.taken for side, end in zip(playing, fall, strict=True)}
        falls.append(_Fall(taken, playing[winners[0]] if winners else None))
    return _told(game, falls) if won else None


def _can_end(ahead: RoundAhead, ends: list[list[End]]) -> bool:
    is_any = OVER | LOST | SET
    return can_end_without_target(ahead) or any(one.kind & is_any for own in ends for one in own)


def _least_tricks(rules: RuleSet) -> int:
    return max(0, rules.tricks - rules.lost_tricks)


def _count(rules: RuleSet, ends: list[list[End]]) -> int:
    """Return in how many ways the tricks can fall."""
    ways = [1, *[0] * rules.tricks]  # by how many tricks are taken
    for own in ends:
        before, ways = ways, [0] * len(ways)
        for end in own:
            for n in range(rules.tricks - end.tricks + 1):
                ways[n + end.tricks] += before[n]
    return sum(ways[_least_tricks(rules) :])


def _all_falls(rules: RuleSet, ends: list[list[End]]) -> Iterator[list[End]]:
    """Yield an end of each side, in every way that their tricks add up."""
    most = [max(end.tricks for end in own) for own in ends]
    beyond = [*accumulate(reversed(most), initial=0)][::-1]  # that the sides from one on can take
    least = _least_tricks(rules)

    def further(at: int, so_far: list[End], tricks: int) -> Iterator[list[End]]:
        if at == len(ends):
            yield so_far
            return
        for end in ends[at]:
            total = tricks + end.tricks
            if total <= rules.tricks and total + beyond[at + 1] >= least:
                yield from further(at + 1, [*so_far, end], total)

    return further(0, [], 0)


def _winners(ahead: RoundAhead, fall: list[End]) -> list[int]:
    """Return the places of those who win with some ends: `outcome_of` in short."""
    rules = ahead.rules
    lost = next((loss for loss in (LOST, SET) if any(end.kind & loss for end in fall)), 0)
    lost = LOST if ahead.game.standing.lost else lost
    if not lost and not ahead.is_last and not any(end.kind & OVER for end in fall):
        return []
    able = [at for at, end in enumerate(fall) if not end.kind & lost]
    if not lost and rules.totals_by == "seat":
        able = [at for at in able if fall[at].is_there]
    able = able or [*range(len(fall))]
    best = max(fall[at].rank for at in able)
    leaders = [at for at in able if fall[at].rank == best]
    is_shared = ahead.is_last and rules.tie_at_limit == "shared"
    return leaders if len(leaders) == 1 or is_shared else []


def _told(game: GameState, falls: list[_Fall]) -> WhatItTakes | None:
    """Return the clauses that tell who wins, and that nobody does in any other way."""
    winners = {fall.winner for fall in falls}
    ahead = sorted(
        [side for side in winners if side is not None],
        key=lambda side: (-game.standing.totals[side], side),
    )
    sides = [_Side(side, _nil_at(game.open.bids[side :: len(game.sides)])) for side in ahead]
    if len(sides) == 1:
        return _one(sides[0], falls, can_go_on=None in winners)
    pairs = (sides, sides[::-1])
    tell = _either if None not in winners else _both
    return next((told for one, other in pairs if (told := tell(one, other, falls))), None)


def _nil_at(bids: Bids) -> int | None:
    nils = [at for at, bid in enumerate(bids) if isinstance(bid, Nil)]
    return nils[0] if len(nils) == 1 else None


def _one(own: _Side, falls: list[_Fall], *, can_go_on: bool) -> WhatItTakes | None:
    if not can_go_on:
        return WhatItTakes("sure", own.side)
    how = _how(own, falls)
    return WhatItTakes("if", own.side, how) if how else None


def _either(own: _Side, other: _Side, falls: list[_Fall]) -> WhatItTakes | None:
    how = _how(own, falls)
    return WhatItTakes("otherwise", own.side, how, other.side) if how else None


def _both(own: _Side, other: _Side, falls: list[_Fall]) -> WhatItTakes | None:
    how_other = _how(other, falls)
    if how_other is None:
        return None
    does = [fall for fall in falls if _holds(how_other, other, fall.taken[other.side])]
    fails = [fall for fall in falls if not _holds(how_other, other, fall.taken[other.side])]
    how = _how(own, fails)
    if how is None:
        return None
    can_both = any(_holds(how, own, fall.taken[own.side]) for fall in does)
    return WhatItTakes("unless" if can_both else "or", own.side, how, other.side, how_other)


def _how(own: _Side, falls: Sequence[_Fall]) -> Condition | None:
    """Return what a side does in all of the ways in which it wins, and in no other."""
    wins = {fall.taken[own.side] for fall in falls if fall.winner == own.side}
    others = {fall.taken[own.side] for fall in falls if fall.winner != own.side}
    for condition in _conditions(own, wins):
        is_told = all(_holds(condition, own, taken) for taken in wins)
        if is_told and not any(_holds(condition, own, taken) for taken in others):
            return condition
    return None


def _conditions(own: _Side, wins: Collection[Taken]) -> Iterator[Condition]:
    """Yield what may hold for some tricks of a side, the simplest first."""
    if own.nil_at is not None:
        yield Condition("nil")
    counts = {sum(taken) for taken in wins}
    low, high = min(counts), max(counts)
    yield Condition("at_least", low)
    if own.nil_at is not None:
        yield Condition("nil_and", low)
    if low == high:
        yield Condition("exactly", low)
    yield Condition("at_most", high=high)
    yield Condition("between", low, high)


def _holds(condition: Condition, own: _Side, taken: Taken) -> bool:
    code, low, high = condition
    n = sum(taken)
    if code.startswith("nil") and own.nil_at is not None and taken[own.nil_at]:
        return False
    if code == "nil":
        return True
    return n >= low if code in ("at_least", "nil_and") else low <= n <= (high or low)
