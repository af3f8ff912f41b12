"""The effect of a house rule: the plainest hand that scores differently by the book's value.

Hands are tried in order under both rules. What none of them shows is told by the sentences of the
rules that differ. So a new value needs a hand here only where it scores and none shows it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from scorekeeper.rules import rule_text, score_text
from scorekeeper.rules.bidding import Nil, nil_points
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import (
    Explanation,
    blind_hand,
    explain_hand,
    lone_hand,
    nil_hand,
    number_hand,
    table_size,
    usual_bid,
)
from scorekeeper.rules.presets import apply_house_rules
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, house_rules
from scorekeeper.rules.scoring import Hand, score_side
from scorekeeper.rules.sentence import N_, REFUSALS, Sentence
from scorekeeper.rules.values import PACK, PAIRED

# What hands do not show is told by the sentences of the rules that differ: by these, or by all but
# those of the score.
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
    "lost_tricks": rule_text.tricks_lost,
    "tricks_by": rule_text.rule_sentences,
    "minutes": rule_text.time_limit,
    "blind_nil_deficit": score_text.nil_sentences,
    "blind_nil_partners": score_text.nil_sentences,
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
    """Return how a value matters, or None where it does not."""
    usual = with_book_value(name, book, rules)
    alone = _with_table_value(name, book, rules) if usual == book else rules
    here = rules if getattr(rules, name) is None else alone  # a value may be off with another
    if (usual.tricks, usual.pack, usual.deal) != (alone.tricks, alone.pack, alone.deal):
        players = min(table_size(usual), table_size(alone))
        decks = [Explanation(preparation(each, players)) for each in (usual, here)]
        if decks[0] != decks[1]:
            return Effect(N_("With {n} players", n=players), None, *decks)
    if name not in TOLD and usual.partners_bid == alone.partners_bid:
        for hand in filter(None, _hands(usual, alone)):
            if _scored(usual, hand) == _scored(alone, hand):
                continue  # without its sentences, which take longer than the score
            effect = Effect(None, hand, _explain_hand(usual, hand), _explain_hand(here, hand))
            if effect.book != effect.here:
                return effect
    return _told(name, usual, alone)


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
    tell = TOLD.get(name, _beside_the_score)
    whole = Effect(None, None, *(Explanation(tell(each)) for each in (usual, rules)))
    otherwise = [OTHERWISE[name]] if name in OTHERWISE else []
    book, here = (Explanation(lines or otherwise) for lines in whole.differing_lines)
    return Effect(None, None, book, here) if book != here else None


def _beside_the_score(rules: RuleSet) -> list[Sentence]:
    topics = rule_text.rule_topics(rules)
    return [line for topic, lines in topics if topic != "score" for line in lines]


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


def _values(name: str, *rules: RuleSet) -> list[int]:
    """Return the numbers that rules have for a value, the lowest first."""
    return sorted(n for each in rules if (n := getattr(each, name)) is not None)
