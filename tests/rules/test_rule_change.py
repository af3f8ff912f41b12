"""House rules changed in the middle of a game: which can be, and what they change."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import CUTTHROAT_LITE, OH_HELL, PARTNERSHIP
from scorekeeper.rules.round import Round
from scorekeeper.rules.rule_change import (
    RoundDifference,
    SideDifference,
    check_rule_change,
    compare_scores,
)
from scorekeeper.rules.ruleset import RulesRefused

LITE = CUTTHROAT_LITE
NOBODY = Round((None,) * 4)
BIDDING = Round((1, None, None, None))
SCORED = Round((3, 2, Nil.NIL, 1), (3, 0, 0, 7))
WITHOUT_BIDS = Round((None,) * 4, (3, 0, 0, 7))
PUNISHED = Round((None,) * 4).noted(penalties=(Penalty(0, "books", 3, "nobody", "renege"),))
COUNTING = Round((None,) * 4, None, (1, 0, 0, 0))

FITS: dict[str, tuple[dict[str, Any], list[Round]]] = {
    "a price can change at any time": ({"trick_points": 5}, [SCORED]),
    "a bid stays although it could not be made any more": ({"minimum_bid": 3}, [SCORED, BIDDING]),
    "a Nil stays although Nil is not played any more": ({"nil_points": None}, [SCORED]),
    "fewer cards before the first bid": ({"tricks": 9}, []),
    "fewer cards after a misdeal": ({"tricks": 9}, [NOBODY]),
    "no bids in a round that nobody has begun": ({"first_round_bids_itself": True}, [NOBODY]),
    "no bids in a first round not reached yet": ({"first_round_bids_itself": True}, []),
    "tricks for nobody after a round in which all were taken": ({"lost_tricks": 1}, [SCORED]),
}


@pytest.mark.parametrize(("values", "rounds"), FITS.values(), ids=FITS.keys())
def test_what_can_change(values: dict[str, Any], rounds: list[Round]) -> None:
    check_rule_change(LITE, replace(LITE, **values), 4, rounds)


REFUSED: dict[str, tuple[dict[str, Any], list[Round], str]] = {
    "other cards after a round": ({"tricks": 9}, [SCORED], "dealt 10 cards each"),
    "other cards after a penalty": ({"tricks": 9}, [PUNISHED], "dealt 10 cards each"),
    "other cards after a bid": ({"tricks": 9}, [BIDDING], "dealt 10 cards each"),
    "more cards than a pack holds": ({"tricks": 14}, [], "14 cards each for 4 players"),
    "no bids where there are bids": ({"first_round_bids_itself": True}, [SCORED], "has bids"),
    "no bids where somebody has bid": ({"first_round_bids_itself": True}, [BIDDING], "has bids"),
}


@pytest.mark.parametrize(("values", "rounds", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot(values: dict[str, Any], rounds: list[Round], why: str) -> None:
    with pytest.raises(RulesRefused, match=why) as refused:
        check_rule_change(LITE, replace(LITE, **values), 4, rounds)
    assert refused.value.field in values


@pytest.mark.parametrize(
    ("values", "field"), [({"pack": 32}, "pack"), ({"cards": None, "target": 90}, "cards")]
)
def test_cards_noted_for_a_round_stay_possible(values: dict[str, Any], field: str) -> None:
    rules, noted = replace(OH_HELL, cards="5-1"), [NOBODY.noted(cards=9)]
    new = replace(rules, **values)
    with pytest.raises(RulesRefused, match="dealt 9 cards each") as refused:
        check_rule_change(rules, new, 4, noted)
    assert refused.value.field == field
    check_rule_change(rules, new, 4, [NOBODY])
    check_rule_change(new, replace(new, trick_points=3), 4, noted)  # as earlier versions let it


def test_a_trick_that_went_to_nobody_keeps_its_rule() -> None:
    two = replace(LITE, lost_tricks=2)
    rounds = [SCORED, Round((3, 2, Nil.NIL, 1), (3, 0, 0, 6))]
    check_rule_change(two, replace(two, lost_tricks=1), 4, rounds)
    with pytest.raises(RulesRefused, match="In round 2, 1 trick went to nobody") as refused:
        check_rule_change(two, LITE, 4, rounds)
    assert refused.value.field == "lost_tricks"


@pytest.mark.parametrize("name", ["bid_by", "tricks_by"])
def test_a_side_stays_one_bidder_and_one_counter_of_a_game_that_has_begun(name: str) -> None:
    other = replace(PARTNERSHIP, nil_points=None, blind_nil_points=None, blind_nil_deficit=None)
    by_side = replace(other, **{name: "side"})
    check_rule_change(other, by_side, 4, [NOBODY])
    with pytest.raises(RulesRefused, match="can’t change now"):
        check_rule_change(other, by_side, 4, [BIDDING])
    with pytest.raises(RulesRefused, match="can’t change now"):
        check_rule_change(by_side, other, 4, [Round((7, 6, None, None), (8, 5, 0, 0))])


@pytest.mark.parametrize("first", [WITHOUT_BIDS, COUNTING])
def test_a_first_round_without_bids_goes_on_bidding_itself(first: Round) -> None:
    rules = replace(LITE, first_round_bids_itself=True)
    with pytest.raises(RulesRefused, match="without bidding"):
        check_rule_change(rules, LITE, 4, [first, SCORED])


@pytest.mark.parametrize("rounds", [[], [NOBODY]])
def test_a_first_round_not_begun_can_have_bids_again(rounds: list[Round]) -> None:
    check_rule_change(replace(LITE, first_round_bids_itself=True), LITE, 4, rounds)


def test_the_shift_tells_each_side_before_and_after() -> None:
    before = fold(LITE, 4, 3, [SCORED])
    after = fold(replace(LITE, bag_limit=None, bag_penalty=None), 4, 3, [SCORED])
    difference = compare_scores(before, after)
    assert difference.sides[3] == SideDifference(total=(5, 15), bags=(0, 6))
    assert difference.sides[:3] == tuple(SideDifference((n, n), (0, 0)) for n in (30, -20, 50))
    assert difference.rounds == (RoundDifference(1, ((30, 30), (-20, -20), (50, 50), (5, 15))),)


def test_a_round_after_the_end_has_no_points() -> None:
    before = fold(LITE, 4, 3, [SCORED, SCORED])
    after = fold(replace(LITE, target=50), 4, 3, [SCORED, SCORED])
    difference = compare_scores(before, after)
    assert difference.rounds == (
        RoundDifference(2, ((30, None), (-20, None), (50, None), (5, None))),
    )


def test_partners_are_one_side() -> None:
    facts = [Round((3, 4, 3, 3), (4, 4, 2, 3))]
    before, after = (fold(r, 4, 3, facts) for r in (PARTNERSHIP, replace(PARTNERSHIP, target=60)))
    assert len(compare_scores(before, after).sides) == 2
    assert compare_scores(before, after).rounds == ()
