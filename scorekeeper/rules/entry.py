"""Entering a round: each step returns the new facts of the round, or raises `Refused`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

from scorekeeper.rules.bidding import (
    Table,
    are_made,
    check_bids,
    check_tricks,
    sides_of,
    thrown_in,
)
from scorekeeper.rules.game import GameState, bids_itself
from scorekeeper.rules.outcome import Standing, outcome_of
from scorekeeper.rules.penalties import Penalty, check_penalties
from scorekeeper.rules.round import LONGEST_REMARK, NOTES, NOTHING, Notes, Round, changed_notes
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import (
    Names,
    Seats,
    Substitute,
    Substitutes,
    check_seating,
    seats_after,
    substituted,
)
from scorekeeper.rules.sentence import Refusal, refuse

Tally = tuple[int | None, ...]
LONGEST_TYPED_REMARK = 4 * LONGEST_REMARK  # before blanks are left out: no more is normalized
WAITS = ("missing", "thrown_in")  # refusals of bids that stand until the round has tricks


class Refused(ValueError):
    """An entry that the rules refuse, with a refusal for each seat at fault."""

    def __init__(self, refusals: list[Refusal]):
        super().__init__(" ".join(str(one.sentence) for one in refusals))
        self.refusals = refusals


def count_tricks(state: GameState, number: int, round_: Round, seat: int, tricks: int) -> Round:
    """Return the round with one seat's trick count noted, to be scored later.

    Seats without a count stay open. Raises `Refused` before the bidding is over, when its bids are
    thrown in, or when the counts come to more tricks than there are.
    """
    table = table_before(state, number, round_)
    rules, _totals, empty = table
    if not are_made(rules, round_.bids, empty) and not bids_itself(rules, number):
        raise Refused([refuse(None, "bids_missing")])
    if too_low := thrown_in(table, round_.bids):
        raise Refused([too_low])
    if seat in empty:
        raise Refused([refuse(seat, "empty")])
    tally = round_.tally or no_counts(rules, state.players)
    tally = (*tally[:seat], tricks, *tally[seat + 1 :])
    together = sum(count or 0 for count in tally)
    if tricks < 0 or together > rules.tricks:
        raise Refused([refuse(seat, "too_many", n=together, tricks=rules.tricks)])
    return round_._replace(tally=tally)


def score_round(state: GameState, number: int, round_: Round, before: Round | None = None) -> Round:
    """Return a round that is complete and legal, with its tally dropped.

    Bids that are unchanged from `before` are not checked again: the rules, or the rounds before
    them, may have changed since they were made. Raises `Refused` with every bid and trick count
    that is wrong.
    """
    wrong = _wrong_bids(state, number, round_, before)
    if round_.tricks is not None:
        empty = empty_seats(state, number, round_)
        wrong += check_tricks(state.rules_in(number, round_), round_.tricks, empty)
    if wrong:
        raise Refused(wrong)
    return round_._replace(tally=None)


def enter_round(
    state: GameState, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round whose bids and tricks are sent; without tricks, bids may be missing too.

    The tally is kept as `kept_tally` says. Raises `Refused` for what the rules forbid, and where a
    round that others follow would lose its tricks.
    """
    round_ = before._replace(bids=sent.bids, tricks=sent.tricks)
    if round_.tricks is not None:
        return score_round(state, number, round_, before)
    if before.tricks is not None and not newest:
        raise Refused([refuse(None, "tricks")])
    wrong = [one for one in _wrong_bids(state, number, round_, before) if one.code not in WAITS]
    if wrong:
        raise Refused(wrong)
    return round_._replace(tally=kept_tally(state, number, before, round_))


def kept_tally(state: GameState, number: int, before: Round, round_: Round) -> Tally | None:
    """Return the tally that stays when the bids of a round are replaced.

    None stays once a bid is missing, or where the cards are dealt again: the bids are thrown in, or
    another number of players has seats.
    """
    table, bids = table_before(state, number, round_), round_.bids
    if table.empty != empty_seats(state, number, before):
        return None
    if bids == before.bids:
        return before.tally
    is_complete = are_made(table.rules, bids, table.empty) and not thrown_in(table, bids)
    return before.tally if is_complete else None


def enter_with_tally(
    state: GameState, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round that is sent as a whole, with its own tally if it has one, and its penalties.

    Raises `Refused` as `enter_round`, `count_tricks`, `give_penalty` and `deal_cards` do.
    """
    cards = sent.notes.cards
    if cards != before.notes.cards:  # so that its bids are checked by them
        if wrong := check_cards(state.rules, state.players, cards):
            raise Refused(wrong)
        unbid = before._replace(bids=(None,) * state.players, tally=None)
        before = unbid.noted(cards=cards)
    round_ = enter_round(state, number, before, sent, newest=newest)
    round_ = with_notes(state, round_._replace(tally=None), sent)
    if round_.tricks is not None:
        return round_
    for seat, count in enumerate(sent.tally or ()):
        if count is not None:
            round_ = count_tricks(state, number, round_, seat, count)
    return round_


def misdeal(round_: Round) -> Round:
    """Return the round without its bids: the same dealer deals again. Penalties stay.

    Raises `Refused` once the tricks are scored.
    """
    if round_.tricks is not None:
        raise Refused([refuse(None, "misdeal")])
    return round_._replace(bids=(None,) * len(round_.bids), tally=None)


def deal_cards(state: GameState, number: int, round_: Round, cards: int) -> Round:
    """Return the round with so many cards for each player, in place of those of the list.

    Its bids are removed, as they were made with others. Raises `Refused` once it is scored, and for
    cards that the rules or the pack do not let anybody deal.
    """
    if round_.tricks is not None:
        raise Refused([refuse(None, "misdeal")])
    dealt = listed_or_other(state.rules, number, state.players, cards)
    if wrong := check_cards(state.rules, state.players, dealt):
        raise Refused(wrong)
    return round_ if dealt == round_.notes.cards else misdeal(round_.noted(cards=dealt))


def listed_or_other(rules: RuleSet, number: int, players: int, cards: int) -> int | None:
    """Return the cards of a round as they are stored: None where they are those of the rules."""
    return None if cards == rules.cards_of(number, players) else cards


def check_cards(rules: RuleSet, players: int, cards: int | None) -> list[Refusal]:
    """Return why a round cannot be dealt so many cards, which are not those of the rules."""
    if cards is None:
        return []
    if rules.cards is None:
        return [refuse(None, "cards_fixed")]
    low, high = rules.cards_range(players)
    return [] if low <= cards <= high else [refuse(None, "cards_dealt", low=low, high=high)]


def give_penalty(state: GameState, round_: Round, penalty: Penalty) -> Round:
    """Return the round with one more penalty. Raises `Refused` for one that cannot be given."""
    given = round_.noted(penalties=(*round_.notes.penalties, penalty))
    return with_notes(state, round_, given)


def remove_penalty(round_: Round, penalty: Penalty) -> Round:
    """Return the round without a penalty; as it is where that is not one of its penalties."""
    left = list(round_.notes.penalties)
    if penalty in left:
        left.remove(penalty)
    return round_.noted(penalties=tuple(left))


def with_notes(state: GameState, round_: Round, noted: Round) -> Round:
    """Return the round with the notes of another but its substitutes: penalties sorted by seat.

    Raises `Refused` where a penalty is added and they cannot be given, or a note that the rules do
    not have.
    """
    if wrong := _check_added(state.rules, round_.notes, noted.notes):
        raise Refused(wrong)
    penalties = tuple(sorted(noted.notes.penalties, key=itemgetter(0)))
    given = Counter(penalties) - Counter(round_.notes.penalties)
    if given and (wrong := check_penalties(state.rules, penalties)):
        raise Refused(wrong)
    notes = replace(noted.notes, penalties=penalties, substitutes=round_.notes.substitutes)
    return round_._replace(notes=notes)


def _check_added(rules: RuleSet, before: Notes, after: Notes) -> list[Refusal]:
    """Return why notes that a round did not have before cannot be added by its rules."""
    return [
        refuse(None, needs.code)
        for name in changed_notes(before, after)
        if (needs := NOTES[name].needs)
        and getattr(after, name) != NOTES[name].kind.default
        and getattr(rules, needs.rule) != needs.value
    ]


def check_start(rules: RuleSet, players: int, round_: Round) -> list[Refusal]:
    """Return why a game cannot begin with the totals and bags of its first round."""
    limit = rules.bag_limit or 1
    if not all(0 <= bags < limit for bags in round_.notes.start_bags):
        return [refuse(None, "start_bags", most=limit - 1)]
    return check_stored_start(rules, players, round_)


def check_stored_start(rules: RuleSet, players: int, round_: Round) -> list[Refusal]:
    """Return what is wrong with a start, whatever the bag limit: that can change later."""
    sides = len(sides_of(rules, players))
    start, bags = round_.notes.start, round_.notes.start_bags
    if not (start or bags):
        return []
    if len(start) not in (sides, players) or len(bags) not in (0, sides):
        return [refuse(None, "start_sides", n=sides)]
    return []


def take_seat(
    rules: RuleSet,
    starters: Names,
    earlier: Sequence[Substitutes],
    round_: Round,
    new: Substitute,
) -> Round:
    """Return the round with a player on a seat, or with a seat that is empty from then on.

    `earlier` are the substitutes of the rounds before. Where the number of players changes, the
    cards are dealt again, so the bids are removed. Raises `Refused` once the round is scored, for a
    player who sits there or on another seat, and for a number of players that the rules forbid.
    """
    seat, player = new
    if round_.tricks is not None:
        raise Refused([refuse(seat, "substitute")])
    before = seats_after(starters, earlier)
    now = before.after(round_.notes.substitutes)
    if player is None and seat in now.empty:
        raise Refused([refuse(seat, "empty")])
    if player in now.names and not (seat in now.empty and player == now.names[seat]):
        raise Refused([refuse(seat, "seated")])
    substitutes = substituted(before, round_.notes.substitutes, seat, player)
    round_ = with_substitutes(rules, starters, [*earlier, substitutes], round_, substitutes)
    return misdeal(round_) if before.after(substitutes).empty != now.empty else round_


def swap_seats(
    rules: RuleSet,
    starters: Names,
    earlier: Sequence[Substitutes],
    round_: Round,
    seats: Sequence[int],
) -> Round:
    """Return the round with the players of two seats on each other's from then on.

    Bids and counts that are theirs go with them. `earlier` is as for `take_seat`. Raises `Refused`
    once the round is scored, and unless these are two seats on which somebody sits.
    """
    if round_.tricks is not None:
        raise Refused([refuse(None, "substitute")])
    before = seats_after(starters, earlier)
    now = before.after(round_.notes.substitutes)
    if len({*seats} - {*now.empty}) != 2 or len(seats) != 2:
        raise Refused([refuse(None, "two_seats")])
    substitutes = round_.notes.substitutes
    for seat, other in (seats, seats[::-1]):
        substitutes = substituted(before, substitutes, seat, now.names[other])
    round_ = with_substitutes(rules, starters, [*earlier, substitutes], round_, substitutes)
    if rules.bid_by == "seat":
        round_ = round_._replace(bids=_swapped(round_.bids, seats))
    if rules.tricks_by == "seat" and round_.tally:
        round_ = round_._replace(tally=_swapped(round_.tally, seats))
    return round_


def _swapped(cells: Sequence[Any], seats: Sequence[int]) -> tuple[Any, ...]:
    swapped = [*cells]
    for seat, other in (seats, seats[::-1]):
        swapped[seat] = cells[other]
    return tuple(swapped)


def with_substitutes(
    rules: RuleSet,
    starters: Names,
    rounds: Sequence[Substitutes],
    round_: Round,
    substitutes: Substitutes,
) -> Round:
    """Return the round with its substitutes; `rounds` are those of the whole game with them.

    Raises `Refused` where a player would sit on two seats, or the rules forbid the number of them.
    """
    is_new = substitutes != round_.notes.substitutes
    if is_new and (wrong := check_seating(rules, starters, rounds)):
        raise Refused(wrong)
    return round_.noted(substitutes=substitutes)


def call_last_round(round_: Round) -> Round:
    """Return the round as the last of the game. Raises `Refused` once it is scored."""
    if round_.tricks is not None:
        raise Refused([refuse(None, "last_round")])
    return round_.noted(last_round=True)


class EndNow(NamedTuple):
    """How a game ends with its newest scored round as the last.

    `state` is what it comes to. By its rules a tie that would play on is shared. `drops` tells
    whether anything was entered of the open round, and `bids` how many bids, where that is all.
    """

    state: GameState
    bids: int
    drops: bool


def ending_now(state: GameState) -> EndNow | None:
    """Return how a game ends with the newest scored round as the last, or None if it cannot."""
    number = len(state.rounds)
    if state.phase == "over" or not number:
        return None
    rules, standing = state.rules, state.rounds[-1].after._replace(time_is_up=True)
    outcome = outcome_of(rules, standing, number)
    if outcome and not outcome.winners:
        rules = replace(rules, tie_at_limit="shared")
        if any(_is_won(rules, one.after, n) for n, one in enumerate(state.rounds[:-1], 1)):
            return None  # it would end with an earlier tie
        outcome = outcome_of(rules, standing, number)
    if not outcome or not outcome.winners:
        return None
    over = state._replace(
        rules=rules, standing=standing, number=number, phase="over", outcome=outcome
    )
    bids = sum(bid is not None for bid in state.open.bids)
    has_more = state.open.tally is not None or state.open.noted(last_round=False).notes != NOTHING
    return EndNow(over, 0 if has_more else bids, bool(bids) or has_more)


def _is_won(rules: RuleSet, standing: Standing, number: int) -> bool:
    outcome = outcome_of(rules, standing, number)
    return outcome is not None and bool(outcome.winners)


def end_now(state: GameState, number: int, round_: Round) -> Round:
    """Return the newest scored round as the last of the game. Raises `Refused` if it cannot be."""
    if number != len(state.rounds) or not ending_now(state):
        raise Refused([refuse(None, "end_now")])
    return round_.noted(last_round=True)


def no_counts(rules: RuleSet, players: int) -> Tally:
    """Return the counts before any is entered: None, or 0 for a partner who has no own count."""
    counted = len(sides_of(rules, players)) if rules.tricks_by == "side" else players
    return (None,) * counted + (0,) * (players - counted)


def fill_last_count(
    tally: Tally | None, rules: RuleSet, players: int, empty: Sequence[int] = ()
) -> Tally:
    """Return the counts; where one is open, it is filled in with the tricks that are left.

    `rules` are those of the round. Where tricks may go to nobody, a count is filled in only if none
    are left. Once somebody has a count, the `empty` seats have 0.
    """
    if tally is None:
        return no_counts(rules, players)
    tally = tuple(0 if seat in empty else count for seat, count in enumerate(tally))
    if sum(count is None for count in tally) != 1:
        return tally
    rest = rules.tricks - sum(count or 0 for count in tally)
    if rest > 0 and rules.lost_tricks:
        return tally
    return tuple(rest if count is None else count for count in tally)


def table_before(state: GameState, number: int, round_: Round) -> Table:
    """Return what the bids of a round, past or present, are judged by, as it is about to be."""
    totals, empty = totals_before(state, number), empty_seats(state, number, round_)
    return Table(state.rules_in(number, round_), totals, empty)


def totals_before(state: GameState, number: int) -> tuple[int, ...]:
    """Return every total that is kept, of sides or of seats, before a round, past or present."""
    if number <= len(state.rounds):
        return state.rounds[number - 1].before.kept
    return state.standing.kept


def empty_seats(state: GameState, number: int, round_: Round) -> tuple[int, ...]:
    """Return the seats on which nobody sits in a round, past or present, as it is about to be."""
    earlier = state.rounds[: number - 1]
    seats = earlier[-1].after.seats if earlier else Seats(("",) * state.players)
    return seats.after(round_.notes.substitutes).empty


def _wrong_bids(
    state: GameState, number: int, round_: Round, before: Round | None
) -> list[Refusal]:
    table, bids = table_before(state, number, round_), round_.bids
    if not bids_itself(state.rules, number):
        if before and bids == before.bids and are_made(table.rules, bids, table.empty):
            return []
        return check_bids(table, bids)
    if all(bid is None for bid in bids):
        return []
    return [refuse(None, "bids_itself")]
