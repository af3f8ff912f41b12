"""Worked examples of a rule book: the hands that matter under its values, scored by them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    Nil,
    Table,
    blind_bid,
    calls,
    refusal,
    sides_of,
    thrown_in,
)
from scorekeeper.rules.explain import score_reasons
from scorekeeper.rules.game import Standing, outcome_of
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, SideScore, score_side
from scorekeeper.rules.sentence import N_, Sentence, minus, shown
from scorekeeper.rules.values import MOST_ROUNDS, PACK

OUTCOMES: Mapping[str, Sentence] = {
    "bid_allowed": N_("Allowed."),
    "goes_on": N_("At {high} to {low} the game continues."),
    "ties": N_("At {high} to {low} it’s a tie: play another round."),
    "is_over": N_("At {high} to {low} the game is over: {high} wins."),
    "low_wins": N_("At {high} to {low} the game is over: {low} wins."),
    "fewer_bags": N_("At {high} to {low} the game is over: fewer overtricks win."),
    "exact_bids": N_("At {high} to {low} the game is over: more exact bids win."),
    "shared": N_("At {high} to {low} the game is over: both win."),
}
NOTHING: dict[str, Any] = {
    "tie_break": (0, 0),
    "sets": (0, 0),
    "sets_in_a_row": (0, 0),
    "first_tricks": (PACK, PACK),  # enough for any minimum
}


class Explanation(NamedTuple):
    """The result of a case under some rules, in sentences, with the score where there is one."""

    lines: list[Sentence]
    score: SideScore | None = None


def explain_hand(rules: RuleSet, hand: Hand) -> Explanation:
    """Return the points of a hand and the sentences that lead to them."""
    score = score_side(rules, hand)
    return Explanation(score_reasons(rules, hand, score), score)


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


def explain_bid(rules: RuleSet, bids: Bids, seat: int, bid: Bid, behind: int = 0) -> Explanation:
    """Return whether a seat may make a bid beside others, or why not.

    Its side is so many points behind.
    """
    sides = len(sides_of(rules, len(bids)))
    totals = [0 if other == seat % sides else behind for other in range(sides)]
    refused = refusal(Table(rules, totals), bids, seat, bid)
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
    won = ("is_over", "low_wins")[outcome.winner]
    if high == low and outcome.reason in ("rounds", "last_round"):
        won = rules.tie_at_limit
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
    refused = thrown_in(Table(rules, (total,) * len(bids)), bids)
    return Explanation([refused.sentence if refused else OUTCOMES["bid_allowed"]])


def table_size(rules: RuleSet, players: int | None = None) -> int:
    """Return the number of players in an example: that of a table, or four where four can play."""
    return players or (4 if 4 in rules.table_sizes else rules.table_sizes[0])


def _shared(n: int, seats: int) -> tuple[int, ...]:
    """Return a number shared by the seats of a side, the larger part first."""
    return (n,) if seats == 1 else (n - n // 2, n // 2)


EXAMPLES: Mapping[str, Sentence] = {
    "example_made": N_("Contract made exactly"),
    "example_overtricks": N_("Overtricks"),
    "example_too_many": N_("More tricks than bid"),
    "example_double": N_("Twice the tricks bid"),
    "example_set": N_("Set"),
    "example_zero": N_("Bid of 0 made"),
    "example_zero_set": N_("Bid of 0 set"),
    "example_fixed": N_("Bid with a fixed score"),
    "example_fixed_set": N_("Bid with a fixed score, set"),
    "example_ten": N_("Contract of 10 or more"),
    "example_ten_failed": N_("Contract of 10 or more set"),
    "example_boston": N_("All tricks bid and taken"),
    "example_blind_made": N_("Blind bid made"),
    "example_blind_set": N_("Blind bid set"),
    "example_blind_behind": N_("Bidding {n} blind when {behind} behind"),
    "example_value": N_("Bid that counts {n} times"),
    "example_unbid": N_("Round 1 without bidding"),
    "example_capped": N_("More overtricks than a round scores"),
    "example_bags": N_("Reaching the bag limit"),
    "example_nil_kept": N_("Nil made"),
    "example_nil_failed": N_("Nil failed"),
    "example_blind_nil_kept": N_("Blind Nil made"),
    "example_blind_nil_failed": N_("Blind Nil failed"),
    "example_both_nil_kept": N_("Double Nil made"),
    "example_both_nil_failed": N_("Double Nil, one failed"),
    "example_end": N_("Winning the game"),
    "example_hook": N_("Last to bid {bid} after bids of {others} each, {sum} in total"),
    "example_board": N_("Bidding {second} after a partner’s {first}"),
    "example_bid_of": N_("Bidding {bid}"),
    "example_bid_from": N_("Bidding {bid} when a score is {total}"),
    "example_thrown_in": N_("All bids together {n}"),
    "example_thrown_in_from": N_("All bids together {n} when a score is {total}"),
    "example_round": N_("After round {n}"),
    "example_last_round": N_("After the last round"),
    "example_sets": N_("The leader has been set {n} time", "The leader has been set {n} times"),
    "example_sets_in_a_row": N_(
        "The leader was set {n} time in a row", "The leader was set {n} times in a row"
    ),
    "example_first_round": N_(
        "The leader took {n} trick in round 1", "The leader took {n} tricks in round 1"
    ),
    "example_partner": N_("A player reaches {n}, and the partner has {low}"),
    "example_behind": N_("Bidding blind Nil when {n} behind"),
}


class Example(NamedTuple):
    """A case, the hand where there is one, and how it goes."""

    title: Sentence
    explanation: Explanation
    hand: Hand | None = None


def worked_examples(rules: RuleSet, players: int | None = None) -> tuple[Example, ...]:
    """Return the examples of a rule book in the order of an evening: score, bids, end.

    With a number of players they are of such a table, whose rules are given.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> overtricks = worked_examples(CUTTHROAT_LITE)[1]
    >>> [str(line) for line in overtricks.explanation.lines]
    ['bid 4, took 6: +40', '2 overtricks: +2', 'bags 0 → 2 of 6']
    """
    here = largest_round(rules, players)
    hands = [*_contracts(here), *_bags(here), *_nils(here)]
    scores = [Example(title, explain_hand(here, hand), hand) for title, hand in hands if hand]
    return (*scores, *_bidding(here, players), *_sums(here, players), *_endings(rules))


def largest_round(rules: RuleSet, players: int | None = None) -> RuleSet:
    """Return the rules of the round with the most cards at the table of an example."""
    players = table_size(rules, players)
    dealt = rules.plan(players)
    return rules.in_round(dealt.index(max(dealt)) + 1, players)


Hands = Iterator[tuple[Sentence, Hand | None]]


def _contracts(rules: RuleSet) -> Hands:
    usual = usual_bid(rules)
    yield EXAMPLES["example_made"], number_hand(rules, usual)
    beyond = "example_too_many" if rules.made == "exactly" else "example_overtricks"
    yield EXAMPLES[beyond], number_hand(rules, usual, 2)
    if rules.made == "below_double":
        yield EXAMPLES["example_double"], number_hand(rules, 2, 2)
    yield EXAMPLES["example_set"], number_hand(rules, usual, -1)
    if rules.minimum_bid == 0 and not rules.board:
        yield EXAMPLES["example_zero"], number_hand(rules, 0)
        if rules.made == "exactly":
            yield EXAMPLES["example_zero_set"], number_hand(rules, 0, 1)
    yield from _special_contracts(rules)
    if rules.first_round_bids_itself:
        yield EXAMPLES["example_unbid"], hand_without_bids(rules, usual)


def _special_contracts(rules: RuleSet) -> Hands:
    if rules.ten_for is not None or rules.ten_made is not None:
        ten = number_hand(rules, 10)
        yield EXAMPLES["example_ten"], ten if ten and sum(ten.tricks) >= 10 else None
    if rules.ten_failed is not None:
        ten = number_hand(rules, 10, -1)
        yield EXAMPLES["example_ten_failed"], ten if ten and sum(ten.tricks) >= 9 else None
    if rules.boston_made is not None:
        yield EXAMPLES["example_boston"], number_hand(rules, rules.tricks)
    if rules.blind_bid_from is not None:
        yield EXAMPLES["example_blind_made"], blind_hand(rules, rules.blind_bid_from)
        yield EXAMPLES["example_blind_set"], blind_hand(rules, rules.blind_bid_from, -1)
    for fixed in rules.worth_steps:
        if not fixed.low and rules.minimum_bid == 0 and rules.made == "exactly":
            continue  # the hands of a bid of 0 are there
        bid = blind_hand if fixed.is_blind else lone_hand
        if max(rules.minimum_bid, fixed.is_blind) <= fixed.low <= rules.tricks:
            yield EXAMPLES["example_fixed"], bid(rules, fixed.low)
            yield EXAMPLES["example_fixed_set"], bid(rules, fixed.low, -1 if fixed.low else 1)
    for step in rules.call_steps:
        if step.factor > 1 and step.total is None and step.low <= rules.tricks:
            yield EXAMPLES["example_value"].about(n=step.factor), lone_hand(rules, step.low)


def _bags(rules: RuleSet) -> Hands:
    cap, each, limit = rules.overtrick_cap, rules.overtrick_points, rules.bag_limit
    if cap is not None and each:
        yield EXAMPLES["example_capped"], number_hand(rules, 1, cap // abs(each) + 1)
    if limit is not None:
        yield (
            EXAMPLES["example_bags"],
            number_hand(rules, 3 if not rules.partnerships else 5, 2, limit - 1),
        )


def _nils(rules: RuleSet) -> Hands:
    if rules.nil_points is not None:
        yield EXAMPLES["example_nil_kept"], nil_hand(rules, Nil.NIL)
        yield EXAMPLES["example_nil_failed"], _failed(rules, Nil.NIL)
    if rules.blind_nil_points is not None:
        yield EXAMPLES["example_blind_nil_kept"], nil_hand(rules, Nil.BLIND)
        yield EXAMPLES["example_blind_nil_failed"], _failed(rules, Nil.BLIND)
    if rules.partners_bid and rules.nil_points is not None:
        both = (Nil.NIL, Nil.NIL)
        yield EXAMPLES["example_both_nil_kept"], Hand(both, (0, 0))
        yield EXAMPLES["example_both_nil_failed"], Hand(both, (0, min(2, rules.tricks)))


def _failed(rules: RuleSet, nil: Nil) -> Hand | None:
    """Return a failed Nil: of three tricks, or of the one that a partner's bid of 6 lacks."""
    if rules.partners_bid:
        return nil_hand(rules, nil, 1, 6, -1) or nil_hand(rules, nil, 1)
    return nil_hand(rules, nil, min(3, rules.tricks))


def _bidding(rules: RuleSet, size: int | None) -> Iterator[Example]:
    players = table_size(rules, size)
    nobody: Bids = (None,) * players
    bidders = calls(rules, players)
    if not rules.bids_may_equal_tricks and (last := hooked_bid(rules, bidders)):
        others, bid = last
        bids = (*(others,) * (bidders - 1), *nobody[bidders - 1 :])
        explanation = explain_bid(rules, bids, bidders - 1, bid)
        yield Example(hook_case(bidders, others, bid), explanation)
    if rules.board is not None and rules.board > rules.minimum_bid and not rules.partners_bid:
        yield bid_example(rules, rules.board - 1, players=size)
    elif rules.board is not None and 2 * rules.minimum_bid < rules.board:
        bid = rules.minimum_bid
        explanation = explain_bid(rules, (bid, *nobody[1:]), players // 2, bid)
        yield Example(board_case(bid, bid), explanation)
    if rules.blind_nil_deficit is not None:
        for behind in (rules.blind_nil_deficit - 1, rules.blind_nil_deficit):
            explanation = explain_bid(rules, nobody, 0, Nil.BLIND, behind)
            yield Example(behind_case(behind), explanation)
    if rules.blind_bid_deficit is not None:
        for behind in (rules.blind_bid_deficit - 1, rules.blind_bid_deficit):
            yield blind_bid_example(rules, behind, size)


def _sums(rules: RuleSet, players: int | None) -> Iterator[Example]:
    if rules.maximum_bid is not None and rules.highest_bid < rules.tricks:
        yield bid_example(rules, rules.highest_bid + 1, players=players)
    for total, least in rules.minimum_steps:
        yield bid_example(rules, least - 1 or 1, total, players)
    if rules.bids_at_least is not None:
        steps = ((0, rules.bids_at_least), *rules.bids_at_least_steps)
        for total, least in steps:
            yield thrown_in_example(rules, least - 1, total, players)


def bid_example(rules: RuleSet, bid: int, total: int = 0, players: int | None = None) -> Example:
    """Return an example of a bid, allowed or refused, by a side with a total."""
    title = EXAMPLES["example_bid_from" if total else "example_bid_of"].about(
        bid=bid, total=shown(total, rules.shown_as)
    )
    return Example(title, explain_bid(rules, (None,) * table_size(rules, players), 0, bid, total))


def blind_bid_example(rules: RuleSet, behind: int, players: int | None = None) -> Example:
    """Return whether the lowest blind bid may be made by a side so far behind."""
    lowest = rules.blind_bid_from or rules.highest_bid
    title = EXAMPLES["example_blind_behind"].about(n=lowest, behind=shown(behind, rules.shown_as))
    size = table_size(rules, players)
    explanation = explain_bid(rules, (None,) * size, 0, blind_bid(lowest), behind)
    return Example(title, explanation)


def thrown_in_example(
    rules: RuleSet, together: int, total: int = 0, players: int | None = None
) -> Example:
    """Return an example of bids with the sum `together`, which are played or thrown in."""
    title = EXAMPLES["example_thrown_in_from" if total else "example_thrown_in"]
    return Example(
        title.about(n=together, total=shown(total, rules.shown_as)),
        explain_deal(rules, bids_of(together, table_size(rules, players)), total),
    )


def bids_of(together: int, players: int) -> tuple[int, ...]:
    """Return bids of all players with the sum `together`, as even as possible."""
    return tuple((together + seat) // players for seat in range(players))


def _endings(rules: RuleSet) -> Iterator[Example]:
    title = EXAMPLES["example_end"]
    if rules.target is not None and rules.totals_by == "side":
        target = rules.target
        totals = [(target - 1, target // 2), (target + 6, target + 2), (target, target)]
        if rules.mercy is not None:
            totals += [(min(40, target - 1), rules.mercy)]
        for high, low in totals:
            yield Example(title, explain_end(rules, high, min(low, high)))
    yield from _partners(rules)
    yield from _limits(rules)


def _partners(rules: RuleSet) -> Iterator[Example]:
    if rules.target is None or rules.totals_by == "side":
        return
    for low in (rules.partner_least, rules.partner_least - 1):
        title = EXAMPLES["example_partner"].about(
            n=shown(rules.target, rules.shown_as), low=minus(low, rules.shown_as)
        )
        yield Example(title, explain_partners(rules, rules.target, low))


def _limits(rules: RuleSet) -> Iterator[Example]:
    high, low = usual_totals(rules)
    late = rules.minimum_rounds or 1
    if last := rules.rounds or (rules.cards and MOST_ROUNDS):
        title = EXAMPLES["example_round" if rules.rounds else "example_last_round"].about(n=last)
        yield Example(title, explain_end(rules, high, low, last))
        yield Example(title, explain_end(rules, high, high, last, tie_break=(1, 0)))
    if rules.sets_lose is not None:
        title = EXAMPLES["example_sets"].about(n=rules.sets_lose)
        yield Example(title, explain_end(rules, high, low, late, sets=(rules.sets_lose, 0)))
    if rules.sets_in_a_row_lose is not None:
        n = rules.sets_in_a_row_lose
        title = EXAMPLES["example_sets_in_a_row"].about(n=n)
        yield Example(title, explain_end(rules, high, low, late, sets_in_a_row=(n, 0)))
    if rules.first_round_minimum is not None:
        n = rules.first_round_minimum - 1
        title = EXAMPLES["example_first_round"].about(n=n)
        yield Example(title, explain_end(rules, high, low, first_tricks=(n, PACK)))


def usual_totals(*rules: RuleSet) -> tuple[int, int]:
    """Return two totals at which a game goes on under each of the rules."""
    high = min([60, *(each.target - 1 for each in rules if each.target is not None)])
    return high, high // 2


def usual_bid(rules: RuleSet) -> int:
    """Return a bid that is common for a side."""
    return 7 if rules.partnerships else 4


def hooked_bid(rules: RuleSet, bidders: int) -> tuple[int, int] | None:
    """Return the bid of each other player, and the last bid that would make the sum the tricks."""
    others = max(rules.minimum_bid, rules.tricks // bidders)
    last = rules.tricks - (bidders - 1) * others
    return (others, last) if last >= rules.minimum_bid else None


def hook_case(bidders: int, others: int, bid: int) -> Sentence:
    """Return the case of a last bidder who wants to make a bid after all others have bid."""
    return EXAMPLES["example_hook"].about(others=others, sum=(bidders - 1) * others, bid=bid)


def board_case(first: int, second: int) -> Sentence:
    """Return the case of a partner who wants to make a bid after the other has bid."""
    return EXAMPLES["example_board"].about(first=first, second=second)


def behind_case(behind: int) -> Sentence:
    """Return the case of a side that wants to bid blind Nil and is so many points behind."""
    return EXAMPLES["example_behind"].about(n=behind)
