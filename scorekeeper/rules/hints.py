"""Hints for each side: what bags have cost it, how near a penalty, the target or mercy is."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, are_made, highest_total, lowest_bid, number_bid
from scorekeeper.rules.game import GameState
from scorekeeper.rules.rounds import totals_for_score
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import score_side
from scorekeeper.rules.sentence import N_, Sentence, minus, shown, signed


class Hint(NamedTuple):
    """A hint for a side, and whether it is a danger, a chance or neither."""

    kind: Literal["danger", "chance", "plain"]
    sentence: Sentence


HINTS: Mapping[str, Hint] = {
    "tied": Hint("plain", N_("tied for the lead")),
    "bags_left": Hint("danger", N_("{n} bag to {points}", "{n} bags to {points}")),
    "bags_paid": Hint("danger", N_("bags: {points}")),
    "mercy": Hint("danger", N_("{n} from losing at {floor}")),
    "set_loses": Hint("danger", N_("one more set loses the game")),
    "wins_or_nil": Hint("chance", N_("wins by making {n}, or with Nil")),
    "wins": Hint("chance", N_("wins by making {n}")),
    "wins_nil": Hint("chance", N_("wins with Nil")),
    "needs": Hint("plain", N_("needs {n} to win")),
    "wins_if_nil": Hint("chance", N_("wins if Nil is made")),
    "wins_if_made": Hint("chance", N_("wins by making the bid")),
    "may_blind_nil": Hint("plain", N_("may bid blind Nil")),
}


def _hint(code: str, **values: int | str) -> Hint:
    kind, sentence = HINTS[code]
    return Hint(kind, sentence.about(**values))


def hints(state: GameState, side: int) -> list[Hint]:
    """Return the hints for a side before or during a round, the most pressing first."""
    if state.phase == "over" or side in state.seats.empty:
        return []
    rules, total = state.rules, state.standing.totals[side]
    found = [
        *_bags_paid(state, side),
        *_tie(state, side),
        *_bags(rules, state.standing.bags[side]),
        *_sets(state, side),
    ]
    if rules.totals_by == "seat":  # what follows compares the totals of sides
        return found
    by_bid = state.phase == "playing"
    return [
        *found,
        *_mercy(rules, total),
        *(_can_win_by_bid(state, side) if by_bid else _can_win(state, side)),
        *_blind_nil(state, side),
    ]


def _bags_paid(state: GameState, side: int) -> list[Hint]:
    """Return a hint of the bag penalty of the last round, until the next bid."""
    if not state.just_scored:
        return []
    penalty = state.rounds[-1].scores[side].bag_penalty
    return [_hint("bags_paid", points=signed(penalty, state.rules.shown_as))] if penalty else []


def _tie(state: GameState, side: int) -> list[Hint]:
    if state.outcome and side in state.outcome.tied:
        return [_hint("tied")]
    return []


def _bags(rules: RuleSet, bags: int) -> list[Hint]:
    if rules.bag_limit is None or not 1 <= rules.bag_limit - bags <= 2:
        return []
    points = signed(-(rules.bag_penalty or 0), rules.shown_as)
    return [_hint("bags_left", n=rules.bag_limit - bags, points=points)]


def _mercy(rules: RuleSet, total: int) -> list[Hint]:
    if rules.mercy is None or total - rules.mercy > rules.tricks * rules.set_points:
        return []
    return [
        _hint(
            "mercy",
            n=shown(total - rules.mercy, rules.shown_as),
            floor=minus(rules.mercy, rules.shown_as),
        )
    ]


def _sets(state: GameState, side: int) -> list[Hint]:
    rules, standing = state.rules, state.standing
    if state.number < (rules.minimum_rounds or 1):
        return []
    counted = ((standing.sets, rules.sets_lose), (standing.sets_in_a_row, rules.sets_in_a_row_lose))
    loses = any(limit is not None and sets[side] + 1 == limit for sets, limit in counted)
    return [_hint("set_loses")] if loses else []


def _can_win(state: GameState, side: int) -> list[Hint]:
    """Return the smallest bid, or Nil, that reaches the target within one round."""
    rules, totals = state.rules, state.standing.totals
    if rules.target is None or rules.call_values or rules.trick_points == 0:
        return []
    missing = rules.target - totals[side]
    if missing <= 0:
        return []
    lowest = lowest_bid(rules, totals, state.seats.empty)
    bid = max(-(-missing // rules.trick_points), lowest, rules.board or 0)
    highest = min(rules.tricks, rules.highest_bid * (2 if rules.partners_bid else 1))
    by_nil = rules.nil_points is not None and missing <= rules.nil_points
    if bid <= min(highest, rules.tricks * 3 // 5):
        return [_hint("wins_or_nil" if by_nil else "wins", n=bid)]
    if by_nil:
        return [_hint("wins_nil")]
    if bid <= highest:
        return [_hint("needs", n=shown(missing, rules.shown_as))]
    return []


def _can_win_by_bid(state: GameState, side: int) -> list[Hint]:
    """Return a hint where the side's bids reach the target when they are kept exactly."""
    bids: Bids = tuple(state.open.bids[seat] for seat in state.sides[side])
    rules, standing = state.rules, state.standing
    if not are_made(rules, state.open.bids, state.seats.empty) or rules.target is None:
        return []
    exact = tuple(number_bid(bid) or 0 for bid in bids)
    totals = totals_for_score(rules, standing)[side :: len(state.sides)]
    score = score_side(rules, bids, exact, standing.bags[side], totals)
    if standing.totals[side] + score.points < rules.target:
        return []
    only_nil = not any(number_bid(bid) is not None for bid in bids)
    return [_hint("wins_if_nil" if only_nil else "wins_if_made")]


def _blind_nil(state: GameState, side: int) -> list[Hint]:
    rules = state.rules
    if rules.blind_nil_deficit is None or state.phase != "bidding":
        return []
    totals, empty = state.standing.totals, state.seats.empty
    if highest_total(totals, (side, *empty)) - totals[side] < rules.blind_nil_deficit:
        return []
    return [_hint("may_blind_nil")]
