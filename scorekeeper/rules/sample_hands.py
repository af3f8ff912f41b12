"""Sample hands that show what a rule does: one side's bids and tricks, legal where possible."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorekeeper.rules.bidding import Bid, Bids, Nil, blind_bid, refusal, sides_of, thrown_in
from scorekeeper.rules.game import Standing, outcome_of
from scorekeeper.rules.ruleset import PACK, RuleSet
from scorekeeper.rules.score_reasons import score_reasons
from scorekeeper.rules.scoring import SideScore, score_side
from scorekeeper.rules.sentence import N_, Sentence, minus

OUTCOMES: Mapping[str, Sentence] = {
    "bid_allowed": N_("Allowed."),
    "goes_on": N_("At {high} to {low} the game continues."),
    "ties": N_("At {high} to {low} it’s a tie: play another round."),
    "is_over": N_("At {high} to {low} the game is over: {high} wins."),
    "low_wins": N_("At {high} to {low} the game is over: {low} wins."),
    "fewer_bags": N_("At {high} to {low} the game is over: fewer overtricks win."),
}
NOTHING: dict[str, Any] = {
    "overtricks": (0, 0),
    "sets": (0, 0),
    "sets_in_a_row": (0, 0),
    "first_tricks": (PACK, PACK),  # enough for any minimum
}


class Hand(NamedTuple):
    """One side's round: each seat's bid and tricks, and the bags it had before."""

    bids: Bids
    tricks: tuple[int, ...]
    bags: int = 0


class Explanation(NamedTuple):
    """The result of a case under some rules, in sentences, with the score where there is one."""

    lines: list[Sentence]
    score: SideScore | None = None


def explain_hand(rules: RuleSet, hand: Hand) -> Explanation:
    """Return the points of a hand and the sentences that lead to them."""
    score = score_side(rules, *hand)
    return Explanation(score_reasons(rules, hand.bids, hand.tricks, score, hand.bags), score)


def number_hand(rules: RuleSet, bid: int, beyond: int = 0, bags: int = 0) -> Hand | None:
    """Return a hand that bids about `bid` and takes `beyond` tricks more, or fewer if negative.

    None where the rules allow no such hand.
    """
    seats = 2 if rules.partners_bid else 1
    least = max(rules.minimum_bid * seats, rules.board or 0)
    most = rules.tricks - beyond if beyond >= 0 else rules.tricks * seats
    contract = min(max(bid, least), most)
    taken = min(contract + beyond, rules.tricks)
    if contract < least or taken < 0:
        return None
    return Hand(_shared(contract, seats), _shared(taken, seats), bags)


def nil_hand(rules: RuleSet, nil: Nil, took: int = 0, bid: int = 4, beyond: int = 0) -> Hand | None:
    """Return a hand with a Nil that took `took` tricks; a partner bids about `bid`."""
    if not rules.partners_bid:
        return Hand((nil,), (took,)) if took <= rules.tricks else None
    least = max(rules.minimum_bid, rules.board or 0)
    contract = min(max(bid, least), rules.tricks, rules.tricks - took - beyond)
    if contract < least or contract + beyond < 0:
        return None
    return Hand((nil, contract), (took, contract + beyond))


def lone_hand(rules: RuleSet, bid: int, beyond: int = 0) -> Hand | None:
    """Return a hand that bids about `bid`; of one player where each has a total."""
    if rules.totals_by == "side":
        return number_hand(rules, bid, beyond)
    return Hand((bid, rules.minimum_bid), (bid + beyond, 0))


def blind_hand(rules: RuleSet, bid: int, beyond: int = 0) -> Hand | None:
    """Return a blind bid with so many tricks beyond it, beside the least that a partner bids."""
    mate = max(rules.minimum_bid, (rules.board or 0) - bid)
    others = (mate,) if rules.partners_bid else ()
    if bid + sum(others) > rules.tricks or bid + beyond < 0:
        return None
    return Hand((blind_bid(bid), *others), (bid + beyond, *others))


def hand_without_bids(rules: RuleSet, taken: int) -> Hand:
    """Return a round that bids itself."""
    seats = 2 if rules.partners_bid else 1
    return Hand((None,) * seats, _shared(min(taken, rules.tricks), seats))


def explain_bid(
    rules: RuleSet, players: int, others: Mapping[int, Bid], seat: int, bid: Bid, behind: int = 0
) -> Explanation:
    """Return whether a seat may make a bid, or why not; its side is so many points behind."""
    sides = len(sides_of(rules, players))
    totals = [0 if other == seat % sides else behind for other in range(sides)]
    bids = tuple(others.get(other) for other in range(players))
    refused = refusal(rules, bids, seat, bid, totals)
    return Explanation([refused.sentence if refused else OUTCOMES["bid_allowed"]])


def explain_end(rules: RuleSet, high: int, low: int, number: int = 1, **more: Any) -> Explanation:
    """Return whether two totals after a round end the game, and for whom.

    `more` are other parts of the standing, such as the sets of both sides.
    """
    standing = Standing((high, low), (0, 0), **{**NOTHING, **more})
    outcome = outcome_of(rules, standing, number)
    values: dict[str, int | str] = {
        "high": minus(high, rules.shown_as),
        "low": minus(low, rules.shown_as),
    }
    if outcome is None:
        return Explanation([OUTCOMES["goes_on"].about(**values)])
    if outcome.winner is None:
        return Explanation([OUTCOMES["ties"].about(**values)])
    won = "fewer_bags" if high == low else ("is_over", "low_wins")[outcome.winner]
    return Explanation([OUTCOMES[won].about(**values)])


def explain_partners(rules: RuleSet, high: int, low: int) -> Explanation:
    """Return whether a player's total ends the game whose partner has another."""
    standing = Standing((high + low, 0), (0, 0), (high, 0, low, 0), **NOTHING)
    ends = outcome_of(rules, standing, 1) is not None
    values: dict[str, int | str] = {
        "high": minus(high + low, rules.shown_as),
        "low": minus(0, rules.shown_as),
    }
    return Explanation([OUTCOMES["is_over" if ends else "goes_on"].about(**values)])


def explain_deal(rules: RuleSet, bids: Bids, total: int = 0) -> Explanation:
    """Return whether bids are played, or thrown in, where a side has so many points."""
    refused = thrown_in(rules, bids, (total,) * len(bids))
    return Explanation([refused.sentence if refused else OUTCOMES["bid_allowed"]])


def table_size(rules: RuleSet) -> int:
    """Return the number of players in an example: four, where four can play."""
    return 4 if 4 in rules.table_sizes else rules.table_sizes[0]


def _shared(n: int, seats: int) -> tuple[int, ...]:
    """Return a number shared by the seats of a side, the larger part first."""
    return (n,) if seats == 1 else (n - n // 2, n // 2)
