"""What would have changed it: one trick or one bid, and the game ends otherwise."""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.rules.bidding import Nil, check_bids
from scorekeeper.rules.game import Round, RoundScore, Scoreboard, advance, outcome_of

LOOKED_BACK = 16  # rounds; further back nobody remembers, and so a long game costs no more


class Trick(NamedTuple):
    """One trick that goes to a seat instead of another."""

    to: int
    instead_of: int


class Call(NamedTuple):
    """A seat's bid of one more or one less."""

    seat: int
    bid: int
    instead_of: int


class Turn(NamedTuple):
    """One thing different in a round, all else being played as it was, and how that ends.

    `winner` is None where the game would have gone on; `last` is the round that ends it, and
    `totals` are those after that round.
    """

    number: int
    change: Trick | Call
    winner: int | None
    last: int
    totals: tuple[int, ...]


def turns(board: Scoreboard) -> list[Turn]:
    """Return what would have given a finished game another winner: a trick, a bid, or both.

    The latest round counts, and in it whoever came closest. Where nothing small gives another
    winner, it is the latest change with which the game would have gone on, if there is one.
    """
    if board.phase != "over":
        return []
    latest = [found for found in (_latest(board, Trick), _latest(board, Call)) if found]
    others = [turn for turn in latest if turn.winner is not None]
    return others or sorted(latest, key=lambda turn: -turn.number)[:1]


def with_change(played: Round | RoundScore, change: Trick | Call) -> Round:
    """Return a scored round with one thing different."""
    bids, tricks = list(played.bids), list(played.tricks or ())
    if isinstance(change, Trick):
        tricks[change.to] += 1
        tricks[change.instead_of] -= 1
    else:
        bids[change.seat] = change.bid
    return Round(tuple(bids), tuple(tricks))


def _latest(board: Scoreboard, kind: type[Trick] | type[Call]) -> Turn | None:
    changes = _tricks if kind is Trick else _calls
    goes_on = None
    for round_ in reversed(board.rounds[-LOOKED_BACK:]):
        found = [turn for change in changes(round_) if (turn := _turn(board, round_, change))]
        best = min(found, key=lambda turn: _rank(board, turn), default=None)
        if best and best.winner is not None:
            return best
        goes_on = goes_on or best
    return goes_on


def _tricks(round_: RoundScore) -> Iterator[Trick]:
    seats = range(len(round_.tricks))
    for loser in seats:
        if round_.tricks[loser]:
            yield from (Trick(seat, loser) for seat in seats if seat != loser)


def _calls(round_: RoundScore) -> Iterator[Call]:
    for seat, bid in enumerate(round_.bids):
        if type(bid) is int:
            yield from (Call(seat, bid + step, bid) for step in (-1, 1))


def _turn(board: Scoreboard, round_: RoundScore, change: Trick | Call) -> Turn | None:
    """Return how the game ends with one change, unless it has the same winner or is not legal."""
    rules, number, standing = board.rules, round_.number, round_.before
    rounds = [with_change(round_, change), *map(_facts, board.rounds[number:])]
    winner = None
    for last, played in enumerate(rounds, number):
        asks_totals = Nil.BLIND in played.bids  # being behind may be what allows it
        asks_others = isinstance(change, Call) and last == number
        if (asks_totals or asks_others) and check_bids(rules, played.bids, standing.totals):
            return None
        _scores, standing = advance(rules, standing, played)
        outcome = outcome_of(rules, standing.totals)
        winner = outcome.winner if outcome else None
        if winner is not None:
            break
    assert board.outcome is not None
    if winner == board.outcome.winner:
        return None
    return Turn(number, change, winner, last, standing.totals)


def _facts(round_: RoundScore) -> Round:
    return Round(round_.bids, round_.tricks)


def _rank(board: Scoreboard, turn: Turn) -> tuple[bool, int, bool, bool]:
    """Return what is told first: another winner, the one who came closest, by an own change."""
    assert board.outcome is not None
    change = turn.change
    gained, lost = (
        (change.to, change.instead_of) if isinstance(change, Trick) else (change.seat, change.seat)
    )
    return (
        turn.winner is None,
        0 if turn.winner is None else board.places[turn.winner],
        board.side_of(gained) != turn.winner,
        board.side_of(lost) != board.outcome.winner,
    )
