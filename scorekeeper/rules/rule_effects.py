"""The effect of a house rule: a small example, scored by the book's value and by the table's."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

from scorekeeper.rules.bidding import Nil, nil_points
from scorekeeper.rules.call_values import call_steps
from scorekeeper.rules.effect_cases import CASES
from scorekeeper.rules.examples import usual_bid
from scorekeeper.rules.house_rules import PAIRED
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused
from scorekeeper.rules.sample_hands import (
    Effect,
    Hand,
    blind_hand,
    contract_hands,
    explain_hand,
    nil_hand,
    number_hand,
)


def effects(book: RuleSet, rules: RuleSet) -> dict[str, Effect | None]:
    """Return the effect of each value that differs from the book; None where it has none.

    All other values are the table's own.

    >>> from dataclasses import replace
    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> rules = replace(CUTTHROAT_LITE, overtrick_points=0)
    >>> effect = effects(CUTTHROAT_LITE, rules)["overtrick_points"]
    >>> effect.hand, effect.book.score.points, effect.here.score.points
    (Hand(bids=(3,), tricks=(5,), bags=0), 32, 30)
    """
    return {
        name: effect_of(name, book, rules)
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(book, name)
    }


def effect_of(name: str, book: RuleSet, rules: RuleSet) -> Effect | None:
    """Return an example in which a value matters, or None where there is none."""
    usual = with_book_value(name, book, rules)
    if name in CASES:
        found = CASES[name](usual, rules)
    elif name in HANDS:
        found = _first_that_differs(HANDS[name], usual, rules)
    else:
        raise NotImplementedError(f"add {name} to HANDS, or to CASES in effect_cases.py")
    return found if found and _differ(found) else None


def with_book_value(name: str, book: RuleSet, rules: RuleSet) -> RuleSet:
    """Return the rules with one value of the book, and the value that has to go with it."""
    for names in ((name,), (name, PAIRED.get(name, name))):
        try:
            return replace(rules, **{each: getattr(book, each) for each in names})
        except RulesRefused:
            continue
    return book


def _differ(effect: Effect) -> bool:
    sides = (effect.book, effect.here)
    book, here = (one.score and (one.score.points, one.score.bags) for one in sides)
    return book != here or (not here and effect.book.lines != effect.here.lines)


def _first_that_differs(
    hands: Callable[[RuleSet, RuleSet], Iterator[Hand | None]], usual: RuleSet, rules: RuleSet
) -> Effect | None:
    found = (
        Effect(None, hand, explain_hand(usual, hand), explain_hand(rules, hand))
        for hand in hands(usual, rules)
        if hand
    )
    return next(filter(_differ, found), None)


def _made(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    for bid in (usual_bid(rules), rules.minimum_bid, 1):
        yield from contract_hands(rules, bid)


def _set(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    yield from (number_hand(rules, bid, -1) for bid in (usual_bid(rules), 1))
    least = max(rules.minimum_bid, rules.board or 0)  # beside a Nil, if two bids are always more
    for nil in (nil for nil in Nil if rules.partners_bid and nil_points(rules, nil) is not None):
        yield Hand((nil, least), (0, least - 1))


def _ten(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    yield from contract_hands(rules, 10)
    yield number_hand(rules, 10, -1)


def _boston(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    yield from contract_hands(rules, rules.tricks)


def _blind(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    for bid in range(rules.blind_bid_from or rules.tricks, rules.tricks + 1):
        yield blind_hand(rules, bid)
        yield blind_hand(rules, bid, -1)


def _call_values(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    """Yield bids at the edges of steps, whose value changes there; then any bids of partners."""
    steps = (*call_steps(usual.call_values), *call_steps(rules.call_values))
    for step in steps:
        yield from contract_hands(rules, step.low)
        yield from contract_hands(rules, 2 * step.low)
    if rules.partners_bid:
        for bids in combinations_with_replacement(range(rules.minimum_bid, rules.tricks + 1), 2):
            yield Hand(bids, (0, 0))


def _overtricks(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    """Yield made contracts and failed Nils with more and more overtricks, two first."""
    for beyond in (2, *range(1, rules.tricks + 1)):
        yield from contract_hands(rules, 5 if rules.partners_bid else 3, beyond)
        yield from contract_hands(rules, rules.minimum_bid, beyond)
    for took in range(1, rules.tricks + 1):
        if rules.nil_points is not None:
            yield nil_hand(rules, Nil.NIL, took)
            yield Hand((Nil.NIL, Nil.NIL), (took, 0)) if rules.partners_bid else None
        if rules.blind_nil_points is not None:
            yield nil_hand(rules, Nil.BLIND, took)


def _bags(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    """Yield the same hands with bags before them, one short of the lower limit."""
    limits = [limit for limit in (usual.bag_limit, rules.bag_limit) if limit is not None]
    before = min(limits, default=1) - 1  # with more, one of the limits would be behind already
    for hand in _overtricks(usual, rules):
        yield hand and hand._replace(bags=before)


def _double_nil(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    for took in (0, 1):
        yield Hand((Nil.NIL, Nil.NIL), (0, took))


def _failed_nil(usual: RuleSet, rules: RuleSet) -> Iterator[Hand | None]:
    for nil in (nil for nil in Nil if nil_points(rules, nil) is not None):
        for took, bid, beyond in ((1, 6, -1), (2, 4, 0), (3, 4, 0), (1, 4, 1)):
            yield nil_hand(rules, nil, min(took, rules.tricks), bid, beyond)
    if rules.partners_bid and rules.nil_points is not None:
        yield Hand((Nil.NIL, Nil.NIL), (0, 1))


HANDS: dict[str, Callable[[RuleSet, RuleSet], Iterator[Hand | None]]] = {
    "trick_points": _made,
    "set_points": _set,
    "failed_bid": _set,
    "call_values": _call_values,
    "ten_for": _ten,
    "ten_made": _ten,
    "ten_failed": _ten,
    "boston_made": _boston,
    "blind_trick_points": _blind,
    "blind_set_points": _blind,
    "overtrick_points": _overtricks,
    "overtrick_cap": _overtricks,
    "bag_limit": _bags,
    "bag_penalty": _bags,
    "bag_remainder": _bags,
    "double_nil_points": _double_nil,
    "failed_nil_tricks": _failed_nil,
}
