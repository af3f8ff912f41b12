"""Who surely wins with the round to be played, in whatever way its tricks fall.

There are too many ways to try them all: 230,230 for the 20 tricks of seven players. Of each end
that another side can come to counts only how it compares with the one that is to win, which makes
a few kinds; so it is asked which kinds the others can have together, with the tricks left to them.
What it takes to win is found by trying all ways, where they are not too many (what_it_takes.py).
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import GameState, totals_for_score
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, score_seats, score_side, tie_break

Ways = Sequence[tuple[int, ...]]  # tricks of the seats of a side

# A kind of end is a sum of these: the side has lost by a penalty or its first tricks, it has by its
# sets, it ends the game, and it is not behind the one that is to win, in points or by a target.
LOST, SET, OVER, AHEAD, LEADS = 1, 2, 4, 8, 16


class RoundAhead(NamedTuple):
    """A game with the rules of its round, and whether it ends with that."""

    game: GameState
    rules: RuleSet
    is_last: bool


class End(NamedTuple):
    """Where a side is after the round: its tricks, how it stands in itself, and its rank.

    `is_there` says that it has reached the target, and may win. `taken` are the tricks of its
    seats.
    """

    tricks: int
    kind: int
    is_there: bool
    rank: tuple[int, int]
    taken: tuple[int, ...]


def surely_wins(game: GameState, side: int, ways: Ways | None = None) -> bool:
    """Return whether a side wins, alone or with others, if its tricks fall in one of these ways.

    Without `ways` they fall in any. All bids are made, and there are no penalties in the round.
    """
    table = RoundAhead(game, game.round_rules, game.is_last_round)
    own = ends_of(table, side, ways)
    if not can_end_without_target(table) and not all(end.is_there for end in own):
        return False
    others = [ends_of(table, other) for other in game.standing.playing if other != side]
    is_possible = False
    for end in own:
        for kinds in _together(table, end, others):
            is_possible = True
            if not _is_won(table, end, kinds):
                return False
    return is_possible


def can_end_without_target(table: RoundAhead) -> bool:
    rules = table.rules
    ends = rules.mercy, rules.sets_lose, rules.sets_in_a_row_lose, rules.first_round_minimum
    return table.is_last or bool(table.game.standing.lost) or ends != (None, None, None, None)


def ends_of(table: RoundAhead, side: int, ways: Ways | None = None) -> list[End]:
    """Return where a side can be after the round, with some ways of its tricks or with all."""
    game, rules, is_last = table
    standing = game.standing
    bids: Bids = tuple([game.open.bids[seat] for seat in game.sides[side]])
    totals = totals_for_score(rules, standing)[side :: len(game.sides)]
    found = []
    for tricks in _all_ways(rules, bids) if ways is None else ways:
        own = (
            score_seats(rules, bids, tricks, totals)
            if standing.seat_totals
            else (score_side(rules, Hand(bids, tricks, standing.bags[side], totals)),)
        )
        after = [n + one.points for n, one in zip(standing.kept_of(side), own, strict=True)]
        is_there = _is_there(rules, after)
        is_over = is_there or (rules.mercy is not None and min(after) <= rules.mercy)
        kind = OVER * is_over | _loss(
            game, side, sum(tricks), is_set=any(one.made is False for one in own)
        )
        more = sum(tie_break(rules, one) for one in own)
        is_decided = is_last and rules.tie_at_limit not in ("another_round", "shared")
        breaks = standing.tie_break[side] + more if is_decided else 0
        found.append(End(sum(tricks), kind, is_there, (sum(after), breaks), tricks))
    return found


def _all_ways(rules: RuleSet, bids: Bids) -> Ways:
    """Return the ways of a side's tricks, those of partners as one where they score the same."""
    counts = range(rules.tricks + 1)
    if len(bids) == 1:
        return [(n,) for n in counts]
    if rules.totals_by == "side" and not any(isinstance(bid, Nil) for bid in bids):
        return [(n, 0) for n in counts]
    return [(own, n - own) for n in counts for own in range(n + 1)]


def _is_there(rules: RuleSet, after: list[int]) -> bool:
    least = rules.partner_least if rules.win_needs_partner else -math.inf
    return rules.target is not None and max(after) >= rules.target and min(after) >= least


def _loss(game: GameState, side: int, tricks: int, *, is_set: bool) -> int:
    """Return the kind of a side that loses whatever its points."""
    rules, standing = game.rules, game.standing
    if standing.lost:
        return LOST * (side in standing.lost)
    first = standing.first_tricks[side] if standing.first_tricks else tricks
    if first < (rules.first_round_minimum or 0):
        return LOST
    if game.number < (rules.minimum_rounds or 1):
        return 0
    sets = standing.sets[side] + is_set
    in_a_row = standing.sets_in_a_row[side] + 1 if is_set else 0
    is_often = sets >= (rules.sets_lose or math.inf)
    return SET * (is_often or in_a_row >= (rules.sets_in_a_row_lose or math.inf))


def _together(table: RoundAhead, own: End, others: list[list[End]]) -> Iterator[list[int]]:
    """Yield the kinds of ends that the others can have together beside one of a side."""
    rules = table.rules
    most = rules.tricks - own.tricks
    reached = {0: 1}  # sums of tricks as bits, by the kinds so far as bits
    for ends in others:
        by_kind: dict[int, int] = {}
        for end in ends:
            kind = end.kind | _comparison(table, own, end)
            by_kind[kind] = by_kind.get(kind, 0) | 1 << end.tricks
        before, reached = reached, {}
        for kinds, sums in before.items():
            for kind, counts in by_kind.items():
                both = kinds | 1 << kind
                reached[both] = reached.get(both, 0) | _added(sums, counts, most)
    left = sum(1 << n for n in range(max(0, most - rules.lost_tricks), most + 1))
    for kinds, sums in reached.items():
        if sums & left:
            yield [kind for kind in range(kinds.bit_length()) if kinds >> kind & 1]


def _comparison(table: RoundAhead, own: End, other: End) -> int:
    is_shared = table.is_last and table.rules.tie_at_limit == "shared"
    is_ahead = other.rank > own.rank or (other.rank == own.rank and not is_shared)
    leads = is_ahead
    if table.rules.totals_by == "seat" and other.is_there != own.is_there:
        leads = other.is_there
    return AHEAD * is_ahead | LEADS * leads


def _added(sums: int, counts: int, most: int) -> int:
    """Return the sums, up to `most`, of one number of each set; sets are bits."""
    found = 0
    for n in range(most + 1):
        if counts >> n & 1:
            found |= sums << n
    return found & (1 << most + 1) - 1


def _is_won(table: RoundAhead, own: End, kinds: list[int]) -> bool:
    """Return whether a side wins beside others of these kinds: `outcome_of` in short."""
    everybody = [own.kind, *kinds]
    lost = next((loss for loss in (LOST, SET) if any(kind & loss for kind in everybody)), 0)
    if table.game.standing.lost:
        lost = LOST
    if lost and all(kind & lost for kind in everybody):
        return not any(kind & AHEAD for kind in kinds)
    if lost:
        return not own.kind & lost and not any(kind & AHEAD and not kind & lost for kind in kinds)
    ends = table.is_last or any(kind & OVER for kind in everybody)
    return ends and not any(kind & LEADS for kind in kinds)
