"""What is certain of a round to be played, found by trying every way in which it can go.

`python -m tests.rules.certain 500` prints for each rule book how often hints say what is certain,
in so many random positions: near the target or the last round, before the bids and after them.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    Nil,
    blind_bids,
    calls,
    contract,
    number_bid,
    possible_bids,
    refusal,
    sides_of,
)
from scorekeeper.rules.game import GameState, Standing, advance, fold, outcome_of
from scorekeeper.rules.hints import HINTS, hints
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, is_made, score_side
from scorekeeper.rules.seating import Seats

MOST_WAYS = 1800  # in which tricks can fall: 7 players share 7 tricks in 1,716
CODES = {hint.sentence.text: code for code, hint in HINTS.items()}
WINS = {"wins", "wins_if_made", "wins_if_nil", "wins_if_both"}
Tricks = tuple[int, ...]


class Promise(NamedTuple):
    """A hint that a side wins or reaches the target, and the number in it."""

    code: str
    n: int = 0


def said(state: GameState, side: int) -> Promise | None:
    """Return the promise that is made to a side, which is one at most."""
    found = [(CODES[hint.sentence.text], hint.sentence.values) for hint in hints(state, side)]
    promises = [
        Promise(code, int(str(values.get("n", 0))))
        for code, values in found
        if code.startswith(("wins", "reaches"))
    ]
    assert len(promises) <= 1
    return promises[0] if promises else None


def certain(state: GameState, side: int) -> Promise | None:
    """Return the promise that is due to a side."""
    bids = state.open.bids[side :: len(state.sides)]
    if state.open.notes.penalties or side in state.seats.empty or state.phase == "over":
        return None
    if None in bids[: calls(state.rules, len(bids))]:
        return by_next_bid(state, side) if state.phase == "bidding" else None
    if state.phase == "bidding":
        return None if state.thrown_in else by_bids(state, side)
    made = [side in winners for tricks, winners in ends(state) if makes(state, side, tricks)]
    if not made or not all(made):
        return by_bids(state, side)
    is_sure = all(side in winners for _tricks, winners in ends(state))
    return Promise("wins" if is_sure else f"wins_{condition(state.rules, bids)}")


@lru_cache(maxsize=1)  # it is asked for each side
def ends(state: GameState) -> list[tuple[Tricks, Tricks]]:
    """Return all ways of the tricks, and who has won with each."""
    rules, found = state.round_rules, []
    for tricks in ways(state):
        round_ = state.open.noted(substitutes=())._replace(tricks=tricks)
        _scores, after = advance(rules, state.standing, round_)
        outcome = outcome_of(state.rules, after, state.number)
        found.append((tricks, outcome.winners if outcome else ()))
    return found


def ways(state: GameState) -> Iterator[Tricks]:
    """Yield every way in which the tricks of the round can fall."""
    rules, seats = state.round_rules, state.seats.taken
    for total in range(max(0, rules.tricks - rules.lost_tricks), rules.tricks + 1):
        for cut in combinations(range(total + len(seats) - 1), len(seats) - 1):
            edges = (-1, *cut, total + len(seats) - 1)
            tricks = [0] * state.players
            for at, seat in enumerate(seats):
                tricks[seat] = edges[at + 1] - edges[at] - 1
            yield tuple(tricks)


def count_ways(state: GameState) -> int:
    rules, seats = state.round_rules, len(state.seats.taken)
    totals = range(max(0, rules.tricks - rules.lost_tricks), rules.tricks + 1)
    return sum(comb(total + seats - 1, seats - 1) for total in totals)


def makes(state: GameState, side: int, tricks: Tricks) -> bool:
    """Return whether a side makes its bids with the tricks of all seats."""
    sides = len(state.sides)
    return are_made(state.round_rules, state.open.bids[side::sides], tricks[side::sides])


def are_made(rules: RuleSet, bids: Bids, tricks: Tricks) -> bool:
    if rules.bid_by == "side":
        bids, tricks = bids[:1], (sum(tricks),)
    if any(isinstance(bid, Nil) and n for bid, n in zip(bids, tricks, strict=True)):
        return False
    numbers = [
        (number, n)
        for bid, n in zip(bids, tricks, strict=True)
        if (number := number_bid(bid)) is not None
    ]
    if rules.totals_by == "side" and numbers:
        numbers = [(sum(number for number, _ in numbers), sum(n for _, n in numbers))]
    return all(is_made(rules, number, n) for number, n in numbers)


def condition(rules: RuleSet, bids: Bids) -> str:
    has_nil = any(isinstance(bid, Nil) for bid in bids)
    if len([bid for bid in bids if bid is not None]) == 1:
        return "if_nil" if has_nil else "if_made"
    return "if_both" if has_nil or rules.totals_by == "seat" else "if_made"


def by_bids(state: GameState, side: int) -> Promise | None:
    bids = state.open.bids[side :: len(state.sides)]
    how, name = reaches(state, side, bids), condition(state.rules, bids)
    if how == "surely":
        return Promise(f"reaches_{name}")
    return Promise("reaches_if_bar_bags") if how and name == "if_made" else None


@lru_cache(maxsize=512)
def reaches(state: GameState, side: int, bids: Bids) -> str:
    """Return whether a side reaches the target with bids that it makes: surely or bar bags."""
    rules, missing = state.round_rules, missing_points(state, side)
    if missing <= 0:
        return ""
    found = set()
    for tricks in product(range(rules.tricks + 1), repeat=len(bids)):
        if sum(tricks) <= rules.tricks and are_made(rules, bids, tricks):
            kept = state.standing.kept_of(side)
            score = score_side(rules, Hand(bids, tricks, state.standing.bags[side], kept))
            found.add((score.points >= missing, score.bag_penalty < 0))
            if (False, False) in found:
                return ""
    if (False, True) not in found:
        return "surely" if found else ""
    return "bar_bags" if (True, False) in found else ""


def missing_points(state: GameState, side: int) -> int:
    """Return what a side lacks to the target; 0 where sides have none."""
    if state.rules.target is None or state.rules.totals_by == "seat":
        return 0
    return state.rules.target - state.standing.totals[side]


def by_next_bid(state: GameState, side: int) -> Promise | None:
    """Return the promise to a side that has not made all its bids."""
    if missing_points(state, side) <= 0:
        return None
    bids = state.open.bids[side :: len(state.sides)]
    has_nil = any(isinstance(bid, Nil) for bid in bids)
    by_contract: dict[int, list[str]] = {}
    for full, is_plain in completions(state, side):
        if is_plain:
            by_contract.setdefault(contract(full), []).append(reaches(state, side, full))
    near = {n: how for n, how in by_contract.items() if n <= state.round_rules.tricks * 3 // 5}
    sure = min((n for n, how in near.items() if {*how} == {"surely"}), default=None)
    paid = min((n for n, how in near.items() if {*how} == {"bar_bags"}), default=None)
    nil = "" if has_nil else by_nil(state, side)
    if sure is not None:
        code = f"reaches_or_{nil}" if nil else "reaches"
        return Promise("reaches_beside_nil" if has_nil else code, sure)
    if nil:
        return Promise(f"reaches_{nil}")
    return Promise("reaches_bar_bags", paid) if paid is not None and not has_nil else None


def by_nil(state: GameState, side: int) -> str:
    bids = state.open.bids[side :: len(state.sides)]
    for at, bid in enumerate(bids):
        with_nil = [one for one, _ in completions(state, side) if one[at] is Nil.NIL]
        if bid is None and with_nil and all(reaches(state, side, o) == "surely" for o in with_nil):
            return "partner_nil" if state.rules.partners_bid else "nil"
    return ""


def completions(state: GameState, side: int) -> Iterator[tuple[Bids, bool]]:
    """Yield all bids that a side can still come to, and whether it adds but numbers, not blind."""
    rules, sides = state.round_rules, len(state.sides)
    mine = [seat for seat in state.sides[side] if state.open.bids[seat] is None]
    mine = [seat for seat in mine if seat < calls(rules, state.players)]
    nils = [bid for bid in possible_bids(rules) if isinstance(bid, Nil)]
    options = [*nils, *range(rules.highest_bid + 1), *blind_bids(rules)]
    for added in product(options, repeat=len(mine)):
        bids, is_legal = state.open.bids, True
        for seat, bid in zip(mine, added, strict=True):
            is_legal = is_legal and may_bid(state, bids, seat, bid)
            bids = (*bids[:seat], bid, *bids[seat + 1 :])
        if is_legal:
            yield bids[side::sides], all(type(bid) is int for bid in added)


def may_bid(state: GameState, bids: Bids, seat: int, bid: Bid) -> bool:
    return not refusal(state.table, bids, seat, bid)


# How near the target totals are, and how near one another without one.
FAR = 70


def positions(book: RuleSet, dice: random.Random) -> Iterator[GameState]:
    """Yield a position of a rule book near its end: before the bids, after some, and after all."""
    sizes = [n for n in book.table_sizes if count_ways(fold(book, n, 0, [])) <= MOST_WAYS]
    players = dice.choice(sizes or book.table_sizes[:1])
    length = book.length(players)
    number = length - dice.choice([0, 0, 0, 1]) if length else dice.randint(2, 9)
    begun = fold(book, players, dice.randrange(players), [])._replace(number=number)
    state = begun._replace(standing=standing(book, players, dice))
    bids: list[Bid | None] = [None] * players
    stops = {0, dice.randrange(1, players)}
    for at, seat in enumerate(state.bidders):
        if at in stops:
            yield state
        options = [
            bid
            for bid in possible_bids(state.round_rules)
            if may_bid(state, tuple(bids), seat, bid)
        ]
        fair = state.round_rules.tricks // len(sides_of(book, players)) + 1
        bids[seat] = dice.choice(
            [bid for bid in options if (number_bid(bid) or 0) <= fair] or options
        )
        state = state._replace(open=Round(tuple(bids)))
    if not state.thrown_in:
        yield state._replace(phase="playing")


def standing(book: RuleSet, players: int, dice: random.Random) -> Standing:
    sides = sides_of(book, players)
    top = (book.target or FAR) if book.totals_by == "side" else (book.target or FAR) - 1
    far = FAR if book.trick_points > 1 else FAR // 3
    own = [
        max(-20, top - dice.randint(1, far))
        for _ in range(players if book.totals_by == "seat" else len(sides))
    ]
    totals = tuple(sum(own[side :: len(sides)]) for side in range(len(sides)))

    def some(most: int | None) -> Tricks:
        return tuple(dice.randrange(max(1, min(most or 1, 12))) for _ in sides)

    return Standing(
        totals,
        some(book.bag_limit),
        tuple(own) if book.totals_by == "seat" else (),
        some(6),
        some(book.sets_lose),
        some(book.sets_in_a_row_lose),
        tuple(4 for _ in sides),
        seats=Seats(("",) * players),
    )


def count(book: RuleSet, number: int) -> Counter[str]:
    """Return how often hints say what is certain, in so many positions of a rule book."""
    found: Counter[str] = Counter()
    dice = random.Random(book.key)
    for _ in range(number):
        for state in positions(book, dice):
            for side in range(len(state.sides)):
                due, told = certain(state, side), said(state, side)
                found["sides"] += 1
                found["certain"] += due is not None
                found["said"] += told is not None
                found["right"] += told is not None and told == due
                found["wins certain"] += due is not None and due.code in WINS
                found["wins said"] += told is not None and told.code in WINS
                found["other"] += told is not None and told != due
                found["missing"] += due is not None and told is None
    return found


def main(number: int) -> None:
    names = ("sides", "certain", "said", "right", "other", "missing", "wins certain", "wins said")
    print(f"{'rule book':22}", *(f"{name:>13}" for name in names))
    for key, book in PRESETS.items():
        found = count(book, number)
        print(f"{key:22}", *(f"{found[name]:>13}" for name in names), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
