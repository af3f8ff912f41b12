"""Hints come true: whoever fulfils the condition of one gets what it says, however the cards fall.

`PROMISED_GAMES=2000 pytest -m slow tests/rules/test_promises.py` looks at more games.
"""

import os
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

from scorekeeper.rules.bidding import Bids, Nil, refusal
from scorekeeper.rules.game import GameState, Outcome, Standing, advance, fold, outcome_of
from scorekeeper.rules.hints import HINTS, Hint, hints
from scorekeeper.rules.round import Round
from scorekeeper.rules.scoring import Hand, SideScore, score_side
from scorekeeper.rules.sentence import shown
from scorekeeper.rules.values import LARGEST
from tests.properties import counts
from tests.web.offline.luck import STARTERS, Luck

FEW_GAMES, GAMES = 50, int(os.environ.get("PROMISED_GAMES", 240))  # every hint within 230
FEW_ENDS, ENDS = 12, 40  # of a round
NEAR = 60  # points to the target
CODES = {hint.sentence.text: code for code, hint in HINTS.items()}
Ending = tuple[Round, SideScore, Standing, Outcome | None]


@counts("games", FEW_GAMES, GAMES)
def test_a_hint_comes_true_however_the_cards_fall(games: int) -> None:
    most, seen = FEW_ENDS if games == FEW_GAMES else ENDS, set()
    for seed in range(games):
        for state in positions(seed):
            for side in range(len(state.sides)):
                for hint in hints(state, side):
                    code = CODES[hint.sentence.text]
                    seen.add(code)
                    broken = next(broken_by(state, side, hint, code, most), None)
                    assert not broken, f"{seed}: {state} {side} {hint.sentence} {broken}"
    assert seen == {*HINTS} - BETWEEN_BIDS or games == FEW_GAMES


def positions(seed: int) -> Iterator[GameState]:
    """Yield a game before the bids of each round and after them, as it is and near a target."""
    dice, case = random.Random(seed), Luck(seed).case()
    starters = STARTERS[: case.players]
    state = None
    for number, played in enumerate(case.rounds):
        nobody = Round((None,) * case.players).noted(substitutes=played.notes.substitutes)
        for now in (nobody, nobody._replace(bids=played.bids)):
            rounds = [*case.rounds[:number], now]
            state = fold(case.rules, case.players, case.first_dealer, rounds, state, starters)
            if state.phase == "over":
                return
            yield state
            target = dice.choice(state.standing.totals) + dice.randint(0, NEAR)
            target = min(max(1, target), LARGEST)
            yield state._replace(rules=replace(state.rules, target=target))


def broken_by(
    state: GameState, side: int, hint: Hint, code: str, most: int
) -> Iterator[tuple[object, ...]]:
    """Yield what breaks a promise: bids and tricks with which it does not come true."""
    if code in TRUE_NOW:
        if not TRUE_NOW[code](state, side, hint):
            yield (code,)
    elif code in TRUE_ONCE_BID:
        for bids in TRUE_ONCE_BID[code](state, hint):
            for tricks in shares(state.round_rules.tricks, bids):
                score = score_side(state.round_rules, Hand(bids, tricks, state.standing.bags[side]))
                is_due = all_made(bids, tricks, score) and not (
                    code == "reaches_bar_bags" and score.bag_penalty
                )
                if is_due and not reaches(state, side, score):
                    yield bids, tricks
    elif code in TRUE_AT_THE_END and state.phase == "playing":
        for end in endings(state, side, most):
            if not TRUE_AT_THE_END[code](state, side, hint, end):
                yield end


def shares(tricks: int, bids: Bids) -> Iterator[tuple[int, ...]]:
    """Yield the tricks that seats may take which make their Nils."""
    counts = [(0,) if isinstance(bid, Nil) else range(tricks + 1) for bid in bids]
    yield from (taken for taken in product(*counts) if sum(taken) <= tricks)


def endings(state: GameState, side: int, most: int) -> Iterator[Ending]:
    """Yield how a round can end: all ways to share its tricks, or as many of them by chance."""
    seats, rules = state.seats.taken, state.round_rules
    bars = list(combinations(range(rules.tricks + len(seats) - 1), len(seats) - 1))
    for cut in bars if len(bars) <= most else random.Random(0).sample(bars, most):
        edges = (-1, *cut, rules.tricks + len(seats) - 1)
        tricks = [0] * state.players
        for at, seat in enumerate(seats):
            tricks[seat] = edges[at + 1] - edges[at] - 1
        round_ = Round(state.open.bids, tuple(tricks))
        scores, after = advance(rules, state.standing, round_)
        yield round_, scores[side], after, outcome_of(rules, after, state.number)


def all_made(bids: Bids, tricks: tuple[int, ...], score: SideScore) -> bool:
    nils = [taken for bid, taken in zip(bids, tricks, strict=True) if isinstance(bid, Nil)]
    return score.made is not False and not any(nils)


def does_all(state: GameState, side: int, end: Ending) -> bool:
    round_, score, *_ = end
    bids = tuple(round_.bids[seat] for seat in state.sides[side])
    tricks = tuple((round_.tricks or ())[seat] for seat in state.sides[side])
    if state.rules.bid_by == "side":
        bids, tricks = bids[:1], (sum(tricks),)
    return all_made(bids, tricks, score)


def reaches(state: GameState, side: int, score: SideScore) -> bool:
    return state.standing.totals[side] + score.points >= (state.rules.target or 0)


def is_tied(state: GameState, side: int, hint: Hint) -> bool:
    totals, playing = state.standing.totals, state.standing.playing
    assert state.outcome
    return any(totals[one] == totals[side] for one in state.outcome.tied if one in playing)


def may_bid_blind_nil(state: GameState, side: int, hint: Hint) -> bool:
    bids = state.open.bids
    return any(
        bids[seat] is None and refusal(state.table, bids, seat, Nil.BLIND) is None
        for seat in state.sides[side]
    )


def is_short(state: GameState, side: int, hint: Hint) -> bool:
    missing = (state.rules.target or 0) - state.standing.totals[side]
    return hint.sentence.values["n"] == shown(missing, state.rules.shown_as)


def number_of(hint: Hint) -> int:
    n = hint.sentence.values["n"]
    assert isinstance(n, int)
    return n


def with_number(state: GameState, hint: Hint) -> Iterator[Bids]:
    """Yield the bids of a side that make the contract of a hint, which no single seat may bid."""
    n = number_of(hint)
    yield (1, n - 1) if state.rules.partners_bid and n > 1 else (n,)


def with_nil(state: GameState, hint: Hint) -> Iterator[Bids]:
    if not state.rules.partners_bid:
        yield (Nil.NIL,)
        return
    low = max(state.rules.minimum_bid, state.rules.board or 0)
    high = state.round_rules.highest_bid
    yield from ((Nil.NIL, bid) for bid in (Nil.NIL, *range(low, high + 1)))


def with_either(state: GameState, hint: Hint) -> Iterator[Bids]:
    yield from with_number(state, hint)
    yield from with_nil(state, hint)


def costs_a_bag_penalty(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    _, score, *_ = end
    n = number_of(hint)
    is_paid = score.bag_penalty == -(state.rules.bag_penalty or 0)
    return is_paid if score.overtricks == n else (score.overtricks > n) == (score.bag_penalty < 0)


def falls_to_the_losing_score(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    _, score, _, outcome = end
    above = state.standing.totals[side] - (state.rules.mercy or 0)
    if hint.sentence.values["n"] != shown(above, state.rules.shown_as):
        return False
    return score.points > -above or outcome is not None


def loses_if_set(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    _, score, _, outcome = end
    if score.made is not False:
        return True
    return outcome is not None and side not in (*outcome.winners, *outcome.tied)


def wins(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    outcome = end[3]
    return outcome is not None and side in outcome.winners


def wins_if_made(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    return not does_all(state, side, end) or wins(state, side, hint, end)


def reaches_if_made(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    return not does_all(state, side, end) or reaches(state, side, end[1])


def reaches_bar_bags(state: GameState, side: int, hint: Hint, end: Ending) -> bool:
    return end[1].bag_penalty < 0 or reaches_if_made(state, side, hint, end)


TRUE_NOW: dict[str, Callable[[GameState, int, Hint], bool]] = {
    "tied": is_tied,
    "may_blind_nil": may_bid_blind_nil,
    "short": is_short,
}
TRUE_ONCE_BID: dict[str, Callable[[GameState, Hint], Iterable[Bids]]] = {
    "reaches": with_number,
    "reaches_bar_bags": with_number,
    "reaches_nil": with_nil,
    "reaches_partner_nil": with_nil,
    **dict.fromkeys(("reaches_or_nil", "reaches_or_partner_nil"), with_either),
    "reaches_beside_nil": lambda state, hint: [(Nil.NIL, number_of(hint))],
}
TRUE_AT_THE_END: dict[str, Callable[[GameState, int, Hint, Ending], bool]] = {
    "bags_left": costs_a_bag_penalty,
    "mercy": falls_to_the_losing_score,
    "set_loses": loses_if_set,
    "wins": wins,
    **dict.fromkeys(("wins_if_made", "wins_if_nil", "wins_if_both"), wins_if_made),
    **dict.fromkeys(("reaches_if_made", "reaches_if_nil", "reaches_if_both"), reaches_if_made),
    "reaches_if_bar_bags": reaches_bar_bags,
}
BETWEEN_BIDS = {"reaches_beside_nil"}  # of partners: test_certain_hints.py looks there
PROMISE_NOTHING = {"bags_paid", "set_may_lose"}


def test_every_hint_is_held_to_what_it_says() -> None:
    assert {*TRUE_NOW, *TRUE_ONCE_BID, *TRUE_AT_THE_END} | PROMISE_NOTHING == set(HINTS)
