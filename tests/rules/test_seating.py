"""Who sits where: who takes and leaves seats in rounds, and what is refused."""

import pytest

from scorekeeper.rules.bidding import Nil, Table, refusal
from scorekeeper.rules.entry import Refused, swap_seats, take_seat
from scorekeeper.rules.faces import COLORS, Face, faces_by_seat
from scorekeeper.rules.game import fold
from scorekeeper.rules.outcome import start, take_seats
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP, PRESETS
from scorekeeper.rules.round import Round
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
        (
            [(), (Substitute(0, "Ben"), Substitute(1, "Ana"))],
            Seats(("Ben", "Ana", "Cy", "Dana")),
        ),
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
        (CUTTHROAT_LITE, [(Substitute(0, "Ben"),)], f"1: {SITS}"),
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
    round_ = OPEN.noted(substitutes=before)
    seated = take_seat(CUTTHROAT_LITE, TABLE, earlier, round_, Substitute(seat, player))
    assert seated.notes.substitutes == after


@pytest.mark.parametrize(
    ("player", "bids"), [("Eve", (3, 2, 4, None)), (None, (None,) * 4)], ids=["replaced", "left"]
)
def test_the_cards_are_dealt_again_for_another_number_of_players(
    player: str | None, bids: tuple[int | None, ...]
) -> None:
    round_ = Round((3, 2, 4, None))
    assert take_seat(CUTTHROAT_LITE, TABLE, [()], round_, Substitute(3, player)).bids == bids


@pytest.mark.parametrize(
    ("round_", "player", "code"),
    [
        (OPEN, "Ben", "seated"),
        (OPEN, "Dana", "seated"),
        (Round((3, 3, 3, 3), (4, 3, 3, 3)), "Eve", "substitute"),
        (OPEN.noted(substitutes=(DANA_LEAVES,)), None, "empty"),
        (OPEN.noted(substitutes=(BEN_LEAVES, Substitute(2, None))), None, "table_size"),
    ],
)
def test_what_is_refused(round_: Round, player: str | None, code: str) -> None:
    with pytest.raises(Refused) as refused:
        take_seat(CUTTHROAT_LITE, TABLE, [()], round_, Substitute(3, player))
    assert [one.code for one in refused.value.refusals] == [code]
    assert refused.value.refusals[0].seat == (None if code == "table_size" else 3)


@pytest.mark.parametrize(("empty", "code"), [((), None), ((0,), "blind_nil_deficit")])
def test_nobody_is_behind_a_player_who_left(empty: tuple[int, ...], code: str | None) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, BEHIND)
    refused = refusal(Table(rules, (100, 22, 22, 20), empty), (None,) * 4, 2, Nil.BLIND)
    assert (refused and refused.code) == code


@pytest.mark.parametrize(
    ("book", "totals", "kept", "after"),
    [
        # everybody alone: the total goes along
        ("cutthroat-lite", (10, 20, 30, 40), (), (20, 10, 30, 40)),
        # what partners scored together stays with their side
        ("partnership", (10, 20), (), (10, 20)),
        # partners with totals of their own
        ("forty-one", (40, 60), (10, 20, 30, 40), (50, 50)),
    ],
)
def test_totals_of_players_who_change_seats(
    book: str, totals: tuple[int, ...], kept: tuple[int, ...], after: tuple[int, ...]
) -> None:
    zeros = (0,) * len(totals)
    before = start(PRESETS[book], TABLE)._replace(totals=totals, seat_totals=kept, sets=zeros)
    swap = (Substitute(0, "Ben"), Substitute(1, "Ana"))
    found = take_seats(PRESETS[book], before, swap)
    assert found.totals == after
    assert found.seat_totals == (kept and (20, 10, 30, 40))
    assert found.seats.names == ("Ben", "Ana", *TABLE[2:])


@pytest.mark.parametrize(
    ("earlier", "before", "seats", "after", "bids"),
    [
        ([()], (), (0, 2), ("Cy", "Ben", "Ana", "Dana"), (4, 2, 3, None)),
        ([], (), (0, 2), ("Cy", "Ben", "Ana", "Dana"), (4, 2, 3, None)),
        ([()], (Substitute(0, "Cy"), Substitute(2, "Ana")), (2, 0), TABLE, (4, 2, 3, None)),
        ([()], (EVE,), (3, 0), ("Eve", "Ben", "Cy", "Ana"), (None, 2, 4, 3)),
    ],
)
def test_two_players_change_seats_and_their_bids_go_along(
    earlier: list[Substitutes],
    before: Substitutes,
    seats: tuple[int, int],
    after: tuple[str, ...],
    bids: tuple[int | None, ...],
) -> None:
    round_ = Round((3, 2, 4, None)).noted(substitutes=before)
    swapped = swap_seats(CUTTHROAT_LITE, TABLE, earlier, round_, seats)
    assert seats_after(TABLE, [*earlier, swapped.notes.substitutes]).names == after
    assert swapped.bids == bids
    assert swap_seats(CUTTHROAT_LITE, TABLE, earlier, swapped, seats) == round_


@pytest.mark.parametrize(
    ("round_", "seats", "code"),
    [
        (OPEN, (0,), "two_seats"),
        (OPEN, (0, 0), "two_seats"),
        (OPEN, (0, 1, 2), "two_seats"),
        (OPEN.noted(substitutes=(DANA_LEAVES,)), (0, 3), "two_seats"),
        (Round((3, 3, 3, 3), (4, 3, 3, 3)), (0, 1), "substitute"),
    ],
)
def test_what_is_no_swap(round_: Round, seats: tuple[int, ...], code: str) -> None:
    with pytest.raises(Refused) as refused:
        swap_seats(CUTTHROAT_LITE, TABLE, [()], round_, seats)
    assert [one.code for one in refused.value.refusals] == [code]


def test_past_rounds_are_shown_under_those_who_played_them() -> None:
    hands = Round((3, 2, 2, 1), (3, 2, 3, 2))
    swap = (Substitute(0, "Dana"), Substitute(3, "Ana"))
    later = Round((None,) * 4).noted(substitutes=(Substitute(1, "Cy"), Substitute(2, "Ben"), EVE))
    rounds = [hands, hands.noted(substitutes=swap), later]
    state = fold(CUTTHROAT_LITE, 4, 3, rounds, starters=TABLE)
    assert state.seats.names == ("Dana", "Cy", "Ben", "Eve")
    shown = state.as_seated.rounds
    assert [one.after.seats.names for one in shown] == [("Dana", "Cy", "Ben", "Ana")] * 2
    assert [one.bids for one in shown] == [(1, 2, 2, 3), (3, 2, 2, 1)]
    assert [one.after.totals for one in shown] == [(11, 21, 20, 30), (41, 42, 40, 41)]
    assert shown[-1].after.totals == state.standing.totals


# Two players of the same shape or color, and who has it in the game.
FACES = {
    "nobody has the same": ([(5, 5), (4, 2), (9, 7)], [(5, 5), (4, 2), (9, 7)]),
    "the later gets that of the seat": ([(5, 5), (5, 5)], [(5, 5), (2, 2)]),
    "the seat's is taken by another": ([(2, 2), (2, 2), (1, 1)], [(2, 2), (3, 3), (1, 1)]),
    "only the shape is the same": ([(2, 1), (2, 5)], [(2, 1), (1, 5)]),
    "only the color is the same": ([(1, 2), (8, 2)], [(1, 2), (8, 1)]),
    "a player without a face gives way": ([None, (1, 1), None], [(2, 2), (1, 1), (3, 3)]),
}


@pytest.mark.parametrize(("own", "shown"), FACES.values(), ids=FACES.keys())
def test_players_keep_their_faces_as_far_as_they_differ(
    own: list[tuple[int, int] | None], shown: list[tuple[int, int]]
) -> None:
    assert [*faces_by_seat([face and Face(*face) for face in own])] == shown


def test_ten_players_differ_in_shape_and_seven_in_color() -> None:
    for own in [[None] * 10, [Face(3, 3)] * 10, [Face(n % 3 + 1, 7) for n in range(10)]]:
        shown = faces_by_seat(own)
        assert len({face.shape for face in shown}) == len(own)
        assert len({face.color for face in shown[:COLORS]}) == COLORS
