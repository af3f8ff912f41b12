"""Who sits where: who takes and leaves seats in rounds, and what is refused."""

import pytest

from scorekeeper.rules.bidding import Nil, refusal
from scorekeeper.rules.entry import Refused, take_seat
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.seating import Seats, Substitute, Substitutes, check_seating, seats_after
from tests.rules.tables import said

BEHIND = {"blind_nil_points": "100", "blind_nil_deficit": "50"}
TABLE = ("Ana", "Ben", "Cy", "Dana")
EVE, FAY = Substitute(3, "Eve"), Substitute(0, "Fay")
BEN_LEAVES, DANA_LEAVES = Substitute(1, None), Substitute(3, None)
BEN_RETURNS, DANA_RETURNS = Substitute(1, "Ben"), Substitute(3, "Dana")
OPEN = Round((None,) * 4)
SITS = "This player already sits at the table. Choose another."


@pytest.mark.parametrize(
    ("rounds", "seats"),
    [
        ([], Seats(TABLE)),
        ([(), ()], Seats(TABLE)),
        ([(), (EVE,)], Seats(("Ana", "Ben", "Cy", "Eve"))),
        ([(EVE, FAY), ()], Seats(("Fay", "Ben", "Cy", "Eve"))),
        ([(EVE,), (Substitute(3, "Gus"),)], Seats(("Ana", "Ben", "Cy", "Gus"))),
        ([(EVE,), (DANA_RETURNS,)], Seats(TABLE)),
        ([(EVE,), (Substitute(0, "Dana"),)], Seats(("Dana", "Ben", "Cy", "Eve"))),
        ([(), (DANA_LEAVES,)], Seats(TABLE, (3,))),
        ([(), (DANA_LEAVES,), (DANA_RETURNS,)], Seats(TABLE)),
        ([(), (DANA_LEAVES,), (EVE,)], Seats(("Ana", "Ben", "Cy", "Eve"))),
        ([(), (FAY, DANA_LEAVES)], Seats(("Fay", "Ben", "Cy", "Dana"), (3,))),
        ([(), (DANA_LEAVES,), (BEN_LEAVES, EVE)], Seats(("Ana", "Ben", "Cy", "Eve"), (1,))),
    ],
)
def test_who_sits_where_after_some_rounds(rounds: list[Substitutes], seats: Seats) -> None:
    assert seats_after(TABLE, rounds) == seats
    assert check_seating(CUTTHROAT_LITE, TABLE, rounds) == []


@pytest.mark.parametrize(
    ("rules", "rounds", "sentence"),
    [
        (CUTTHROAT_LITE, [(Substitute(3, "Ana"),)], f"4: {SITS}"),
        (CUTTHROAT_LITE, [(Substitute(0, "Eve"), EVE)], f"1: {SITS}"),
        (CUTTHROAT_LITE, [(EVE,), (Substitute(0, "Eve"),)], f"1: {SITS}"),
        (CUTTHROAT_LITE, [(Substitute(0, "Ben"), Substitute(1, "Ana"))], f"1: {SITS}"),
        (CUTTHROAT_LITE, [(), (DANA_LEAVES,), (Substitute(3, "Ana"),)], f"4: {SITS}"),
        (
            CUTTHROAT_LITE,
            [(DANA_LEAVES,)],
            "4: Nobody can leave before a round is played. Start a new game instead.",
        ),
        (
            CUTTHROAT_LITE,
            [(), (DANA_LEAVES,), (DANA_LEAVES,)],
            "4: Nobody sits here in this round.",
        ),
        (
            CUTTHROAT_LITE,
            [(), (BEN_LEAVES, Substitute(2, None), DANA_LEAVES)],
            "all: These rules aren’t for 1 player.",
        ),
        (PARTNERSHIP, [(), (DANA_LEAVES,)], "all: These rules aren’t for 3 players."),
    ],
    ids=[
        "sits elsewhere",
        "two seats",
        "two seats later",
        "a swap",
        "an empty seat for somebody who sits",
        "before a round is played",
        "leaves twice",
        "too few for the rules",
        "a partner",
    ],
)
def test_seats_that_cannot_be_taken_or_left(
    rules: RuleSet, rounds: list[Substitutes], sentence: str
) -> None:
    assert said(check_seating(rules, TABLE, rounds)) == sentence


@pytest.mark.parametrize(
    ("earlier", "before", "seat", "player", "after"),
    [
        ([], (), 3, "Eve", (EVE,)),
        ([()], (EVE,), 0, "Fay", (FAY, EVE)),
        ([()], (EVE,), 3, "Gus", (Substitute(3, "Gus"),)),
        ([()], (EVE,), 3, "Dana", ()),
        ([(EVE,)], (), 3, "Dana", (Substitute(3, "Dana"),)),
        ([()], (), 3, None, (DANA_LEAVES,)),
        ([()], (DANA_LEAVES,), 3, "Dana", ()),
        ([()], (DANA_LEAVES,), 3, "Eve", (EVE,)),
        ([()], (EVE,), 3, None, (DANA_LEAVES,)),
        ([(), (DANA_LEAVES,)], (), 3, "Dana", (DANA_RETURNS,)),
        ([(), (DANA_LEAVES,)], (DANA_RETURNS,), 3, None, ()),
    ],
)
def test_a_player_takes_or_leaves_a_seat(
    earlier: list[Substitutes],
    before: Substitutes,
    seat: int,
    player: str | None,
    after: Substitutes,
) -> None:
    round_ = OPEN._replace(substitutes=before)
    seated = take_seat(CUTTHROAT_LITE, TABLE, earlier, round_, seat, player)
    assert seated.substitutes == after


@pytest.mark.parametrize(
    ("player", "bids"), [("Eve", (3, 2, 4, None)), (None, (None,) * 4)], ids=["replaced", "left"]
)
def test_the_cards_are_dealt_again_for_another_number_of_players(
    player: str | None, bids: tuple[int | None, ...]
) -> None:
    round_ = Round((3, 2, 4, None))
    assert take_seat(CUTTHROAT_LITE, TABLE, [()], round_, 3, player).bids == bids


@pytest.mark.parametrize(
    ("round_", "player", "code"),
    [
        (OPEN, "Ben", "seated"),
        (OPEN, "Dana", "seated"),
        (Round((3, 3, 3, 3), (4, 3, 3, 3)), "Eve", "substitute"),
        (OPEN._replace(substitutes=(DANA_LEAVES,)), None, "empty"),
        (OPEN._replace(substitutes=(BEN_LEAVES, Substitute(2, None))), None, "table_size"),
    ],
)
def test_what_is_refused(round_: Round, player: str | None, code: str) -> None:
    with pytest.raises(Refused) as refused:
        take_seat(CUTTHROAT_LITE, TABLE, [()], round_, 3, player)
    assert [one.code for one in refused.value.refusals] == [code]
    assert refused.value.refusals[0].seat == (None if code == "table_size" else 3)


@pytest.mark.parametrize(("empty", "code"), [((), None), ((0,), "blind_nil_deficit")])
def test_nobody_is_behind_a_player_who_left(empty: tuple[int, ...], code: str | None) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, BEHIND)
    refused = refusal(rules, (None,) * 4, 2, Nil.BLIND, (100, 22, 22, 20), empty)
    assert (refused and refused.code) == code
