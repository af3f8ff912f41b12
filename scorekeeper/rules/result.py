"""The end of a game: awards, what would have changed the winner, the next dealer."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorekeeper.rules.bidding import (
    BlindBid,
    Nil,
    Table,
    bidding_order,
    check_bids,
    highest_total,
)
from scorekeeper.rules.game import GameState, RoundScore, advance, outcome_of, own_scores
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import BAGS, N_, Sentence, shown, signed


class Award(NamedTuple):
    """An award, the seats of each side that shares it, and the figure it is given for.

    Where every player has a total, players share it instead of sides.
    """

    code: str
    title: Sentence
    seats: tuple[tuple[int, ...], ...]
    why: Sentence


# The title of each award and what it is given for, by its code. The phone has the same codes.
PRIZES = {
    "bags": (N_("Most bags"), BAGS),
    "nils_kept": (N_("Coolest Nil"), N_("{n} Nil made", "{n} Nils made")),
    "nils_failed": (N_("Bravest Nil"), N_("{n} failed Nil", "{n} failed Nils")),
    "exact": (N_("Most exact bids"), N_("{n} exact round", "{n} exact rounds")),
    "sets": (N_("Biggest dreamer"), N_("set {n} time", "set {n} times")),
    "round": (N_("Biggest round"), N_("{points} in one round")),
    "comeback": (N_("Best comeback"), N_("won from {n} behind")),
}
LEAST = {"bags": 3, "nils_kept": 1, "nils_failed": 1, "exact": 2, "sets": 2, "round": 1}


def awards(state: GameState) -> list[Award]:
    """Return the awards of a game, each to the side or sides with the highest figure.

    An award needs a least figure, and is not given when every side would share it. Bags are for
    games in which they are counted toward a penalty.
    """
    state = state.as_seated
    rules, sides = state.rules, state.sides
    if state.standing.seat_totals:
        sides = tuple((seat,) for seat in range(state.players))
    figures = {seats: _figures(state, seats) for seats in sides}
    codes = [code for code in LEAST if code != "bags" or rules.bag_limit is not None]
    given = [
        _best(code, {seats: figures[seats][code] for seats in sides}, rules.shown_as)
        for code in codes
    ]
    return [award for award in (*given, _comeback(state)) if award is not None]


def _figures(state: GameState, seats: tuple[int, ...]) -> dict[str, int]:
    """Return the figures of a side, by the code of the award that each is for."""
    scores = [own_scores(state.rules, round_)[seats[0]] for round_ in state.rounds]
    nils_kept = [
        sum(round_.tricks[one] for one in (seats if state.rules.bid_by == "side" else [seat])) == 0
        for round_ in state.rounds
        for seat in seats
        if isinstance(round_.bids[seat], Nil)
    ]
    return {
        "bags": sum(score.overtricks for score in scores),
        "nils_kept": nils_kept.count(True),
        "nils_failed": nils_kept.count(False),
        "exact": sum(score.made is True and not score.overtricks for score in scores),
        "sets": sum(score.made is False for score in scores),
        "round": max((score.points for score in scores), default=0),
    }


def _best(code: str, figures: Mapping[tuple[int, ...], int], shown_as: str) -> Award | None:
    most = max(figures.values())
    best = tuple(seats for seats, figure in figures.items() if figure == most)
    if most < LEAST[code] or len(best) == len(figures):
        return None
    title, why = PRIZES[code]
    return Award(code, title, best, why.about(n=most, points=signed(most, shown_as)))


def _comeback(state: GameState) -> Award | None:
    """Return the award of a winner that was behind by a fifth of the target, or of the total.

    Of several winners it goes to who was farthest behind, but not to every side of the game.
    """
    if not state.winners:
        return None
    gaps = {winner: _most_behind(state, winner) for winner in state.winners}
    behind, total = max(gaps.values()), state.standing.totals[state.winners[0]]
    best = tuple(state.sides[winner] for winner, gap in gaps.items() if gap == behind)
    if behind <= 0 or behind * 5 < (state.rules.target or total) or len(best) == len(state.sides):
        return None
    title, why = PRIZES["comeback"]
    return Award("comeback", title, best, why.about(n=shown(behind, state.rules.shown_as)))


def _most_behind(state: GameState, side: int) -> int:
    standings = (round_.before for round_ in state.rounds)
    gaps = (highest_total(one.totals, one.seats.empty) - one.totals[side] for one in standings)
    return max(gaps, default=0)


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

    There are no `winners` where the game would have gone on; `last` is the round that ends it, and
    `totals` are those after that round.
    """

    number: int
    change: TrickChange | BidChange
    winners: tuple[int, ...]
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
    others = [one for one in latest if one.winners]
    return others or sorted(latest, key=lambda one: -one.number)[:1]


def with_change(played: Round | RoundScore, change: TrickChange | BidChange) -> Round:
    """Return a scored round with one change."""
    facts = played.round if isinstance(played, RoundScore) else played
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
        if best and best.winners:
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
    number, standing = round_.number, round_.before
    later = (one.round for one in state.rounds[number:])
    rounds = [with_change(round_, change), *later]
    winners: tuple[int, ...] = ()
    for last, played in enumerate(rounds, number):
        rules = state.rules_in(last, played)
        # Being behind may be what allows a blind bid, and totals what the least bids are.
        is_blind = [bid is Nil.BLIND or isinstance(bid, BlindBid) for bid in played.bids]
        asks_totals = any(is_blind) or rules.minimum_by_total or rules.bids_at_least_by_total
        asks_others = isinstance(change, BidChange) and last == number
        empty = standing.seats.after(played.notes.substitutes).empty
        table = Table(rules, standing.kept, empty)
        if (asks_totals or asks_others) and check_bids(table, played.bids):
            return None
        _scores, standing = advance(rules, standing, played)
        outcome = outcome_of(state.rules, standing, last)
        winners = outcome.winners if outcome else ()
        if winners:
            break
    if winners == state.winners:
        return None
    return Alternative(number, change, winners, last, standing.totals)


def _rank(state: GameState, one: Alternative) -> tuple[bool, int, bool, bool]:
    """Return the sort key: another winner first, then who came closest, then by an own change."""
    change = one.change
    if isinstance(change, TrickChange):
        gained, lost = change.to, change.instead_of
    else:
        gained = lost = change.seat
    return (
        not one.winners,
        max((state.places[winner] for winner in one.winners), default=0),
        state.side_of(gained) not in one.winners,
        state.side_of(lost) not in state.winners,
    )


def rematch_dealers(rules: RuleSet, state: GameState) -> tuple[int, ...]:
    """Return the seats in the order in which they would have dealt after the last round."""
    order = bidding_order(state.players, state.dealer, clockwise=rules.clockwise)
    after = tuple(seat for seat in order if seat in state.seats.taken)
    return after if state.phase == "over" else (after[-1], *after[:-1])


def rematch_dealer(rules: RuleSet, state: GameState) -> int | None:
    """Return who deals first in the next game in the same seats, or None if that is drawn."""
    if rules.rematch_dealer == "next":
        return rematch_dealers(rules, state)[0]
    return state.seats.taken[-1] if rules.first_dealer == "last" else None
