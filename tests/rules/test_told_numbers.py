"""Each number on the page of rules is what the engine scores: a law over random rule sets."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scorekeeper.rules.bidding import Bid, Nil, blind_bid
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.rule_text import rule_sentences
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, SideScore, score_side
from scorekeeper.rules.sentence import Sentence, shown
from tests.properties import counts
from tests.web.offline.luck import Luck

FEW, MANY = 300, 2000  # rule sets
CODES = {sentence.text: code for code, sentence in RULE_SENTENCES.items()}


def hand(rules: RuleSet, bid: Bid, tricks: int, bags: int = 0) -> SideScore:
    """Return the score of a bid whose side took so many tricks, a partner with Nil none of them."""
    if not rules.partners_bid:
        return score_side(rules, Hand((bid,), (tricks,), bags, totals=(0,)))
    if rules.totals_by == "seat":
        return score_side(rules, Hand((bid, Nil.NIL), (tricks, 0), bags, totals=(0, 0)))
    return score_side(rules, Hand((bid, Nil.NIL), (tricks, 0), bags, totals=(0,)))


def contract(rules: RuleSet, bid: Bid, missing: int = 0) -> int:
    """Return the points of the contract of a bid from which so many tricks are missing."""
    number = bid if isinstance(bid, int) else int(str(bid).split()[-1])
    return hand(rules, bid, number - missing).contract_points


def lost(rules: RuleSet) -> int:
    """Return what each trick of a set bid of 1 costs, beside the flat loss."""
    return -contract(rules, 1, 1) - rules.miss_points


def flat_loss(rules: RuleSet) -> int:
    """Return what a set bid of 1 costs more than where no set costs more than its tricks."""
    return contract(replace(rules, miss_points=0), 1, 1) - contract(rules, 1, 1)


def is_capped(rules: RuleSet) -> bool:
    """Return whether one overtrick counts less than it would without a maximum."""
    return (rules.overtrick_cap or 1000) < abs(rules.overtrick_points)


# What a sentence says of `n`, by its code; each holds where bids count once.
LAWS: dict[str, Callable[[RuleSet], int]] = {
    "made_pays": lambda rules: contract(rules, 1),
    "set_costs": lost,
    "set_costs_missing": lost,
    "ten_pays": lambda rules: contract(rules, 11) // 11,
    "ten_scores": lambda rules: contract(rules, 11),
    "miss_costs": flat_loss,
    "miss_also_costs": flat_loss,
    "ten_costs": lambda rules: -contract(rules, 11, 1) - rules.miss_points,
    "boston_scores": lambda rules: contract(rules, rules.tricks),
    "blind_bid_pays": lambda rules: contract(rules, blind_bid(2)) // 2,
    "blind_bid_costs": lambda rules: (-contract(rules, blind_bid(2), 1) - rules.miss_points) // 2,
    "nil_pays": lambda rules: _nil(rules, Nil.NIL, 0),
    "nil_costs": lambda rules: -_nil(rules, Nil.NIL, 1),
    "blind_nil_pays": lambda rules: _nil(rules, Nil.BLIND, 0),
    "double_nil_pays": lambda rules: score_side(rules, Hand((Nil.NIL, Nil.NIL), (0, 0))).nil_points,
    "overtrick_pays": lambda rules: hand(rules, 1, 2).overtrick_points,
    "overtrick_costs": lambda rules: -hand(rules, 1, 2).overtrick_points,
    "overtricks_most": lambda rules: hand(rules, 1, 1 + 1000).overtrick_points,
    "overtricks_cost_most": lambda rules: -hand(rules, 1, 1 + 1000).overtrick_points,
}
# Where a bid of 1, 2 or 11 counts more than once, or has a price of its own, others are told of it.
LEFT_OUT: dict[str, Callable[[RuleSet], bool]] = {
    "made_pays": lambda rules: bool(rules.call_values) or rules.tricks == 1,
    "set_costs": lambda rules: bool(rules.call_values),
    "set_costs_missing": lambda rules: bool(rules.call_values),
    "ten_pays": lambda rules: rules.tricks == 11 and rules.boston_made is not None,
    "ten_scores": lambda rules: rules.tricks == 11 and rules.boston_made is not None,
    "overtrick_pays": is_capped,
    "overtrick_costs": is_capped,
}


def usual_rules(seed: int) -> RuleSet:
    """Return any rules in which a contract is made and paid by its tricks alone."""
    usual: dict[str, Any] = {
        "made": "at_least",
        "made_bonus": 0,
        "failed_trick_points": 0,
        "worth": None,
    }
    return replace(Luck(seed).rules(), **usual)


def _nil(rules: RuleSet, nil: Nil, taken: int) -> int:
    if not rules.partners_bid or rules.totals_by == "seat":
        bids: tuple[Bid, ...] = (nil,)
        return score_side(rules, Hand(bids, (taken,), 0, totals=(0,))).nil_points
    return score_side(rules, Hand((nil, 1), (taken, 1))).nil_points


@counts("rule_sets", FEW, MANY)
def test_a_number_on_the_page_is_what_the_engine_scores(rule_sets: int) -> None:
    wrong, seen = [], set()
    for seed in range(rule_sets):
        rules = usual_rules(seed)
        for sentence in rule_sentences(rules):
            code = CODES[sentence.text]
            if code not in LAWS or LEFT_OUT.get(code, lambda _rules: False)(rules):
                continue
            seen.add(code)
            scored = shown(LAWS[code](rules), rules.shown_as)
            if told(sentence) != str(scored):
                wrong.append((seed, code, told(sentence), scored))
    assert not wrong
    assert seen == set(LAWS) or rule_sets == FEW


def told(sentence: Sentence) -> str:
    """Return the number that a sentence tells."""
    return str(dict(sentence.values)["n"])


@counts("rule_sets", FEW, MANY)
def test_bags_are_paid_for_as_the_page_says(rule_sets: int) -> None:
    for seed in range(rule_sets):
        rules = usual_rules(seed)
        if rules.bag_limit is None or rules.failed_nil_tricks == "ignored":
            continue
        limit, penalty = rules.bag_limit, rules.bag_penalty
        one_below = hand(rules, 1, 1, bags=limit - 1)
        assert (one_below.bag_penalty, one_below.bags) == (0, limit - 1)
        beyond = hand(rules, 1, 3, bags=limit - 1)
        after = 0 if rules.bag_remainder == "dropped" else (limit + 1) % limit
        times = 1 if rules.bag_remainder == "dropped" else (limit + 1) // limit
        assert (beyond.bag_penalty, beyond.bags) == (-(penalty or 0) * times, after)
