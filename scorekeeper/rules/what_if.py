"""What would have changed the winner of a game: one trick, or one bid of one more or less."""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.rules.bidding import BlindBid, Nil, check_bids
from scorekeeper.rules.game import GameState, Round, RoundScore, advance, outcome_of

LOOKED_BACK = 16  # rounds; nobody remembers more, and a long game costs no more


class TrickChange(NamedTuple):
    """One trick that goes to a seat instead of another."""

    to: int
    instead_of: int


class BidChange(NamedTuple):
    """A seat's bid of one more or one less."""

    seat: int
    bid: int
    instead_of: int


class Alternative(NamedTuple):
    """One change in a round, everything else played as it was, and how the game ends with it.

    `winner` is None where the game would have gone on; `last` is the round that ends it, and
    `totals` are those after that round.
    """

    number: int
    change: TrickChange | BidChange
    winner: int | None
    last: int
    totals: tuple[int, ...]


def alternatives(state: GameState) -> list[Alternative]:
    """Return the changes that give a finished game another winner: a trick, a bid, or both.

    The latest round counts, and in it whoever came closest. Where nothing small gives another
    winner, it is the latest change with which the game would have gone on, if there is one. There
    is none for a game lost by a penalty.
    """
    if state.phase != "over" or (state.outcome and state.outcome.reason == "penalty"):
        return []
    latest = [found for found in (_latest(state, TrickChange), _latest(state, BidChange)) if found]
    others = [one for one in latest if one.winner is not None]
    return others or sorted(latest, key=lambda one: -one.number)[:1]


def with_change(played: Round | RoundScore, change: TrickChange | BidChange) -> Round:
    """Return a scored round with one change."""
    facts = played.facts if isinstance(played, RoundScore) else played
    bids, tricks = list(played.bids), list(played.tricks or ())
    if isinstance(change, TrickChange):
        tricks[change.to] += 1
        tricks[change.instead_of] -= 1
    else:
        bids[change.seat] = change.bid
    return facts._replace(bids=tuple(bids), tricks=tuple(tricks))


def _latest(state: GameState, kind: type[TrickChange] | type[BidChange]) -> Alternative | None:
    changes = _tricks if kind is TrickChange else _bids
    goes_on = None
    for round_ in reversed(state.rounds[-LOOKED_BACK:]):
        found = [one for change in changes(round_) if (one := _alternative(state, round_, change))]
        best = min(found, key=lambda one: _rank(state, one), default=None)
        if best and best.winner is not None:
            return best
        goes_on = goes_on or best
    return goes_on


def _tricks(round_: RoundScore) -> Iterator[TrickChange]:
    seats = round_.before.seats.taken
    for loser in seats:
        if round_.tricks[loser]:
            yield from (TrickChange(seat, loser) for seat in seats if seat != loser)


def _bids(round_: RoundScore) -> Iterator[BidChange]:
    for seat, bid in enumerate(round_.bids):
        if type(bid) is int:
            yield from (BidChange(seat, bid + step, bid) for step in (-1, 1))


def _alternative(
    state: GameState, round_: RoundScore, change: TrickChange | BidChange
) -> Alternative | None:
    """Return how the game ends with one change, unless it has the same winner or is not legal."""
    rules, number, standing = state.rules, round_.number, round_.before
    later = (one.facts for one in state.rounds[number:])
    rounds = [with_change(round_, change), *later]
    winner = None
    for last, played in enumerate(rounds, number):
        # Being behind may be what allows a blind bid, and totals what the least bids are.
        is_blind = [bid is Nil.BLIND or isinstance(bid, BlindBid) for bid in played.bids]
        asks_totals = any(is_blind) or rules.minimum_by_total or rules.bids_at_least_by_total
        asks_others = isinstance(change, BidChange) and last == number
        empty = standing.seats.after(played.substitutes).empty
        if (asks_totals or asks_others) and check_bids(rules, played.bids, standing.kept, empty):
            return None
        _scores, standing = advance(rules, standing, played)
        outcome = outcome_of(rules, standing, last)
        winner = outcome.winner if outcome else None
        if winner is not None:
            break
    assert state.outcome is not None
    if winner == state.outcome.winner:
        return None
    return Alternative(number, change, winner, last, standing.totals)


def _rank(state: GameState, one: Alternative) -> tuple[bool, int, bool, bool]:
    """Return the sort key: another winner first, then who came closest, then by an own change."""
    assert state.outcome is not None
    change = one.change
    if isinstance(change, TrickChange):
        gained, lost = change.to, change.instead_of
    else:
        gained = lost = change.seat
    return (
        one.winner is None,
        0 if one.winner is None else state.places[one.winner],
        state.side_of(gained) != one.winner,
        state.side_of(lost) != state.outcome.winner,
    )
