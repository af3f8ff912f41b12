"""Hints at what is near: what a side loses, reaches or wins with the round to be played.

A hint says only what is certain, however the cards fall. It holds for the penalties that are known:
one that is given later is a new fact.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    Nil,
    blind_bids,
    calls,
    contract,
    lowest_bid,
    number_bid,
    possible_bids,
    refusal,
)
from scorekeeper.rules.certainty import surely_wins
from scorekeeper.rules.game import GameState, totals_for_score
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, is_made, score_side
from scorekeeper.rules.sentence import N_, Sentence, minus, shown, signed


class Hint(NamedTuple):
    """A hint for a side, whether it is a danger, a chance or neither, and what it is in short."""

    kind: Literal["danger", "chance", "plain"]
    sentence: Sentence
    short: Sentence | None = None  # where the sentence is too long for a row


HINTS: Mapping[str, Hint] = {
    "tied": Hint("plain", N_("tied for the lead"), N_("tied")),
    "bags_left": Hint("danger", N_("{n} bag to {points}", "{n} bags to {points}")),
    "bags_paid": Hint("danger", N_("bags: {points}")),
    "mercy": Hint("danger", N_("{n} from losing at {floor}")),
    "set_loses": Hint("danger", N_("one more set loses the game"), N_("a set loses")),
    "set_may_lose": Hint("danger", N_("one more set may lose the game"), N_("a set may lose")),
    "reaches": Hint("chance", N_("reaches {target} by making {n}"), N_("{target} with {n}")),
    "reaches_or_nil": Hint(
        "chance", N_("reaches {target} by making {n}, or with Nil"), N_("{target} with {n} or Nil")
    ),
    "reaches_or_partner_nil": Hint(
        "chance",
        N_("reaches {target} by making {n}, or Nil and the partner’s bid"),
        N_("{target} with {n}"),
    ),
    "reaches_bar_bags": Hint(
        "chance",
        N_("reaches {target} by making {n} without a bag penalty"),
        N_("{target} with {n}, bags allowing"),
    ),
    "reaches_nil": Hint("chance", N_("reaches {target} with Nil"), N_("{target} with Nil")),
    "reaches_partner_nil": Hint(
        "chance",
        N_("reaches {target} with Nil and the partner’s bid"),
        N_("{target} with Nil and partner"),
    ),
    "reaches_beside_nil": Hint(
        "chance", N_("reaches {target} with Nil and {n}"), N_("{target} with Nil and {n}")
    ),
    "short": Hint("plain", N_("{n} short of {target}"), N_("needs {n}")),
    "wins": Hint("chance", N_("wins in any case"), N_("wins anyway")),
    "wins_if_made": Hint("chance", N_("wins by making the bid"), N_("wins if made")),
    "wins_if_nil": Hint("chance", N_("wins if Nil is made"), N_("wins with Nil")),
    "wins_if_both": Hint("chance", N_("wins if both bids are made"), N_("wins if both made")),
    "reaches_if_made": Hint(
        "chance", N_("reaches {target} by making the bid"), N_("{target} if made")
    ),
    "reaches_if_nil": Hint(
        "chance", N_("reaches {target} if Nil is made"), N_("{target} with Nil")
    ),
    "reaches_if_both": Hint(
        "chance", N_("reaches {target} if both bids are made"), N_("{target} if both made")
    ),
    "reaches_if_bar_bags": Hint(
        "chance",
        N_("reaches {target} by making the bid without a bag penalty"),
        N_("{target} if made, bags allowing"),
    ),
    "may_blind_nil": Hint("plain", N_("may bid blind Nil")),
}


def _hint(code: str, **values: int | str) -> Hint:
    kind, sentence, short = HINTS[code]
    return Hint(kind, sentence.about(**values), short and short.about(**values))


def hints(game: GameState, side: int) -> list[Hint]:
    """Return the hints for a side before or during a round, the most pressing first."""
    if game.phase == "over" or side in game.seats.empty:
        return []
    state = game._replace(rules=game.round_rules)
    rules = state.rules
    found = [
        *_bags_paid(state, side),
        *_tie(state, side),
        *_bag_hints(rules, state.standing.bags[side]),
        *_sets(state, side),
    ]
    if rules.totals_by == "side":  # else the totals of players are compared with it
        found += _mercy(rules, state.standing.totals[side])
    if not state.open.notes.penalties:
        found += _promises(game, state, side)
    return [*found, *_blind_nil(state, side)]


def _bags_paid(state: GameState, side: int) -> list[Hint]:
    """Return a hint of the bag penalty of the last round, until the next bid."""
    if not state.just_scored:
        return []
    penalty = state.rounds[-1].scores[side].bag_penalty
    return [_hint("bags_paid", points=signed(penalty, state.rules.shown_as))] if penalty else []


def _tie(state: GameState, side: int) -> list[Hint]:
    tied = set(state.outcome.tied if state.outcome else ()) & set(state.standing.playing)
    return [_hint("tied")] if side in tied and len(tied) > 1 else []


def _bag_hints(rules: RuleSet, bags: int) -> list[Hint]:
    if rules.bag_limit is None or not 1 <= rules.bag_limit - bags <= 2:
        return []
    points = signed(-(rules.bag_penalty or 0), rules.shown_as)
    return [_hint("bags_left", n=rules.bag_limit - bags, points=points)]


def _mercy(rules: RuleSet, total: int) -> list[Hint]:
    if rules.mercy is None or not 0 < total - rules.mercy <= rules.tricks * rules.set_points:
        return []
    return [
        _hint(
            "mercy",
            n=shown(total - rules.mercy, rules.shown_as),
            floor=minus(rules.mercy, rules.shown_as),
        )
    ]


def _sets(state: GameState, side: int) -> list[Hint]:
    """Return a hint where a set loses the game, unless another side has lost it anyway.

    It only may lose where all others can lose with the same round: the highest total wins then.
    """
    if _has_loser(state) or not _loses_if_set(state, side):
        return []
    others = [other for other in state.standing.playing if other != side]
    is_first = state.number == 1 and state.rules.first_round_minimum is not None
    if is_first or all(_loses_if_set(state, other) for other in others):
        return [_hint("set_may_lose")]
    return [_hint("set_loses")]


def _loses_if_set(state: GameState, side: int) -> bool:
    rules, standing = state.rules, state.standing
    if state.number < (rules.minimum_rounds or 1):
        return False
    counted = (
        (standing.sets[side], rules.sets_lose),
        (standing.sets_in_a_row[side], rules.sets_in_a_row_lose),
    )
    return any(limit is not None and sets + 1 >= limit for sets, limit in counted)


def _has_loser(state: GameState) -> bool:
    """Return whether a side has lost for a reason that comes before sets, and others play on."""
    standing, least = state.standing, state.rules.first_round_minimum or 0
    taken = standing.first_tricks
    return bool(standing.lost or (taken and any(taken[one] < least for one in standing.playing)))


def _promises(game: GameState, state: GameState, side: int) -> list[Hint]:
    """Return a hint where a side wins or reaches the target, with its bids or those to come.

    `state` is the game with the rules of the round.
    """
    bids: Bids = tuple([state.open.bids[seat] for seat in state.sides[side]])
    bidders = bids[: calls(state.rules, len(bids))]
    to_bid = [at for at, bid in enumerate(bidders) if bid is None]
    if state.phase == "playing":
        return [] if to_bid else _wins(game, side, bids) or _by_bids(state, side, bids)
    if state.thrown_in:
        return []
    return _by_next_bid(state, side, bids, to_bid) if to_bid else _by_bids(state, side, bids)


def _wins(game: GameState, side: int, bids: Bids) -> list[Hint]:
    """Return a hint where a side wins, in any case or if it makes its bids."""
    rules = game.round_rules
    if not surely_wins(game, side, _if_made(rules, bids)):
        return []
    return [_hint("wins" if surely_wins(game, side) else f"wins_{_condition(rules, bids)}")]


def _condition(rules: RuleSet, bids: Bids) -> str:
    """Return the word for a side that makes its bids: a contract, a Nil, or two bids."""
    if not _has_nil(bids) and rules.totals_by == "side":
        return "if_made"
    return "if_both" if len(bids) - bids.count(None) > 1 else "if_nil"


def _has_nil(bids: Bids) -> bool:
    return any(isinstance(bid, Nil) for bid in bids)


@lru_cache(maxsize=512)  # it is asked for every bid that might reach the target
def _if_made(rules: RuleSet, bids: Bids) -> list[tuple[int, ...]]:
    """Return the tricks of seats that make their bids, the fewest first.

    The tricks for one contract of two numbers stand at the first of them, as they score the same.
    """
    numbers = [seat for seat, bid in enumerate(bids) if number_bid(bid) is not None]
    if rules.totals_by == "side":
        numbers, goals = numbers[:1], [contract(bids)][: len(numbers)]
    else:
        goals = [contract(bids[seat : seat + 1]) for seat in numbers]
    counts = [[n for n in range(rules.tricks + 1) if is_made(rules, goal, n)] for goal in goals]
    return [
        tuple([taken[numbers.index(seat)] if seat in numbers else 0 for seat in range(len(bids))])
        for taken in product(*counts)
        if sum(taken) <= rules.tricks
    ]


def _by_bids(state: GameState, side: int, bids: Bids) -> list[Hint]:
    """Return a hint where a side reaches the target if it makes its bids."""
    missing = _missing(state, side)
    how = _reaches(state, side, bids) if missing > 0 else ""
    condition = _condition(state.rules, bids)
    if how == "bar_bags":
        condition, how = "if_bar_bags", "surely" if condition == "if_made" else ""
    return [_about_target(state.rules, f"reaches_{condition}")] if how else []


def _missing(state: GameState, side: int) -> int:
    """Return how many points a side lacks to the target; 0 where there is none for sides."""
    if state.rules.target is None or state.rules.totals_by == "seat":
        return 0
    return state.rules.target - state.standing.totals[side]


def _about_target(rules: RuleSet, code: str, **values: int | str) -> Hint:
    return _hint(code, target=shown(rules.target or 0, rules.shown_as), **values)


def _reaches(state: GameState, side: int, bids: Bids) -> Literal["surely", "bar_bags", ""]:
    """Return whether a side reaches the target with bids it makes, whatever else it takes."""
    rules, standing, missing = state.rules, state.standing, _missing(state, side)
    totals = totals_for_score(rules, standing)[side :: len(state.sides)]
    found: set[tuple[bool, bool]] = set()  # whether it is reached, and bags are paid for
    for tricks in _if_made(rules, bids):
        score = score_side(rules, Hand(bids, tricks, standing.bags[side], totals))
        found.add((score.points >= missing, score.bag_penalty < 0))
        if (False, False) in found:
            return ""
    if (False, True) not in found:
        return "surely" if found else ""
    return "bar_bags" if (True, False) in found else ""


def _by_next_bid(state: GameState, side: int, bids: Bids, to_bid: list[int]) -> list[Hint]:
    """Return the smallest contract, or Nil, with which a side reaches the target if it is made.

    More than three fifths of the tricks are no chance yet: it is told what is missing.
    """
    rules, missing = state.rules, _missing(state, side)
    if missing <= 0:
        return []
    smallest: dict[str, int] = {}
    for n, how in _by_number(state, side, bids, to_bid):
        smallest.setdefault(how, n)
        if how == "surely":
            break
    near = {how: n for how, n in smallest.items() if n <= rules.tricks * 3 // 5}
    nil = _by_nil(state, side, bids, to_bid)
    if "surely" in near:
        code = f"reaches_or_{nil}" if nil else "reaches"
        code = "reaches_beside_nil" if _has_nil(bids) else code
        return [_about_target(rules, code, n=near["surely"])]
    if nil:
        return [_about_target(rules, f"reaches_{nil}")]
    if "bar_bags" in near and not _has_nil(bids):
        return [_about_target(rules, "reaches_bar_bags", n=near["bar_bags"])]
    return [_about_target(rules, "short", n=shown(missing, rules.shown_as))] if smallest else []


def _by_number(
    state: GameState, side: int, bids: Bids, to_bid: list[int]
) -> Iterator[tuple[int, str]]:
    """Yield the contracts that a side can still come to with which it reaches the target."""
    at, bid_before = to_bid[0], contract(bids)
    for n in range(bid_before, state.rules.tricks + 1):
        bid = n - bid_before
        how = _reaches(state, side, (n,) if len(to_bid) > 1 else _with(bids, at, bid))
        if not how:
            continue
        if _may_make(state, n) if len(to_bid) > 1 else _may_bid(state, state.sides[side][at], bid):
            yield n, how


def _with(bids: Bids, at: int, bid: Bid) -> Bids:
    return *bids[:at], bid, *bids[at + 1 :]


def _may_make(state: GameState, n: int) -> bool:
    """Return whether two partners who are both to bid may bid so many tricks together."""
    rules = state.rules
    low = lowest_bid(state.standing.table(rules))
    return max(2 * low, rules.board or 0) <= n <= 2 * rules.highest_bid


def _may_bid(state: GameState, seat: int, bid: Bid, beside: Bids | None = None) -> bool:
    return not refusal(state.standing.table(state.rules), beside or state.open.bids, seat, bid)


def _by_nil(
    state: GameState, side: int, bids: Bids, to_bid: list[int]
) -> Literal["nil", "partner_nil", ""]:
    """Return whether a side reaches the target with Nil, and partners with any bid beside it."""
    seats = state.sides[side]
    may = [at for at in to_bid if _may_bid(state, seats[at], Nil.NIL)]
    if not may or _has_nil(bids):
        return ""
    with_nil = _with(bids, may[0], Nil.NIL)
    entered = _with(state.open.bids, seats[may[0]], Nil.NIL)
    mates = [at for at in to_bid if at != may[0]]
    completed = [
        _with(with_nil, at, bid)
        for at in mates
        for bid in (*possible_bids(state.rules), *blind_bids(state.rules))
        if _may_bid(state, seats[at], bid, entered)
    ]
    completed = completed if mates else [with_nil]
    if not completed or any(_reaches(state, side, full) != "surely" for full in completed):
        return ""
    return "partner_nil" if state.rules.partners_bid else "nil"


def _blind_nil(state: GameState, side: int) -> list[Hint]:
    rules = state.rules
    if rules.blind_nil_deficit is None or state.phase != "bidding":
        return []
    still_to_bid = [seat for seat in state.sides[side] if state.open.bids[seat] is None]
    may = any(_may_bid(state, seat, Nil.BLIND) for seat in still_to_bid)
    return [_hint("may_blind_nil")] if may else []
