"""What one side scores in one round, in named parts that add up."""

from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from scorekeeper.rules.bidding import (
    Bids,
    BlindBid,
    Nil,
    contract,
    nil_cost,
    nil_points,
    number_bid,
)
from scorekeeper.rules.penalties import NO_CHARGE, Charge
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.value_kinds import call_factor, worth_of


class SideScore(NamedTuple):
    """One side's round: six parts in points, their sum, and the bags.

    `overtricks` are the bags of this round, `bags` those carried on after it. Penalties are
    negative, and `bonus_points` those given or taken by hand that count. `made` is None where the
    side had no contract.
    """

    nil_points: int
    contract_points: int
    overtrick_points: int
    bag_penalty: int
    points: int
    contract: int
    made: bool | None
    overtricks: int
    bags: int
    penalty_points: int = 0
    bonus_points: int = 0


NOTHING = SideScore(0, 0, 0, 0, 0, 0, None, 0, 0)


class Hand(NamedTuple):
    """The round of one side: each seat's bid and tricks, in the same order of seats.

    `bags` and `totals` are those before it: of the side or, as `totals_by` says, of its seats. Only
    `call_values` needs totals.
    """

    bids: Bids
    tricks: tuple[int, ...]
    bags: int = 0
    totals: tuple[int, ...] = ()
    charge: Charge = NO_CHARGE


@lru_cache(maxsize=4096)  # sides that score the same recur: a sheet takes a fifth less time
def score_side(rules: RuleSet, hand: Hand) -> SideScore:
    """Score one side.

    Where `bid_by` is the side, one seat has its bid. Bids of None throughout mean a round that bids
    itself: the tricks are the contract.

    Raises `ValueError` where only some bids are missing or the counts do not match.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> score_side(CUTTHROAT_LITE, Hand((4,), (6,), 5)).points  # +40, +2, and the sixth bag: -10
    32
    """
    bids, tricks, bags_before, totals, charge = hand
    if rules.bid_by == "side" and None in bids:
        bids, tricks = of_side(bids, tricks)
    half_bid = None in bids and any(bid is not None for bid in bids)
    if not bids or len(bids) != len(tricks) or half_bid:
        raise ValueError("each seat of a side needs a bid and a trick count")
    if rules.totals_by == "seat" and len(bids) > 1:
        return _added(score_seats(rules, bids, tricks, totals, charge), bags_before)
    moved, counts_as_set = charge.moved, True in charge.is_set
    if None in bids:
        goal, has_contract = sum(tricks) + moved, True
        helping, spare = goal, 0
    else:
        goal, has_contract = contract(bids), any(number_bid(bid) is not None for bid in bids)
        helping, spare = _tricks_for(rules, bids, tricks, has_contract)
        helping, spare = _after_move(helping, spare, moved, has_contract)
    blind = sum(bid.number for bid in bids if isinstance(bid, BlindBid))
    made = None
    if has_contract:
        made = is_made(rules, goal, helping) and not counts_as_set
    contract_points = 0
    if made:
        contract_points = made_points(rules, goal, helping - goal, sum(totals), blind)
        spare += helping - goal
    elif made is False:
        missing = goal if counts_as_set else goal - helping
        contract_points = _failed_points(rules, goal, helping, missing, (sum(totals), blind))
        spare = 0 if counts_as_set else spare
    points_of_nils = _points_of_nils(rules, bids, tricks)
    overtrick_points = spare * rules.overtrick_points
    if rules.overtrick_cap is not None:
        overtrick_points = max(-rules.overtrick_cap, min(overtrick_points, rules.overtrick_cap))
    penalty, bags = _count_bags(rules, bags_before + spare)
    fine = sum(charge.fines)
    bonus = _bonus(rules, charge, made is not False and not _has_failed_nil(bids, tricks))
    return SideScore(
        points_of_nils,
        contract_points,
        overtrick_points,
        -penalty,
        points_of_nils + contract_points + overtrick_points - penalty - fine + bonus,
        goal,
        made,
        spare,
        bags,
        -fine,
        bonus,
    )


def tie_break(rules: RuleSet, score: SideScore) -> int:
    """Return what a round counts for a side in a tie after the last round; the most wins."""
    if rules.tie_at_limit == "exact_bids":
        return int(score.made is True and not score.overtricks)
    return -score.overtricks if rules.tie_at_limit == "fewer_bags" else 0


def of_side(bids: Bids, tricks: tuple[int, ...]) -> tuple[Bids, tuple[int, ...]]:
    """Return the one bid of a side and its tricks, as those of a single seat."""
    bid = next((bid for bid in bids if bid is not None), None)
    return (bid,), (sum(tricks),)


def score_seats(
    rules: RuleSet,
    bids: Bids,
    tricks: tuple[int, ...],
    totals: tuple[int, ...],
    charge: Charge = NO_CHARGE,
) -> tuple[SideScore, ...]:
    """Score each seat by itself, as where every player has a total."""
    return tuple(
        [
            score_side(
                rules, Hand((bid,), (tricks[at],), 0, totals[at : at + 1], charge.of_seat(at))
            )
            for at, bid in enumerate(bids)
        ]
    )


def is_made(rules: RuleSet, goal: int, helping: int) -> bool:
    """Return whether so many tricks make a contract."""
    if rules.made == "at_least" or helping <= goal:
        return helping >= goal
    return rules.made == "below_double" and helping < 2 * goal


def made_points(rules: RuleSet, goal: int, beyond: int = 0, total: int = 0, blind: int = 0) -> int:
    """Return what a made contract scores: one value only, the most special one that applies.

    Of `goal` tricks `blind` were bid blind, and `beyond` more were taken. Where tricks bid blind
    have a price, each trick has its own.
    """
    worth = worth_of(rules.worth_steps, goal, is_blind=0 < blind == goal)
    if worth and worth.made is not None and not (worth.is_exact and beyond):
        return worth.made * (rules.tricks if worth.made_by_card else 1)
    usual = rules.trick_points * call_factor(rules.call_steps, goal, total)
    if blind and rules.blind_trick_points is not None:
        tricks = blind * rules.blind_trick_points + (goal - blind) * usual
        return tricks + rules.made_bonus
    if rules.boston_made is not None and goal == rules.tricks:
        return rules.boston_made
    if goal >= 10 and rules.ten_made is not None:
        return rules.ten_made
    if goal >= 10 and rules.ten_for is not None:
        return goal * rules.ten_for + rules.made_bonus
    return goal * usual + rules.made_bonus


def _failed_points(
    rules: RuleSet, goal: int, helping: int, missing: int, asked: tuple[int, int]
) -> int:
    """Return what a failed contract scores, most often less than nothing.

    All tricks are missing if it counts as set, and fewer than none where too many were taken.
    `asked` are the bidder's total, and how many of the tricks were bid blind.
    """
    total, blind = asked
    worth = worth_of(rules.worth_steps, goal, is_blind=0 < blind == goal)
    if worth and worth.failed is not None:
        return -worth.failed * (rules.tricks if worth.failed_by_card else 1)
    beside = helping * rules.failed_trick_points - rules.miss_points
    usual = rules.set_points * call_factor(rules.call_steps, goal, total)
    if blind and rules.blind_set_points is not None:
        others = _lost_tricks(rules, goal - blind, missing)
        return beside - blind * rules.blind_set_points - others * usual
    if goal >= 10 and rules.ten_failed is not None:
        return beside - rules.ten_failed
    return beside - _lost_tricks(rules, goal, missing) * usual


def _lost_tricks(rules: RuleSet, bid: int, missing: int) -> int:
    """Return how many of the tricks bid a failed contract pays for."""
    if rules.failed_bid == "zero":
        return 0
    if rules.failed_bid == "difference" and missing < 0:
        return -missing
    return bid if rules.failed_bid == "per_trick" else min(bid, max(missing, 0))


def _added(scores: tuple[SideScore, ...], bags_before: int) -> SideScore:
    """Return the score of a side whose seats are scored one by one; it is set if a seat is."""
    contracts = [score.made for score in scores if score.made is not None]
    spare = sum(score.overtricks for score in scores)
    return SideScore(
        sum(score.nil_points for score in scores),
        sum(score.contract_points for score in scores),
        sum(score.overtrick_points for score in scores),
        0,
        sum(score.points for score in scores),
        sum(score.contract for score in scores),
        all(contracts) if contracts else None,
        spare,
        bags_before + spare,
        sum(score.penalty_points for score in scores),
        sum(score.bonus_points for score in scores),
    )


def _tricks_for(
    rules: RuleSet, bids: Bids, tricks: tuple[int, ...], has_contract: bool
) -> tuple[int, int]:
    """Return the tricks that help the contract, and those that are overtricks in any case.

    A Nil bidder's tricks go where `failed_nil_tricks` says. Where nobody bid a number there is
    no contract to help, so they are overtricks.
    """
    numeric = sum(
        count for bid, count in zip(bids, tricks, strict=True) if number_bid(bid) is not None
    )
    by_nil = sum(tricks) - numeric
    if rules.failed_nil_tricks == "ignored":
        return numeric, 0
    if rules.failed_nil_tricks == "contract" and has_contract:
        return numeric + by_nil, 0
    return numeric, by_nil


def _after_move(helping: int, spare: int, moved: int, has_contract: bool) -> tuple[int, int]:
    """Return the same two numbers after books were moved; a loss takes helping tricks first."""
    if moved > 0:
        return (helping + moved, spare) if has_contract else (helping, spare + moved)
    lost = min(helping, -moved)
    return helping - lost, max(0, spare + moved + lost)


def _points_of_nils(rules: RuleSet, bids: Bids, tricks: tuple[int, ...]) -> int:
    """Return the points of all Nils; two by both partners may count as one double Nil.

    A Nil that the rules no longer have, after a house rule was changed, scores nothing.
    """
    if rules.double_nil_points is not None and bids == (Nil.NIL, Nil.NIL):
        return -rules.double_nil_points if any(tricks) else rules.double_nil_points
    points = 0
    for bid, count in zip(bids, tricks, strict=True):
        if isinstance(bid, Nil):
            points += -nil_cost(rules, bid) if count else nil_points(rules, bid) or 0
    return points


def _has_failed_nil(bids: Bids, tricks: tuple[int, ...]) -> bool:
    return any(isinstance(bid, Nil) and n for bid, n in zip(bids, tricks, strict=True))


def _bonus(rules: RuleSet, charge: Charge, has_made_bids: bool) -> int:
    """Return the sum of the points by hand that count; those below zero do in any case."""
    points = chain.from_iterable(charge.bonus)
    if has_made_bids or rules.bonus_counts == "always":
        return sum(points)
    return sum(min(0, one) for one in points)


def _count_bags(rules: RuleSet, bags: int) -> tuple[int, int]:
    """Return the bag penalty that is due, and the bags that are carried on.

    Where the remainder is dropped, a side past the limit pays once and returns to zero. Where it is
    kept, the side pays once for each full limit and carries the rest on.
    """
    limit, penalty = rules.bag_limit, rules.bag_penalty or 0
    if limit is None or bags < limit:
        return 0, bags
    if rules.bag_remainder == "dropped":
        return penalty, 0
    return penalty * (bags // limit), bags % limit
