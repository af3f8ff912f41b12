"""The worked examples of a rule book, and what each house rule means on a small case."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations_with_replacement, groupby, product

import pytest
from hypothesis import given

from scorekeeper.rules.bidding import Bid, Bids, Nil, contract
from scorekeeper.rules.effects import effect_of, effects, with_book_value
from scorekeeper.rules.examples import Explanation, nil_hand, number_hand, worked_examples
from scorekeeper.rules.presets import PRESETS, apply_house_rules
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, house_rules
from scorekeeper.rules.scoring import Hand, score_side
from tests.rules.house_values import NEEDED, sample_changes
from tests.rules.tables import Row, rows, rules_of
from tests.rules.test_properties import quick, rule_sets

EXAMPLES = {
    " ".join(key): list(group)
    for key, group in groupby(rows("examples"), lambda row: (row["rules"], row["house_rules"]))
}
POINTS = re.compile(r": ([+−]?[0-9]+(?:\.[0-9])?)")


def as_row(hand: Hand | None, explanation: Explanation) -> tuple[str, ...]:
    """Return a case as its cells in the tables."""
    cells = ("", "", "")
    if hand:
        bids = "/".join("" if bid is None else str(bid) for bid in hand.bids)
        cells = (bids, "/".join(map(str, hand.tricks)), str(hand.bags))
    points = str(explanation.score.points) if explanation.score else ""
    return (*cells, " | ".join(map(str, explanation.lines)), points)


@pytest.mark.parametrize("expected", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_rule_book_has_its_worked_examples(expected: list[Row]) -> None:
    shown = worked_examples(rules_of(expected[0]))
    columns = ("title", "bids", "tricks", "bags_before", "lines", "points")
    assert [(str(one.title), *as_row(one.hand, one.explanation)) for one in shown] == [
        tuple(row[column] for column in columns) for row in expected
    ]


def test_the_table_of_examples_shows_every_rule_book() -> None:
    assert {row["rules"] for row in rows("examples")} == set(PRESETS)


@pytest.mark.parametrize(
    "row", [pytest.param(r, id=f"{r['name']} {r['house_rules']}") for r in rows("effects")]
)
def test_a_house_rule_means_what_the_table_says(row: Row) -> None:
    effect = effect_of(row["name"], PRESETS[row["rules"]], rules_of(row))
    if not (row["book"] or row["here"]):
        assert effect is None
        return
    assert effect is not None
    hand = (row["bids"], row["tricks"], row["bags_before"])
    assert str(effect.case or "") == row["case"]
    assert as_row(effect.hand, effect.book) == (*hand, row["book"], row["book_points"])
    assert as_row(effect.hand, effect.here) == (*hand, row["here"], row["here_points"])


def test_every_house_rule_stands_in_the_table() -> None:
    missing = sorted(set(HOUSE_RULES) - {row["name"] for row in rows("effects")})
    assert not missing, f"add rows for {missing} to tests/rules/effects.csv"


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule_has_an_example_of_its_effect(name: str) -> None:
    changed = [
        (
            apply_house_rules(preset, NEEDED.get(name, {}))[0],
            apply_house_rules(preset, changes)[0],
        )
        for preset in PRESETS.values()
        for changes in sample_changes(name)
    ]
    found = any(effect_of(name, book, rules) for book, rules in changed if rules != book)
    assert found, (
        f"no hand and no sentence of the rules shows {name}: add a hand to rules/effects.py"
    )


def test_what_is_as_in_the_book_has_no_effect() -> None:
    assert effects(PRESETS["cutthroat"], PRESETS["cutthroat"]) == {}


def test_points_change_alone_where_one_value_changes_alone() -> None:
    book = PRESETS["cutthroat-lite"]
    (effect,) = effects(book, replace(book, overtrick_points=0)).values()
    assert effect
    assert effect.book.score
    assert effect.here.score
    assert (effect.book.score.points, effect.here.score.points) == (32, 30)


@pytest.mark.parametrize(
    ("rules", "bid", "beyond", "hand"),
    [
        ({"minimum_bid": 6}, 4, 0, Hand((6,), (6,))),
        ({"minimum_bid": 10}, 4, 0, Hand((10,), (10,))),
        ({"minimum_bid": 10}, 4, 2, None),
        ({"minimum_bid": 10}, 4, -1, Hand((10,), (9,))),
        ({"tricks": 1}, 4, 0, Hand((1,), (1,))),
        ({"tricks": 3}, 4, 2, Hand((1,), (3,))),
    ],
)
def test_a_hand_stays_within_its_rules(
    rules: dict[str, int], bid: int, beyond: int, hand: Hand | None
) -> None:
    changed = replace(PRESETS["cutthroat-lite"], **rules)
    assert number_hand(changed, bid, beyond) == hand


def test_partners_share_a_contract() -> None:
    assert number_hand(PRESETS["partnership"], 7, 1) == Hand((4, 3), (4, 4))
    assert number_hand(replace(PRESETS["partnership"], board=9), 7) == Hand((5, 4), (5, 4))
    assert number_hand(replace(PRESETS["partnership"], minimum_bid=13), 7) is None
    assert nil_hand(PRESETS["partnership"], Nil.NIL, 1, 6, -1) == Hand((Nil.NIL, 6), (1, 5))


def whole_points(printed: str) -> int:
    """Return points as they are counted: in tenths where they are printed with a decimal."""
    return int(printed.replace("−", "-").replace(".", ""))


def check_explanation(rules: RuleSet, hand: Hand | None, explanation: Explanation) -> None:
    """See that the score is right, and that the figures in the sentences add up."""
    check_parts(explanation)
    if hand and explanation.score:
        assert explanation.score == score_side(rules, hand)
        check_hand(rules, hand)


def check_parts(explanation: Explanation) -> None:
    """See that the parts of a score and the figures in its sentences add up."""
    if explanation.score is None:
        return
    score = explanation.score
    parts = (score.nil_points, score.contract_points, score.overtrick_points, score.bag_penalty)
    assert sum(parts) == score.points
    lines = map(str, explanation.lines)
    printed = [whole_points(n) for line in lines for n in POINTS.findall(line)]
    assert sum(printed) == score.points


def check_hand(rules: RuleSet, hand: Hand) -> None:
    """See that a hand can be played, whatever the bids of others."""
    assert sum(hand.tricks) <= rules.tricks
    least = min(1, rules.minimum_bid)
    assert all(bid is None or isinstance(bid, Nil) or contract([bid]) >= least for bid in hand.bids)


@quick
@given(rule_sets())
def test_any_rules_have_examples_whose_parts_add_up(rules: RuleSet) -> None:
    shown = worked_examples(rules)
    assert len(shown) >= 4
    for example in shown:
        assert str(example.title)
        assert example.explanation.lines or example.explanation.score
        check_explanation(rules, example.hand, example.explanation)


@quick
@given(rule_sets())
def test_any_house_rules_have_effects_whose_parts_add_up(rules: RuleSet) -> None:
    book = PRESETS[rules.key]
    found = effects(book, rules)
    assert set(found) == set(house_rules(book, rules))
    for name, effect in found.items():
        if effect is None:
            continue
        assert effect.book != effect.here
        assert effect.book.lines or effect.here.lines
        check_parts(effect.book)
        if with_book_value(name, book, rules) == book:  # then the value is shown alone
            check_parts(effect.here)
        else:
            check_explanation(rules, effect.hand, effect.here)


HandOfSide = tuple[Bids, tuple[int, ...]]  # what was bid, and what was taken


def every_hand(rules: RuleSet) -> Iterator[HandOfSide]:
    """Yield whatever one side may bid and take; partners only in one order."""
    allowed: list[Bid] = [*range(rules.minimum_bid, rules.tricks + 1)]
    allowed += [Nil.NIL] * (rules.nil_points is not None)
    allowed += [Nil.BLIND] * (rules.blind_nil_points is not None)
    seats = 2 if rules.partners_bid else 1
    shares = [
        cut for cut in product(range(rules.tricks + 1), repeat=seats) if sum(cut) <= rules.tricks
    ]
    for bids in combinations_with_replacement(allowed, seats):
        numbers = [bid for bid in bids if not isinstance(bid, Nil)]
        if not numbers or sum(numbers) >= (rules.board or 0):
            yield from ((bids, tricks) for tricks in shares)


def points_of_hands(rules: RuleSet, hands: list[HandOfSide], bags: int) -> list[int]:
    """Return the points of each hand for a side that has so many bags."""
    return [score_side(rules, Hand(bids, tricks, bags)).points for bids, tricks in hands]


@quick
@given(rule_sets(most_tricks=5))
def test_a_value_without_an_effect_changes_no_score(rules: RuleSet) -> None:
    book = PRESETS[rules.key]
    hands = list(every_hand(rules))
    points_here = cache(partial(points_of_hands, rules, hands))
    for name, effect in effects(book, rules).items():
        if effect is not None:
            continue
        usual = with_book_value(name, book, rules)
        if usual == book:  # no set of rules differs in this value alone
            continue
        most_bags = min(each.bag_limit or 9 for each in (usual, rules)) - 1
        for bags in {0, most_bags}:
            assert points_of_hands(usual, hands, bags) == points_here(bags), name
