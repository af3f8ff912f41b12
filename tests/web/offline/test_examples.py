"""The example tables, row by row, on the phone."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import Refused, swap_seats, take_seat
from scorekeeper.rules.game import Outcome
from scorekeeper.rules.presets import (
    CUTTHROAT_LITE,
    PARTNERSHIP,
    PRESETS,
    SPADES_PAIR,
    SPADES_SIX,
    SPADES_THREE,
)
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitute, Substitutes, check_seating, seats_after
from scorekeeper.rules.values import PACK
from tests.rules.tables import Row, bids, examples, numbers, rounds, rules_of
from tests.rules.test_bidding_examples import NO_BIDS
from tests.rules.test_games_examples import in_words
from tests.rules.test_scoring_examples import PARTS
from tests.rules.test_seating import BEN_LEAVES, DANA_LEAVES, DANA_RETURNS, EVE, FAY, TABLE
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts, plain


@pytest.fixture
def call(ask: Ask) -> Any:
    """Call a function of the phone's rules."""
    return lambda *name_and_values: ask("call", [plain(list(name_and_values))])[0]


@examples("scoring")
def test_a_round_is_scored(row: Row, call: Any) -> None:
    asked = rules_of(row), bids(row["bids"]), numbers(row["tricks"]), int(row["bags_before"])
    score = call("scoreSide", *asked)
    assert {part: score[part] for part in PARTS} == {part: int(row[part]) for part in PARTS}
    assert score["bags"] == int(row["bags_after"])


@examples("bidding")
def test_a_call_is_allowed_or_refused(row: Row, call: Any) -> None:
    seat, bid = int(row["seat"]) - 1, call("parseBid", row["bid"])
    judged = {"rules": rules_of(row), "totals": numbers(row["totals"]), "empty": ()}
    refused = call("refusal", judged, bids(row["bids"]), seat, bid)
    if row["allowed"] == "yes":
        assert refused is None
    else:
        assert (refused["seat"], refused["code"]) == (seat, row["reason"])


@examples("tricks")
def test_trick_counts_are_accepted_or_refused(row: Row, call: Any) -> None:
    refused = call("checkTricks", rules_of(row), numbers(row["tricks"]))
    assert {one["code"] for one in refused} == {row["reason"]} - {""}


def test_every_deck_is_prepared_the_same(ask: Ask) -> None:
    sets = [
        replace(preset, tricks=n, clockwise=clockwise)
        for preset, clockwise in product((CUTTHROAT_LITE, PARTNERSHIP), (True, False))
        for n in range(5, PACK // min(preset.players) + 1)
    ]
    sets += [SPADES_PAIR, SPADES_THREE, SPADES_SIX]
    decks = [[[n, preparation(rules, n)] for n in rules.table_sizes] for rules in sets]
    assert ask("decks", plain(sets)) == plain(decks)


@examples("plans")
def test_the_cards_of_each_round_are_planned(row: Row, call: Any) -> None:
    rules, players = rules_of(row), int(row["players"])
    assert call("planOf", rules, players) == list(numbers(row["cards"]))
    assert call("lengthOf", rules, players) == (int(row["rounds"]) if row["rounds"] else None)


@examples("games")
def test_a_game_stands(row: Row, ask: Ask) -> None:
    players, dealer = int(row["players"]), int(row["first_dealer"]) - 1
    game = facts(rules_of(row), players, dealer, rounds(row["rounds"]))
    state = ask("game", [{**game, "entries": [], "tally": None}])[0]["state"]
    assert state["standing"]["totals"] == list(numbers(row["totals"]))
    assert state["standing"]["bags"] == list(numbers(row["bags"]))
    assert state["dealer"] + 1 == int(row["dealer"])
    assert state["phase"] == row["phase"]
    outcome = Outcome(**state["outcome"]) if state["outcome"] else None
    assert in_words(outcome) == (row["outcome"], row["reason"])


@pytest.mark.parametrize("text", NO_BIDS)
def test_anything_else_is_no_bid(text: str, call: Any) -> None:
    assert call("parseBid", text) == "RangeError"


def test_a_game_that_cannot_be_is_no_game(call: Any) -> None:
    lite = rules_of({"rules": "cutthroat-lite", "house_rules": ""})
    assert call("fold", lite, 8, 0, []) == "RangeError"
    assert call("fold", lite, 3, 0, rounds("1/2/ ; 1/2/3 : 4/3/3")) == "RangeError"
    assert call("scoreSide", lite, [3, None], [3, 4], 0) == "RangeError"
    assert call("scoreSide", lite, [3], [3, 4], 0) == "RangeError"


SCORED = Round((1,) * 4, (10, 0, 0, 0))
EARLIER: list[list[Substitutes]] = [
    [],
    [()],
    [(EVE,)],
    [(), (DANA_LEAVES,)],
    [(), (DANA_LEAVES,), (DANA_RETURNS,)],
]
OF_SWAPS = [CUTTHROAT_LITE, PARTNERSHIP, PRESETS["forty-one"]]
NOW: list[Substitutes] = [(), (EVE,), (FAY,), (DANA_LEAVES,), (BEN_LEAVES,)]


@pytest.mark.parametrize("rules", [CUTTHROAT_LITE, PARTNERSHIP], ids=["alone", "partners"])
@pytest.mark.parametrize("earlier", EARLIER, ids=str)
def test_the_same_players_take_and_leave_seats(
    rules: RuleSet, earlier: list[Substitutes], ask: Ask
) -> None:
    if check_seating(rules, TABLE, earlier):
        return  # no game could come to this
    before = seats_after(TABLE, earlier)
    rounds = [Round((1,) * 4, (rules.tricks, 0, 0, 0)).noted(substitutes=one) for one in earlier]
    steps = [
        (round_, seat, player)
        for round_ in [*(Round((3, 2, 4, None)).noted(substitutes=now) for now in NOW), SCORED]
        for seat, player in product(range(4), (*TABLE, "Eve", "Gus", None))
    ]
    entries = [("takeSeat", 0, before, *step) for step in steps]
    game = {**facts(rules, 4, 0, rounds), "starters": TABLE, "tally": None}
    answer = ask("game", [plain({**game, "entries": entries})])[0]
    assert answer["entries"] == [seated(rules, earlier, *step) for step in steps]


@pytest.mark.parametrize("rules", OF_SWAPS, ids=lambda one: one.key)
@pytest.mark.parametrize("earlier", EARLIER, ids=str)
def test_the_same_players_change_seats(
    rules: RuleSet, earlier: list[Substitutes], ask: Ask
) -> None:
    if check_seating(rules, TABLE, earlier):
        return  # no game could come to this
    before = seats_after(TABLE, earlier)
    rounds = [Round((1,) * 4, (rules.tricks, 0, 0, 0)).noted(substitutes=one) for one in earlier]
    steps = [
        (Round((3, 2, 4, None), tally=tally), seats)
        for tally in (None, (1, None, 2, 3))
        for seats in [*product(range(4), repeat=2), (0,), (0, 1, 2)]
    ]
    entries = [("swapSeats", 0, before, *step) for step in steps]
    game = {**facts(rules, 4, 0, rounds), "starters": TABLE, "tally": None}
    answer = ask("game", [plain({**game, "entries": entries})])[0]
    for (round_, seats), found in zip(steps, answer["entries"], strict=True):
        try:
            due = plain(swap_seats(rules, TABLE, earlier, round_, seats))
        except Refused as refused:
            due = {"refused": plain(refused.refusals)}
        assert found == due


def seated(
    rules: RuleSet, earlier: list[Substitutes], round_: Round, seat: int, player: str | None
) -> Any:
    try:
        return plain(take_seat(rules, TABLE, earlier, round_, Substitute(seat, player)))
    except Refused as refused:
        return {"refused": plain(refused.refusals)}
