"""Entering a round: each step returns the new facts of the round, or raises `Refused`."""

from collections.abc import Sequence
from operator import itemgetter

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    are_made,
    check_bids,
    check_tricks,
    refusal,
    sides_of,
    thrown_in,
)
from scorekeeper.rules.game import GameState, Round, bids_itself
from scorekeeper.rules.penalties import Penalty, check_penalties
from scorekeeper.rules.refusals import Refusal, refuse
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitutes, check_seating, seated, substituted

Tally = tuple[int | None, ...]
Tricks = tuple[int, ...] | None
WAITS = ("missing", "thrown_in")  # refusals of bids that stand until the round has tricks


class Refused(ValueError):
    """An entry that the rules refuse, with a refusal for each seat at fault."""

    def __init__(self, refusals: list[Refusal]):
        super().__init__(" ".join(str(one.sentence) for one in refusals))
        self.refusals = refusals


def place_bid(state: GameState, number: int, round_: Round, seat: int, bid: Bid) -> Round:
    """Return the round with one seat's bid set; other bids and counts stay.

    Raises `Refused` when the rules forbid the bid.
    """
    if bids_itself(state.rules, number):
        raise Refused([refuse(seat, "bids_itself")])
    wrong = refusal(state.rules, round_.bids, seat, bid, totals_before(state, number))
    if wrong:
        raise Refused([wrong])
    return round_._replace(bids=(*round_.bids[:seat], bid, *round_.bids[seat + 1 :]))


def count_tricks(
    state: GameState, number: int, round_: Round, seat: int, tricks: int, *, one_by_one: bool
) -> Round:
    """Return the round with one seat's trick count noted, to be scored later.

    With `one_by_one` tricks are counted while the cards are played, and every other seat starts
    from zero; otherwise seats without a count stay open. Raises `Refused` before the bidding is
    over, when its bids are thrown in, or when the counts come to more tricks than there are.
    """
    rules = state.rules
    _need_bids(state, number, round_)
    if too_low := thrown_in(rules, round_.bids, totals_before(state, number)):
        raise Refused([too_low])
    tally = round_.tally or no_counts(rules, state.players)
    if one_by_one:
        tally = tuple(count or 0 for count in tally)
    tally = (*tally[:seat], tricks, *tally[seat + 1 :])
    together = sum(count or 0 for count in tally)
    if not 0 <= tricks <= rules.tricks or together > rules.tricks:
        raise Refused([refuse(seat, "too_many", n=together, tricks=rules.tricks)])
    return round_._replace(tally=tally)


def score_round(state: GameState, number: int, round_: Round, before: Round | None = None) -> Round:
    """Return a round that is complete and legal, with its tally dropped.

    Bids that are unchanged from `before` are not checked again: the rules, or the rounds before
    them, may have changed since they were made. Raises `Refused` with every bid and trick count
    that is wrong.
    """
    bids, tricks = round_.bids, round_.tricks
    wrong = _wrong_bids(state, number, bids, before)
    if tricks is not None:
        wrong += check_tricks(state.rules, tricks)
    if wrong:
        raise Refused(wrong)
    return round_._replace(tally=None)


def enter_round(
    state: GameState, number: int, before: Round, bids: Bids, tricks: Tricks, *, newest: bool
) -> Round:
    """Return a round that is sent as a whole; without tricks, bids may be missing too.

    The tally is kept as long as no bid is missing. Raises `Refused` for what the rules forbid, and
    where a round that others follow would lose its tricks.
    """
    if tricks is not None:
        return score_round(state, number, before._replace(bids=bids, tricks=tricks), before)
    if before.tricks is not None and not newest:
        raise Refused([refuse(None, "tricks")])
    wrong = [one for one in _wrong_bids(state, number, bids, before) if one.code not in WAITS]
    if wrong:
        raise Refused(wrong)
    tally = before.tally if are_made(state.rules, bids) else None
    return before._replace(bids=bids, tricks=None, tally=tally)


def enter_with_tally(
    state: GameState, number: int, before: Round, sent: Round, *, newest: bool
) -> Round:
    """Return a round that is sent as a whole, with its own tally if it has one, and its penalties.

    Raises `Refused` as `enter_round`, `count_tricks` and `give_penalty` do.
    """
    round_ = enter_round(state, number, before, sent.bids, sent.tricks, newest=newest)
    round_ = with_notes(state, round_._replace(tally=None), sent)
    if round_.tricks is not None:
        return round_
    for seat, count in enumerate(sent.tally or ()):
        if count is not None:
            round_ = count_tricks(state, number, round_, seat, count, one_by_one=False)
    return round_


def misdeal(round_: Round) -> Round:
    """Return the round without its bids: the same dealer deals again. Penalties stay.

    Raises `Refused` once the tricks are scored.
    """
    if round_.tricks is not None:
        raise Refused([refuse(None, "misdeal")])
    return round_._replace(bids=(None,) * len(round_.bids), tally=None)


def give_penalty(state: GameState, round_: Round, penalty: Penalty) -> Round:
    """Return the round with one more penalty. Raises `Refused` for one that cannot be given."""
    given = round_._replace(penalties=(*round_.penalties, penalty))
    return with_notes(state, round_, given)


def remove_penalty(round_: Round, penalty: Penalty) -> Round:
    """Return the round without a penalty; as it is where that is not one of its penalties."""
    left = list(round_.penalties)
    if penalty in left:
        left.remove(penalty)
    return round_._replace(penalties=tuple(left))


def with_notes(state: GameState, round_: Round, noted: Round) -> Round:
    """Return the round with the penalties of another, by seats, and the last if that is.

    Raises `Refused` for penalties that cannot be given.
    """
    penalties = tuple(sorted(noted.penalties, key=itemgetter(0)))
    if penalties != round_.penalties and (wrong := check_penalties(state.rules, penalties)):
        raise Refused(wrong)
    return round_._replace(penalties=penalties, last_round=noted.last_round)


def take_seat(
    starters: Sequence[str], earlier: Sequence[Substitutes], round_: Round, seat: int, player: str
) -> Round:
    """Return the round with a player on a seat, who keeps it until somebody else takes it.

    `earlier` are the substitutes of the rounds before. Raises `Refused` once the round is scored,
    and for a player who sits there or on another seat.
    """
    if round_.tricks is not None:
        raise Refused([refuse(seat, "substitute")])
    if player in seated(starters, [*earlier, round_.substitutes]):
        raise Refused([refuse(seat, "seated")])
    before = seated(starters, earlier)
    substitutes = substituted(before, round_.substitutes, seat, player)
    return with_substitutes(starters, [*earlier, substitutes], round_, substitutes)


def with_substitutes(
    starters: Sequence[str],
    rounds: Sequence[Substitutes],
    round_: Round,
    substitutes: Substitutes,
) -> Round:
    """Return the round with its substitutes; `rounds` are those of the whole game with them.

    Raises `Refused` where a player would sit on two seats.
    """
    if substitutes != round_.substitutes and (wrong := check_seating(starters, rounds)):
        raise Refused(wrong)
    return round_._replace(substitutes=substitutes)


def call_last_round(round_: Round) -> Round:
    """Return the round as the last of the game. Raises `Refused` once it is scored."""
    if round_.tricks is not None:
        raise Refused([refuse(None, "last_round")])
    return round_._replace(last_round=True)


def no_counts(rules: RuleSet, players: int) -> Tally:
    """Return the counts before the first: open, or 0 for a partner who is not counted apart."""
    counted = len(sides_of(rules, players)) if rules.tricks_by == "side" else players
    return (None,) * counted + (0,) * (players - counted)


def fill_last_count(tally: Tally | None, rules: RuleSet, players: int) -> Tally:
    """Return the counts; where one is open, it is filled in with the tricks that are left."""
    if tally is None:
        return no_counts(rules, players)
    if sum(count is None for count in tally) != 1:
        return tally
    rest = rules.tricks - sum(count or 0 for count in tally)
    return tuple(rest if count is None else count for count in tally)


def totals_before(state: GameState, number: int) -> tuple[int, ...]:
    """Return every total that is kept, of sides or of seats, before a round, past or present."""
    if number <= len(state.rounds):
        return state.rounds[number - 1].before.kept
    return state.standing.kept


def _wrong_bids(state: GameState, number: int, bids: Bids, before: Round | None) -> list[Refusal]:
    if not bids_itself(state.rules, number):
        if before and bids == before.bids and are_made(state.rules, bids):
            return []
        return check_bids(state.rules, bids, totals_before(state, number))
    if all(bid is None for bid in bids):
        return []
    return [refuse(None, "bids_itself")]


def _need_bids(state: GameState, number: int, round_: Round) -> None:
    if not are_made(state.rules, round_.bids) and not bids_itself(state.rules, number):
        raise Refused([refuse(None, "bids_missing")])
