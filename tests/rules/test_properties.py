"""What holds for every rule book, every set of house rules, and every game."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    Nil,
    Table,
    bidding_order,
    calls,
    check_bids,
    check_tricks,
    refusal,
)
from scorekeeper.rules.game import fold, sides_of
from scorekeeper.rules.presets import PRESETS, apply_house_rules
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, house_rules, with_house_rules
from scorekeeper.rules.scoring import Hand, score_side
from scorekeeper.rules.value_kinds import Number
from tests.properties import examples
from tests.rules.house_values import sample_texts

Game = tuple[RuleSet, int, int, list[Round]]
quick = examples(50)
Draw = Callable[[st.SearchStrategy[Any]], Any]


# Numbers small enough that limits are met within a few rounds.
RANGES = {
    "target": (1, 300),
    "mercy": (-300, -1),
    "rounds": (1, 8),
    "sets_lose": (1, 4),
    "sets_in_a_row_lose": (2, 3),
    "first_round_minimum": (1, 6),
    "bids_at_least": (1, 20),
    "trick_points": (0, 20),
    "set_points": (0, 20),
    "blind_nil_points": (1, 400),
    "double_nil_points": (1, 400),
    "overtrick_points": (-3, 3),
    "overtrick_cap": (0, 8),
    "bag_limit": (1, 12),
    "bag_penalty": (1, 100),
    "ten_for": (1, 40),
}
# Values with which somebody else than the highest can win.
WITHOUT_LOSSES: dict[str, Any] = {
    **dict.fromkeys(("sets_lose", "sets_in_a_row_lose", "minimum_rounds", "first_round_minimum")),
    **{"totals_by": "side", "win_needs_partner": False, "partner_least": 0},
    **{"tie_at_limit": "another_round"},
}
BOOKS = sorted(PRESETS)
OTHERS = 200  # the width of every other range


@cache
def house_values(name: str, tricks: int) -> st.SearchStrategy[str]:
    """Any value of a house rule, as text; numbers within its range, here of so many tricks."""
    kind = HOUSE_RULES[name]
    if not isinstance(kind, Number):
        return st.sampled_from(sample_texts(name))
    of_tricks = {"tricks": (tricks, tricks)}
    of_tricks |= dict.fromkeys(("minimum_bid", "maximum_bid", "board"), (1, tricks))
    usual = (kind.low, min(kind.high, kind.low + OTHERS))
    low, high = {**RANGES, **of_tricks}.get(name, usual)
    numbers = st.integers(low, high).map(str)
    return st.just("off") | numbers if kind.off else numbers


@st.composite
def rule_sets(draw: Draw, most_tricks: int = 52, books: Sequence[str] = BOOKS) -> RuleSet:
    """Any rule book with any house rules; those that cannot be played together are left out."""
    preset = PRESETS[draw(st.sampled_from(books))]
    tricks = draw(st.integers(1, min(most_tricks, 52 // min(preset.players))))
    house = {name: draw(house_values(name, tricks)) for name in HOUSE_RULES}
    return apply_house_rules(preset, house)[0]


def every_bid(rules: RuleSet) -> list[Bid]:
    return [Nil.NIL, Nil.BLIND, *range(1, rules.tricks + 1)]


def splits(tricks: int, players: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Every way in which the seats can share the tricks of a round."""

    def shares(cuts: list[int]) -> tuple[int, ...]:
        edges = [0, *sorted(cuts), tricks]
        return tuple(high - low for low, high in pairwise(edges))

    cuts = st.lists(st.integers(0, tricks), min_size=players - 1, max_size=players - 1)
    return cuts.map(shares)


@st.composite
def tables(draw: Draw) -> tuple[RuleSet, int, int]:
    """Rules, a number of players one pack is enough for, and the first dealer."""
    rules = draw(rule_sets())
    players = draw(st.sampled_from(rules.table_sizes))
    return rules, players, draw(st.integers(0, players - 1))


@st.composite
def played_rounds(draw: Draw, rules: RuleSet, players: int, least: int = 0) -> list[Round]:
    """Rounds with any bids at all; a first round that bids itself has none."""
    rounds = []
    for number in range(1, draw(st.integers(least, 6)) + 1):
        own = rules.in_round(number, players)
        bids = st.tuples(*[st.sampled_from(every_bid(own))] * players)
        rounds.append(Round(draw(bids), draw(splits(own.tricks, players))))
    if rounds and rules.first_round_bids_itself:
        rounds[0] = Round((None,) * players, rounds[0].tricks)
    return rounds


@st.composite
def games(draw: Draw, least: int = 0) -> Game:
    rules, players, dealer = draw(tables())
    return rules, players, dealer, draw(played_rounds(rules, players, least))


@quick
@given(games())
def test_the_parts_of_a_round_add_up_to_its_points(game: Game) -> None:
    each = game[0].overtrick_points
    for scored in fold(*game).rounds:
        for score in scored.scores:
            earned = score.nil_points + score.contract_points + score.overtrick_points
            assert score.points == earned + score.bag_penalty
            assert score.bag_penalty <= 0 <= score.overtrick_points * each


@quick
@given(games())
def test_totals_are_the_sums_of_points(game: Game) -> None:
    state = fold(*game)
    for side, total in enumerate(state.standing.totals):
        assert total == sum(scored.scores[side].points for scored in state.rounds)


@quick
@given(games(least=1))
def test_a_game_is_the_game_before_its_last_round_and_that_round(game: Game) -> None:
    rules, players, dealer, rounds = game
    before, after = fold(rules, players, dealer, rounds[:-1]), fold(rules, players, dealer, rounds)
    if before.phase == "over":
        assert after.standing == before.standing
        assert after.rounds == before.rounds
        return
    bids, tricks = rounds[-1].bids, rounds[-1].tricks or ()
    scores = tuple(
        score_side(
            rules, Hand(tuple(bids[s] for s in seats), tuple(tricks[s] for s in seats), bags)
        )
        for seats, bags in zip(sides_of(rules, players), before.standing.bags, strict=True)
    )
    assert after.rounds[:-1] == before.rounds
    assert after.rounds[-1].scores == scores
    assert after.rounds[-1].dealer == before.dealer
    assert after.standing.bags == tuple(score.bags for score in scores)


@quick
@given(games(), games(), st.data())
def test_it_does_not_matter_which_state_there_was_before(
    game: Game, other: Game, data: st.DataObject
) -> None:
    rules, players, dealer, rounds = game
    begun = rounds[: data.draw(st.integers(0, len(rounds)))]
    otherwise = begun + data.draw(played_rounds(rules, players))[len(begun) :]
    for earlier in (game, other, (rules, players, dealer, otherwise)):
        assert fold(*game, fold(*earlier)) == fold(*game)


@quick
@given(games())
def test_bags_are_never_negative_and_stay_below_the_limit(game: Game) -> None:
    limit = game[0].bag_limit
    for scored in fold(*game).rounds:
        for bags in scored.after.bags:
            assert bags >= 0
            assert limit is None or bags < limit


@quick
@given(games())
def test_everybody_bids_once_in_turn_and_the_dealer_last(game: Game) -> None:
    state, step = fold(*game), 1 if game[0].clockwise else -1
    assert sorted(state.order) == list(range(state.players))
    assert state.order[-1] == state.dealer
    for earlier_seat, later_seat in pairwise(state.order):
        assert later_seat == (earlier_seat + step) % state.players
    for earlier, later in pairwise(state.rounds):
        assert later.dealer == (earlier.dealer + step) % state.players


@quick
@given(games())
def test_winners_are_highest_with_an_end_reached(game: Game) -> None:
    rules = replace(game[0], **WITHOUT_LOSSES)
    state = fold(rules, *game[1:])
    totals = state.standing.totals
    at_the_floor = rules.mercy is not None and min(totals) <= rules.mercy
    at_the_target = rules.target is not None and max(totals) >= rules.target
    at_the_limit = rules.rounds is not None and len(state.rounds) >= rules.rounds
    ended = at_the_target or at_the_floor or at_the_limit or state.standing.time_is_up
    alone = totals.count(max(totals)) == 1
    is_last = state.outcome is not None and state.outcome.reason in ("rounds", "last_round")
    shares = rules.tie_at_limit == "shared" and is_last
    assert (state.phase == "over") == (ended and (alone or shares))
    assert (state.outcome is not None) == ended
    for winner in state.winners:
        assert totals[winner] == max(totals)


@quick
@given(st.data())
def test_what_a_side_scores_does_not_depend_on_the_others(data: st.DataObject) -> None:
    rules, players, dealer = data.draw(tables())
    bids, others = (
        data.draw(st.tuples(*[st.sampled_from(every_bid(rules))] * players)) for _ in "ab"
    )
    tricks, elsewhere = (data.draw(splits(rules.tricks, players)) for _ in "ab")
    side = data.draw(st.integers(0, len(sides_of(rules, players)) - 1))
    own = sides_of(rules, players)[side]
    changed = Round(
        tuple((bids if seat in own else others)[seat] for seat in range(players)),
        tuple((tricks if seat in own else elsewhere)[seat] for seat in range(players)),
    )
    states = [fold(rules, players, dealer, [played]) for played in (Round(bids, tricks), changed)]
    first, second = (state.rounds[0].scores[side] for state in states)
    assert first == second


@quick
@given(st.data())
def test_it_does_not_matter_which_partner_bid_and_took_what(data: st.DataObject) -> None:
    rules = data.draw(rule_sets(books=[key for key in BOOKS if PRESETS[key].partnerships]))
    bids: Bids = data.draw(st.tuples(*[st.sampled_from(every_bid(rules))] * 2))
    tricks = data.draw(splits(rules.tricks, 3))[:2]
    bags = data.draw(st.integers(0, (rules.bag_limit or 40) - 1))
    assert score_side(rules, Hand(bids, tricks, bags)) == score_side(
        rules, Hand(bids[::-1], tricks[::-1], bags)
    )


@quick
@given(st.data())
def test_somebody_who_is_to_bid_can_always_bid_something(data: st.DataObject) -> None:
    rules, players, dealer = data.draw(tables())
    totals = data.draw(some_totals(rules, players))
    bids: Bids = (None,) * players
    for seat in bidders(rules, players, dealer):
        open_bids = [
            bid
            for bid in every_bid(rules)
            if refusal(Table(rules, totals), bids, seat, bid) is None
        ]
        assert open_bids
        bids = (*bids[:seat], data.draw(st.sampled_from(open_bids)), *bids[seat + 1 :])
    assert [one.code for one in check_bids(Table(rules, totals), bids)] in ([], ["thrown_in"])


@quick
@given(st.data())
def test_bids_are_refused_together_exactly_when_one_is_refused_in_its_turn(
    data: st.DataObject,
) -> None:
    rules, players, dealer = data.draw(tables())
    totals = data.draw(some_totals(rules, players))
    bids = data.draw(st.tuples(*[st.sampled_from(every_bid(rules))] * players))
    refused_in_turn = False
    so_far: Bids = (None,) * players
    for seat in bidding_order(players, dealer):
        refused_in_turn |= refusal(Table(rules, totals), so_far, seat, bids[seat]) is not None
        so_far = (*so_far[:seat], bids[seat], *so_far[seat + 1 :])
    refused = {one.code for one in check_bids(Table(rules, totals), bids)} - {"thrown_in"}
    assert bool(refused) == refused_in_turn


@quick
@given(st.data())
def test_a_legal_round_stays_legal_when_a_seat_calls_the_same_again(data: st.DataObject) -> None:
    rules, players, _ = data.draw(tables())
    totals = data.draw(some_totals(rules, players))
    bids = data.draw(st.tuples(*[st.sampled_from(every_bid(rules))] * players))
    again = [refusal(Table(rules, totals), bids, seat, bid) for seat, bid in enumerate(bids)]
    refused = {one.code for one in check_bids(Table(rules, totals), bids)} - {"thrown_in"}
    assert any(again) == bool(refused)


@quick
@given(st.data())
def test_tricks_that_share_out_the_cards_are_accepted_and_one_more_is_not(
    data: st.DataObject,
) -> None:
    rules, players, _ = data.draw(tables())
    tricks = data.draw(splits(rules.tricks, players))
    assert check_tricks(rules, tricks) == []
    assert check_tricks(rules, (tricks[0] + 1, *tricks[1:])) != []


@quick
@given(rule_sets())
def test_house_rules_written_down_make_the_same_rules_again(rules: RuleSet) -> None:
    preset = PRESETS[rules.key]
    assert with_house_rules(preset, house_rules(preset, rules)) == rules


def bidders(rules: RuleSet, players: int, dealer: int) -> list[int]:
    return [seat for seat in bidding_order(players, dealer) if seat < calls(rules, players)]


def some_totals(rules: RuleSet, players: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(-300, 500)] * len(sides_of(rules, players)))
