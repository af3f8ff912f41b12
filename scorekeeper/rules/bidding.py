"""Bids: how they are written, in which order they are made, which are legal and why not."""

from collections.abc import Container, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import Refusal, refuse
from scorekeeper.rules.value_kinds import call_factor, from_total


class Nil(StrEnum):
    """A bid of no tricks at all, made with or without looking at the cards."""

    NIL = "nil"
    BLIND = "blind nil"

    __hash__ = str.__hash__  # the enum's own is several times slower, and scores are cached by it


class BlindBid(str):
    """A number bid without looking at the cards, such as `blind 6`."""

    __slots__ = ()

    @property
    def number(self) -> int:
        return int(self.removeprefix(BLIND))


BLIND = "blind "
Bid = int | Nil | BlindBid
Bids = tuple[Bid | None, ...]


class Table(NamedTuple):
    """What a bid is judged by: the rules of its round, all totals before it, the empty seats.

    The totals are those of sides, or of seats where every player has one.
    """

    rules: RuleSet
    totals: Sequence[int]
    empty: Sequence[int] = ()


def parse_bid(text: str) -> Bid:
    """Return the bid written as ASCII digits, `nil` or `blind nil`, or as `blind 6`.

    Raises `ValueError` for everything else, foreign digits and signs included.
    """
    if _is_number(text):
        return int(text)
    number = text.removeprefix(BLIND)
    if text != number and _is_number(number) and int(number):
        return blind_bid(int(number))
    return Nil(text)


def parsed_bid(text: str) -> Bid | None:
    """Return the bid that is written, or None where the text is none."""
    try:
        return parse_bid(text)
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    return len(text) <= 2 and text.isascii() and text.isdecimal()


def blind_bid(number: int) -> BlindBid:
    """Return the blind bid of a number."""
    return BlindBid(f"{BLIND}{number}")


def number_bid(bid: Bid | None) -> int | None:
    """Return the number of a bid, blind or not; None for a Nil."""
    if isinstance(bid, BlindBid):
        return bid.number
    return bid if type(bid) is int else None


def zero_as_nil(rules: RuleSet, bid: Bid | None) -> Bid | None:
    """Return a bid of a file or a program, in which partners may write Nil as 0.

    Where everybody plays alone, or without Nil, 0 stays 0, which is a bid if the least bid is 0.
    """
    is_nil = bid == 0 and rules.partnerships and rules.nil_points is not None
    return Nil.NIL if is_nil else bid


def sides_of(rules: RuleSet, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: every seat alone, or partners opposite each other."""
    sides = players // 2 if rules.partnerships else players
    return tuple(tuple(range(side, players, sides)) for side in range(sides))


def bidding_order(players: int, dealer: int, *, clockwise: bool = True) -> tuple[int, ...]:
    """Return all seats in turn, from the dealer's left or else right; the dealer bids last."""
    step = 1 if clockwise else -1
    return tuple((dealer + step * turn) % players for turn in range(1, players + 1))


def calls(rules: RuleSet, players: int) -> int:
    """Return how many seats bid: all of them, or the first of each side, which come first."""
    return len(sides_of(rules, players)) if rules.bid_by == "side" else players


def are_made(rules: RuleSet, bids: Bids, empty: Sequence[int] = ()) -> bool:
    """Return whether every seat that bids has done so; nobody bids on the `empty` seats."""
    return bids[: calls(rules, len(bids))].count(None) <= len(empty)


def contract(bids: Sequence[Bid | None]) -> int:
    """Return the sum of the numeric bids; Nil counts nothing."""
    return sum(number_bid(bid) or 0 for bid in bids)


def possible_bids(rules: RuleSet) -> list[Bid]:
    """Return every bid the rules know, Nil first, whether or not a seat may make it now.

    Blind bids of a number are those of `blind_bids`.
    """
    nils = [nil for nil in Nil if nil_points(rules, nil) is not None]
    return [*nils, *range(rules.minimum_bid, rules.highest_bid + 1)]


def lowest_bid(table: Table) -> int:
    """Return the least number that may be bid, which can rise with the highest total.

    The totals of empty seats do not count.
    """
    rules = table.rules
    if not rules.minimum_steps:
        return rules.minimum_bid
    return from_total(
        rules.minimum_steps, highest_total(table.totals, table.empty), rules.minimum_bid
    )


def blind_bids(rules: RuleSet) -> list[Bid]:
    """Return every blind bid of a number that the rules know; none where they are off."""
    if rules.blind_bid_from is None:
        return []
    return [blind_bid(number) for number in range(rules.blind_bid_from, rules.highest_bid + 1)]


def nil_points(rules: RuleSet, nil: Nil) -> int | None:
    """Return what a kind of Nil scores, or None where the rules do not have it."""
    return rules.nil_points if nil is Nil.NIL else rules.blind_nil_points


def nil_cost(rules: RuleSet, nil: Nil) -> int:
    """Return what a kind of Nil costs when it fails: as much as it scores, unless said otherwise.

    It is 0 where the rules do not have it.
    """
    cost = rules.nil_failed if nil is Nil.NIL else rules.blind_nil_failed
    return (nil_points(rules, nil) or 0) if cost is None else cost


def refusal(table: Table, bids: Bids, seat: int, bid: Bid) -> Refusal | None:
    """Return why a seat may not make a bid now, or None where it may.

    `bids` holds every seat's bid so far (None: not yet). The seat's own earlier bid is ignored, so
    that a bid can be changed.
    """
    if seat in table.empty:
        return refuse(seat, "empty")
    if seat >= calls(table.rules, len(bids)):
        return refuse(seat, "side_bid")
    others = (*bids[:seat], None, *bids[seat + 1 :])
    reasons = _nil_reasons if isinstance(bid, Nil) else _number_reasons
    broken = chain(reasons(table, others, seat, bid), _sum_reasons(table, others, seat, bid))
    return next(broken, None)


def check_bids(table: Table, bids: Bids) -> list[Refusal]:
    """Return every refusal among the bids of a complete round, missing bids included.

    Empty seats have no bids. A broken rule about a sum is refused at the last seat that it
    concerns.
    """
    found = []
    made: list[Bid | None] = [None] * len(bids)
    for seat, bid in enumerate(bids):
        if bid is None:
            if seat < calls(table.rules, len(bids)) and seat not in table.empty:
                found.append(refuse(seat, "missing"))
        elif wrong := refusal(table, tuple(made), seat, bid):
            found.append(wrong)
        made[seat] = bid
    if not found and (too_low := thrown_in(table, bids)):
        found.append(too_low)
    return found


def thrown_in(table: Table, bids: Bids) -> Refusal | None:
    """Return why a round is dealt again once everybody has bid, or None where it is played.

    Bids of None throughout belong to a round that bids itself.
    """
    rules, totals, empty = table
    if rules.bids_at_least is None or not are_made(rules, bids, empty):
        return None
    least = from_total(rules.bids_at_least_steps, highest_total(totals, empty), rules.bids_at_least)
    together = contract(bids)
    if rules.bids_at_least_counts == "values":
        together = sum(
            number * call_factor(rules.call_steps, number, totals[seat % len(totals)])
            for seat, bid in enumerate(bids)
            if (number := number_bid(bid)) is not None
        )
    return refuse(None, "thrown_in", n=together, least=least) if together < least else None


def check_tricks(rules: RuleSet, tricks: Sequence[int], empty: Sequence[int] = ()) -> list[Refusal]:
    """Return what is wrong with the trick counts of a round; they add up to the cards dealt.

    So many may be missing as the rules let go to nobody. Nobody takes tricks on the `empty` seats.
    """
    if taken := [seat for seat in empty if tricks[seat]]:
        return [refuse(taken[0], "empty")]
    found = [
        refuse(seat, "tricks_range", tricks=rules.tricks, n=count)
        for seat, count in enumerate(tricks)
        if not 0 <= count <= rules.tricks
    ]
    total = sum(tricks)
    if not found and not rules.may_total(total):
        return [refuse(None, "sum", n=total, tricks=rules.tricks)]
    return found


def _number_reasons(table: Table, others: Bids, seat: int, bid: Bid) -> Iterator[Refusal]:
    rules = table.rules
    low, high = lowest_bid(table), rules.highest_bid
    number = number_bid(bid)
    assert number is not None
    if isinstance(bid, BlindBid):
        yield from _blind_reasons(table, seat, number)
    if number < min(1, rules.minimum_bid) or number > high:
        code = "range_no_nil" if rules.nil_points is None else "range"
        yield refuse(seat, code, low=low, high=high)
    if number < low:
        yield refuse(seat, "minimum", low=low)


def _blind_reasons(table: Table, seat: int, number: int) -> Iterator[Refusal]:
    rules = table.rules
    if rules.blind_bid_from is None:
        yield refuse(seat, "blind_bid")
    elif number < rules.blind_bid_from:
        yield refuse(seat, "blind_bid_from", low=rules.blind_bid_from)
    deficit, behind = rules.blind_bid_deficit, _behind(table, seat)
    if deficit is not None and behind < deficit:
        yield refuse(seat, "blind_bid_deficit", deficit=deficit, behind=max(behind, 0))


def highest_total(totals: Sequence[int], without: Container[int]) -> int:
    """Return the highest total, some left out, such as those of empty seats, which cannot win."""
    return max(total for each, total in enumerate(totals) if each not in without)


def _behind(table: Table, seat: int) -> int:
    """Return how far the side of a seat is behind the best other one; below zero, ahead of it."""
    totals = table.totals
    own = seat % len(totals)
    return highest_total(totals, (own, *table.empty)) - totals[own]


def _nil_reasons(table: Table, others: Bids, seat: int, bid: Bid) -> Iterator[Refusal]:
    rules = table.rules
    if bid is Nil.NIL:
        if rules.nil_points is None:
            yield refuse(seat, "nil")
        return
    behind = _behind(table, seat)
    if rules.blind_nil_points is None:
        yield refuse(seat, "blind_nil")
    if rules.blind_nil_partners == "one" and any(
        others[mate] is Nil.BLIND for mate in _own_side(rules, others, seat) if mate != seat
    ):
        yield refuse(seat, "blind_nil_partner")
    deficit = rules.blind_nil_deficit
    if deficit is not None and behind < deficit:
        yield refuse(seat, "blind_nil_deficit", deficit=deficit, behind=max(behind, 0))


def _own_side(rules: RuleSet, bids: Bids, seat: int) -> tuple[int, ...]:
    return next(seats for seats in sides_of(rules, len(bids)) if seat in seats)


def _sum_reasons(table: Table, others: Bids, seat: int, bid: Bid) -> Iterator[Refusal]:
    """Yield the broken rules about sums: the partners' minimum, and the hook on the last bidder."""
    rules = table.rules
    if rules.board is not None:
        own = _own_side(rules, others, seat) if rules.bid_by == "seat" else (seat,)
        together = [bid, *(others[mate] for mate in own if mate != seat)]
        if (
            None not in together
            and any(number_bid(one) is not None for one in together)
            and contract(together) < rules.board
        ):
            yield refuse(seat, "board", board=rules.board, n=contract(together))
    if not rules.bids_may_equal_tricks:
        is_last = are_made(rules, others, (*table.empty, seat))
        is_bound = is_last and rules.tricks >= rules.hook_from
        if is_bound and contract([*others, bid]) == rules.tricks:
            yield refuse(seat, "hook", tricks=rules.tricks)
