"""The turning point: one trick or one bid, and the game ends otherwise."""

from itertools import permutations

import pytest
from hypothesis import given

from scorekeeper.rules.bidding import Nil, blind_bid, check_bids, check_tricks
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from scorekeeper.rules.result import (
    LOOKED_BACK,
    Alternative,
    BidChange,
    TrickChange,
    alternatives,
    with_change,
)
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.seating import Substitute
from tests.rules.test_properties import Game, games, quick

NORTH, EAST, SOUTH, WEST = range(4)
NIL = Nil.NIL
TO_30 = with_house_rules(CUTTHROAT_LITE, {"target": "30"})
HOOKED = with_house_rules(TO_30, {"bids_may_equal_tricks": "no"})
BLIND_WHEN_BEHIND = with_house_rules(
    PARTNERSHIP,
    {
        "target": "100",
        "blind_bid_from": "5",
        "blind_trick_points": "20",
        "blind_bid_deficit": "50",
    },
)
BLIND = with_house_rules(BLIND_WHEN_BEHIND, {"blind_bid_deficit": "off"})
LEAST_FROM_50 = with_house_rules(
    PARTNERSHIP, {"target": "80", "bids_at_least": "11", "bids_at_least_by_total": "50:13"}
)
PARTNERS_TO_30 = with_house_rules(PARTNERSHIP, {"target": "30"})

EXAMPLES = [
    pytest.param(
        TO_30,
        [Round((3, 3, 1, 1), (3, 2, 3, 2))],
        [Alternative(1, TrickChange(EAST, NORTH), (EAST,), 1, (-30, 30, 12, 11))],
        id="a trick of the winner's would have made the contract of another",
    ),
    pytest.param(
        TO_30,
        [Round((3, 3, 3, 2), (3, 4, 2, 1))],
        [
            Alternative(1, TrickChange(NORTH, EAST), (NORTH,), 1, (31, 30, -30, -20)),
            Alternative(1, BidChange(EAST, 2, 3), (NORTH,), 1, (30, 22, -30, -20)),
        ],
        id="a trick and a bid are both told where both give another winner",
    ),
    pytest.param(
        HOOKED,
        [Round((3, 3, 3, 2), (3, 4, 2, 1))],
        [Alternative(1, TrickChange(NORTH, EAST), (NORTH,), 1, (31, 30, -30, -20))],
        id="a bid that the hook forbids is not told",
    ),
    pytest.param(
        TO_30,
        [Round((3, 2, 1, 1), (3, 3, 2, 2))],
        [Alternative(1, TrickChange(EAST, NORTH), (), 1, (-30, 22, 11, 11))],
        id="where nobody else would have won, the game would have gone on",
    ),
    pytest.param(
        TO_30,
        [Round((3, 2, 2, 2), (2, 2, 3, 3)), Round((1, 4, 3, 3), (1, 6, 1, 2))],
        [
            Alternative(1, TrickChange(NORTH, EAST), (NORTH,), 1, (30, -20, 21, 21)),
            Alternative(1, BidChange(SOUTH, 3, 2), (SOUTH,), 1, (-30, 20, 30, 21)),
        ],
        id="a game can end in an earlier round than it did",
    ),
    pytest.param(
        TO_30,
        [Round((NIL, 2, 2, 2), (0, 4, 3, 3))],
        [Alternative(1, TrickChange(NORTH, EAST), (), 1, (-49, 21, 21, 21))],
        id="a Nil that was kept has no trick to give, but would fail with one",
    ),
    pytest.param(
        PARTNERS_TO_30,
        [Round((3, 3, NIL, 3), (7, 3, 0, 3))],
        [Alternative(1, TrickChange(SOUTH, NORTH), (EAST,), 1, (-66, 60))],
        id="a trick that goes to the partner can spoil the Nil",
    ),
    pytest.param(
        TO_30,
        [Round((1, 2, 4, 3), (1, 2, 4, 3))],
        [
            Alternative(1, TrickChange(WEST, SOUTH), (WEST,), 1, (10, 20, -40, 31)),
            Alternative(1, BidChange(SOUTH, 5, 4), (WEST,), 1, (10, 20, -50, 30)),
        ],
        id="a trick of whoever would have won is told before one of others",
    ),
    pytest.param(
        TO_30,
        [Round((4, 4, 1, 3), (1, 3, 1, 5))],
        [Alternative(1, TrickChange(EAST, WEST), (EAST,), 1, (-40, 40, 10, 31))],
        id="a trick of the winner is told before one of others",
    ),
    pytest.param(
        with_house_rules(TO_30, {"target": "60"}),
        [Round((1, 4, 4, 3), (2, 2, 3, 3)), Round((2, 2, 1, 3), (3, 2, 1, 4))],
        [Alternative(2, BidChange(WEST, 2, 3), (), 2, (32, -20, -30, 52))],
        id="where the game would have gone on the latest change is told alone",
    ),
    pytest.param(
        TO_30,
        [Round((2, 3, 3, 2), (2, 3, 3, 2)), Round((3, 4, 4, 2), (5, 1, 2, 2))],
        [
            Alternative(1, TrickChange(WEST, NORTH), (WEST,), 2, (12, -10, -10, 41)),
            Alternative(1, BidChange(NORTH, 3, 2), (WEST,), 2, (2, -10, -10, 40)),
        ],
        id="of those who would have won the one that came closest is told",
    ),
    pytest.param(
        BLIND_WHEN_BEHIND,
        [Round((3, 3, 3, 3), (3, 4, 2, 4)), Round((blind_bid(5), 2, 4, 2), (5, 2, 4, 2))],
        [Alternative(2, TrickChange(NORTH, EAST), (), 2, (81, 22))],
        id="a later blind bid that would not have been allowed is not told",
    ),
    pytest.param(
        BLIND,
        [Round((3, 3, 3, 3), (3, 4, 2, 4)), Round((blind_bid(5), 2, 4, 2), (5, 2, 4, 2))],
        [
            Alternative(1, TrickChange(NORTH, EAST), (NORTH,), 2, (200, 101)),
            Alternative(1, BidChange(NORTH, 2, 3), (NORTH,), 2, (190, 102)),
        ],
        id="another winner of an earlier round is told before a game that goes on",
    ),
    pytest.param(
        with_house_rules(TO_30, {"target": "60"}),
        [
            Round((3, 3, 2, 2), (3, 3, 2, 2)),
            Round((3, 3, 3, None), (3, 4, 3, 0)).noted(substitutes=(Substitute(WEST, None),)),
        ],
        [
            Alternative(2, TrickChange(NORTH, EAST), (NORTH,), 2, (61, 60, 50, 20)),
            Alternative(2, BidChange(EAST, 2, 3), (NORTH,), 2, (60, 52, 50, 20)),
        ],
        id="a seat that is empty takes no trick and makes no bid",
    ),
    pytest.param(
        LEAST_FROM_50,
        [Round((3, 2, 3, 2), (3, 4, 2, 4)), Round((4, 2, 4, 2), (5, 2, 4, 2))],
        [Alternative(2, TrickChange(NORTH, EAST), (), 2, (22, 4))],
        id="a later round that would have been thrown in is not told",
    ),
    pytest.param(TO_30, [Round((5, 1, 1, 1), (7, 1, 1, 1))], [], id="nothing small would do"),
    pytest.param(TO_30, [Round((2, 2, 2, 2), (2, 2, 3, 3))], [], id="the game is still on"),
]


@pytest.mark.parametrize(("rules", "rounds", "expected"), EXAMPLES)
def test_one_trick_or_one_bid(
    rules: RuleSet, rounds: list[Round], expected: list[Alternative]
) -> None:
    assert alternatives(fold(rules, 4, WEST, rounds)) == expected


def test_the_latest_round_is_told() -> None:
    close = Round((3, 3, 1, 1), (3, 2, 3, 2))
    level = Round((2, 2, 1, 1), (1, 1, 4, 4))
    found = alternatives(fold(with_house_rules(TO_30, {"target": "10"}), 4, WEST, [level, close]))
    assert {turn.number for turn in found} == {2}


@quick
@given(games(least=1))
def test_every_turn_is_true_when_the_game_is_folded_with_it(game: Game) -> None:
    state = fold(*game)
    for turn in alternatives(state):
        other = with_turn(game, state, turn.number, turn.change)
        assert other.standing.totals == turn.totals
        assert len(other.rounds) == turn.last
        assert other.winners == turn.winners
        assert state.outcome
        assert turn.winners != state.winners


@quick
@given(games(least=1))
def test_every_turn_could_have_been_played(game: Game) -> None:
    state = fold(*game)
    for turn in alternatives(state):
        rules = state.rules_in(turn.number)
        played = state.rounds[turn.number - 1]
        changed = with_change(played, turn.change)
        assert check_tricks(rules, changed.tricks or ()) == []
        if isinstance(turn.change, BidChange):
            assert check_bids(played.before.table(rules), changed.bids) == []
            assert abs(turn.change.bid - turn.change.instead_of) == 1


@quick
@given(games(least=1))
def test_nothing_is_said_only_where_no_trick_would_have_changed_it(game: Game) -> None:
    state = fold(*game)
    rules = game[0]
    by_total = rules.minimum_by_total or rules.bids_at_least_by_total
    is_blind = any(Nil.BLIND in played.bids for played in state.rounds)
    if state.phase != "over" or alternatives(state) or by_total or is_blind:
        return
    assert state.outcome
    for played in state.rounds[-LOOKED_BACK:]:
        for to, instead_of in permutations(range(state.players), 2):
            if played.tricks[instead_of]:
                other = with_turn(game, state, played.number, TrickChange(to, instead_of))
                assert other.outcome
                assert other.winners == state.winners


def with_turn(
    game: Game, state: GameState, number: int, change: TrickChange | BidChange
) -> GameState:
    """Return the state of the rounds that count, with one thing different."""
    rounds = [played.round for played in state.rounds]
    rounds[number - 1] = with_change(rounds[number - 1], change)
    return fold(*game[:3], rounds)
