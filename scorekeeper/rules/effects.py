"""The effect of a house rule: the plainest sample that goes differently by the book's value.

Hands, bids, deals and endings are tried in order under both rules. A new value needs a sample here
only where none of them shows it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from scorekeeper.rules import rule_text, score_text
from scorekeeper.rules.bidding import Bids, Nil, blind_bid, calls, nil_points
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import (
    EXAMPLES,
    Example,
    Explanation,
    behind_case,
    bid_example,
    blind_bid_example,
    blind_hand,
    board_case,
    explain_bid,
    explain_deal,
    explain_end,
    explain_hand,
    explain_partners,
    hand_without_bids,
    hook_case,
    hooked_bid,
    lone_hand,
    nil_hand,
    number_hand,
    table_size,
    thrown_in_example,
    usual_bid,
    usual_totals,
)
from scorekeeper.rules.presets import apply_house_rules
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, house_rules
from scorekeeper.rules.scoring import Hand, score_side
from scorekeeper.rules.sentence import N_, REFUSALS, Sentence, minus, shown
from scorekeeper.rules.values import MOST_ROUNDS, PACK, PAIRED

# What no sample shows is told by those sentences of the rules that differ.
TOLD: Mapping[str, Callable[[RuleSet], list[Sentence]]] = {
    "first_dealer": lambda rules: [rule_text.first_dealer(rules)],
    "players": lambda rules: [rule_text.sizes(rules)],
    "clockwise": lambda rules: [rule_text.deal_turns(rules)],
    "trump": rule_text.trump,
    "trump_order": rule_text.trump,
    "shown_as": score_text.shown_as,
    "bid_by": rule_text.bid_sentences,
    "bonus_counts": score_text.bonus,
    "cards": rule_text.cards,
    "hook_from": rule_text.bid_sentences,
    "rematch_dealer": rule_text.rule_sentences,
    "joins_at": rule_text.rule_sentences,
    "lost_tricks": rule_text.tricks_lost,
    "trump_lead": rule_text.rule_sentences,
    "must_trump": rule_text.rule_sentences,
    "tricks_by": rule_text.rule_sentences,
    "minutes": rule_text.time_limit,
    "negative_doubles": rule_text.rule_sentences,
    "stake_by": rule_text.rule_sentences,
}
# What is said where the rules have no sentence for it.
OTHERWISE: Mapping[str, Sentence] = {
    "bonus_counts": N_("Bonus points always count."),
    "hook_from": N_("The bids can never total the cards of the round."),
    "lost_tricks": N_("Every trick goes to a player."),
    "minutes": N_("There’s no clock."),
    "rematch_dealer": N_("A rematch starts like a first game."),
    "joins_at": N_("A new player in an empty seat starts from zero."),
    "shown_as": N_("Scores are whole numbers."),
    "stake_by": N_("The winner takes the pot."),
}


class Sample(NamedTuple):
    """A hand or another case, and how it goes under some rules."""

    case: Sentence | None
    hand: Hand | None
    explain: Callable[[RuleSet], Explanation]


class Effect(NamedTuple):
    """The effect of one rule: a case, and its result by the book's value and by the table's.

    All other values are the table's on both sides, so this rule alone makes the difference.
    """

    case: Sentence | None
    hand: Hand | None
    book: Explanation
    here: Explanation

    @property
    def differing_lines(self) -> tuple[list[Sentence], list[Sentence]]:
        """The sentences that differ; of a score all, where one side has none of its own."""
        book = [line for line in self.book.lines if line not in self.here.lines]
        here = [line for line in self.here.lines if line not in self.book.lines]
        return (
            (self.book.lines, self.here.lines)
            if self.hand and not (book and here)
            else (book, here)
        )


def effects(book: RuleSet, rules: RuleSet) -> dict[str, Effect | None]:
    """Return the effect of each value that differs from the book; None where it has none.

    All other values are the table's own.

    >>> from dataclasses import replace
    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> rules = replace(CUTTHROAT_LITE, overtrick_points=0)
    >>> effect = effects(CUTTHROAT_LITE, rules)["overtrick_points"]
    >>> effect.hand.bids, effect.book.score.points, effect.here.score.points
    ((3,), 32, 30)
    """
    return {
        name: effect_of(name, book, rules)
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(book, name)
    }


def effect_of(name: str, book: RuleSet, rules: RuleSet) -> Effect | None:
    """Return the first sample in which a value matters, or None where there is none."""
    usual = with_book_value(name, book, rules)
    alone = _with_table_value(name, book, rules) if usual == book else rules
    here = rules if getattr(rules, name) is None else alone  # a value may be off with another
    if name in TOLD:
        return _told(name, usual, alone)
    for case, hand, explain in _samples(usual, alone):
        if hand and _scored(usual, hand) == _scored(alone, hand):
            continue  # without its sentences, which take longer than the score
        if explain(usual) != explain(alone):
            effect = Effect(case, hand, explain(usual), explain(here))
            if effect.book != effect.here:
                return effect
    return None


def with_book_value(name: str, book: RuleSet, rules: RuleSet) -> RuleSet:
    """Return the rules with one value of the book, and the value that has to go with it.

    Where the other values forbid that, return the book.
    """
    for names in ((name,), (name, PAIRED.get(name, name))):
        try:
            return replace(rules, **{each: getattr(book, each) for each in names})
        except RulesRefused:
            continue
    return book


def _with_table_value(name: str, book: RuleSet, rules: RuleSet) -> RuleSet:
    """Return the book with one value of the rules; all of them where it cannot stand alone."""
    values = house_rules(book, rules)
    bound = {each: values[each] for each in (name, PAIRED.get(name, "")) if each in values}
    alone, refused = apply_house_rules(book, bound)
    return rules if name in refused else alone


def _told(name: str, usual: RuleSet, rules: RuleSet) -> Effect | None:
    whole = Effect(None, None, *(Explanation(TOLD[name](each)) for each in (usual, rules)))
    otherwise = [OTHERWISE[name]] if name in OTHERWISE else []
    book, here = (Explanation(lines or otherwise) for lines in whole.differing_lines)
    return Effect(None, None, book, here) if book != here else None


def _samples(usual: RuleSet, rules: RuleSet) -> Iterator[Sample]:
    if (usual.tricks, usual.pack, usual.deal) != (rules.tricks, rules.pack, rules.deal):
        players = min(table_size(usual), table_size(rules))
        case = N_("With {n} players", n=players)
        yield Sample(case, None, lambda each: Explanation(preparation(each, players)))
    yield _blind_bid(usual, rules)
    if usual.partners_bid == rules.partners_bid:
        for hand in filter(None, _hands(usual, rules)):
            yield Sample(None, hand, partial(_explain_hand, hand=hand))
    yield _first_round(rules)
    yield from _bids(usual, rules)
    yield from _behind(usual, rules)
    yield from _deals(usual, rules)
    yield from _ends(usual, rules)


def _hands(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    """Yield hands of one side, and at last all of them once more with as many bags as can stay."""
    bags = min(_values("bag_limit", usual, rules), default=1) - 1
    yield from _plain_hands(usual, rules, bags)
    if bags:
        again = filter(None, _plain_hands(usual, rules, bags))
        yield from (hand._replace(bags=bags) for hand in again)


def _plain_hands(usual: RuleSet, rules: RuleSet, bags: int) -> Iterator[Hand | None]:
    """Yield contracts, Nils, bags and overtricks, blind bids, large bids."""
    bid, few = usual_bid(rules), 5 if rules.partners_bid else 3
    yield from (number_hand(rules, bid), number_hand(rules, bid, -1))
    yield from (number_hand(rules, few, 2), number_hand(rules, few, 1))
    nils = [nil for nil in Nil if {nil_points(usual, nil), nil_points(rules, nil)} != {None}]
    yield from (nil_hand(rules, nil) for nil in nils)
    yield from (number_hand(rules, few, beyond, bags) for beyond in (2, 1))
    yield from (number_hand(rules, few, beyond) for beyond in range(1, rules.tricks))
    all_of_them = (rules.tricks, 0, 0)
    for nil in nils:
        for took, beside, beyond in (
            (1, 6, -1),
            (2, 4, 0),
            (3, 4, 0),
            (1, 4, 1),
            (0, 1, 1),
            all_of_them,
        ):
            yield nil_hand(rules, nil, min(took, rules.tricks), beside, beyond)
    if rules.partners_bid and rules.nil_points is not None:
        yield from (Hand((Nil.NIL, Nil.NIL), (0, took)) for took in range(rules.tricks + 1))
    for number in range(rules.blind_bid_from or PACK, rules.tricks + 1):
        yield from (blind_hand(rules, number), blind_hand(rules, number, -1))
    steps = [step.low for each in (usual, rules) for step in each.call_steps]
    fixed = [step for each in (usual, rules) for step in each.worth_steps]
    for step in fixed:
        for beyond in (0, -1, 1) if step.low >= rules.minimum_bid else ():
            if 0 <= step.low + beyond <= rules.tricks:
                yield lone_hand(rules, step.low, beyond)
                yield blind_hand(rules, step.low, beyond) if step.is_blind else None
    bids = (*steps, 10, rules.tricks, *(2 * low for low in steps), rules.minimum_bid, 1)
    for bid in dict.fromkeys(bids):
        yield from _odd_hands(rules, min(bid, rules.tricks))
        yield number_hand(rules, bid, -1)  # partners may bid more than there are tricks


def _odd_hands(rules: RuleSet, bid: int) -> Iterator[Hand | None]:
    """Yield hands with a bid, set or made: of both partners, of one alone, or beside a Nil."""
    for beyond in (0, *range(-1, rules.tricks + 1 - bid)):
        yield from (number_hand(rules, bid, beyond), lone_hand(rules, bid, beyond))
        if rules.nil_points is not None:
            yield nil_hand(rules, Nil.NIL, 0, bid, beyond)


def _scored(rules: RuleSet, hand: Hand) -> tuple[int, int] | None:
    """Return the points and bags of a hand, or None where its Nil is not in the rules."""
    if any(isinstance(bid, Nil) and nil_points(rules, bid) is None for bid in hand.bids):
        return None
    score = score_side(rules, hand)
    return score.points, score.bags


def _explain_hand(rules: RuleSet, hand: Hand) -> Explanation:
    for nil, code in ((Nil.NIL, "nil"), (Nil.BLIND, "blind_nil")):
        if nil in hand.bids and nil_points(rules, nil) is None:
            return Explanation([REFUSALS[code]])
    return explain_hand(rules, hand)


def _first_round(rules: RuleSet) -> Sample:
    hand = hand_without_bids(rules, usual_bid(rules))
    n = sum(hand.tricks)
    case = N_("Taking {n} trick in round 1", "Taking {n} tricks in round 1", n=n)
    bid = Explanation([N_("Scored by what was bid.")])
    return Sample(
        case, None, lambda each: explain_hand(each, hand) if each.first_round_bids_itself else bid
    )


def _blind_bid(usual: RuleSet, rules: RuleSet) -> Sample:
    lowest = min([*_values("blind_bid_from", usual, rules), rules.highest_bid])
    behind = max(_values("blind_bid_deficit", usual, rules), default=0)
    bid = max(lowest, usual.minimum_bid, rules.minimum_bid)
    return _bid(
        N_("Bidding {n} blind", n=bid), (None,) * table_size(rules), 0, blind_bid(bid), behind
    )


def _bids(usual: RuleSet, rules: RuleSet) -> Iterator[Sample]:
    """Yield bids that may be too low or high, or make the wrong sum."""
    players, first = table_size(rules), rules.minimum_bid
    nobody: Bids = (None,) * players
    for board in _values("board", usual, rules)[-1:]:
        if not rules.partners_bid:
            yield _example(rules, bid_example, board - 1)
        elif 2 * first < board:
            second = board - 1 - first
            yield _bid(board_case(first, second), (first, *nobody[1:]), players // 2, second)
    yield _example(rules, bid_example, min(usual.minimum_bid, rules.minimum_bid))
    yield _example(rules, bid_example, max(usual.highest_bid, rules.highest_bid))
    for total, least in _steps("minimum_steps", usual, rules)[-1:]:
        yield _example(rules, bid_example, max(1, least - 1), total)
    bidders = calls(rules, players)
    if hooked := hooked_bid(rules, bidders):
        others = (*(hooked[0],) * (bidders - 1), *nobody[bidders - 1 :])
        yield _bid(hook_case(bidders, *hooked), others, bidders - 1, hooked[1])


def _behind(usual: RuleSet, rules: RuleSet) -> Iterator[Sample]:
    """Yield blind bids that may need to be further behind, or a partner who sees the cards."""
    players = table_size(rules)
    nobody: Bids = (None,) * players
    if rules.blind_nil_points is not None:
        behind = _between(_values("blind_nil_deficit", usual, rules))
        yield _bid(behind_case(behind), nobody, 0, Nil.BLIND, behind)
        case = N_("Bidding blind Nil after a partner’s blind Nil")
        behind = rules.blind_nil_deficit or 0
        yield _bid(case, (Nil.BLIND, *nobody[1:]), players // 2, Nil.BLIND, behind)
    if rules.blind_bid_from is not None:
        behind = _between(_values("blind_bid_deficit", usual, rules))
        yield _example(rules, blind_bid_example, behind)


def _deals(usual: RuleSet, rules: RuleSet) -> Iterator[Sample]:
    """Yield bids of all players that may be too few to play."""
    for least in _values("bids_at_least", usual, rules)[-1:]:
        yield _example(rules, thrown_in_example, least - 1)
        lone = (min(least - 1, rules.highest_bid), *(0,) * (table_size(rules) - 1))
        case = EXAMPLES["example_thrown_in"].about(n=sum(lone))
        yield Sample(case, None, partial(explain_deal, bids=lone))
    for total, least in _steps("bids_at_least_steps", usual, rules)[-1:]:
        yield _example(rules, thrown_in_example, least - 1, total)


def _ends(usual: RuleSet, rules: RuleSet) -> Iterator[Sample]:
    """Yield totals after a round that may end the game."""
    high, low = usual_totals(usual, rules)
    tied = partial(_end, high=high, low=high, tie_break=(1, 0))
    for n in _values("rounds", usual, rules)[:1]:
        yield _end(_about("example_round", n), high, low, n)
        yield tied(_about("example_round", n), number=n)
    yield tied(N_("Last round"), time_is_up=True)
    for mercy in _values("mercy", usual, rules)[-1:]:
        yield _end(None, min(40, high), mercy)
    for target in _values("target", usual, rules)[:1]:
        if rules.totals_by == "side":
            yield _end(None, target, target // 2)
            continue
        points = {"n": shown(target, rules.shown_as), "low": minus(-1, rules.shown_as)}
        case = EXAMPLES["example_partner"].about(**points)
        yield Sample(None, None, partial(explain_partners, high=target, low=0))
        yield Sample(case, None, partial(explain_partners, high=target, low=-1))
        for least in _values("partner_least", usual, rules)[-1:]:
            case = EXAMPLES["example_partner"].about(
                n=shown(target, rules.shown_as), low=minus(least - 1, rules.shown_as)
            )
            yield Sample(case, None, partial(explain_partners, high=target, low=least - 1))
    late = max(_values("minimum_rounds", usual, rules), default=1)
    for n in _values("sets_lose", usual, rules)[:1]:
        yield _end(_about("example_sets", n), high, low, late, sets=(n, 0))
    for n in _values("sets_in_a_row_lose", usual, rules)[:1]:
        yield _end(_about("example_sets_in_a_row", n), high, low, late, sets_in_a_row=(n, 0))
    many = {"sets": (MOST_ROUNDS, 0), "sets_in_a_row": (MOST_ROUNDS, 0)}
    yield _end(_about("example_round", late - 1), high, low, late - 1, **many)
    for n in _values("first_round_minimum", usual, rules)[-1:]:
        yield _end(_about("example_first_round", n - 1), high, low, first_tricks=(n - 1, PACK))


def _about(code: str, n: int) -> Sentence:
    return EXAMPLES[code].about(n=n)


def _example(rules: RuleSet, example: Callable[..., Example], *values: int) -> Sample:
    title = example(rules, *values).title
    return Sample(title, None, lambda each: example(each, *values).explanation)


def _bid(case: Sentence, *values: Any) -> Sample:
    return Sample(case, None, lambda each: explain_bid(each, *values))


def _end(case: Sentence | None, high: int, low: int, number: int = 1, **more: Any) -> Sample:
    return Sample(case, None, lambda each: explain_end(each, high, low, number, **more))


def _values(name: str, *rules: RuleSet) -> list[int]:
    """Return the numbers that rules have for a value, the lowest first."""
    return sorted(n for each in rules if (n := getattr(each, name)) is not None)


def _steps(name: str, *rules: RuleSet) -> list[tuple[int, int]]:
    return sorted(step for each in rules for step in getattr(each, name))


def _between(deficits: list[int]) -> int:
    """Return how far behind a side is that only one of two deficits keeps from bidding blind."""
    return deficits[0] if len(deficits) == 2 else sum(deficits) // 2
